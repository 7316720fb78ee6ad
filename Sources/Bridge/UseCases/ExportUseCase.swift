import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavStore
package import RemindavTaskFormats
import RemindavWeb

private struct ExportSelection {
    /// The numbers of the exported reminders; `nil` for all.
    let ids: Set<ObjectID>?
    /// The lists of the filter; `nil` without a list in the filter.
    let lists: Set<ListID>?

    init(_ filter: ReminderFilter, _ reader: ReminderReader, _ snapshot: StoreSnapshot) throws {
        let reading = try FilteredReading(filter, reader, snapshot)
        self.lists = reading.scope.lists
        self.ids = filter.selectsAll ? nil : try reading.ids()
    }

    func contains(_ id: ObjectID) -> Bool { self.ids?.contains(id) ?? true }
}

extension StoreSnapshot {
    fileprivate func rows(of selection: ExportSelection) throws -> [ObjectRow] {
        try self.rows().filter { selection.contains($0.id) }
    }

    /// The labels of an export; an export of some reminders contains only the labels of these reminders.
    fileprivate func labels(of selection: ExportSelection) throws -> [Label] {
        let known = try self.labels()
        guard !known.isEmpty, selection.ids != nil else { return known }
        let used = Set(try self.rows(of: selection).flatMap { $0.index.labels.map { LabelKey($0) } })
        return known.filter { used.contains($0.key) }
    }

    fileprivate func forEachSource(of selection: ExportSelection, _ body: ([UInt8]) throws -> Void) throws {
        var failure: (any Error)?
        let lists = selection.lists
        try self.forEachObject(in: ObjectScope(lists: lists)) { record in
            guard selection.contains(record.id) else { return true }
            do {
                try body(record.source)
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw failure }
    }

    /// The exported lists, the oldest first: those of the filter, or else those of `entries`, or all lists for `nil`.
    fileprivate func exportedLists(_ named: Set<ListID>?, with entries: [ExportEntry]?) throws -> [ImportedList] {
        let used = named ?? entries.map { Set($0.map(\.list)) }
        let standard = try self.usableDefaultList(nil)
        return try self.lists().sorted { $0.id < $1.id }
            .filter { used?.contains($0.id) ?? true }
            .map { ImportedList(name: $0.name, color: $0.color, isDefault: $0.id == standard?.id) }
    }

    fileprivate func parents() throws(DatabaseError) -> [ObjectID: String] {
        var parents: [ObjectID: String] = [:]
        try self.forEachRelatedObject { record in
            if let parent = Reminder(ICalendarDocument(record.source))?.parentUID { parents[record.id] = parent }
        }
        return parents
    }
}

package struct ExportResult: Hashable, Sendable {
    /// The number of reminders in the output.
    package let count: Int
    /// The titles of the reminders with data that the format cannot express, in the order of the output.
    package let losses: [ExportLoss: [String]]
}

extension UseCases {
    fileprivate static let exportPieceBytes = 1 << 16

    /// Writes to-dos with their stored bytes as one iCalendar file, in the order of their numbers; returns the count.
    package func exportCalendar(
        matching filter: ReminderFilter = ReminderFilter(includesCompleted: true),
        style: ExportStyle,
        write: ([UInt8]) throws -> Void
    ) throws -> Int {
        let zones = self.configuration.zones
        return try self.store.read { snapshot in
            let selection = try ExportSelection(filter, self.reader, snapshot)
            switch style {
            case .todo:
                let lines = try snapshot.labels(of: selection).map { LabelUpdate.line($0) }
                var stream = TodoStream(header: lines, isWellKnown: { zones.rules(named: $0) != nil })
                try snapshot.forEachSource(of: selection) { source in
                    stream.add(source)
                    if let piece = stream.piece() { try write(piece) }
                }
                try write(stream.end())
                return stream.count
            case .event:
                var objects: [CalendarObject] = []
                try snapshot.forEachSource(of: selection) { source in
                    if let object = CalendarObject(ICalendarDocument(source)) { objects.append(object) }
                }
                // The file is for the owner of the store, so private reminders are complete.
                let content = FeedContent(
                    name: filter.lists.first ?? Self.firstListName,
                    objects: objects,
                    showsPrivate: true
                )
                let feed = EventFeed(content, zones: zones, localZone: self.configuration.localZone)
                try write(feed.bytes)
                return feed.count
            }
        }
    }

