import RemindavICalendar
import RemindavReminders
import RemindavStore

/// Reads the reminders of a snapshot that match a filter.
///
/// The order is that of the numbers, except that a reminder comes last if its text must be read for its start.
/// The index columns select the rows in the database first; then the predicate decides, and then the words of the
/// filter, for which the texts are read.
struct FilteredReading {
    private let reader: ReminderReader
    private let snapshot: StoreSnapshot
    private let names: [ListID: String]
    let scope: ObjectScope
    private let predicate: ReminderPredicate
    private let query: SearchQuery?
    private let subtasks: Subtasks
    private let dependencies: Dependencies

    /// - Throws: `listNotFound` or `listNameUnclear` for a list of the filter.
    init(_ filter: ReminderFilter, _ reader: ReminderReader, _ snapshot: StoreSnapshot) throws {
        self.reader = reader
        self.snapshot = snapshot
        self.names = try snapshot.listNames()
        self.predicate = ReminderPredicate(filter)
        self.query = filter.words
        self.subtasks = try Subtasks(snapshot)
        self.dependencies = try Dependencies(snapshot)
        var scope = ObjectScope(statuses: filter.statuses)
        for filter in filter.all {
            if !filter.lists.isEmpty {
                let lists = Set(try filter.lists.map { try snapshot.list(named: $0).id })
                scope.lists = scope.lists?.intersection(lists) ?? lists
            }
            if scope.priorities.isEmpty { scope.priorities = filter.priorities }
            if filter.starts == [.later] { scope.haveStart = true }
            if let due = filter.due { scope.dues.append(ObjectScope.Due(due)) }
        }
        self.scope = scope
    }

    private func name(of list: ListID) -> String { self.names[list] ?? "" }

    func forEachView(_ detail: ReminderDetail, _ body: (consuming ReminderView) -> Void) throws {
        if self.query != nil { return try self.forEachFound(detail) { body($0.view) } }
        switch detail {
        case .line:
            var waiting: [ReminderView] = []
            try self.snapshot.forEachRow(in: self.scope) { row in
                let view = self.reader.view(row, list: self.name(of: row.list))
                if view.startsLater, view.mayHaveEarlyAlarm {
                    waiting.append(view)
                } else {
                    self.pass(consume view, to: body)
                }
            }
            for var view in waiting {
                let id = ObjectID(view.id)
                try self.reader.correctStart(&view) {
                    try self.snapshot.object(id).flatMap { Reminder(ICalendarDocument($0.source)) }
                }
                self.pass(view, to: body)
            }
        case .everything:
            try self.snapshot.forEachObject(in: self.scope) { record in
                var line = self.reader.line(record, list: "")
                self.reader.correctStart(&line) { Reminder(ICalendarDocument(record.source)) }
                self.dependencies.fill(&line)
                guard self.predicate.matches(line) else { return true }
                var view = self.reader.view(record, list: self.name(of: record.list))
                self.subtasks.fill(&view)
                self.dependencies.fill(&view)
                body(view)
                return true
            }
        }
    }

    private func pass(_ view: consuming ReminderView, to body: (consuming ReminderView) -> Void) {
        self.dependencies.fill(&view)
        guard self.predicate.matches(view) else { return }
        self.subtasks.fill(&view)
        body(view)
    }

    /// Passes the reminders that contain all words; none if the filter has no words.
    func forEachFound(_ detail: ReminderDetail, _ body: (FoundReminder) -> Void) throws {
        guard let query else { return }
        var prefilter = SubstringPrefilter(query)
        try self.snapshot.forEachObject(in: self.scope, where: { prefilter.mayMatch($0) }) { record in
            var line = self.reader.line(record, list: self.name(of: record.list))
            let reading = LazyReading(record.source, self.reader)
            self.reader.correctStart(&line) { reading.reminder }
            self.dependencies.fill(&line)
            guard self.predicate.matches(line) else { return true }
            let index = record.index
            let match = query.match(title: index.title, labels: index.labels, others: { reading.texts })
            guard let match else { return true }
            var view =
                detail == .everything ? self.reader.view(record, of: reading.reminder, list: line.list) : line
            self.subtasks.fill(&view)
            self.dependencies.fill(&view)
            body(FoundReminder(view: view, match: match, texts: reading.texts(of: match.fields)))
            return true
        }
    }

    /// The numbers of the reminders that match.
    func ids() throws -> Set<ObjectID> {
        var ids: Set<ObjectID> = []
        try self.forEachView(.line) { ids.insert(ObjectID($0.id)) }
        return ids
    }
}

extension ObjectScope.Due {
    fileprivate init(_ due: ReminderFilter.Due) {
        switch due {
        case .absent: self = .absent
        case .within(let from, let before):
            self = .within(from: from?.secondsSince1970, before: before?.secondsSince1970)
        }
    }
}

/// Reads the text of a reminder when the text is first used.
private final class LazyReading {
    private let source: [UInt8]
    private let reader: ReminderReader
    /// The texts of the fields besides the title and the labels.
    private(set) lazy var texts =
        self.reminder.map { $0.current(zones: self.reader.resolver(for: $0.object)).searchTexts } ?? []
    private(set) lazy var reminder = Reminder(ICalendarDocument(self.source))

    init(_ source: [UInt8], _ reader: ReminderReader) {
        self.source = source
        self.reader = reader
    }

    /// The texts of the given fields; the reminder is read only for fields besides title and labels.
    func texts(of fields: [String]) -> [String] {
        let others = fields.filter { $0 != "title" && $0 != "label" }
        return others.isEmpty ? [] : self.texts.filter { others.contains($0.field) }.map(\.text)
    }
}
