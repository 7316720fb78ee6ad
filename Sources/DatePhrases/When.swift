package import ICalendar
package import Reminders

/// A time in English, independent of the current time.
package enum When: Hashable, Sendable {
    case absent
    /// `2026-12-01`, `tomorrow 18:30`, `next friday`, `noon`.
    case day(DayPhrase, TimeOfDay)
    /// `in 2 hours`: elapsed seconds from now, independent of daylight saving time.
    case later(seconds: Int)
    case exact(Instant)

    package enum TimeOfDay: Hashable, Sendable {
        case whole
        case clock(ClockTime)
    }
}

extension When {
    /// For error messages and the help.
    package static let examples = ["'tomorrow 18:30'", "'friday 9am'", "'2026-12-01 09:00'"]

    package init(_ text: String) throws(PhraseError) {
        if let moment = RFC3339.parse(text.trimmingWhiteSpace) {
            self = .exact(moment.instant)
            return
        }
        self = try WhenParser.when(text)
    }

    /// Whether the text is a complete phrase at the end of a title, where fewer forms are accepted: `3 days` needs `in`.
    package static func isTitlePhrase(_ text: String) -> Bool { WhenParser.read(text, .alone).value != nil }

    /// `nil` for `none`.
    ///
    /// A phrase without a year means today or later. A time is after `now`, except with `today` or `end of month`.
    package func resolved(now: Instant, zone: LocalZone) -> DueChoice? {
        switch self {
        case .absent: nil
        case .day(let day, let time): Self.choice(day, time, now: now, zone)
        case .later(let seconds): Self.later(now.adding(seconds: seconds), zone)
        case .exact(let instant): .exact(instant)
        }
    }

    /// The default due time: tomorrow at that time.
    package static func defaultDue(at time: ClockTime = Self.usualTime) -> Self { .day(.days(1), .clock(time)) }
    package static let usualTime = ClockTime(secondsOfDay: 9 * 3600)
    private static let noon = ClockTime(secondsOfDay: 12 * 3600)

    private static func choice(_ day: DayPhrase, _ time: TimeOfDay, now: Instant, _ zone: LocalZone) -> DueChoice {
        let today = zone.wallClock(at: now).date
        guard case .clock(let clock) = time else {
            let date = day.date(from: today) { $0 < today }
            // A day that the zone skips, such as 30 December 2011 in Apia, means the next day.
            return .date(zone.wallClock(at: zone.instant(date, Self.noon)).date)
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
