import Bridge
import ICalendar

/// What a person wrote for WHEN, before anybody has looked at a clock.
enum When: Hashable, Sendable {
    /// `none`: no date at all.
    case absent
    /// `2026-12-01`, `2026-12-01 09:00`.
    case day(CalendarDate, ClockTime?)
    /// `today`, `tomorrow 18:30`: so many days from today.
    case relative(days: Int, ClockTime?)
    /// `2026-12-01T09:00:00+01:00`.
    case exact(Instant)
}

extension When {
    /// The examples in the message and in the help.
    static let examples = ["'tomorrow 18:30'", "'2026-12-01 09:00'", "'2026-12-01'"]

    /// - Throws: when the text is none of the forms.
    init(_ text: String) throws(UsageError) {
        var parser = WhenParser(text)
        guard let when = parser.parse() ?? Self.exactly(text) else {
            throw UsageError(
                .badWhen,
                "'\(text)' is not a time that remindav understands. "
                    + "Write for example \(Self.examples.joined(separator: ", ")) or RFC 3339."
            )
        }
        self = when
    }

    private static func exactly(_ text: String) -> Self? {
        RFC3339.parse(Fields.trimmed(text)).map { .exact($0.instant) }
    }

    /// The due time that it means at `now` in `zone`; `nil` for `none`.
    ///
    /// A time in a gap, when the clocks go forward, moves on by the gap.
    func resolved(now: Instant, zone: LocalZone) -> DueChoice? {
        switch self {
        case .absent: nil
        case .day(let date, let time): Self.choice(date, time, zone)
        case .relative(let days, let time):
            Self.choice(zone.wallClock(at: now).date.adding(days: days), time, zone)
        case .exact(let instant): .exact(instant)
        }
    }

    /// Tomorrow at nine: when something is due that nobody gave a date.
    static let whenNothingIsSaid = Self.relative(days: 1, ClockTime(hour: 9, minute: 0, second: 0))

    private static func choice(_ date: CalendarDate, _ time: ClockTime?, _ zone: LocalZone) -> DueChoice {
        guard let time else { return .date(date) }
        let wall = zone.wallClock(at: zone.instant(date, time))
        return .local(wall.date, wall.time)
    }
}

extension DueChoice {
    /// - Throws: when it is not after `now`; a whole day counts as past when it was over before `now`.
    func checkedToBeInFuture(now: Instant, zone: LocalZone) throws(UsageError) -> Self {
        let isPast =
            switch self {
            case .date(let date): date < zone.wallClock(at: now).date
            case .local(let date, let time): zone.instant(date, time) <= now
            case .exact(let instant): instant <= now
            }
        guard isPast else { return self }
        let text = LocalText(zone: zone, now: now)
        let what =
            switch self {
            case .date(let date): "\(date)"
            case .local(let date, let time): text.short(zone.instant(date, time))
            case .exact(let instant): text.short(instant)
            }
        throw UsageError(
            .mustBeInFuture,
            "Must be in the future: \(what) is over. Give a later day or time, or 'none' for no date."
        )
    }
}

/// Reads WHEN.
///
/// Each method reads the rule that stands above it. Letters count without regard to case; spaces around the text and
/// more than one between its parts are allowed.
private struct WhenParser {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let bytes = Substring(text.lowercased()).utf8.drop(while: isSpace)
        self.rest = bytes.prefix(bytes.reversed().drop(while: isSpace).count)
    }

    // when = "none" / "today" [ SP time ] / "tomorrow" [ SP time ] / date [ SP time ]
    mutating func parse() -> When? {
        guard let when = self.parseForm(), self.rest.isEmpty else { return nil }
        return when
    }

    private mutating func parseForm() -> When? {
        if self.skip("none") { return .absent }
        if self.skip("today") { return self.parseOptionalTime().map { .relative(days: 0, $0) } }
        if self.skip("tomorrow") { return self.parseOptionalTime().map { .relative(days: 1, $0) } }
        guard let date = self.parseDate() else { return nil }
        return self.parseOptionalTime().map { .day(date, $0) }
    }

    // date = 4DIGIT "-" 2DIGIT "-" 2DIGIT
    private mutating func parseDate() -> CalendarDate? {
        guard let year = self.number(4), self.skip("-"), let month = self.number(2), self.skip("-"),
            let day = self.number(2)
        else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    // [ SP time ];  time = 1*2DIGIT ":" 2DIGIT
    //
    // The outer nil: there is something, and it is no time.
    private mutating func parseOptionalTime() -> ClockTime?? {
        if self.rest.isEmpty { return .some(nil) }
        guard self.skipSpaces(), let hour = self.number(2) ?? self.number(1), self.skip(":"),
            let minute = self.number(2), let time = ClockTime(hour: hour, minute: minute, second: 0)
        else { return nil }
        return .some(time)
    }

    /// Reads exactly `digits` digits, or nothing.
    private mutating func number(_ digits: Int) -> Int? {
        let text = self.rest.prefix(digits)
        guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.rest = self.rest.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func skip(_ text: String) -> Bool {
        guard self.rest.starts(with: text.utf8) else { return false }
        self.rest = self.rest.dropFirst(text.utf8.count)
        return true
    }

    private mutating func skipSpaces() -> Bool {
        let before = self.rest.count
        self.rest = self.rest.drop { $0 == 0x20 || $0 == 0x09 }
        return self.rest.count < before
    }
}
