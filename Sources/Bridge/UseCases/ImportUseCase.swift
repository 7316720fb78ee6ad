import ICalendar
import Reminders
import Store

extension UseCases {
    /// Bytes read from a file at a time.
    private static let pieceBytes = 1 << 18

    /// Brings the to-dos of an iCalendar stream into a list, in one transaction: all of them or, if the stream breaks off,
    /// none.
    ///
    /// A to-do that is here already is replaced where the file's is newer; the same one stays as it is. The memory
    /// needed is that of the largest to-do, however long the stream.
    ///
    /// - Parameters:
    ///   - list: the list's name; made when there is none. `nil` for the one that is used when none is named.
    ///   - progress: called now and then with the number of to-dos so far.
    package func importCalendar(
        _ source: ByteSource,
        list name: String?,
        dryRun: Bool,
        progress: @Sendable (Int) -> Void
    ) throws -> ImportReport {
        let reader = self.reader
        let now = self.seconds
        if let existing = try self.existingList(name), existing.isReadOnly {
            throw UseCaseError(.listIsReadOnly, subject: existing.name)
        }
        return try self.store.write { transaction in
            var target = try transaction.list(namedOrStandard: name)
            if target == nil {
                let id = try transaction.insertList(named: name ?? Self.firstListName, at: now)
                target = try transaction.list(id)
            }
            guard let target else { throw UseCaseError(.listNotFound, subject: name) }
            var stream = StreamImport(list: target, searchesEverywhere: name == nil, reader: reader)
            try stream.run(source, pieceBytes: Self.pieceBytes, in: transaction, progress: progress)
            if dryRun { transaction.discard() }
            return stream.report
        }
    }

    private func existingList(_ name: String?) throws(DatabaseError) -> ListRecord? {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.list(namedOrStandard: name) }
    }
}

/// One stream on its way into a list.
private struct StreamImport {
    private let list: ListRecord
    private let searchesEverywhere: Bool
    private let reader: ReminderReader
    private var header: [UInt8] = []
    private var zones: [String: [UInt8]] = [:]
    /// Objects whose zones come later in the stream, by the zone's name.
    private var waiting: [String: [ObjectID]] = [:]
    private var fates = ImportFates()
    /// Every RECURRENCE-ID that has been met, behind its object's number.
    private var seenOccurrences: Set<String> = []
    /// What is too long to be a reminder; the file is damaged or hostile, and nothing of it is taken.
    private var refusal: ParseIssue?
    private(set) var report: ImportReport

    /// What of a VCALENDAR's own properties is kept with each object; METHOD must not be (RFC 4791 §4.1).
    private static let keptProperties: Set<Name> = [.version, .prodid, .calscale]
    /// To-dos between two signs of life: a few a second.
    private static let progressStep = 500

    init(list: ListRecord, searchesEverywhere: Bool, reader: ReminderReader) {
        self.list = list
        self.searchesEverywhere = searchesEverywhere
        self.reader = reader
        self.report = ImportReport(list: list.name)
    }

    mutating func run(
        _ source: ByteSource,
        pieceBytes: Int,
        in transaction: StoreTransaction,
        progress: (Int) -> Void
    ) throws {
        var splitter = ComponentSplitter()
        var shown = 0
        while true {
            let piece = try source.read(pieceBytes)
            let parts = piece.isEmpty ? splitter.finish() : splitter.push(piece)
            for part in parts { try self.take(part, in: transaction) }
            if self.fates.total - shown >= Self.progressStep {
                shown = self.fates.total
                progress(shown)
            }
            if piece.isEmpty { break }
        }
        guard splitter.hasComponents else { throw UseCaseError(.notCalendarData, subject: source.name) }
        guard !splitter.isTruncated else { throw UseCaseError(.fileCutShort, subject: source.name) }
        self.count()
        if let refusal = self.refusal { throw UseCaseError(.beyondLimits, subject: "\(source.name), \(refusal)") }
    }

