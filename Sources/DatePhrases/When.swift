package import ICalendar
package import Reminders

/// The value of WHEN, independent of the current time.
package enum When: Hashable, Sendable {
    /// `none`: no date.
    case absent
    /// `2026-12-01`, `tomorrow 18:30`, `next friday`, `noon`.
    case day(DayPhrase, TimeOfDay)
    /// `in 2 hours`: elapsed seconds from now, independent of daylight saving time.
    case later(seconds: Int)
    /// `2026-12-01T09:00:00+01:00`.
    case exact(Instant)

    package enum TimeOfDay: Hashable, Sendable {
        case whole
        case clock(ClockTime)
    }
}

extension When {
    /// For error messages and the help.
    package static let examples = ["'tomorrow 18:30'", "'friday 9am'", "'2026-12-01 09:00'"]

    /// - Throws: if the text has none of the forms; the sentence names the word that cannot be parsed.
    package init(_ text: String) throws(PhraseError) {
        if let moment = RFC3339.parse(text.trimmingWhiteSpace) {
            self = .exact(moment.instant)
            return
        }
        var parser = WhenParser(text)
        self = try parser.parse()
    }

    /// Whether the text is a complete phrase at the end of a title, where fewer forms are accepted: `3 days` needs `in`.
    package static func isTitlePhrase(_ text: String) -> Bool {
        var parser = WhenParser(text, caution: .alone)
        if case .understood = parser.reading() { return true }
        return false
    }

    /// The due time at `now` in `zone`; `nil` for `none`.
    ///
    /// A phrase without a year means today or later. A time is after `now`, except with `today` or `end of month`. A time in
    /// a gap of the zone moves forward by the gap; in an overlap the first of the two instants counts.
    package func resolved(now: Instant, zone: LocalZone) -> DueChoice? {
        switch self {
        case .absent: nil
        case .day(let day, let time): Self.choice(day, time, now: now, zone)
        case .later(let seconds): Self.later(now.adding(seconds: seconds), zone)
        case .exact(let instant): .exact(instant)
        }
    }

    /// The default due time: tomorrow at that time.
    package static func whenNothingIsSaid(at time: ClockTime = Self.usualTime) -> Self { .day(.days(1), .clock(time)) }

    package static let usualTime = ClockTime(secondsOfDay: 9 * 3600)

    static let noon = ClockTime(secondsOfDay: 12 * 3600)

    private static func choice(_ day: DayPhrase, _ time: TimeOfDay, now: Instant, _ zone: LocalZone) -> DueChoice {
        let today = zone.wallClock(at: now).date
        let clock: ClockTime
        switch time {
        case .whole:
            let date = day.date(from: today) { $0 < today }
            // A day that the zone skips, such as 30 December 2011 in Apia, means the next day.
            return .date(zone.wallClock(at: zone.instant(date, Self.noon)).date)
        case .clock(let named): clock = named
        }
        let date = day.date(from: today) { zone.instant($0, clock) <= now }
        let wall = zone.wallClock(at: zone.instant(date, clock))
        return .local(wall.date, wall.time)
    }

    /// At the next full minute, because lists show no seconds.
    private static func later(_ instant: Instant, _ zone: LocalZone) -> DueChoice {
        let minute = instant.adding(seconds: Int((60 - instant.secondsSince1970 % 60) % 60))
        let wall = zone.wallClock(at: minute)
        // The second instant of an overlap cannot be expressed as a wall-clock time.
        return zone.instant(wall.date, wall.time) == minute ? .local(wall.date, wall.time) : .exact(minute)
    }
}

extension DueChoice {
    /// - Throws: if it is not after `now`; a whole day is past when it ended before `now`.
    package func checkedToBeInFuture(now: Instant, zone: LocalZone) throws(PhraseError) -> Self {
        guard self.isPast(now: now, today: zone.wallClock(at: now).date, instant: zone.instant) else { return self }
        let time =
            switch self {
            case .date(let date): "\(date)"
            case .local(let date, let clock): zone.text(zone.instant(date, clock))
            case .exact(let instant): zone.text(instant)
            }
        throw PhraseError(
            .mustBeInFuture,
            "Must be in the future: \(time) is past. Give a later day or time, or 'none' for no date."
        )
    }
}
