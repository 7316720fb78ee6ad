public import RemindavICalendar

/// One occurrence of an event, a to-do or a journal entry.
public struct Occurrence: Sendable {
    /// The date that the rule gives, even if the occurrence was moved (RFC 5545 §3.8.4.4); `nil` if nothing repeats.
    public let recurrenceID: CalendarDateOrDateTime?
    /// The start (DTSTART); `nil` for a to-do that has only DUE.
    public let start: CalendarDateOrDateTime?
    /// The end or due time: DTEND, DUE, or the start plus DURATION; `nil` if the component has none of them.
    public let end: CalendarDateOrDateTime?
    /// The moment of ``start``, or of ``end`` if there is no start.
    public let begins: Instant
    /// The moment of ``end``, at least ``begins``; an all-day occurrence ends at the next midnight.
    public let ends: Instant
    /// The component that describes the occurrence: the component with the rules, or an override.
    public let component: Component
    /// Whether ``component`` is an override (RECURRENCE-ID), for this occurrence or for this and all later ones.
    public let isOverride: Bool

    /// Whether the occurrence overlaps `from ..< to`; without a length, it does so if its moment is in the range.
    func overlaps(from: Instant?, to: Instant?) -> Bool {
        if let to, self.begins >= to { return false }
        guard let from else { return true }
        return self.ends > from || self.begins >= from
    }
}

/// The anchor (start or due time) and the length of the occurrences of a component.
struct OccurrenceShape: Sendable {
    /// The length of an occurrence (RFC 5545 §3.8.5.3).
    private enum Length {
        case none
        /// From DURATION: days in local time, and then exact seconds.
        case nominal(CalendarDuration)
        /// From DTEND or DUE with a time: all occurrences have the same exact length.
        case exact(seconds: Int, zone: ZoneReference)
        /// From DTEND or DUE, if it or the start is a date: the number of calendar days from the start to the end.
        ///
        /// If `end` has a time of day, each occurrence ends at this time.
        case days(Int, end: CalendarDateOrDateTime)
    }

    let component: Component
    /// DTSTART, or DUE if there is no DTSTART, or the RECURRENCE-ID if there is neither.
    let anchor: CalendarDateOrDateTime
    private let hasStart: Bool
    private let isDue: Bool
    private let length: Length
    /// Whether an end without a time includes its day, as in DUE; an event ends at the beginning of the day of DTEND.
    private let includesLastDay: Bool

    /// - Parameter fallback: for an override without dates, its RECURRENCE-ID and the shape of the series.
    /// - Returns: `nil` if there is no date, or if its time zone is unknown.
    init?(
        _ component: Component,
        resolver: TimeZoneResolver,
        fallback: (CalendarDateOrDateTime, OccurrenceShape?)? = nil
    ) {
        let written = component.first(.dtstart)?.moment
        let due = component.name == .vtodo ? component.first(.due)?.moment : nil
        // A start after DUE is an error, so the start is ignored.
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

    /// Whether `start` is after `due`: compares days if one of them is a date, and moments if their time zones differ.
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

    /// An upper bound of the length in seconds; a search uses it to find occurrences that begin before a time range.
    var longest: Int {
        switch self.length {
        case .none: self.anchor.isDate ? 2 * ClockTime.secondsPerDay : 0
        case .nominal(let duration): (duration.days + 2) * ClockTime.secondsPerDay + duration.seconds
        case .exact(let seconds, _): seconds + ClockTime.secondsPerDay
        case .days(let days, _): (days + 3) * ClockTime.secondsPerDay
        }
    }

    /// The occurrence at `moment`, with the end of its RDATE `period` if any; `nil` if the time zone is unknown.
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
        // A due date includes its day, and a date without an end lasts one day.
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

/// The end of a period in RDATE (RFC 5545 §3.3.9).
enum PeriodEnd: Sendable {
    case moment(CalendarDateOrDateTime)
    case duration(CalendarDuration)
}

extension CalendarDate {
    /// The end of a duration that starts on this date; RFC 5545 §3.8.2.5 allows only days and weeks after a date.
    ///
    /// Some programs write `PT24H` for one day. Hours that are not whole days are added to midnight in local time.
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
    /// Adds days in local time, and then exact seconds.
    fileprivate func adding(_ duration: CalendarDuration, _ resolver: TimeZoneResolver) -> CalendarDateOrDateTime? {
        guard case .dateTime(let dateTime) = self else { return self.day.adding(duration) }
        let moved = self.moved(byLocal: duration.days * ClockTime.secondsPerDay)
        guard duration.seconds != 0 else { return moved }
        return resolver.instant(of: moved).flatMap {
            resolver.moment(of: $0, adding: duration.seconds, in: dateTime.zone)
        }
    }

    /// Moves the time by seconds of local time; a date moves by whole days.
    func moved(byLocal seconds: Int) -> CalendarDateOrDateTime {
        switch self {
        case .date(let date): .date(date.adding(days: seconds.flooredQuotient(by: ClockTime.secondsPerDay)))
        case .dateTime(let dateTime):
            .dateTime(CalendarDateTime(localSeconds: dateTime.localSeconds + Int64(seconds), zone: dateTime.zone))
        }
    }
}
