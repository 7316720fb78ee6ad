public import ICalendar

/// Something in a VTIMEZONE that is not as RFC 5545 §3.6.5 asks, and what was made of it.
public struct TimeZoneIssue: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong; the raw value is a word for programs.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The VTIMEZONE has no TZID: nobody can name it.
        case missingName
        /// Another VTIMEZONE before it has the same TZID.
        case duplicateName
        /// No STANDARD or DAYLIGHT that can be used.
        case noObservance
        /// More observances than ``TimeZoneDefinition/maximumObservances``.
        case tooManyObservances
        /// More clock changes than ``TimeZoneDefinition/maximumOnsets``.
        case tooManyOnsets
        /// An observance without a TZOFFSETTO that can be read.
        case missingOffset
        /// An observance without a TZOFFSETFROM that can be read.
        case missingOffsetBefore
        /// An observance without a DTSTART that can be read.
        case missingStart
        /// DTSTART in UTC.
        case startInUTC
        /// An RRULE that is none, or that RFC 5545 does not let count clock changes.
        case badRule
        /// A rule for more often than once a month.
        case ruleTooFrequent
        /// UNTIL that is not in UTC.
        case untilNotUTC
        /// An RDATE that cannot be read.
        case badDate

        /// One sentence about what is wrong and what was made of it.
        public var sentence: String {
            switch self {
            case .missingName: "the time zone has no TZID; it is left out"
            case .duplicateName: "another time zone before has this TZID; that one counts"
            case .noObservance: "nothing in the time zone says an offset; its name is used"
            case .tooManyObservances: "the time zone has more parts than any zone of the world; its name is used"
            case .tooManyOnsets: "the time zone changes its clocks more often than any of the world; its name is used"
            case .missingOffset: "there is no TZOFFSETTO; this part is left out"
            case .missingOffsetBefore: "there is no TZOFFSETFROM; the offset of the part before is used"
            case .missingStart:
                "there is no DTSTART; a part without a rule counts from the beginning, one with is left out"
            case .startInUTC: "DTSTART must be a local time; the Z is left out"
            case .badRule: "the rule cannot be used; it is left out"
            case .ruleTooFrequent: "no clocks change more often than once a month; the rule is left out"
            case .untilNotUTC: "UNTIL must be in UTC; it is read on the clock before the change"
            case .badDate: "a date cannot be read; it is left out"
            }
        }

        /// Whether the VTIMEZONE, or a part of it, is not used.
        public var isError: Bool {
            switch self {
            case .duplicateName, .missingOffsetBefore, .startInUTC, .untilNotUTC: false
            default: true
            }
        }
    }

    /// What is wrong.
    public let code: Code
    /// The line of the property or component that it is about, from 1.
    public let line: Int

    /// What is wrong, in words, without the line.
    public var description: String { self.code.sentence }

    /// What is wrong with the VTIMEZONEs of a calendar, in the order of lines.
    ///
    /// - Parameter calendar: the VCALENDAR.
    public static func all(in calendar: Component) -> [TimeZoneIssue] {
        var names: Set<String> = []
        var found: [TimeZoneIssue] = []
        for component in calendar.components(.vtimezone).prefix(TimeZoneResolver.maximumDefinitions) {
            if let name = component.first(.tzid)?.text, !name.isEmpty {
                if !names.insert(name).inserted {
                    found.append(TimeZoneIssue(code: .duplicateName, line: component.line))
                }
            } else {
                found.append(TimeZoneIssue(code: .missingName, line: component.line))
            }
            var reader = TimeZoneReader()
            _ = reader.definition(component)
            found += reader.issues
        }
        return found.sorted { $0.line < $1.line }
    }
}
