import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavResources
import RemindavStore
import RemindavTaskFormats

/// Applies the content of one file to the store in one transaction.
struct StreamImport {
    let transaction: StoreTransaction
    let reader: ReminderReader
    let editing: EditingContext
    /// The lists that may already contain a reminder of the file; empty when the user wants copies.
    let others: [ListRecord]
    let importsEvents: Bool
    /// The target list of the next to-do.
    var list: ListRecord
    var report: ImportReport
    /// The lists that the file names; `nil` when all to-dos go into one list.
    var lists: TargetLists?
    var calendar = StreamCalendar()
    var open = OpenObjects()
    var outcomes = ImportOutcomes()
    var labels: LabelUpdates = [:]
    /// The lines of an export to todo.txt, by the target list if the user wants copies, or else for `nil`.
    ///
    /// They are read at the first line without a stored UID.
    var exportedLines: [ListID?: ExportedLines] = [:]
    /// The journal run of the import; `nil` before the first change.
    var run: RunID?
    /// The reminders whose change is in the journal, also by earlier files of the same run.
    var recorded: Set<ObjectID> = []
    /// The line number for all issues of a calendar object inside another format; `nil` if each issue has its own.
    var line: Int?

    /// The number of to-dos between two calls of `progress`, so that a second has only a few calls.
    private static let progressStep = 500

    /// The time of the import, in seconds since 1970.
    var now: Int64 { self.editing.now.secondsSince1970 }

    // MARK: A whole file

    /// Applies an iCalendar file.
    ///
    /// - Parameters:
    ///   - isCalendar: whether the user requested this format.
    ///   - read: returns the next bytes after `beginning`; an empty array means the end.
    mutating func apply(
        _ beginning: [UInt8],
        isCalendar: Bool,
        named name: String,
        progress: (Int) -> Void,
        read: () throws -> [UInt8]
    ) throws {
        var splitter = ComponentSplitter()
        var (reported, piece) = (0, beginning)
        // The first issue about an exceeded limit. If there is one, the whole file is refused at the end.
        var refusal: ParseIssue?
        while true {
            for part in piece.isEmpty ? splitter.finish() : splitter.push(piece) {
                if case .issue(let issue) = part, issue.code.isBeyondLimits { refusal = refusal ?? issue }
                try self.apply(part)
            }
            if self.outcomes.total - reported >= Self.progressStep {
                reported = self.outcomes.total
                progress(reported)
            }
            if piece.isEmpty { break }
            piece = try read()
        }
        guard splitter.hasComponents else {
            throw isCalendar
                ? UseCaseError.noCalendar(beginning, named: name) : UseCaseError.unknown(beginning, named: name)
        }
        guard !splitter.isTruncated else { throw UseCaseError(.fileCutShort, subject: name) }
        try self.writeOpenObjects()
        self.reportUnknownZones()
        self.countOutcomes()
        if let refusal { throw UseCaseError(.beyondLimits, subject: "\(name), \(refusal)") }
    }

    mutating func apply(_ tasks: ParsedTasks, progress: (Int) -> Void) throws(DatabaseError) {
        self.report.format = tasks.format.name
        self.report.skipped += tasks.skipped + tasks.leftOut
        self.report.leftOut += tasks.leftOut
        for finding in tasks.findings { self.add(finding) }
        self.report.issueCount += tasks.findingCount - tasks.findings.count
        for label in tasks.labels {
            guard let color = LabelColor(label.color) else { continue }
            let seconds = label.updatedAt.secondsSince1970
            self.labels.add(LabelUpdate(name: label.name, color: color, updatedAt: seconds, id: label.id))
        }
        for (index, item) in tasks.items.enumerated() {
            switch item {
            case .todo(let task):
                try self.selectList(named: task.list)
                try self.apply(task, of: tasks)
            case .calendar(let text, let line, let list):
                try self.selectList(named: list)
                try self.apply(calendar: text, line: line)
            }
            if index.isMultiple(of: Self.progressStep) { progress(index) }
        }
        for task in tasks.deleted {
            try self.selectList(named: task.list)
            try self.apply(deleted: task, of: tasks)
        }
        self.countOutcomes()
    }

    private mutating func countOutcomes() {
        self.report.added = self.outcomes.count(.added)
        self.report.updated = self.outcomes.count(.updated)
        self.report.unchanged = self.outcomes.count(.unchanged)
        self.report.deleted = self.outcomes.count(.deleted)
        self.report.skipped += self.outcomes.count(.skipped)
        self.report.issues.sort { $0.line < $1.line }
    }

