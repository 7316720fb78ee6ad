import ICalendar
import Reminders
import Store

// The contents of an iCalendar stream, read without the store, and the state of a stream.

/// A complete to-do of a stream.
struct StreamTodo {
    let component: Component
    let uid: String

    /// Ends a to-do that has no END, and gives one without a UID a UID that depends on its content only.
    ///
    /// - Returns: `nil` for a text without a component.
    init?(_ bytes: [UInt8], line: Int, report: (ParseIssue) -> Void) {
        var document = ICalendarDocument(bytes, firstLine: line)
        for issue in document.checked() where issue.code.concernsImport && issue.code != .missingUID { report(issue) }
        guard let todo = document.components.first else { return nil }
        if !todo.isEnded {
            document = document.applying([Edit(bytes.count..<bytes.count, Array("END:VTODO".utf8) + todo.lineEnd)])
        }
        if todo.first(.uid)?.text.trimmingSpaces.isEmpty ?? true {
            report(ParseIssue(.missingUID, line: line, subject: Name.vtodo.canonical))
            var editor = ComponentEditor(todo)
            editor.set(ContentLine(.uid, text: NameUUID.make(bytes)))
            document = document.applying(editor.edits)
        }
        guard let first = document.components.first, let uid = first.first(.uid)?.text.trimmingSpaces else {
            return nil
        }
        self.component = first
        self.uid = uid
    }
}

/// The VCALENDAR of a stream that is being read: the surroundings of its to-dos.
///
/// Another VCALENDAR may have another zone of the same name.
struct StreamCalendar {
    struct Waiting {
        let line: Int
        var objects: [ObjectID] = []
    }

    /// The properties that are kept with each object; METHOD must not be (RFC 4791 §4.1).
    static let keptProperties: Set<Name> = [.version, .prodid, .calscale]
    /// More names of zones than any calendar has.
    private static let zoneLimit = 1000

    var header: [UInt8] = []
    /// The physical lines of each VTIMEZONE, by its TZID.
    var zones: [String: [UInt8]] = [:]
    /// By the name of a zone that comes later in the stream, or never.
    private var waiting: [String: Waiting] = [:]
    /// Objects that were written before their zone arrived.
    var incomplete: Set<ObjectID> = []

    mutating func add(zone bytes: [UInt8]) {
        guard let name = ICalendarDocument(bytes).components.first?.first(.tzid)?.text else { return }
        if self.zones[name] == nil { self.zones[name] = bytes }
        self.incomplete.formUnion(self.waiting.removeValue(forKey: name)?.objects ?? [])
    }

    /// Notes the zones of an object's to-do that have not arrived yet.
    mutating func wait(for todo: Component, of id: ObjectID) {
        for name in todo.timeZoneNames where self.zones[name] == nil {
            let property = todo.properties.first { $0.parameter(.tzid) == name }
            self.waiting[name, default: Waiting(line: property?.line ?? todo.line)].objects.append(id)
        }
    }

    /// The lines of the first use of each zone that is neither defined nor known, in order.
    func linesOfUnknownZones(isKnown: (String) -> Bool) -> [Int] {
        self.waiting.sorted { $0.value.line < $1.value.line }.prefix(Self.zoneLimit)
            .filter { !$0.key.isEmpty && !isKnown($0.key) }.map(\.value.line)
    }

    func source(_ component: [UInt8], zones names: [String]) -> [UInt8] {
        CalendarObject.assemble(
            header: self.header,
            zones: names.compactMap { self.zones[$0] },
            components: [component]
        )
    }

    func addingZones(to document: ICalendarDocument) -> ICalendarDocument {
        document.addingMissingTimeZones { self.zones[$0] }
    }
}

/// The outcome of each object of a stream: a byte for each, since a stream may have millions.
struct ImportOutcomes {
    enum Outcome: UInt8, CaseIterable { case added = 1, updated, unchanged, skipped }

    /// Bytes of ``pageSize`` consecutive numbers: the numbers of one stream are close together.
    private var pages: [Int64: [UInt8]] = [:]
    private var counts = [Int](repeating: 0, count: Outcome.allCases.count + 1)
    /// The RECURRENCE-IDs of the stream, behind the number of the object.
    private var occurrences: Set<String> = []

    private static let pageSize: Int64 = 4096
    /// Set in a byte when the stream had the series itself, not only an occurrence.
    private static let seriesFlag: UInt8 = 0x80

    /// How many objects have an outcome.
    var total: Int { self.counts.reduce(0, +) }

    func count(_ outcome: Outcome) -> Int { self.counts[Int(outcome.rawValue)] }

    subscript(id: ObjectID) -> Outcome? {
        get { Outcome(rawValue: self[id.rawValue] & ~Self.seriesFlag) }
        set {
            if let old = self[id] { self.counts[Int(old.rawValue)] -= 1 }
            if let newValue { self.counts[Int(newValue.rawValue)] += 1 }
            self[id.rawValue] = self[id.rawValue] & Self.seriesFlag | (newValue?.rawValue ?? 0)
        }
    }

    /// Sets the outcome of an object that has none.
    mutating func setFirst(_ outcome: Outcome, of id: ObjectID) {
        if self[id] == nil { self[id] = outcome }
    }

    /// Records an occurrence of an object; `nil` is the series itself.
    ///
    /// - Returns: whether the stream has it for the first time.
    mutating func insert(_ occurrence: String?, of id: ObjectID) -> Bool {
        if let occurrence { return self.occurrences.insert("\(id.rawValue)\n\(occurrence)").inserted }
        let byte = self[id.rawValue]
        self[id.rawValue] = byte | Self.seriesFlag
        return byte & Self.seriesFlag == 0
    }

    private subscript(number: Int64) -> UInt8 {
        get { self.pages[number / Self.pageSize]?[Int(number % Self.pageSize)] ?? 0 }
        set {
            let page = number / Self.pageSize
            if self.pages[page] == nil { self.pages[page] = [UInt8](repeating: 0, count: Int(Self.pageSize)) }
            self.pages[page]?[Int(number % Self.pageSize)] = newValue
        }
    }
}
