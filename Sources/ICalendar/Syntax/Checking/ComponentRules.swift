/// The requirements of the standards for one kind of component, except the cardinalities in ``PropertyDefinition``.
struct ComponentRule: Sendable {
    let kind: ComponentKind
    let parents: [ComponentKind]
    /// Pairs of properties that exclude each other; if a component has both, `other` is ignored.
    var exclusive: [(kept: Name, other: Name)] = []
    var companions: [(name: Name, needs: Name)] = []
    var essential: [Name] = []
    var end: Name?
    /// Whether the end must be later than the start; if `false`, the end may also equal the start.
    var mustLast = false

    static func of(_ kind: ComponentKind) -> Self? { self.byKind[kind.rawValue] }

    static let required: [[PropertyDefinition]] = ComponentKind.allCases.map { kind in
        PropertyDefinition.all.filter { $0.cardinality(in: kind) == .once }
    }

    private static let byKind = ComponentKind.allCases.map { kind in Self.all.first { $0.kind == kind } }
    private static let recurrence: [(name: Name, needs: Name)] = [
        (.rrule, .dtstart), (.rdate, .dtstart), (.exdate, .dtstart),
    ]
    private static let parts: [ComponentKind] = [.event, .todo, .journal, .freeBusy]

    // RFC 5545 §3.6; RFC 7953 §3.1; RFC 9073 §7; RFC 9074 §8.
    // swift-format-ignore
    private static let all: [Self] = [
        Self(kind: .calendar, parents: []),
        Self(kind: .event, parents: [.calendar], exclusive: [(.dtend, .duration)],
            companions: recurrence + [(.dtend, .dtstart), (.duration, .dtstart)], end: .dtend, mustLast: true),
        // DUE may equal DTSTART, as many programs write it, although RFC 5545 §3.8.2.3 requires a later time.
        Self(kind: .todo, parents: [.calendar], exclusive: [(.due, .duration)],
            companions: recurrence + [(.duration, .dtstart)], end: .due),
        Self(kind: .journal, parents: [.calendar], companions: recurrence),
        Self(kind: .freeBusy, parents: [.calendar], end: .dtend, mustLast: true),
        Self(kind: .timeZone, parents: [.calendar], essential: [.tzid]),
        Self(kind: .observance, parents: [.timeZone], essential: [.tzoffsetto]),
        Self(kind: .alarm, parents: [.event, .todo],
            companions: [(.repeatCount, .duration), (.duration, .repeatCount)], essential: [.action, .trigger]),
        Self(kind: .availability, parents: [.calendar], exclusive: [(.dtend, .duration)],
            companions: [(.duration, .dtstart)], end: .dtend, mustLast: true),
        Self(kind: .available, parents: [.availability], exclusive: [(.dtend, .duration)],
            companions: recurrence, end: .dtend, mustLast: true),
        Self(kind: .participant, parents: parts),
        Self(kind: .location, parents: parts + [.participant, .alarm]),
        Self(kind: .resource, parents: parts + [.participant]),
    ]
}

/// The words that the standards allow as values of some properties.
enum EnumeratedValues {
    /// Properties with words as values; case is ignored (RFC 5545 §2; for COLOR, RFC 7986 §5.9).
    static let properties = Set<Name>(
        [
            "STATUS", "CLASS", "ACTION", "TRANSP", "METHOD", "CALSCALE", "BUSYTYPE", "PROXIMITY", "COLOR",
            "PARTICIPANT-TYPE",
        ].map { Name(known: $0) }
    )

    /// Parameters with a word, a language or a media type as value; case is ignored.
    static let parameters = Set<Name>(
        [
            "VALUE", "CUTYPE", "ENCODING", "FBTYPE", "FMTTYPE", "LANGUAGE", "PARTSTAT", "RANGE", "RELATED", "RELTYPE",
            "ROLE", "RSVP", "DISPLAY", "FEATURE", "DERIVED", "SCHEDULE-AGENT", "SCHEDULE-FORCE-SEND",
        ].map { Name(known: $0) }
    )

    /// The allowed words, in capitals; `nil` when any value is allowed.
    static func allowed(_ name: Name, _ kind: ComponentKind?) -> [String]? {
        if name == .status, let kind { return self.status[kind] }
        return self.byNumber[Int(name.number)]
    }

    /// The METHODs that require an ORGANIZER in each component (RFC 5546 §3.2 to §3.5).
    static let methods: Set<String> = ["REQUEST", "REPLY", "ADD", "CANCEL", "REFRESH", "COUNTER", "DECLINECOUNTER"]

    // RFC 5545 §3.8.1.11.
    private static let status: [ComponentKind: [String]] = [
        .event: ["TENTATIVE", "CONFIRMED", "CANCELLED"],
        .todo: ["NEEDS-ACTION", "COMPLETED", "IN-PROCESS", "CANCELLED"],
        .journal: ["DRAFT", "FINAL", "CANCELLED"],
    ]

    private static let byNumber = Name.table(lists.lazy.map { (name: $0, value: Optional($1)) }, default: nil)

    // RFC 5545 §3.7.1, §3.7.4, §3.8.2.7; RFC 7953 §3.2. CLASS, ACTION and PROXIMITY allow any value and have no row.
    private static let lists: [(Name, [String])] = [
        (.version, ["2.0"]),
        (.calscale, ["GREGORIAN"]),
        (.transp, ["OPAQUE", "TRANSPARENT"]),
        (Name(known: "BUSYTYPE"), ["BUSY", "BUSY-UNAVAILABLE", "BUSY-TENTATIVE"]),
    ]
}