    /// Selects the target list of the next to-do, if the user did not name one list for all.
    mutating func selectList(named name: String?) throws(DatabaseError) {
        let now = self.now
        if let list = try self.lists?.list(named: name, in: self.transaction, at: now) { self.list = list }
    }

    // MARK: Parts of a file

    private mutating func apply(_ part: ComponentSplitter.Part) throws(DatabaseError) {
        switch part {
        case .calendarBegin:
            // The changes need the time zones of their own VCALENDAR, so they are written before the next one begins.
            try self.writeOpenObjects()
            self.reportUnknownZones()
            self.calendar = StreamCalendar()
        case .calendarEnd:
            break
        case .property(let bytes, _):
            let name = bytes.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
            guard let name = Name(String(decoding: name, as: UTF8.self)) else { break }
            if StreamCalendar.keptProperties.contains(name) {
                self.calendar.header += Self.restoringLineFeeds(bytes)
            } else if name == .label, let update = LabelUpdate(line: Self.restoringLineFeeds(bytes)) {
                self.labels.add(update)
            }
        case .component(.vtimezone, let bytes, _):
            self.calendar.add(zone: Self.restoringLineFeeds(bytes))
        case .component(.vtodo, let bytes, let line):
            try self.apply(todo: Self.restoringLineFeeds(bytes), line: line)
        case .component(.vevent, let bytes, let line) where self.importsEvents:
            try self.apply(event: Self.restoringLineFeeds(bytes), line: line)
        case .component(let name, _, _):
            self.report.skipped += 1
            self.report.foreign += 1
            if name == .vevent { self.report.events += 1 }
        case .issue(let issue):
            if issue.code == .tooDeep { self.report.skipped += 1 }
            self.add(issue)
        }
    }

    /// Applies a calendar object that our own JSON export contains.
    private mutating func apply(calendar text: [UInt8], line: Int) throws(DatabaseError) {
        self.line = line
        defer { self.line = nil }
        var splitter = ComponentSplitter()
        let parts = splitter.push(text) + splitter.finish()
        for case .issue(let issue) in parts where issue.code.isBeyondLimits {
            self.report.skipped += 1
            return self.add(issue)
        }
        for part in parts { try self.apply(part) }
        try self.writeOpenObjects()
        guard splitter.isTruncated || !splitter.hasComponents else { return }
        self.report.skipped += 1
        self.add(ImportIssue(.badRow, line: line, subject: "icalendar"))
    }

    private mutating func apply(todo bytes: [UInt8], line: Int) throws(DatabaseError) {
        guard let todo = StreamTodo(bytes, line: line, report: { self.add($0) }) else { return }
        guard KeyLimits.allows(todo.uid) else {
            self.report.skipped += 1
            return self.add(ImportIssue(.uidTooLong, line: self.line ?? line))
        }
        if try self.skipsReadOnlyList(todo.uid, line: line) { return }
        self.countRule(of: todo.component, line: line)
        let key = OpenObjects.Key(list: self.list.id, uid: todo.uid.exact)
        if self.open[key] == nil {
            guard let existing = try self.existing(todo.uid) else { return try self.insert(todo.component, todo.uid) }
            guard let object = OpenObject(existing) else { return }
            self.open.open(object, as: key)
        }
        self.merge(todo.component, into: key, line: line)
        if self.open.areTooMany { try self.writeOpenObjects(reopening: key) }
    }

    /// Applies an event as a reminder; a past event is left out, and a series begins with its next date.
    private mutating func apply(event bytes: [UInt8], line: Int) throws(DatabaseError) {
        self.report.events += 1
        guard let event = ICalendarDocument(bytes).components.first, let converted = EventConversion.todo(bytes),
            let todo = ICalendarDocument(converted).components.first
        else { return try self.apply(todo: bytes, line: line) }
        let stored = try self.former(todo.first(.uid)?.text.trimmingSpaces ?? "")
        let source = self.calendar.source(converted, zones: todo.timeZoneNames)
        guard let object = CalendarObject(ICalendarDocument(source)) else {
            return try self.apply(todo: converted, line: line)
        }
        let times = EventTimes(
            todo,
            seconds: EventConversion.seconds(of: event),
            zones: self.reader.resolver(for: object),
            now: self.editing.now
        )
        // An event that was imported before is updated, even if it is past now.
        let exists = stored?[todo.recurrenceID?.value] != nil
        if !exists, times.isOver {
            self.report.skipped += 1
            self.report.past += 1
            return
        }
        let start = exists ? stored?.main.first(.dtstart)?.moment : times.next
        let moved = start.flatMap { times.edits(movingTo: $0) }
        let text = moved.map { Array(ICalendarDocument(converted).applying($0).bytes) } ?? converted
        try self.apply(todo: text, line: line)
    }

