/// The standards' definition of one property: a row of ``PropertyDefinition/all``.
package struct PropertyDefinition: Sendable {
    package enum Cardinality: Character, Sendable {
        /// It is not allowed there.
        case never = "-"
        case atMostOnce = "?"
        case once = "1"
        case any = "*"
        /// Any number, although the standard advises one.
        case preferablyOnce = "~"
    }

    package enum Separator: Sendable { case single, comma, semicolon }

    package let name: Name
    /// The allowed types of its value; the first is the default without VALUE.
    package let types: [ValueType]
    package let separator: Separator
    /// The parameters with a meaning for it; VALUE, ORDER and unknown parameters are always allowed.
    package let parameters: ParameterSet
    /// The number of times that it may occur, by ``ComponentKind``.
    package let cardinalities: [Cardinality]
    /// The allowed range of an INTEGER.
    package let range: ClosedRange<Int>
    /// The form of its value when VALUE is missing or states the default.
    let form: ValueForm
    /// Whether a time must be in UTC: for UTC-only properties, and in TRIGGER.
    let mustBeUTC: Bool

    /// - Parameter columns: a ``Cardinality`` per ``ComponentKind``; blanks are ignored.
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

    /// Whether a to-do, or a component inside it, may have several.
    package var mayRepeat: Bool {
        let todo = self.cardinality(in: .todo)
        if todo != .never { return todo.allowsSeveral }
        let alarm = self.cardinality(in: .alarm)
        if alarm != .never { return alarm.allowsSeveral }
        return self.cardinalities.contains(where: \.allowsSeveral)
    }

    /// Whether its value is a list of texts.
    package var isTextList: Bool { self.form == ValueForm(kind: .text, separator: .comma) }

    package func cardinality(in kind: ComponentKind) -> Cardinality { self.cardinalities[kind.rawValue] }

    package static func of(_ name: Name) -> Self {
        self.byNumber[Int(name.number)] ?? Self(name.wire, [.text], at: Self.anywhere)
    }

    private static let anywhere = String(repeating: "*", count: ComponentKind.count)

    package static func isKnown(_ name: Name) -> Bool { self.byNumber[Int(name.number)] != nil }

    /// The rows by the number of the name.
    static let byNumber = all.reduce(into: [PropertyDefinition?](repeating: nil, count: Name.numberCount)) {
        $0[Int($1.name.number)] = $1
    }

    static let forms = byNumber.map { $0?.form ?? .text }
}

extension PropertyDefinition.Cardinality {
    var allowsSeveral: Bool { self == .any || self == .preferablyOnce }
}

extension ValueForm {
    fileprivate init(_ types: [ValueType], _ separator: PropertyDefinition.Separator) {
        let kind = Kind(types[0])
        let isTrigger = types.contains(.duration) && types.contains(.dateTime)
        self.init(
            kind: isTrigger ? .trigger : kind,
            separator: separator == .single ? .single : separator == .comma ? .comma : .semicolon
        )
    }
}

/// The kinds of components in the standards, as columns of the property table.
package enum ComponentKind: Int, CaseIterable, Sendable {
    /// An `observance` is a STANDARD or DAYLIGHT.
    case calendar, event, todo, journal, freeBusy, timeZone, observance, alarm, availability, available, participant
    case location, resource

    static let count = allCases.count

    /// The kind of a component of that name; `nil` for a nonstandard one.
    package init?(_ name: Name) {
        guard let kind = Self.byNumber[Int(name.number)] else { return nil }
        self = kind
    }

    private static let byNumber: [ComponentKind?] = {
        var kinds = [ComponentKind?](repeating: nil, count: Name.numberCount)
        for (wire, kind) in Self.names { kinds[Int(Name(known: wire).number)] = kind }
        return kinds
    }()

    private static let names: [(String, Self)] = [
        ("VCALENDAR", .calendar), ("VEVENT", .event), ("VTODO", .todo), ("VJOURNAL", .journal),
        ("VFREEBUSY", .freeBusy), ("VTIMEZONE", .timeZone), ("STANDARD", .observance), ("DAYLIGHT", .observance),
        ("VALARM", .alarm), ("VAVAILABILITY", .availability), ("AVAILABLE", .available),
        ("PARTICIPANT", .participant), ("VLOCATION", .location), ("VRESOURCE", .resource),
    ]
}