    /// Writes reminders in a format other than iCalendar.
    ///
    /// The order is list, due time, title, UID. Reminders without a due time come last. In Markdown and for Todoist, a
    /// reminder follows its parent. In the formats of other programs, the order is that of the numbers, which is the
    /// order of an imported file.
    ///
    /// - Parameter words: formats an RRULE value as text for users.
    package func exportReminders(
        as form: ExportForm,
        matching filter: ReminderFilter = ReminderFilter(includesCompleted: true),
        words: @escaping @Sendable (_ rule: String) -> String,
        write: ([UInt8]) throws -> Void
    ) throws -> ExportResult {
        let reader = self.reader
        return try self.store.read { snapshot in
            let selection = try ExportSelection(filter, reader, snapshot)
            let names = try snapshot.listNames()
            let entries = try snapshot.rows(of: selection).map { row in
                ExportEntry(id: row.id, list: row.list, view: reader.view(row, list: names[row.list] ?? ""))
            }.sorted { form.keepsOrder ? $0.id < $1.id : $0.precedes($1) }
            let order =
                form.keepsTrees
                ? ExportTree(entries, parents: try snapshot.parents()).order
                : entries.map { (id: $0.id, depth: 0) }
            var writer = ExportWriter(
                form,
                lists: try snapshot.exportedLists(selection.lists, with: selection.ids == nil ? nil : entries),
                labels: try snapshot.labels(of: selection).map { label in
                    ImportedLabel(name: label.name, id: label.id, color: label.color.hex, updatedAt: label.updatedAt)
                },
                firstList: Self.firstListName,
                in: self.importContext(),
                words: words
            )
            var pending = writer.beginning
            for (id, depth) in order {
                guard let record = try snapshot.object(id) else { continue }
                let list = names[record.list] ?? ""
                pending += writer.text(reader.exported(record, list: list, for: form), depth: depth)
                if pending.count >= Self.exportPieceBytes {
                    try write(pending)
                    pending.removeAll(keepingCapacity: true)
                }
            }
            try write(pending + writer.end)
            return ExportResult(count: writer.count, losses: writer.losses)
        }
    }
}

/// Joins to-dos into one iCalendar file; to-dos keep their bytes, and each zone is defined once.
private struct TodoStream {
    private(set) var count = 0
    private var zones: [String: Component] = [:]
    private var pending: [UInt8] = []
    /// Whether the time zone database has a zone of this name; all definitions of the name then mean the same zone.
    private let isWellKnown: (String) -> Bool

    init(header: [ContentLine], isWellKnown: @escaping (String) -> Bool) {
        self.isWellKnown = isWellKnown
        self.begin(header)
    }

    private mutating func begin(_ header: [ContentLine] = []) {
        let lines = [
            ContentLine(.begin, value: "VCALENDAR"), ContentLine(.version, value: "2.0"),
            ContentLine(.prodid, text: Reminder.productIdentifier),
        ]
        self.pending += (lines + header).flatMap { $0.bytes() }
    }

    mutating func add(_ source: [UInt8]) {
        guard let object = CalendarObject(ICalendarDocument(source)) else { return }
        let zones = object.document.all(.vtimezone).compactMap { zone in zone.first(.tzid).map { ($0.text, zone) } }
        // Outlook names every custom zone "Customized Time Zone". A different zone with a name that is in use begins a
        // new VCALENDAR.
        let isClash = zones.contains { name, zone in
            self.zones[name].map { known in
                known.bytes != zone.bytes && !self.isWellKnown(name) && known.meaning() != zone.meaning()
            } ?? false
        }
        if isClash {
            self.pending += ContentLine(.end, value: "VCALENDAR").bytes()
            self.zones = [:]
            self.begin()
        }
        for (name, zone) in zones where self.zones[name] == nil {
            self.zones[name] = zone
            self.pending += zone.bytes
        }
        for todo in object.todos { self.pending += todo.bytes }
        self.count += 1
    }

