package struct PropertyDefinition: Sendable {
    package enum Cardinality: Character, Sendable {
        case never = "-"
        case atMostOnce = "?"
        case once = "1"
        case any = "*"
        /// Any number is allowed, although the standard advises at most one.
        case preferablyOnce = "~"
    }

    package enum Separator: UInt8, Sendable { case single = 0, comma = 0x2C, semicolon = 0x3B }

    package let name: Name
    /// The allowed types of the value; the first type applies if VALUE is missing.
    package let types: [ValueType]
    package let separator: Separator
    /// The parameters that the property may have; VALUE, ORDER and unknown parameters are always allowed.
    package let parameters: ParameterSet
    package let cardinalities: [Cardinality]
    package let range: ClosedRange<Int>
    /// The form of the value if VALUE is missing or states the default type.
    let form: ValueForm
    /// Whether a time in the value must be in UTC, as in COMPLETED and TRIGGER.
    let mustBeUTC: Bool

    init(
        _ wire: String,
        _ types: [ValueType],
        _ separator: Separator = .single,
        _ parameters: ParameterSet = [],
        range: ClosedRange<Int> = 0...Int(Int32.max),
        at columns: String
    ) {
        self.name = Name(known: wire)
        self.types = types
        self.separator = separator
        self.parameters = parameters
        self.cardinalities = columns.filter { $0 != " " }.map { Cardinality(rawValue: $0) ?? .any }
        self.range = range
        self.form = ValueForm(types, separator)
        self.mustBeUTC = types == [.dateTime] || self.form.kind == .trigger
    }

    package var defaultType: ValueType { self.types[0] }

    package var mayRepeat: Bool {
        let todo = self.cardinality(in: .todo)
        if todo != .never { return todo.allowsSeveral }
        let alarm = self.cardinality(in: .alarm)
        if alarm != .never { return alarm.allowsSeveral }
        return self.cardinalities.contains(where: \.allowsSeveral)
    }

    package var isTextList: Bool { self.form == ValueForm(kind: .text, separator: .comma) }

    package func cardinality(in kind: ComponentKind) -> Cardinality { self.cardinalities[kind.rawValue] }

    package static func of(_ name: Name) -> Self {
        self.byNumber[Int(name.number)] ?? Self(name.wire, [.text], at: Self.anywhere)
    }

    private static let anywhere = String(repeating: "*", count: ComponentKind.count)

    package static func isKnown(_ name: Name) -> Bool { self.byNumber[Int(name.number)] != nil }

    static let byNumber = Name.table(all.lazy.map { (name: $0.name, value: Optional($0)) }, default: nil)
    static let forms = byNumber.map { $0?.form ?? .text }
}

extension PropertyDefinition.Cardinality {
    var allowsSeveral: Bool { self == .any || self == .preferablyOnce }
}

extension ValueForm {
    fileprivate init(_ types: [ValueType], _ separator: PropertyDefinition.Separator) {
        let isTrigger = types.contains(.duration) && types.contains(.dateTime)
        self.init(kind: isTrigger ? .trigger : Kind(types[0]), separator: separator)
    }
}

package enum ComponentKind: Int, CaseIterable, Sendable {
    /// An `observance` is a STANDARD or DAYLIGHT.
    case calendar, event, todo, journal, freeBusy, timeZone, observance, alarm, availability, available, participant
    case location, resource
    static let count = allCases.count

    package init?(_ name: Name) {
        guard let kind = Self.byNumber[Int(name.number)] else { return nil }
        self = kind
    }

    private static let byNumber = Name.table(names.lazy.map { (Name(known: $0.0), Optional($0.1)) }, default: nil)
    private static let names: [(String, Self)] = [
        ("VCALENDAR", .calendar), ("VEVENT", .event), ("VTODO", .todo), ("VJOURNAL", .journal),
        ("VFREEBUSY", .freeBusy), ("VTIMEZONE", .timeZone), ("STANDARD", .observance), ("DAYLIGHT", .observance),
        ("VALARM", .alarm), ("VAVAILABILITY", .availability), ("AVAILABLE", .available),
        ("PARTICIPANT", .participant), ("VLOCATION", .location), ("VRESOURCE", .resource),
    ]
}

/// A set of standard parameters (RFC 5545 §3.2 and later RFCs).
package struct ParameterSet: OptionSet, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    static let names = [
        "ALTREP", "CN", "CUTYPE", "DELEGATED-FROM", "DELEGATED-TO", "DIR", "ENCODING", "FMTTYPE", "FBTYPE", "LANGUAGE",
        "MEMBER", "PARTSTAT", "RANGE", "RELATED", "RELTYPE", "ROLE", "RSVP", "SENT-BY", "TZID", "SCHEDULE-AGENT",
        "SCHEDULE-FORCE-SEND", "SCHEDULE-STATUS", "DISPLAY", "EMAIL", "FEATURE", "LABEL", "FILENAME", "MANAGED-ID",
        "SIZE", "DERIVED", "SCHEMA", "GAP", "LINKREL",
    ]

    init(_ name: Name) {
        self = Self.byNumber[Int(name.number)]
    }

    private init(_ names: String...) {
        self = names.reduce(into: []) { $0.formUnion(Self(Name(known: $1))) }
    }

    private static let byNumber = Name.table(
        names.enumerated().lazy.map { (Name(known: $1), ParameterSet(rawValue: 1 << UInt64($0))) },
        default: []
    )

    static let language = Self("LANGUAGE")
    // RFC 5545 §3.2, §3.8.1.1, §3.8.4.1, §3.8.4.3, §3.8.4.5; RFC 6638 §7; RFC 7986 §5.10, §5.11, §6.2; RFC 8607 §4;
    // RFC 9073 §6.5, §6.6; RFC 9253 §8.2, §9.1.
    static let text = Self("ALTREP", "LANGUAGE")
    package static let zone = Self("TZID")
    static let zoneAndRange = Self("TZID", "RANGE")
    static let related = Self("RELATED")
    static let attachment = Self("FMTTYPE", "ENCODING", "MANAGED-ID", "FILENAME", "SIZE")
    static let image = Self("FMTTYPE", "ENCODING", "ALTREP", "DISPLAY")
    private static let scheduling = Self("SCHEDULE-AGENT", "SCHEDULE-FORCE-SEND", "SCHEDULE-STATUS")
    static let organizer = Self("CN", "DIR", "SENT-BY", "LANGUAGE", "EMAIL").union(scheduling)
    private static let roles = Self("CUTYPE", "MEMBER", "ROLE", "PARTSTAT", "RSVP", "DELEGATED-TO", "DELEGATED-FROM")
    static let attendee = organizer.union(roles)
    static let freeBusy = Self("FBTYPE")
    static let relation = Self("RELTYPE", "GAP")
    static let conference = Self("FEATURE", "LABEL", "LANGUAGE")
    static let link = Self("LINKREL", "FMTTYPE", "LABEL", "LANGUAGE")
    static let styled = Self("ALTREP", "LANGUAGE", "FMTTYPE", "DERIVED")
    static let structured = Self("FMTTYPE", "SCHEMA", "ENCODING")
}
