import RemindavICalendar
import RemindavReminders
import RemindavStore

// The components of an iCalendar file, read without the store, and the state of reading the file.

/// A to-do of an iCalendar file, as a complete component with a UID.
struct StreamTodo {
    let component: Component
    let uid: String

    /// Adds a missing END, and a missing UID that depends only on the content; `nil` if there is no component.
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

/// The VCALENDAR that is being read; another VCALENDAR of the file may define another zone with the same name.
struct StreamCalendar {
    struct Waiting {
        let line: Int
        var objects: [ObjectID] = []
    }

    /// The properties of the VCALENDAR that each object keeps; METHOD is not among them (RFC 4791 §4.1).
    static let keptProperties: Set<Name> = [.version, .prodid, .calscale]
    /// The maximum number of undefined zones to report; no real calendar has so many.
    private static let zoneLimit = 1000

    var header: [UInt8] = []
    /// The unchanged lines of each VTIMEZONE, by its TZID.
    var zones: [String: [UInt8]] = [:]
    /// Objects with zones that the file has not defined yet; the key is the TZID.
    private var waiting: [String: Waiting] = [:]
    /// Objects that were written before the definition of their zone was read.
    var incomplete: Set<ObjectID> = []

    mutating func add(zone bytes: [UInt8]) {
        guard let name = ICalendarDocument(bytes).components.first?.first(.tzid)?.text else { return }
        if self.zones[name] == nil { self.zones[name] = bytes }
        self.incomplete.formUnion(self.waiting.removeValue(forKey: name)?.objects ?? [])
    }

    /// Records zones in a to-do of the object `id`, if the file has not defined these zones yet.
    ///
    /// - Parameter line: the line of the to-do in the file; `nil` if the file is iCalendar, and the to-do knows its lines.
    mutating func wait(for todo: Component, of id: ObjectID, line: Int?) {
        for name in todo.timeZoneNames where self.zones[name] == nil {
            let property = todo.properties.first { $0.parameter(.tzid) == name }
            self.waiting[name, default: Waiting(line: line ?? property?.line ?? todo.line)].objects.append(id)
        }
    }

    /// The ascending line numbers of the first use of each zone that neither the file nor the zone database defines.
    func unknownZones(isKnown: (String) -> Bool) -> [(name: String, line: Int)] {
        self.waiting.sorted { $0.value.line < $1.value.line }.prefix(Self.zoneLimit)
            .filter { !$0.key.isEmpty && !isKnown($0.key) }.map { (name: $0.key, line: $0.value.line) }
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

/// The outcome of each object of a file, in one byte each, because a file may have millions of objects.
struct ImportOutcomes {
    enum Outcome: UInt8, CaseIterable { case added = 1, updated, unchanged, skipped, deleted }

    /// Pages with the outcomes of ``pageSize`` consecutive objects; object numbers of one import are close together.
    private var pages: [Int64: [UInt8]] = [:]
    private var counts = [Int](repeating: 0, count: Outcome.allCases.count + 1)
    /// The overrides in the file, each as the number of its object, a line feed and the RECURRENCE-ID.
    private var occurrences: Set<String> = []

    private static let pageSize: Int64 = 4096
    /// A bit in the byte of an object: the file contained the main to-do, not only overrides.
    private static let seriesFlag: UInt8 = 0x80

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

    /// Sets the outcome of an object, if the object has none yet.
    mutating func setFirst(_ outcome: Outcome, of id: ObjectID) {
        if self[id] == nil { self[id] = outcome }
    }

    /// Records an occurrence of an object (`nil`: the main to-do); returns whether it was not recorded before.
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