    mutating func piece() -> [UInt8]? {
        guard self.pending.count >= UseCases.exportPieceBytes else { return nil }
        defer { self.pending.removeAll(keepingCapacity: true) }
        return self.pending
    }

    func end() -> [UInt8] { self.pending + ContentLine(.end, value: "VCALENDAR").bytes() }
}

private struct ExportEntry {
    let id: ObjectID
    let list: ListID
    let view: ReminderView

    func precedes(_ other: Self) -> Bool {
        if self.view.list != other.view.list { return self.view.list < other.view.list }
        let (mine, theirs) = (self.view.dueInstant, other.view.dueInstant)
        if mine != theirs {
            guard let mine, let theirs else { return mine != nil }
            return mine < theirs
        }
        if self.view.title != other.view.title { return self.view.title < other.view.title }
        return (self.view.uid, self.id.rawValue) < (other.view.uid, other.id.rawValue)
    }
}

/// The order of a Markdown checklist: each reminder is below its parent, if the export contains the parent.
private struct ExportTree {
    let order: [(id: ObjectID, depth: Int)]

    init(_ entries: [ExportEntry], parents: [ObjectID: String]) {
        struct Key: Hashable {
            let list: ListID
            let uid: String
        }
        let places = Dictionary(
            entries.indices.map { (Key(list: entries[$0].list, uid: entries[$0].view.uid), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let found = entries.map { entry in
            parents[entry.id].flatMap { places[Key(list: entry.list, uid: $0)] }
        }
        self.order = SubtaskOrder.order(ofParents: found).map { (entries[$0.place].id, $0.depth) }
    }
}

extension ReminderReader {
    /// The reminder as an export in this form contains it.
    func exported(_ record: ObjectRecord, list: String, for form: ExportForm) -> ExportedReminder {
        let document = ICalendarDocument(record.source)
        if !form.keepsChangedDates, let series = self.exportedSeries(document, list: list) { return series }
        let text = Reminder(document)
        return self.exported(self.view(record, of: text, list: list), text, record.source, list: list)
    }

    /// The reminder without the changes of single open dates; `nil` if no date was changed.
    private func exportedSeries(_ document: ICalendarDocument, list: String) -> ExportedReminder? {
        guard let object = CalendarObject(document), object.main.recurrenceID == nil else { return nil }
        let changed = object.overrides.filter { $0.recurrenceID?.parameter(.range) == nil && !$0.status.isClosed }
        if changed.isEmpty { return nil }
        let series = document.applying(changed.map { Edit($0.range, []) })
        guard let view = self.view(ofText: Array(series.bytes), list: list) else { return nil }
        var reminder = self.exported(view, Reminder(series), Array(series.bytes), list: list)
        reminder.hasChangedDate = true
        return reminder
    }

    private func exported(_ view: ReminderView, _ text: Reminder?, _ source: [UInt8], list: String) -> ExportedReminder
    {
        var reminder = ExportedReminder(
            uid: view.uid,
            list: list,
            title: view.title,
            status: view.status.rawValue,
            priority: view.priority.rawValue
        )
        reminder.notes = view.notes
        reminder.due = view.due
        reminder.dueZone = view.dueZone
        reminder.allDay = view.allDay
        reminder.start = view.start
        reminder.repeatRule = view.repeatRule
        reminder.repeatsFromCompletion = view.repeatsFromCompletion
        reminder.completedAt = view.completedAt
        reminder.snoozedUntil = view.snoozedUntil
        reminder.labels = view.labels
        reminder.alarms = view.alarms
        reminder.createdAt = view.createdAt
        reminder.updatedAt = view.updatedAt
        reminder.source = String(validating: source, as: UTF8.self)
        reminder.parent = text?.parentUID
        for (name, property) in ReminderField.lineProperties {
            reminder.lines[name] = text?.todo.text(of: property)
        }
        return reminder
    }
}
