/// What RFC 5545 says about one property: a row of ``PropertyDefinition/all``.
package struct PropertyDefinition: Sendable {
    /// How a value is read (RFC 5545 §3.3).
    package enum ValueType: Sendable {
        case text
        /// TEXT, several in one property, separated by commas.
        case textList
        case integer
        /// DATE-TIME or DATE.
        case moment
        /// DATE-TIME, DATE or PERIOD, several in one property.
        case momentList
        case duration
        case recurrenceRule
        /// DURATION or DATE-TIME.
        case trigger
        /// A value without escapes: URI, CAL-ADDRESS, FLOAT, UTC-OFFSET, BINARY.
        case raw
    }

    /// The property that the row is about.
    package let name: Name
    /// How its value is read.
    package let type: ValueType
    /// The value of VALUE that may be left out.
    package let defaultValueType: String
    /// Whether a component may hold several (RFC 5545 §3.6).
    package let mayRepeat: Bool
    /// The numbers that an INTEGER may be.
    package let range: ClosedRange<Int>

    private init(
        _ name: Name,
        _ type: ValueType,
        _ defaultValueType: String,
        mayRepeat: Bool = false,
        range: ClosedRange<Int> = 0...Int(Int32.max)
    ) {
        self.name = name
        self.type = type
        self.defaultValueType = defaultValueType
        self.mayRepeat = mayRepeat
        self.range = range
    }

    /// The row of a property; of one that has none, a text that may repeat.
    package static func of(_ name: Name) -> Self {
        self.byNumber[Int(name.number)] ?? Self(name, .text, "TEXT", mayRepeat: true)
    }

    /// Whether the property has a row.
    package static func isKnown(_ name: Name) -> Bool { self.byNumber[Int(name.number)] != nil }

    /// The rows by the number of the name.
    static let byNumber = all.reduce(into: [PropertyDefinition?](repeating: nil, count: Name.numberCount)) {
        $0[Int($1.name.number)] = $1
    }

    /// The properties of VTODO, VALARM and VTIMEZONE that are read or compared by their type.
    package static let all: [Self] = [
        Self(.acknowledged, .moment, "DATE-TIME"),
        Self(.action, .text, "TEXT"),
        Self(.attach, .raw, "URI", mayRepeat: true),
        Self(.attendee, .raw, "CAL-ADDRESS", mayRepeat: true),
        Self(.categories, .textList, "TEXT", mayRepeat: true),
        Self(.classification, .text, "TEXT"),
        Self(.color, .text, "TEXT"),
        Self(.comment, .text, "TEXT", mayRepeat: true),
        Self(.completed, .moment, "DATE-TIME"),
        Self(.conference, .raw, "URI", mayRepeat: true),
        Self(.contact, .text, "TEXT", mayRepeat: true),
        Self(.created, .moment, "DATE-TIME"),
        Self(.description, .text, "TEXT"),
        Self(.dtend, .moment, "DATE-TIME"),
        Self(.dtstamp, .moment, "DATE-TIME"),
        Self(.dtstart, .moment, "DATE-TIME"),
        Self(.due, .moment, "DATE-TIME"),
        Self(.duration, .duration, "DURATION"),
        Self(.exdate, .momentList, "DATE-TIME", mayRepeat: true),
        Self(.geo, .raw, "FLOAT"),
        Self(.image, .raw, "URI", mayRepeat: true),
        Self(.lastModified, .moment, "DATE-TIME"),
        Self(.location, .text, "TEXT"),
        Self(.organizer, .raw, "CAL-ADDRESS"),
        Self(.percentComplete, .integer, "INTEGER", range: 0...100),
        Self(.priority, .integer, "INTEGER", range: 0...9),
        Self(.rdate, .momentList, "DATE-TIME", mayRepeat: true),
        Self(.recurrenceID, .moment, "DATE-TIME"),
        Self(.relatedTo, .text, "TEXT", mayRepeat: true),
        Self(.repeatCount, .integer, "INTEGER"),
        Self(.resources, .textList, "TEXT", mayRepeat: true),
        Self(.rrule, .recurrenceRule, "RECUR", mayRepeat: true),
        Self(.sequence, .integer, "INTEGER"),
        Self(.status, .text, "TEXT"),
        Self(.summary, .text, "TEXT"),
        Self(.transp, .text, "TEXT"),
        Self(.trigger, .trigger, "DURATION"),
        Self(.tzid, .text, "TEXT"),
        Self(.tzname, .text, "TEXT", mayRepeat: true),
        Self(.tzoffsetfrom, .raw, "UTC-OFFSET"),
        Self(.tzoffsetto, .raw, "UTC-OFFSET"),
        Self(.uid, .text, "TEXT"),
        Self(.url, .raw, "URI"),
        Self(.mozLastAck, .moment, "DATE-TIME"),
        Self(.mozSnoozeTime, .moment, "DATE-TIME"),
    ]
}