    /// Adds a line feed to lines that end with a carriage return alone, as Lotus Notes writes them.
    private static func restoringLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x0D), !bytes.contains(0x0A) else { return bytes }
        return bytes.flatMap { $0 == 0x0D ? [0x0D, 0x0A] : [$0] }
    }

    // MARK: Existing reminders

    /// The stored reminder with that UID in the target list, or otherwise in another list.
    func stored(_ uid: String) throws(DatabaseError) -> ObjectRecord? {
        if let record = try self.transaction.object(in: self.list.id, uid: uid) { return record }
        guard self.others.contains(where: { $0.id != self.list.id }) else { return nil }
        // A reminder that this import added to another list is ignored.
        let records = try self.transaction.objects(withUID: uid).filter { self.outcomes[$0.id] != .added }
        for list in self.others { if let record = records.first(where: { $0.list == list.id }) { return record } }
        return nil
    }

    /// Returns the result of ``stored(_:)``, noted in the report.
    mutating func existing(_ uid: String) throws(DatabaseError) -> ObjectRecord? {
        try self.stored(uid).map { self.noting($0) }
    }

    /// Returns the record; the report names its list, and counts a reminder in another list.
    mutating func noting(_ record: ObjectRecord) -> ObjectRecord {
        guard record.list != self.list.id, let list = self.others.first(where: { $0.id == record.list }) else {
            self.report.lists.insert(self.list.name)
            return record
        }
        self.report.lists.insert(list.name)
        if self.outcomes[record.id] == nil { self.report.elsewhere[list.name, default: 0] += 1 }
        return record
    }

    /// The reminder with that UID, if it existed before this import.
    private func former(_ uid: String) throws(DatabaseError) -> OpenObject? {
        let key = OpenObjects.Key(list: self.list.id, uid: uid.exact)
        let object: OpenObject? =
            if let open = self.open[key] { open } else { try self.stored(uid).flatMap { OpenObject($0) } }
        return object.flatMap { self.outcomes[$0.record.id] == .added ? nil : $0 }
    }

    /// Skips a to-do of a read-only list, with a finding if it is new; returns whether the list is read-only.
    mutating func skipsReadOnlyList(_ uid: String, line: Int) throws(DatabaseError) -> Bool {
        guard self.list.isReadOnly else { return false }
        if let record = try self.transaction.object(in: self.list.id, uid: uid) {
            self.outcomes.setFirst(.unchanged, of: record.id)
            self.report.lists.insert(self.list.name)
        } else {
            self.report.skipped += 1
            self.add(ImportIssue(.listReadOnly, line: self.line ?? line))
        }
        return true
    }

    // MARK: The report

    mutating func add(_ issue: ParseIssue) {
        self.add(IssueView(issue, line: self.line), count: 1 + issue.more)
    }

    mutating func add(_ finding: ImportIssue) { self.add(IssueView(finding), count: 1) }

    private mutating func add(_ view: IssueView, count: Int) {
        self.report.issueCount += count
        if self.report.issues.count < ImportReport.issueLimit { self.report.issues.append(view) }
    }

    /// Reports each zone that neither the file nor the zone database defines, at its first use.
    private mutating func reportUnknownZones() {
        let zones = TimeZoneResolver(database: self.reader.zones, calendar: nil, local: self.reader.localZone)
        for zone in self.calendar.unknownZones(isKnown: { zones.resolution(of: $0) != nil }) {
            self.report.issueCount += 1
            var issue = IssueView(.unknownTimeZone, line: zone.line)
            issue.words = zone.name
            self.report.issues.append(issue)
        }
    }

    /// Counts series, and records the line numbers of series with rules that are stored but cannot be edited.
    mutating func countRule(of todo: Component, line: Int) {
        let rules = todo.all(.rrule).map(\.value.trimmingSpaces).filter { !$0.isEmpty }
        guard let first = rules.first, todo.recurrenceID == nil else { return }
        self.report.repeating += 1
        let isEditable = (try? RecurrenceRule(wire: first)).map(self.reader.zones.supportsCalendar) ?? false
        let isKept = rules.count > 1 || todo.first(.exrule) != nil || !isEditable
        if isKept, self.report.keptRules.count < ImportReport.issueLimit {
            let rule = todo.first(.exrule) ?? todo.all(.rrule).dropFirst().first ?? todo.first(.rrule)
            self.report.keptRules.append(self.line ?? rule?.line ?? line)
        }
    }
}