    private mutating func count() {
        self.report.added = self.fates.count(.added)
        self.report.updated = self.fates.count(.updated)
        self.report.unchanged = self.fates.count(.unchanged)
        self.report.skipped += self.fates.count(.skipped)
        self.report.issues.sort { $0.line < $1.line }
    }

    // MARK: Parts of the stream

    private mutating func take(_ part: ComponentSplitter.Part, in transaction: StoreTransaction) throws(DatabaseError) {
        switch part {
        case .calendarBegin:
            self.header = []
            // Zones belong to their calendar; another may have another zone of the same name.
            self.zones = [:]
            self.waiting = [:]
        case .calendarEnd:
            break
        case .property(let bytes, _):
            if let name = Self.name(of: bytes), Self.keptProperties.contains(name) {
                self.header += Self.restoringLineFeeds(bytes)
            }
        case .component(.vtimezone, let bytes, _):
            try self.take(zone: Self.restoringLineFeeds(bytes), in: transaction)
        case .component(.vtodo, let bytes, let line):
            try self.take(todo: bytes, line: line, in: transaction)
        case .component:
            self.report.skipped += 1
        case .issue(let issue):
            if issue.code.isBeyondLimits { self.refusal = self.refusal ?? issue }
            if issue.code == .tooDeep { self.report.skipped += 1 }
            self.add(issue)
        }
    }

