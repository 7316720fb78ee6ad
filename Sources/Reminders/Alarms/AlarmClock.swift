import RemindavICalendar
import RemindavRecurrence

/// Converts the times of alarms to moments; a date gets the time of day from the settings.
struct AlarmClock: Sendable {
    let zones: TimeZoneResolver
    let settings: AlarmSettings

    /// The moment of a due time; a time in an unknown zone is read as a local time.
    func instant(of moment: CalendarDateOrDateTime) -> Instant {
        switch moment {
        case .date(let date): self.instant(of: self.dayTime(date))
        case .dateTime(let time): self.instant(of: time)
        }
    }

    /// A date, or a date-time converted to UTC; a time in an unknown zone is read as a local time.
    func inUTC(_ moment: CalendarDateOrDateTime) -> CalendarDateOrDateTime {
        switch moment {
        case .date: moment
        case .dateTime(let time): .dateTime(CalendarDateTime(utc: self.instant(of: time)))
        }
    }

    private func dayTime(_ date: CalendarDate) -> CalendarDateTime {
        CalendarDateTime(date: date, time: self.settings.dayTime, zone: .floating)
    }

    private func instant(of time: CalendarDateTime) -> Instant {
        let floating = CalendarDateTime(date: time.date, time: time.time, zone: .floating)
        // If the local zone is unknown too, the time is read as UTC.
        return self.zones.instant(of: time) ?? self.zones.instant(of: floating)
            ?? Instant(secondsSince1970: time.localSeconds)
    }

    /// The moments at which an alarm fires: the first one, and one for each repetition (REPEAT).
    ///
    /// A day keeps the local time of day, and an hour has 3600 seconds (RFC 5545 §3.3.6). If DTSTART is missing, a
    /// trigger relative to DTSTART is read as relative to DUE: Evolution and Tasks.org write RELATED=START even then.
    ///
    /// - Returns: an empty array if the trigger or the date to which it is relative is missing.
    func times(of alarm: Alarm, start: CalendarDateOrDateTime?, due: CalendarDateOrDateTime?) -> [Instant] {
        switch alarm.trigger {
        case nil: return []
        case .absolute(let instant):
            guard let interval = alarm.interval, interval.days != 0,
                let wall = self.zones.dateTime(of: instant, in: .floating)
            else { return self.exactRings(of: alarm, from: instant) }
            // The first moment is exactly that of TRIGGER, even if a clock change makes its local time ambiguous.
            return [instant] + self.times(of: alarm, from: wall, seconds: 0).dropFirst()
        case .relative(let duration, let end):
            guard let anchor = end == .start ? start ?? due : due else { return [] }
            let (base, seconds) = self.base(of: anchor, duration)
            return self.times(of: alarm, from: base, seconds: seconds)
        }
    }

    /// The local time from which the firings are computed, and the exact seconds to add to it.
    ///
    /// If the trigger counts whole days from a date, the alarm fires at the time of day from the settings: Tasks.org,
    /// Evolution and DAVx5 write `PT0S`, `-P1D` and `-PT1440M` with this meaning. Hours count from local midnight:
    /// Apple and Nextcloud Tasks write `-PT15H` and `PT9H` for nine in the morning.
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
