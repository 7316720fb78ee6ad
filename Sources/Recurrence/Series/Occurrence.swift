public import ICalendar

/// One occurrence of an event, a to-do or a journal entry.
public struct Occurrence: Sendable {
    /// The date in the rule, even if the occurrence was moved (RFC 5545 §3.8.4.4); `nil` without repetition.
    public let recurrenceID: CalendarDateOrDateTime?
    /// The start (DTSTART); `nil` for a to-do with only DUE.
    public let start: CalendarDateOrDateTime?
    /// The end or due time: DTEND, DUE, or DURATION after the start; `nil` without any of them.
    public let end: CalendarDateOrDateTime?
    /// The moment of ``start``, else of ``end``.
    public let begins: Instant
    /// The moment of ``end``, not before ``begins``; an all-day occurrence ends at the next midnight.
    public let ends: Instant
    /// The component that describes it: the series or an override.
    public let component: Component
    /// Whether ``component`` is an override (RECURRENCE-ID), for this occurrence or for this and all later ones.
    public let isOverride: Bool

    /// Whether any part, or the moment of one without a length, is in `from ..< to`.
    func overlaps(from: Instant?, to: Instant?) -> Bool {
        if let to, self.begins >= to { return false }
        guard let from else { return true }
        return self.ends > from || self.begins >= from
    }
}

/// The anchor and the length of the occurrences of a component.
struct OccurrenceShape: Sendable {
    /// RFC 5545 §3.8.5.3.
    private enum Length {
        case none
        /// DURATION: days in local time, then exact seconds.
        case nominal(CalendarDuration)
        /// DTEND or DUE as a time: the same exact length each time.
        case exact(seconds: Int, zone: ZoneReference)
        /// DTEND or DUE if it or the start is a day: that number of days later, at that time.
        case days(Int, end: CalendarDateOrDateTime)
    }

    let component: Component
    /// DTSTART, else DUE, else the RECURRENCE-ID.
    let anchor: CalendarDateOrDateTime
    private let hasStart: Bool
    private let isDue: Bool
    private let length: Length
    /// A to-do is due on that day, an event is over at its beginning.
    private let includesLastDay: Bool

    /// - Parameter fallback: for an override without dates: its RECURRENCE-ID, and the shape of the series.
    /// - Returns: `nil` without a date, or in an unknown zone.
    init?(
        _ component: Component,
        resolver: TimeZoneResolver,
        fallback: (CalendarDateOrDateTime, OccurrenceShape?)? = nil
    ) {
        let written = component.first(.dtstart)?.moment
        let due = component.name == .vtodo ? component.first(.due)?.moment : nil
        // A start after DUE is an error; DUE counts, as in a reminder.
        let start = written.flatMap { start in
            due.map { Self.isAfter(start, $0, resolver) } ?? false ? nil : start
        }
        self.component = component
        guard let anchor = start ?? due ?? fallback?.0, resolver.instant(of: anchor) != nil else { return nil }
        self.anchor = anchor
        self.includesLastDay = due != nil
        if start == nil, due == nil, let shape = fallback?.1 {
            self.hasStart = shape.hasStart
            self.isDue = shape.isDue
            self.length = shape.length
            return
        }
        self.hasStart = start != nil || due == nil
        self.isDue = start == nil && due != nil
        let end = component.name == .vevent ? component.first(.dtend)?.moment : self.isDue ? nil : due
        self.length = Self.length(from: anchor, to: end, component, resolver)
    }

    /// Whether `start` is after `due`: by day if one of them is a day, by moment if their zones differ.
    private static func isAfter(
        _ start: CalendarDateOrDateTime,
        _ due: CalendarDateOrDateTime,
        _ resolver: TimeZoneResolver
    ) -> Bool {
        guard case .dateTime(let first) = start, case .dateTime(let last) = due else { return start.day > due.day }
        guard first.zone != last.zone, let from = resolver.instant(of: first), let to = resolver.instant(of: last)
        else { return first.localSeconds > last.localSeconds }
        return from > to
    }

    private static func length(
        from anchor: CalendarDateOrDateTime,
        to end: CalendarDateOrDateTime?,
        _ component: Component,
        _ resolver: TimeZoneResolver
    ) -> Length {
        guard let end else {
            guard let text = component.first(.duration)?.value.trimmingSpaces,
                let duration = CalendarDuration(wire: text),
                !duration.isNegative
            else { return .none }
            return .nominal(duration)
        }
        guard case .dateTime(let endTime) = end, case .dateTime(let startTime) = anchor else {
            return .days(max(end.day.dayNumber - anchor.day.dayNumber, 0), end: end)
        }
        guard let from = resolver.instant(of: startTime), let to = resolver.instant(of: endTime), to > from else {
            return .none
        }
        return .exact(seconds: Int(to.secondsSince1970 - from.secondsSince1970), zone: endTime.zone)
    }

