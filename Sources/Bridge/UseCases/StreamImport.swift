import ICalendar
import Recurrence
import Reminders
import Store
import TaskFormats

/// One stream on its way into a list.
struct StreamImport {
    var list: ListRecord
    /// The lists that the file names; `nil` when all goes to one.
    var places: TargetLists?
    /// The lists besides it in which a reminder of the stream may be already.
    let others: [ListRecord]
    let reader: ReminderReader
    /// Whether events become reminders.
    let takesEvents: Bool
    /// Whether a person has said that it is iCalendar.
    var isSaidToBeCalendar = false
    /// The columns of a table; `nil` for what is none.
    var columns: Set<String>?
    /// What stands for the line of each issue: that of the object of another format in which the text stands.
    var line: Int?
    var header: [UInt8] = []
    var zones: [String: [UInt8]] = [:]
    /// What names a zone that comes later in the stream, or never, by the zone's name.
    var waiting: [String: Waiting] = [:]
    var outcomes = ImportOutcomes()
    /// The run in the journal that takes all of this back; `nil` before the first change.
    var run: RunID?
    /// Seconds since 1970.
    let now: Int64
    /// Every RECURRENCE-ID that has been met, behind its object's number.
    var seenOccurrences: Set<String> = []
    /// Existing reminders with pending changes from the stream.
    var open = OpenObjects()
    /// Objects that were written before their zone arrived.
    var incomplete: Set<ObjectID> = []
    /// What is too long to be a reminder; the file is damaged or hostile, and nothing of it is taken.
    private var refusal: ParseIssue?
    var report: ImportReport
    /// What the stream says of labels.
    var labels: LabelUpdates = [:]

    /// What of a VCALENDAR's own properties is kept with each object; METHOD must not be (RFC 4791 §4.1).
    private static let keptProperties: Set<Name> = [.version, .prodid, .calscale]
    /// To-dos between two signs of life: a few a second.
    private static let progressStep = 500

    /// - Parameter now: the moment of the import, seconds since 1970.
    init(list: ListRecord, others: [ListRecord], takesEvents: Bool, reader: ReminderReader, now: Int64) {
        self.list = list
        self.now = now
        self.takesEvents = takesEvents
        self.others = others
        self.reader = reader
        self.report = ImportReport(list: list.name)
    }

    /// Objects that wait for a zone, and the line of the first.
    struct Waiting {
        let line: Int
        var objects: [ObjectID] = []
    }

    /// Takes a whole stream.
    ///
    /// - Parameter beginning: what has been read of it already.
    mutating func run(
        _ source: ByteSource,
        behind beginning: [UInt8],
        pieceBytes: Int,
        in transaction: StoreTransaction,
        progress: (Int) -> Void
    ) throws {
        var splitter = ComponentSplitter()
        var shown = 0
        var next: [UInt8]? = beginning
        while true {
            let piece = try next ?? source.read(pieceBytes)
            next = nil
            let parts = piece.isEmpty ? splitter.finish() : splitter.push(piece)
            for part in parts { try self.take(part, in: transaction) }
            if self.outcomes.total - shown >= Self.progressStep {
                shown = self.outcomes.total
                progress(shown)
            }
            if piece.isEmpty { break }
        }
        guard splitter.hasComponents else {
            throw self.isSaidToBeCalendar
                ? UseCaseError.noCalendar(beginning, named: source.name)
                : UseCaseError.unknown(beginning, named: source.name)
        }
        guard !splitter.isTruncated else { throw UseCaseError(.fileCutShort, subject: source.name) }
        try self.writeOpenObjects(in: transaction)
        self.tellUnknownZones()
        self.count()
        if let refusal = self.refusal { throw UseCaseError(.beyondLimits, subject: "\(source.name), \(refusal)") }
    }

    mutating func count() {
        self.report.added = self.outcomes.count(.added)
        self.report.updated = self.outcomes.count(.updated)
        self.report.unchanged = self.outcomes.count(.unchanged)
        self.report.skipped += self.outcomes.count(.skipped)
        self.report.issues.sort { $0.line < $1.line }
    }

    // MARK: Parts of the stream

