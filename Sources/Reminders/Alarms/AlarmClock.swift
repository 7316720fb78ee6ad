import ICalendar
import Recurrence

/// Converts the times of alarms to moments: in their zones, and dates at the time of day of the settings.
struct AlarmClock: Sendable {
    let zones: TimeZoneResolver
    let settings: AlarmSettings

    /// The moment of a due time; an unknown zone counts as the local zone, as in a list.
    func instant(of moment: CalendarDateOrDateTime) -> Instant {
        switch moment {
        case .date(let date): self.instant(of: self.dayTime(date))
        case .dateTime(let time): self.instant(of: time)
        }
    }

    private func dayTime(_ date: CalendarDate) -> CalendarDateTime {
        CalendarDateTime(date: date, time: self.settings.dayTime, zone: .floating)
    }

    private func instant(of time: CalendarDateTime) -> Instant {
        let floating = CalendarDateTime(date: time.date, time: time.time, zone: .floating)
        // Without a local zone, UTC is used.
        return self.zones.instant(of: time) ?? self.zones.instant(of: floating)
            ?? Instant(secondsSince1970: time.localSeconds)
    }

    /// The times of an alarm: the first one and its REPEAT repetitions.
    ///
    /// Days are counted in local time, hours exactly (RFC 5545 §3.3.6). A trigger relative to a missing DTSTART is relative
    /// to DUE, because RELATED=START is the default that Evolution and Tasks.org write.
    ///
    /// - Returns: no times without a date to count from.
    func times(of alarm: Alarm, start: CalendarDateOrDateTime?, due: CalendarDateOrDateTime?) -> [Instant] {
        switch alarm.trigger {
        case nil: return []
        case .absolute(let instant):
            guard let interval = alarm.interval, interval.days != 0,
                let wall = self.zones.dateTime(of: instant, in: .floating)
            else { return self.exactRings(of: alarm, from: instant) }
            // The first is the moment itself, also in an hour that occurs twice.
            return [instant] + self.times(of: alarm, from: wall, seconds: 0).dropFirst()
        case .relative(let duration, let end):
            guard let anchor = end == .start ? start ?? due : due else { return [] }
            let (base, seconds) = self.base(of: anchor, duration)
            return self.times(of: alarm, from: base, seconds: seconds)
        }
    }

    /// The base of an alarm: a local time, and exact seconds from there.
    ///
    /// Relative to a date, whole days are a date; its alarm fires at the time of day of the settings: Tasks.org, Evolution
    /// and DAVx5 write `PT0S`, `-P1D` and `-PT1440M` so. Hours count from local midnight (Apple and Nextcloud Tasks:
    /// `-PT15H`, `PT9H` are nine in the morning).
    private func base(of anchor: CalendarDateOrDateTime, _ duration: CalendarDuration) -> (
        CalendarDateTime, seconds: Int
    ) {
        switch anchor {
        case .dateTime(let time):
            return (time.adding(days: duration.days), duration.seconds)
        case .date(let date):
            switch date.adding(duration) {
            case .date(let day): return (self.dayTime(day), 0)
            case .dateTime(let time): return (time, 0)
            }
        }
    }

    private func times(of alarm: Alarm, from base: CalendarDateTime, seconds: Int) -> [Instant] {
        let interval = alarm.interval ?? .zero
        return (0...alarm.repeats).map { count in
            self.instant(of: base.adding(days: count * interval.days))
                .adding(seconds: seconds + count * interval.seconds)
        }
    }

    private func exactRings(of alarm: Alarm, from instant: Instant) -> [Instant] {
        let seconds = alarm.interval.map { $0.days * ClockTime.secondsPerDay + $0.seconds } ?? 0
        return (0...alarm.repeats).map { instant.adding(seconds: $0 * seconds) }
    }
}

extension CalendarDateTime {
    fileprivate func adding(days: Int) -> Self {
        Self(date: self.date.adding(days: days), time: self.time, zone: self.zone)
    }
}
