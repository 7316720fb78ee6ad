import Bridge
import ICalendar

/// What a person wrote for WHEN, before anybody has looked at a clock.
enum When: Hashable, Sendable {
    /// `none`: no date at all.
    case absent
    /// `2026-12-01`, `tomorrow 18:30`, `next friday`, `noon`.
    case day(DayPhrase, TimeOfDay)
    /// `in 2 hours`: so many seconds from now, which summer time makes no longer or shorter.
    case later(seconds: Int)
    /// `2026-12-01T09:00:00+01:00`.
    case exact(Instant)

    /// The time that was named for a day.
    enum TimeOfDay: Hashable, Sendable {
        /// None was: the whole day is meant.
        case whole
        /// This one.
        case clock(ClockTime)
    }
}

extension When {
    /// The examples in the message and in the help.
    static let examples = ["'tomorrow 18:30'", "'friday 9am'", "'2026-12-01 09:00'"]

    /// - Throws: when the text is none of the forms; the sentence names the word that was not understood.
    init(_ text: String) throws(UsageError) {
        if let moment = RFC3339.parse(ArgumentValues.trimmed(text)) {
            self = .exact(moment.instant)
            return
        }
        var parser = WhenParser(text)
        self = try parser.parse()
    }

    /// The due time that it means at `now` in `zone`; `nil` for `none`.
    ///
    /// Without a year in the phrase it is today or later, and a time is after `now`, but for one of today or of the end
    /// of this month. A time in a gap, when the clocks go forward, moves on by the gap; of two moments, when they go back, it is the first.
    ///
    func resolved(now: Instant, zone: LocalZone) -> DueChoice? {
        switch self {
        case .absent: nil
        case .day(let day, let time): Self.choice(day, time, now: now, zone)
        case .later(let seconds): Self.later(now.adding(seconds: seconds), zone)
        case .exact(let instant): .exact(instant)
        }
    }

    /// When something is due that nobody gave a date: tomorrow at that time.
    static func whenNothingIsSaid(at time: ClockTime = Self.usualTime) -> Self { .day(.days(1), .clock(time)) }

    static let usualTime = ClockTime(secondsOfDay: 9 * 3600)

    static let noon = ClockTime(secondsOfDay: 12 * 3600)

    private static func choice(_ day: DayPhrase, _ time: TimeOfDay, now: Instant, _ zone: LocalZone) -> DueChoice {
        let today = zone.wallClock(at: now).date
        let clock: ClockTime
        switch time {
        case .whole:
            let date = day.date(from: today) { $0 < today }
            // A day that a zone left out, such as 30 December 2011 in Apia, is the next one.
            return .date(zone.wallClock(at: zone.instant(date, Self.noon)).date)
        case .clock(let named): clock = named
        }
        let date = day.date(from: today) { zone.instant($0, clock) <= now }
        let wall = zone.wallClock(at: zone.instant(date, clock))
        return .local(wall.date, wall.time)
    }

    /// At the next full minute, which is what clocks on walls and lists show.
    private static func later(_ instant: Instant, _ zone: LocalZone) -> DueChoice {
        let minute = instant.adding(seconds: Int((60 - instant.secondsSince1970 % 60) % 60))
        let wall = zone.wallClock(at: minute)
        // The second pass through an hour, when the clocks go back, has no time on the wall of its own.
        return zone.instant(wall.date, wall.time) == minute ? .local(wall.date, wall.time) : .exact(minute)
    }
}

extension DueChoice {
    /// - Throws: when it is not after `now`; a whole day counts as past when it was over before `now`.
    func checkedToBeInFuture(now: Instant, zone: LocalZone) throws(UsageError) -> Self {
        guard self.isPast(now: now, today: zone.wallClock(at: now).date, instant: zone.instant) else { return self }
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
