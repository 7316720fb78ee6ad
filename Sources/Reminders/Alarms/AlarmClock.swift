import ICalendar
import Recurrence

/// When the times that alarms count with are: on the clocks of their zones, whole days at the time a person has chosen.
struct AlarmClock: Sendable {
    let zones: TimeZoneResolver
    let settings: AlarmSettings

    /// The moment of a due time.
    ///
    /// A time in a zone that nobody knows is one on the clock on the wall, as it is in a listing.
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
        // UTC is what is left where not even the wall's clock is known.
        return self.zones.instant(of: time) ?? self.zones.instant(of: floating)
            ?? Instant(secondsSince1970: time.localSeconds)
    }

    /// When an alarm sounds: the first time, and each time that REPEAT adds.
    ///
    /// Days count on the clock, hours exactly (RFC 5545 §3.3.6). What counts from DTSTART counts from DUE where there is
    /// only that: RELATED=START is what stands there when nobody has said (Evolution, Tasks.org).
    ///
    /// - Returns: nothing when it has nothing to count from.
    func rings(of alarm: Alarm, start: CalendarDateOrDateTime?, due: CalendarDateOrDateTime?) -> [Instant] {
        switch alarm.trigger {
        case nil: return []
        case .absolute(let instant):
            guard let interval = alarm.interval, interval.days != 0,
                let wall = self.zones.dateTime(of: instant, in: .floating)
            else { return self.exactRings(of: alarm, from: instant) }
            // The first is the moment itself, whatever the clock says in an hour that comes twice.
            return [instant] + self.rings(of: alarm, from: wall, seconds: 0).dropFirst()
        case .relative(let duration, let end):
            guard let anchor = end == .start ? start ?? due : due else { return [] }
            let (base, seconds) = self.base(of: anchor, duration)
            return self.rings(of: alarm, from: base, seconds: seconds)
        }
    }

    /// Where an alarm begins to count: a time on a clock, and exact seconds from there.
    ///
    /// Counted from a whole day, whole days name a day, which rings at the time for days: Tasks.org, Evolution and DAVx5
    /// write `PT0S`, `-P1D` and `-PT1440M` so. Hours count from its midnight on the wall (Apple and Nextcloud Tasks:
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

    private func rings(of alarm: Alarm, from base: CalendarDateTime, seconds: Int) -> [Instant] {
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
