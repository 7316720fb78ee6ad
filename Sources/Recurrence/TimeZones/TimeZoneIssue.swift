public import RemindavICalendar

/// A violation of RFC 5545 §3.6.5 in a VTIMEZONE, or a TZID without a VTIMEZONE, and its interpretation.
public struct TimeZoneIssue: Hashable, Sendable, CustomStringConvertible {
    /// The kind of issue, described by its ``sentence``; the raw value is for programs.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// See ``sentence``.
        case missingName, duplicateName, noObservance, tooManyObservances, tooManyOnsets, missingOffset,
            missingOffsetBefore, missingStart, startInUTC, badRule, ruleTooFrequent, untilNotUTC, badDate,
            missingTimeZone, zoneOfLocation, zoneOfOnlyDefinition, zoneOfCalendar, unknownTimeZone

        /// One sentence that states the issue and its interpretation.
        public var sentence: String {
            switch self {
            case .missingName: "the time zone has no TZID; it is left out"
            case .duplicateName: "an earlier time zone has the same TZID; only that one is used"
            case .noObservance: "the time zone has no offset; it is looked up by its name"
            case .tooManyObservances: "the time zone has too many parts; it is looked up by its name"
            case .tooManyOnsets: "the time zone has too many clock changes; it is looked up by its name"
            case .missingOffset: "there is no TZOFFSETTO; this part is left out"
            case .missingOffsetBefore: "there is no TZOFFSETFROM; the offset of the previous part is used"
            case .missingStart:
                "there is no DTSTART; the part is left out if it has a rule, and else applies from the beginning"
            case .startInUTC: "DTSTART must be a local time; the Z is ignored"
            case .badRule: "the rule cannot be used; it is left out"
            case .ruleTooFrequent: "the rule changes the clock more often than once a month; it is left out"
            case .untilNotUTC: "UNTIL must be in UTC; it is read as local time before the change"
            case .badDate: "a date cannot be read; it is left out"
            case .missingTimeZone: "the file does not define this zone; it is looked up by its name"
            case .zoneOfLocation: "this is a guess: the zone has no offsets, so its X-LIC-LOCATION is used"
            case .zoneOfOnlyDefinition:
                "this is a guess: no zone has this name, so the only VTIMEZONE is used, although no time refers to it"
            case .zoneOfCalendar: "this is a guess: no zone has this name, so X-WR-TIMEZONE is used"
            case .unknownTimeZone: "no time zone has this name, so its times count as local times"
            }
        }

        /// One sentence of advice.
        public var advice: String {
            switch self {
            case .missingName: "Add the TZID that the times refer to."
            case .duplicateName: "Remove one of the two, or give it another TZID."
            case .noObservance, .missingOffset, .missingOffsetBefore, .missingStart:
                "Write each STANDARD and DAYLIGHT with DTSTART, TZOFFSETFROM and TZOFFSETTO."
            case .tooManyObservances, .tooManyOnsets, .ruleTooFrequent:
                "Export the zone again, or remove it and use an IANA name as the TZID."
            case .startInUTC: "Remove the Z, and write the time of the clock before the change."
            case .untilNotUTC: "Write UNTIL in UTC, with a Z."
            case .badRule, .badDate: "Correct the value."
            case .missingTimeZone: "Add the VTIMEZONE: not every program knows the zone by its name."
            case .zoneOfLocation, .zoneOfOnlyDefinition, .zoneOfCalendar:
                "Check the times; then add the VTIMEZONE, or use the zone's IANA name."
            case .unknownTimeZone: "Add the VTIMEZONE, or use an IANA name such as Europe/Berlin."
            }
        }

        /// Whether a VTIMEZONE or a part of it is ignored, or the TZID is unknown, so that times with it are unusable.
        public var isError: Bool {
            switch self {
            case .duplicateName, .missingOffsetBefore, .startInUTC, .untilNotUTC, .missingTimeZone, .zoneOfLocation,
                .zoneOfOnlyDefinition, .zoneOfCalendar:
                false
            default: true
            }
        }