    private static func name(of line: [UInt8]) -> Name? {
        Name(String(decoding: line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }, as: UTF8.self))
    }

    private mutating func add(_ issue: ParseIssue) {
        self.report.issueCount += 1
        guard self.report.issues.count < ImportReport.issueLimit else { return }
        self.report.issues.append(IssueView(issue))
    }

    private mutating func take(zone bytes: [UInt8], in transaction: StoreTransaction) throws(DatabaseError) {
        let document = ICalendarDocument(bytes)
        guard let name = document.components.first?.first(.tzid)?.text else { return }
        if self.zones[name] == nil { self.zones[name] = bytes }
        for id in self.waiting.removeValue(forKey: name) ?? [] {
            guard let record = try transaction.object(id) else { continue }
            let object = ICalendarDocument(record.source)
            try self.save(object.addingMissingTimeZones { $0 == name ? bytes : nil }, as: id, in: transaction)
        }
    }

    private mutating func take(
        todo bytes: [UInt8],
        line: Int,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        let bytes = Self.restoringLineFeeds(bytes)
        var document = ICalendarDocument(bytes, firstLine: line)
        for issue in document.checked() where issue.code.concernsImport && issue.code != .missingUID { self.add(issue) }
        guard var todo = document.components.first else { return }
        if !todo.isEnded {
            document = document.applying([Edit(bytes.count..<bytes.count, Array("END:VTODO".utf8) + todo.lineEnd)])
        }
        if todo.first(.uid)?.text.trimmingSpaces.isEmpty ?? true {
            self.add(ParseIssue(.missingUID, line: line, subject: Name.vtodo.canonical))
            var editor = ComponentEditor(todo)
            editor.set(ContentLine(.uid, text: NameUUID.make(bytes)))
            document = document.applying(editor.edits)
        }
        guard let first = document.components.first, let uid = first.first(.uid)?.text.trimmingSpaces else { return }
        todo = first
        if let existing = try self.existing(uid, in: transaction) {
            try self.merge(todo, into: existing, line: line, in: transaction)
        } else {
            try self.insert(todo, uid: uid, in: transaction)
        }
    }

    /// Lines that end with CR alone (Lotus Notes) would run together among others, so they get their LF.
    private static func restoringLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x0D), !bytes.contains(0x0A) else { return bytes }
        return bytes.flatMap { $0 == 0x0D ? [0x0D, 0x0A] : [$0] }
    }

    // MARK: Objects

    private func existing(_ uid: String, in transaction: StoreTransaction) throws(DatabaseError) -> ObjectRecord? {
        if let record = try transaction.object(in: self.list.id, uid: uid) { return record }
        guard self.searchesEverywhere else { return nil }
        for list in try transaction.lists() where list.id != self.list.id && !list.isReadOnly {
            if let record = try transaction.object(in: list.id, uid: uid) { return record }
        }
        return nil
    }

    private mutating func insert(_ todo: Component, uid: String, in transaction: StoreTransaction) throws(DatabaseError)
    {
        let names = todo.timeZoneNames
        let source = CalendarObject.assemble(
            header: self.header,
            zones: names.compactMap { self.zones[$0] },
            components: [Array(todo.bytes)]
        )
        guard let object = CalendarObject(ICalendarDocument(source)) else { return }
        let id = try transaction.insert(into: self.list.id, uid: uid, source: source, index: self.reader.index(object))
        self.wait(for: todo, of: id)
        self.fates[id] = .added
        _ = self.isFirst(todo.first(.recurrenceID)?.value, of: id)
    }

    /// Compares with what is here, occurrence by occurrence; what the file does not have stays.
    private mutating func merge(
        _ todo: Component,
        into record: ObjectRecord,
        line: Int,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        let document = ICalendarDocument(record.source)
        guard let object = CalendarObject(document) else { return }
        let occurrence = todo.first(.recurrenceID)?.value
        // Where the stream ends without a line end, what follows must not run into it.
        var bytes = Array(todo.bytes)
        if bytes.last != 0x0A && bytes.last != 0x0D { bytes += todo.lineEnd }
        let isFirst = self.isFirst(occurrence, of: record.id)
        guard let match = object.todos.first(where: { $0.first(.recurrenceID)?.value == occurrence }) else {
            let position = object.main.parent?.endPoint ?? document.bytes.count
            let edit = Edit(position..<position, bytes)
            try self.save(
                document.applying([edit]).addingMissingTimeZones { self.zones[$0] },
                as: record.id,
                in: transaction
            )
            self.wait(for: todo, of: record.id)
            if self.fates[record.id] != .added { self.fates[record.id] = .updated }
            return
        }
        if match.meaning() == todo.meaning() {
            if self.fates[record.id] == nil { self.fates[record.id] = .unchanged }
            return
        }
        guard isFirst else {
            self.report.skipped += 1
            return self.add(ParseIssue(.duplicateUID, line: line, subject: Name.vtodo.canonical))
        }
        if let mine = match.lastChange, todo.lastChange.map({ mine > $0 }) ?? true {
            if self.fates[record.id] == nil { self.fates[record.id] = .skipped }
            return self.add(ParseIssue(.olderThanStored, line: line, subject: Name.vtodo.canonical))
        }
        let edit = Edit(match.range, bytes)
        try self.save(
            document.applying([edit]).addingMissingTimeZones { self.zones[$0] },
            as: record.id,
            in: transaction
        )
        self.wait(for: todo, of: record.id)
        self.fates[record.id] = .updated
    }

    /// Whether the stream has not had that occurrence of that object yet; `nil` is the series itself.
    private mutating func isFirst(_ occurrence: String?, of id: ObjectID) -> Bool {
        guard let occurrence else { return self.fates.meet(id) }
        return self.seenOccurrences.insert("\(id.rawValue)\n\(occurrence)").inserted
    }

    /// Remembers an object that names zones which have not come yet.
    private mutating func wait(for todo: Component, of id: ObjectID) {
        for name in todo.timeZoneNames where self.zones[name] == nil { self.waiting[name, default: []].append(id) }
    }

    private func save(
        _ document: ICalendarDocument,
        as id: ObjectID,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard let object = CalendarObject(document) else { return }
        try transaction.update(id, source: document.bytes, index: self.reader.index(object))
    }
}

extension IssueView {
    init(_ issue: ParseIssue) {
        self.init(
            line: issue.line,
            code: issue.code.rawValue,
            severity: issue.code.severity.rawValue,
            subject: issue.subject,
            message: issue.message,
            advice: issue.code.advice
        )
    }
}