    /// An upper bound in seconds, to find occurrences that begin before a window.
    var longest: Int {
        switch self.length {
        case .none: self.anchor.isDate ? 2 * ClockTime.secondsPerDay : 0
        case .nominal(let duration): (duration.days + 2) * ClockTime.secondsPerDay + duration.seconds
        case .exact(let seconds, _): seconds + ClockTime.secondsPerDay
        case .days(let days, _): (days + 3) * ClockTime.secondsPerDay
        }
    }

    /// `nil` in an unknown zone.
    ///
    /// - Parameter period: the length from an RDATE for this occurrence only.
    func occurrence(
        at moment: CalendarDateOrDateTime,
        id: CalendarDateOrDateTime?,
        isOverride: Bool,
        period: PeriodEnd? = nil,
        resolver: TimeZoneResolver
    ) -> Occurrence? {
        guard let begins = resolver.instant(of: moment) else { return nil }
        let end = self.isDue ? moment : self.end(of: moment, period: period, resolver)
        var ends = end.flatMap { resolver.instant(of: $0) } ?? begins
        // The last day ends at its midnight; a day without an end lasts a day.
        if case .date(let date) = end ?? moment, self.includesLastDay || end == nil {
            ends = resolver.instant(of: .date(date.adding(days: 1))) ?? ends
        }
        return Occurrence(
            recurrenceID: id,
            start: self.hasStart ? moment : nil,
            end: end,
            begins: begins,
            ends: max(begins, ends),
            component: self.component,
            isOverride: isOverride
        )
    }

    private func end(
        of moment: CalendarDateOrDateTime,
        period: PeriodEnd?,
        _ resolver: TimeZoneResolver
    ) -> CalendarDateOrDateTime? {
        switch period {
        case .moment(let end): return end
        case .duration(let duration): return moment.adding(duration, resolver)
        case nil: break
        }
        switch self.length {
        case .none: return nil
        case .nominal(let duration): return moment.adding(duration, resolver)
        case .exact(let seconds, let zone):
            return resolver.instant(of: moment).flatMap { resolver.moment(of: $0, adding: seconds, in: zone) }
        case .days(let days, let end):
            let day = moment.day.adding(days: days)
            guard case .dateTime(let time) = end else { return .date(day) }
            return .dateTime(CalendarDateTime(date: day, time: time.time, zone: time.zone))
        }
    }
}

/// The end of an RDATE of type PERIOD (RFC 5545 §3.3.9).
enum PeriodEnd: Sendable {
    case moment(CalendarDateOrDateTime)
    case duration(CalendarDuration)
}

extension CalendarDate {
    /// RFC 5545 §3.8.2.5 requires days or weeks here.
    ///
    /// Programs write `PT24H` for a day; other hours count from midnight in local time.
    package func adding(_ duration: CalendarDuration) -> CalendarDateOrDateTime {
        let day = self.adding(days: duration.days)
        guard !duration.seconds.isMultiple(of: ClockTime.secondsPerDay) else {
            return .date(day.adding(days: duration.seconds / ClockTime.secondsPerDay))
        }
        let end = CalendarDateOrDateTime.date(day).localSeconds + Int64(duration.seconds)
        return .dateTime(CalendarDateTime(localSeconds: end, zone: .floating))
    }
}

extension TimeZoneResolver {
    fileprivate func moment(of instant: Instant, adding seconds: Int, in zone: ZoneReference) -> CalendarDateOrDateTime?
    {
        self.dateTime(of: instant.adding(seconds: seconds), in: zone).map(CalendarDateOrDateTime.dateTime)
    }
}

extension CalendarDateOrDateTime {
    /// Days in local time, then exact seconds.
    fileprivate func adding(_ duration: CalendarDuration, _ resolver: TimeZoneResolver) -> CalendarDateOrDateTime? {
        guard case .dateTime(let dateTime) = self else { return self.day.adding(duration) }
        let moved = self.moved(byLocal: duration.days * ClockTime.secondsPerDay)
        guard duration.seconds != 0 else { return moved }
        return resolver.instant(of: moved).flatMap {
            resolver.moment(of: $0, adding: duration.seconds, in: dateTime.zone)
        }
    }

    /// Moved by seconds of local time; a day by whole days.
    func moved(byLocal seconds: Int) -> CalendarDateOrDateTime {
        switch self {
        case .date(let date): .date(date.adding(days: seconds.flooredQuotient(by: ClockTime.secondsPerDay)))
        case .dateTime(let dateTime):
            .dateTime(CalendarDateTime(localSeconds: dateTime.localSeconds + Int64(seconds), zone: dateTime.zone))
        }
    }
}
