package import RemindavICalendar
package import RemindavRecurrence
import RemindavReminders

package struct PhraseMeaning: Hashable, Sendable {
    package var due: CalendarDateOrDateTime?
    package var rule: RecurrenceRule?
    /// Whether the phrase repeats on dates that no rule expresses, so that only its first date is known.
    package var hasOtherDates: Bool
    /// Whether the rule skips months or years that lack its day.
    package var skipsDates: Bool

    package init(
        due: CalendarDateOrDateTime?,
        rule: RecurrenceRule?,
        hasOtherDates: Bool = false,
        skipsDates: Bool = false
    ) {
        self.skipsDates = skipsDates
        self.due = due
        self.rule = rule
        self.hasOtherDates = hasOtherDates
    }
}

/// The data outside the file that a parser of the file needs.
package struct ImportContext: Sendable {
    /// The local time zone, and the rules of all zones.
    let localZone: ZoneReference
    let zones: TimeZoneResolver
    /// Parses English phrases such as `every monday`; `nil` means that a phrase cannot be parsed.
    let phrase: @Sendable (String) -> PhraseMeaning?
    package var limits = ImportLimits.standard
    /// The last part of the file's path; `nil` if the source has no name.
    package var fileName: String?
    /// Whether projects and lists of the other program become lists; otherwise they become labels.
    package var makesLists = false
    /// The order of day and month in dates such as `3/4/2027`; `nil` if the user did not state it.
    package var dateOrder: DateOrder?

    /// Creates a context; `localZone` is a zoneinfo name.
    package init(
        localZone: String,
        zones: ZoneDatabase,
        phrase: @escaping @Sendable (String) -> PhraseMeaning?
    ) {
        self.localZone = localZone == "UTC" ? .utc : .named(localZone)
        self.zones = TimeZoneResolver(database: zones, calendar: nil, local: localZone)
        self.phrase = phrase
    }
}

// Parses dates in the forms of other programs.
extension ImportContext {
    /// The local date and time; midnight gives only the date, because Taskwarrior and Microsoft store dates that way.
    func dayOrTime(_ instant: Instant) -> CalendarDateOrDateTime {
        let utc = CalendarDateTime(utc: instant)
        let local = self.zones.dateTime(of: instant, in: self.localZone) ?? utc
        return local.time.secondsOfDay == 0 ? .date(local.date) : .dateTime(local)
    }

    func time(_ instant: Instant) -> CalendarDateOrDateTime {
        .dateTime(self.zones.dateTime(of: instant, in: self.localZone) ?? CalendarDateTime(utc: instant))
    }

    /// The instant of a time; `nil` when the time's zone is unknown.
    func instant(of time: CalendarDateTime) -> Instant? { self.zones.instant(of: time) }

    /// The instant of a date or time; a date begins at midnight in the local zone, and a time with an unknown zone is local.
    func instant(of moment: CalendarDateOrDateTime) -> Instant? {
        switch moment {
        case .date(let date): self.instant(date, ClockTime(secondsOfDay: 0), zone: self.localZone)
        case .dateTime(let time): self.instant(of: time) ?? self.instant(time.date, time.time, zone: self.localZone)
        }
    }

    /// The instant of a time in `zone`, or in the local zone if the database does not have `zone`.
    func instant(_ date: CalendarDate, _ time: ClockTime, zone: ZoneReference) -> Instant? {
        self.zones.instant(of: CalendarDateTime(date: date, time: time, zone: zone))
            ?? self.zones.instant(of: CalendarDateTime(date: date, time: time, zone: self.localZone))
    }

    /// The zone with a zoneinfo name or a Windows name; `nil` when the name is unknown.
    func zone(_ name: String) -> ZoneReference? {
        if ["UTC", "GMT", "ETC/UTC", "ETC/GMT", "Z", "TZONE://MICROSOFT/UTC"].contains(name.uppercased()) {
            return .utc
        }
        let reference = ZoneReference.named(name)
        guard self.zones.knows(reference) else { return nil }
        return self.zones.zoneinfoName(of: name).map { .named($0) } ?? reference
    }

    /// Parses `2026-12-01`, also with a time and an offset or `Z`, and `20261201T090000Z`; `nil` for any other text.
    ///
    /// A time without an offset is in `zone`; a time with an offset is converted to `zone`.
    func moment(_ text: String, zone: ZoneReference) -> CalendarDateOrDateTime? {
        let text = text.trimmingWhiteSpace
        if let date = Self.date(text) { return .date(date) }
        if let moment = RFC3339.parse(text) {
            guard let shown = self.zones.dateTime(of: moment.instant, in: zone) else {
                return .dateTime(CalendarDateTime(utc: moment.instant))
            }
            return .dateTime(shown)
        }
        if let moment = CalendarDateOrDateTime(wire: text, tzid: nil) {
            guard case .dateTime(let time) = moment, time.zone == .floating else { return moment }
            return .dateTime(CalendarDateTime(date: time.date, time: time.time, zone: zone))
        }
        return Self.localTime(text).map { .dateTime(CalendarDateTime(date: $0.0, time: $0.1, zone: zone)) }
    }

    /// Parses RFC 3339, `20261201T090000Z`, or a time without an offset, which is in `zone`; `nil` for any other text.
    func instant(_ text: String, zone: ZoneReference = .utc) -> Instant? {
        switch self.moment(text, zone: zone) {
        case .date(let date)?: self.instant(date, ClockTime(secondsOfDay: 0), zone: zone)
        case .dateTime(let time)?: self.zones.instant(of: time)
        case nil: nil
        }
    }

    /// Parses `2026-12-01`.
    static func date(_ text: String) -> CalendarDate? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2] else { return nil }
        let numbers = parts.compactMap { NumberText.digits($0) }
        return numbers.count == 3 ? CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]) : nil
    }

    /// Parses a time without an offset: `2026-12-01T09:00`, `2026-12-01 09:00:00.0000000`.
    private static func localTime(_ text: String) -> (CalendarDate, ClockTime)? {
        guard text.utf8.count > 11, let date = self.date(String(text.prefix(10))) else { return nil }
        let separator = text.dropFirst(10).first
        guard separator == "T" || separator == " " || separator == "t" else { return nil }
        return self.time(String(text.dropFirst(11))).map { (date, $0) }
    }

    /// Parses `09:00`, `9:00:00 AM` or `09:00:00.0000000`.
    static func time(_ text: String) -> ClockTime? {
        let words = text.trimmingWhiteSpace.uppercased().split { $0 == " " || $0 == "\u{202F}" || $0 == "\u{A0}" }
        guard let clock = words.first, words.count <= 2 else { return nil }
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), var hour = NumberText.digits(parts[0]),
            let minute = NumberText.digits(parts[1])
        else { return nil }
        let second = parts.count == 3 ? NumberText.digits(parts[2].prefix { $0 != "." }) : 0
        switch words.count == 2 ? words[1] : "" {
        case "": break
        case "AM" where (1...12).contains(hour): hour %= 12
        case "PM" where (1...12).contains(hour): hour = hour % 12 + 12
        default: return nil
        }
        return second.flatMap { ClockTime(hour: hour, minute: minute, second: $0) }
    }
}

enum NumberText {
    /// Whether the text has at least one character, and only decimal digits.
    static func isDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isDecimalDigit)
    }

    /// The number in a text of one to nine digits; `nil` for any other text.
    static func digits(_ text: some StringProtocol) -> Int? {
        let digits = text.utf8
        guard (1...9).contains(digits.count), digits.allSatisfy(\.isDecimalDigit) else { return nil }
        return Int(text)
    }
}

extension UInt8 {
    var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