    mutating func take(_ part: ComponentSplitter.Part, in transaction: StoreTransaction) throws(DatabaseError) {
        switch part {
        case .calendarBegin:
            // With the zones of the calendar that they came from.
            try self.writeOpenObjects(in: transaction)
            self.header = []
            // Zones belong to their calendar; another may have another zone of the same name.
            self.tellUnknownZones()
            self.zones = [:]
        case .calendarEnd:
            break
        case .property(let bytes, _):
            guard let name = Self.name(of: bytes) else { break }
            if Self.keptProperties.contains(name) {
                self.header += Self.restoringLineFeeds(bytes)
            } else if name == .label, let word = LabelUpdate(line: Self.restoringLineFeeds(bytes)) {
                self.labels.take(word)
            }
        case .component(.vtimezone, let bytes, _):
            self.take(zone: Self.restoringLineFeeds(bytes))
        case .component(.vtodo, let bytes, let line):
            try self.take(todo: bytes, line: line, in: transaction)
        case .component(.vevent, let bytes, let line) where self.takesEvents:
            try self.take(event: Self.restoringLineFeeds(bytes), line: line, in: transaction)
        case .component(let name, _, _):
            self.report.skipped += 1
            self.report.foreign += 1
            if name == .vevent { self.report.events += 1 }
        case .issue(let issue):
            if issue.code.isBeyondLimits { self.refusal = self.refusal ?? issue }
            if issue.code == .tooDeep { self.report.skipped += 1 }
            self.add(issue)
        }
    }

    private static func name(of line: [UInt8]) -> Name? {
        Name(String(decoding: line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }, as: UTF8.self))
    }

    mutating func add(_ issue: ParseIssue) {
        self.report.issueCount += 1 + issue.more
        guard self.report.issues.count < ImportReport.issueLimit else { return }
        self.report.issues.append(IssueView(issue, line: self.line))
    }

    /// Says which zones the calendar has neither defined nor nobody else knows, each where it is named first.
    private mutating func tellUnknownZones() {
        let resolver = TimeZoneResolver(database: self.reader.zones, calendar: nil, local: self.reader.localZone)
        for (name, waiting) in self.waiting.sorted(by: { $0.value.line < $1.value.line }).prefix(Self.zoneLimit)
        where !name.isEmpty && resolver.resolution(of: name) == nil {
            self.report.issueCount += 1
            self.report.issues.append(IssueView(.unknownTimeZone, line: waiting.line))
        }
        self.waiting = [:]
    }

    /// More names of zones than any calendar has.
    private static let zoneLimit = 1000

    private mutating func take(zone bytes: [UInt8]) {
        let document = ICalendarDocument(bytes)
        guard let name = document.components.first?.first(.tzid)?.text else { return }
        if self.zones[name] == nil { self.zones[name] = bytes }
        self.incomplete.formUnion(self.waiting.removeValue(forKey: name)?.objects ?? [])
    }

    mutating func take(
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
        if try self.isClosed(to: uid, line: line, in: transaction) { return }
        self.countRule(of: todo, line: line)
        let key = OpenObjects.Key(list: self.list.id, uid: uid.exact)
        if self.open[key] == nil {
            guard let existing = try self.existing(uid, in: transaction) else {
                return try self.insert(todo, uid: uid, in: transaction)
            }
            guard let object = OpenObject(existing) else { return }
            self.open.open(object, as: key)
        }
        self.merge(todo, into: key, line: line)
        if self.open.areTooMany { try self.writeOpenObjects(reopening: key, in: transaction) }
    }

    /// Counts what repeats, and what does by rules that are kept and not edited.
    mutating func countRule(of todo: Component, line: Int) {
        let rules = todo.all(.rrule).map(\.value.trimmingSpaces).filter { !$0.isEmpty }
        guard let first = rules.first, todo.recurrenceID == nil else { return }
        self.report.repeating += 1
        let isEditable = (try? RecurrenceRule(wire: first))?.isGregorian ?? false
        let isKept = rules.count > 1 || todo.first(.exrule) != nil || !isEditable
        if isKept, self.report.keptRules.count < ImportReport.issueLimit {
            self.report.keptRules.append(self.line ?? line)
        }
    }

    /// Lines that end with CR alone (Lotus Notes) would run together among others, so they get their LF.
    private static func restoringLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x0D), !bytes.contains(0x0A) else { return bytes }
        return bytes.flatMap { $0 == 0x0D ? [0x0D, 0x0A] : [$0] }
    }
}