/// Standard parameters (RFC 5545 §3.2 and later RFCs).
package struct ParameterSet: OptionSet, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    static let names = [
        "ALTREP", "CN", "CUTYPE", "DELEGATED-FROM", "DELEGATED-TO", "DIR", "ENCODING", "FMTTYPE", "FBTYPE", "LANGUAGE",
        "MEMBER", "PARTSTAT", "RANGE", "RELATED", "RELTYPE", "ROLE", "RSVP", "SENT-BY", "TZID", "SCHEDULE-AGENT",
        "SCHEDULE-FORCE-SEND", "SCHEDULE-STATUS", "DISPLAY", "EMAIL", "FEATURE", "LABEL", "FILENAME", "MANAGED-ID",
        "SIZE", "DERIVED", "SCHEMA", "GAP", "LINKREL",
    ]

    /// The parameter of that name; empty for every other name.
    init(_ name: Name) {
        self = Self.byNumber[Int(name.number)]
    }

    private init(_ names: String...) {
        self = names.reduce(into: []) { $0.formUnion(Self(Name(known: $1))) }
    }

    private static let byNumber: [ParameterSet] = {
        var sets = [ParameterSet](repeating: [], count: Name.numberCount)
        for (bit, wire) in Self.names.enumerated() {
            sets[Int(Name(known: wire).number)] = ParameterSet(rawValue: 1 << UInt64(bit))
        }
        return sets
    }()

    static let language = Self("LANGUAGE")
    /// `altrepparam` and `languageparam`, allowed for most texts.
    static let text = Self("ALTREP", "LANGUAGE")
    /// A time may have a TZID.
    package static let zone = Self("TZID")
    static let zoneAndRange = Self("TZID", "RANGE")
    static let related = Self("RELATED")
    /// RFC 5545 §3.8.1.1; RFC 8607 §4.
    static let attachment = Self("FMTTYPE", "ENCODING", "MANAGED-ID", "FILENAME", "SIZE")
    /// RFC 7986 §5.10.
    static let image = Self("FMTTYPE", "ENCODING", "ALTREP", "DISPLAY")
    /// RFC 5545 §3.8.4.3; RFC 6638 §7; RFC 7986 §6.2.
    static let organizer = Self(
        "CN",
        "DIR",
        "SENT-BY",
        "LANGUAGE",
        "EMAIL",
        "SCHEDULE-AGENT",
        "SCHEDULE-FORCE-SEND",
        "SCHEDULE-STATUS"
    )
    /// RFC 5545 §3.8.4.1.
    static let attendee = Self.organizer.union(
        Self("CUTYPE", "MEMBER", "ROLE", "PARTSTAT", "RSVP", "DELEGATED-TO", "DELEGATED-FROM")
    )
    static let freeBusy = Self("FBTYPE")
    /// RFC 5545 §3.8.4.5; RFC 9253 §9.1.
    static let relation = Self("RELTYPE", "GAP")
    /// RFC 7986 §5.11.
    static let conference = Self("FEATURE", "LABEL", "LANGUAGE")
    /// RFC 9253 §8.2.
    static let link = Self("LINKREL", "FMTTYPE", "LABEL", "LANGUAGE")
    /// RFC 9073 §6.5.
    static let styled = Self("ALTREP", "LANGUAGE", "FMTTYPE", "DERIVED")
    /// RFC 9073 §6.6.
    static let structured = Self("FMTTYPE", "SCHEMA", "ENCODING")
}