        /// The code for a TZID with rules from `source` (`nil`: unknown TZID); `nil` if a VTIMEZONE defines the TZID.
        init?(_ source: ZoneSource?) {
            switch source {
            case nil: self = .unknownTimeZone
            case .definition: return nil
            case .zoneinfo, .spelling, .prefix, .windows, .displayName, .offset: self = .missingTimeZone
            case .location: self = .zoneOfLocation
            case .onlyDefinition: self = .zoneOfOnlyDefinition
            case .calendarZone: self = .zoneOfCalendar
            }
        }
    }

    /// The kind of issue.
    public let code: Code
    /// The line of the property or component, from 1.
    public let line: Int
    /// The name of the property with the TZID, or VTIMEZONE, STANDARD or DAYLIGHT.
    public let subject: Name
    /// The issue as a sentence, without the line.
    public var description: String { "\(self.subject.canonical): \(self.code.sentence)" }

    init(_ code: Code, _ subject: any SubjectOfIssue) {
        self.code = code
        self.line = subject.line
        self.subject = subject.name
    }
}

extension TimeZoneIssue {
    /// The largest number of reported TZIDs; no real calendar uses more.
    static let maximumNames = 1000

    /// An issue for each TZID that the calendar does not define, at its first use.
    ///
    /// - Parameters:
    ///   - components: all components of the calendar to which `resolver` belongs.
    ///   - resolver: knows the time zones that the calendar defines.
    public static func names(in components: [Component], resolver: TimeZoneResolver) -> [TimeZoneIssue] {
        let defined = Set(components.lazy.filter { $0.name == .vtimezone }.compactMap { $0.first(.tzid)?.text })
        var seen: Set<String> = []
        var found: [TimeZoneIssue] = []
        for component in components {
            let isDone = !component.forEachZoneUse { name, property in
                guard seen.insert(name).inserted, let code = Code(resolver.resolution(of: name)?.source) else {
                    return true
                }
                // Another check reports a VTIMEZONE without offsets.
                if code != .missingTimeZone || !defined.contains(name) { found.append(TimeZoneIssue(code, property)) }
                return found.count < Self.maximumNames
            }
            if isDone { break }
        }
        return found
    }

    /// The issues of the VTIMEZONEs in a VCALENDAR, sorted by line.
    public static func all(in calendar: Component) -> [TimeZoneIssue] {
        var names: Set<String> = []
        var found: [TimeZoneIssue] = []
        for component in calendar.components(.vtimezone).prefix(TimeZoneResolver.maximumDefinitions) {
            if let name = component.first(.tzid)?.text, !name.isEmpty {
                if !names.insert(name).inserted { found.append(TimeZoneIssue(.duplicateName, component)) }
            } else {
                found.append(TimeZoneIssue(.missingName, component))
            }
            var reader = TimeZoneReader()
            _ = reader.definition(component)
            found += reader.issues
        }
        return found.sorted { $0.line < $1.line }
    }
}

extension Component {
    /// Calls `body` with each property outside VTIMEZONEs, at any depth, that has a time zone, and with its TZID.
    ///
    /// When `body` returns `false`, the calls end with the result `false`.
    func forEachZoneUse(_ body: (String, Property) -> Bool) -> Bool {
        guard self.name != .vtimezone else { return true }
        for property in self.properties where property.hasParameters {
            // Another check reports a TZID in a property that must be in UTC.
            guard property.definition?.parameters.contains(.zone) ?? true,
                property.parameter(.tzid) != nil, let values = try? property.values(),
                let name = values.lazy.compactMap(\.zoneName).first
            else { continue }
            if !body(name, property) { return false }
        }
        return self.components.allSatisfy { $0.forEachZoneUse(body) }
    }
}
