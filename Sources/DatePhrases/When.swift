package import RemindavICalendar
package import RemindavReminders

/// A due time as an English phrase states it; the current time turns the phrase into a due time.
package enum When: Hashable, Sendable {
    case absent
    /// A day with or without a time of day: `2026-12-01`, `tomorrow 18:30`, `next friday`, `noon`.
    case day(DayPhrase, TimeOfDay)
    /// `in 2 hours`: a number of elapsed seconds after now, also across a change of daylight saving time.
    case later(seconds: Int)
    case exact(Instant)

    package enum TimeOfDay: Hashable, Sendable {
        /// The phrase names no time of day.
        case whole
        /// The phrase says `all day`.
        case allDay
        case clock(ClockTime)
        /// `tonight`: this time, or after it the next full hour of the same evening.
        case evening(ClockTime)

        /// The time of day if the wall clock shows `now`; `nil` without a time.
        package func clock(at now: ClockTime) -> ClockTime? {
            switch self {
            case .whole, .allDay: return nil
            case .clock(let clock): return clock
            case .evening(let start):
                let hour = now.secondsOfDay / 3600 + 1
                let isStart = now < start || hour > Self.lastHourOfEvening
                return isStart ? start : ClockTime(secondsOfDay: hour * 3600)
            }
        }

        /// The last hour that `tonight` can mean.
        private static let lastHourOfEvening = 23
    }
}

extension When {
    /// Examples for error messages and the help.
    package static let examples = ["'tomorrow 18:30'", "'friday 9am'", "'2026-12-01 09:00'"]

    package init(_ text: String) throws(PhraseError) {
        self = if let when = Self.isoForm(text) { when } else { try WhenParser.when(text) }
    }

    /// The due time that the text means; `nil` if it is none.
    static func understood(_ text: String) -> Self? { self.isoForm(text) ?? WhenParser.read(text).value }

    /// The moment of a text in a form of RFC 3339 or ISO 8601.
    static func isoForm(_ text: String) -> Self? {
        let text = text.trimmingWhiteSpace
        return RFC3339.parse(text).map { .exact($0.instant) } ?? self.isoMoment(text)
    }

    /// Parses `2026-12-01T09:00`, `20261201T090000Z` and similar forms of ISO 8601; without `Z`, the time is local.
    private static func isoMoment(_ text: String) -> Self? {
        let text = text.uppercased()
        let shape = String(text.map { $0.isPhraseDigit ? "0" : $0 })
        let isUTC = shape.hasSuffix("Z")
        guard Self.isoShapes.contains(isUTC ? String(shape.dropLast()) : shape) else { return nil }
        var wire = text.filter { $0.isPhraseDigit || $0 == "T" }
        // An iCalendar time has seconds.
        if wire.utf8.count == 13 { wire += "00" }
        guard case .dateTime(let moment)? = CalendarDateOrDateTime(wire: wire, tzid: nil) else { return nil }
        guard !isUTC else { return .exact(Instant(secondsSince1970: moment.localSeconds)) }
        return .day(.date(moment.date), .clock(moment.time))
    }

    private static let isoShapes: Set = [
        "0000-00-00T00:00", "0000-00-00T00:00:00", "00000000T0000", "00000000T000000",
    ]

    /// The same due time; a day without a time gets this time of day, but not after `all day`, and a time without a day
    /// gets this day.
    package func keeping(_ time: ClockTime?, on day: CalendarDate? = nil) -> Self {
        switch self {
        case .day(let stated, .whole): time.map { .day(stated, .clock($0)) } ?? self
        case .day(.soonest, let stated): day.map { .day(.date($0), stated) } ?? self
        default: self
        }
    }

    /// Whether the phrase names a date that may be past on purpose: `yesterday`, `2026-01-01`.
    ///
    /// A past time of today is a mistake, because the phrase may have meant another time.
    package var mayBePast: Bool {
        switch self {
        case .day(let day, _): day.mayBePast
        case .exact: true
        case .absent, .later: false
        }
    }

    /// Whether the text is a complete phrase for the end of a title; a title accepts fewer forms: `3 days` needs `in`.
    package static func isTitlePhrase(_ text: String) -> Bool { WhenParser.read(text, .alone).value != nil }

    /// A sentence with the reason why a text that resembles a due time is impossible or ambiguous, such as `03/04/2027`
    /// or `friday 9`; `nil` for a valid due time and for any other text.
    package static func reasonOfRefusal(_ text: String) -> String? { WhenParser.reasonOfRefusal(text) }

    /// The due time at the current time `now`; `nil` for the phrase `none`.
    ///
    /// A day without a year is today or later. A time is after `now`, except with `today`, `end of month` or a date.
    package func resolved(now: Instant, zone: LocalZone) -> DueChoice? {
        switch self {
        case .absent: nil
        case .day(let day, let time): Self.choice(day, time, now: now, zone)
        case .later(let seconds): Self.later(seconds, now, zone)
        case .exact(let instant): .exact(instant)
        }
    }

    /// The default due time: tomorrow at the given time.
    package static func defaultDue(at time: ClockTime = Self.usualTime) -> Self { .day(.days(1), .clock(time)) }
    package static let usualTime = ClockTime(secondsOfDay: 9 * 3600)
    private static let noon = ClockTime(secondsOfDay: 12 * 3600)

    private static func choice(_ day: DayPhrase, _ time: TimeOfDay, now: Instant, _ zone: LocalZone) -> DueChoice {
        let present = zone.wallClock(at: now)
        let today = present.date
        guard let clock = time.clock(at: present.time) else {
            let date = day.date(from: today) { $0 < today }
            // A zone can skip a day, such as 30 December 2011 in Apia. The next day is then the result.
            return .date(zone.wallClock(at: zone.instant(date, Self.noon)).date)
        }
        let date = day.date(from: today) { zone.instant($0, clock) <= now }
        let wall = zone.wallClock(at: zone.instant(date, clock))
        return .local(wall.date, wall.time)
    }

    /// The time after these seconds: exact below an hour, otherwise rounded up to a full minute.
    ///
    /// Lists show no seconds. A time without a delay is rounded up too, because a due time must be in the future.
    private static func later(_ seconds: Int, _ now: Instant, _ zone: LocalZone) -> DueChoice {
        let instant = now.adding(seconds: seconds)
        let isExact = 1..<3600 ~= seconds
        let minute = isExact ? instant : instant.adding(seconds: Int((60 - instant.secondsSince1970 % 60) % 60))
        let wall = zone.wallClock(at: minute)
        // A wall-clock time always means the first instant of an overlap. The second one needs an exact instant.
        return zone.instant(wall.date, wall.time) == minute ? .local(wall.date, wall.time) : .exact(minute)
    }
}

extension DueChoice {
    /// - Throws: if the due time is not after `now`; an all-day due time is past when its day is over.
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
