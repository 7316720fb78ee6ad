public import ICalendar

/// When something that repeats takes place (RFC 5545 §3.8.5).
///
/// Rules are worked out on the wall clock of the start's zone: a daily 09:00 stays 09:00 when the clocks change. A
/// start that its rules do not name is no occurrence (RFC 5545 leaves this open; libical and dateutil do the same).
/// Without rules the start is one, beside the dates.
public struct RecurrenceSet: Sendable {
    /// Periods of hours, minutes or seconds looked at in search of one occurrence, and periods counted for COUNT.
    ///
    /// Longer periods need no bound: what 400 years do not have is never there. A leap day that must be a Monday is 40
    /// steps away, a time that INTERVAL=86399 reaches once 86,400; so many take less than 10 ms.
    public static let maximumSteps = 100_000

    /// The first moment: DTSTART.
    public let start: CalendarMoment
    private let startLocal: Int
    private let resolver: TimeZoneResolver
    private let rules: [RecurrenceRule]
    /// RDATE, and the start when there are no rules: local seconds, sorted, without doubles.
    private let dates: [Int]
    /// EXDATE: local seconds.
    private let exceptions: Set<Int>
    /// EXDATE as dates on a timed start: day numbers.
    private let exceptionDays: Set<Int>

    /// - Parameters:
    ///   - start: DTSTART; a to-do without one repeats from DUE.
    ///   - rules: all RRULEs.
    ///   - dates: all RDATEs; of a period its start. A day on a timed start is that day at the start's time.
    ///   - exceptions: all EXDATEs. A day on a timed start takes out the whole day.
    ///   - resolver: knows the zones. A date or exception in a zone that it does not know is read on the start's clock.
    public init(
        start: CalendarMoment,
        rules: [RecurrenceRule],
        dates: [CalendarMoment] = [],
        exceptions: [CalendarMoment] = [],
        resolver: TimeZoneResolver
    ) {
        self.start = start
        self.startLocal = Int(start.localSeconds)
        self.resolver = resolver
        self.rules = rules
        let clock = StartClock(start: start, resolver: resolver)
        let own = rules.isEmpty ? [self.startLocal] : []
        self.dates = Set(own + dates.map(clock.local)).sorted()
        self.exceptions = Set(exceptions.filter { start.isDate || !$0.isDate }.map(clock.local))
        self.exceptionDays = Set(start.isDate ? [] : exceptions.filter(\.isDate).map(\.day.dayNumber))
    }

    /// The first occurrence after `moment`, `nil` when there is none.
    ///
    /// - Parameter moment: in any zone; a day counts from its midnight on the start's clock.
    public func next(after moment: CalendarMoment) throws(RecurrenceError) -> CalendarMoment? {
        var occurrences = try self.occurrences(after: moment)
        return try occurrences.next()
    }

    /// The first occurrence after `instant`, `nil` when there is none.
    ///
    /// Right also in the hour that comes twice and the one that is left out. A day counts from its midnight on the
    /// clock of floating times.
    ///
    /// - Throws: ``RecurrenceError/unknownZone`` when the start's zone is not known.
    public func next(after instant: Instant) throws(RecurrenceError) -> CalendarMoment? {
        let zone = StartClock(start: self.start, resolver: self.resolver).zone
        guard let now = self.resolver.dateTime(of: instant, in: zone),
            let before = self.resolver.offset(of: zone, at: instant.adding(seconds: -ClockTime.secondsPerDay)),
            let offset = self.resolver.offset(of: zone, at: instant)
        else { throw .unknownZone }
        // A local time left out just before now may stand for a moment after it.
        let floor = Int(now.localSeconds) - abs(offset.seconds - before.seconds)
        var occurrences = try self.occurrences(afterLocal: floor)
        while let occurrence = try occurrences.next() {
            guard let moment = self.resolver.instant(of: occurrence) else { throw .unknownZone }
            if moment > instant { return occurrence }
        }
        return nil
    }

    /// The first occurrences, fewer than `count` when there are no more.
    public func first(_ count: Int) throws(RecurrenceError) -> [CalendarMoment] {
        var occurrences = try self.occurrences()
        var found: [CalendarMoment] = []
        while found.count < count, let occurrence = try occurrences.next() { found.append(occurrence) }
        return found
    }

    /// All occurrences from the first on, worked out one by one.
    public func occurrences() throws(RecurrenceError) -> Occurrences {
        try self.occurrences(afterLocal: Int.min / 4)
    }

    /// The occurrences after `moment`, worked out one by one.
    public func occurrences(after moment: CalendarMoment) throws(RecurrenceError) -> Occurrences {
        let clock = StartClock(start: self.start, resolver: self.resolver)
        // A time on a series of days must not become its midnight, which would show the same day again.
        if self.start.isDate { return try self.occurrences(afterLocal: Int(moment.localSeconds)) }
        return try self.occurrences(afterLocal: moment.isDate ? Int(moment.localSeconds) : clock.local(moment))
    }

    private func occurrences(afterLocal floor: Int) throws(RecurrenceError) -> Occurrences {
        let clock = StartClock(start: self.start, resolver: self.resolver)
        var cursors: [RuleCursor] = []
        for rule in self.rules {
            guard rule.isGregorian else { throw .unsupportedCalendar }
            let plan = RulePlan(rule: rule, start: self.startLocal)
            cursors.append(try RuleCursor(plan: plan, limit: try clock.limit(of: rule), after: floor))
        }
        return Occurrences(
            clock: clock,
            cursors: cursors,
            dates: self.dates.filter { $0 > floor },
            exceptions: self.exceptions,
            exceptionDays: self.exceptionDays
        )
    }
}

/// Occurrences in the order of time, each worked out when it is asked for.
public struct Occurrences: Sendable {
    private let clock: StartClock
    private var cursors: [RuleCursor]
    private var dates: ArraySlice<Int>
    private let exceptions: Set<Int>
    private let exceptionDays: Set<Int>

    fileprivate init(
        clock: StartClock,
        cursors: [RuleCursor],
        dates: [Int],
        exceptions: Set<Int>,
        exceptionDays: Set<Int>
    ) {
        self.clock = clock
        self.cursors = cursors
        self.dates = dates[...]
        self.exceptions = exceptions
        self.exceptionDays = exceptionDays
    }

    /// The next occurrence, in the start's form and zone; `nil` after the last.
    public mutating func next() throws(RecurrenceError) -> CalendarMoment? {
        while let local = try self.nextLocal() {
            let day = local.flooredQuotient(by: ClockTime.secondsPerDay)
            if self.exceptions.contains(local) || self.exceptionDays.contains(day) { continue }
            return self.clock.moment(local)
        }
        return nil
    }

    /// The earliest of all sources, taken from each that has it.
    private mutating func nextLocal() throws(RecurrenceError) -> Int? {
        if self.cursors.count == 1, self.dates.isEmpty { return try self.cursors[0].next() }
        var earliest = self.dates.first
        for index in self.cursors.indices {
            guard let local = try self.cursors[index].peek() else { continue }
            earliest = earliest.map { min($0, local) } ?? local
        }
        guard let local = earliest else { return nil }
        if self.dates.first == local { self.dates.removeFirst() }
        for index in self.cursors.indices where try self.cursors[index].peek() == local {
            _ = try self.cursors[index].next()
        }
        return local
    }
}

/// The clock on which a series is worked out: that of its start.
private struct StartClock: Sendable {
    let start: CalendarMoment
    let resolver: TimeZoneResolver

    /// Whole days are floating.
    var zone: ZoneReference {
        if case .dateTime(let dateTime) = self.start { dateTime.zone } else { .floating }
    }

    /// `moment` in local seconds of this clock.
    func local(_ moment: CalendarMoment) -> Int {
        switch (self.start, moment) {
        case (.date, _):
            moment.day.dayNumber * ClockTime.secondsPerDay
        case (.dateTime(let start), .date(let date)):
            date.dayNumber * ClockTime.secondsPerDay + start.time.secondsOfDay
        case (.dateTime(let start), .dateTime(let dateTime)):
            // Most often the same zone; an unknown one is most often the same under another name.
            Int(
                (dateTime.zone == start.zone ? nil : self.shown(dateTime, in: start.zone))?.localSeconds
                    ?? dateTime.localSeconds
            )
        }
    }

    private func shown(_ dateTime: CalendarDateTime, in zone: ZoneReference) -> CalendarDateTime? {
        self.resolver.instant(of: dateTime).flatMap { self.resolver.dateTime(of: $0, in: zone) }
    }

    /// The inverse of ``local(_:)`` in the start's form.
    func moment(_ local: Int) -> CalendarMoment {
        switch self.start {
        case .date: .date(CalendarDate(dayNumber: local.flooredQuotient(by: ClockTime.secondsPerDay)))
        case .dateTime(let start): .dateTime(CalendarDateTime(localSeconds: Int64(local), zone: start.zone))
        }
    }

    /// Where UNTIL ends `rule`.
    ///
    /// A date takes in its whole day, also on a timed start (KOrganizer writes so); a local time is one on the start's
    /// clock; UTC is compared as a moment, as RFC 5545 wants it. On a series of days the day of UNTIL counts.
    func limit(of rule: RecurrenceRule) throws(RecurrenceError) -> RuleLimit? {
        guard let until = rule.until else { return nil }
        let endOfDay = (until.day.dayNumber + 1) * ClockTime.secondsPerDay - 1
        guard case .dateTime(let start) = self.start, case .dateTime(let dateTime) = until else {
            return RuleLimit(local: endOfDay, isExact: nil)
        }
        guard dateTime.zone == .utc, start.zone != .utc else {
            return RuleLimit(local: Int(dateTime.localSeconds), isExact: nil)
        }
        let last = Instant(secondsSince1970: dateTime.localSeconds)
        guard let shown = self.resolver.dateTime(of: last, in: start.zone) else { throw .unknownZone }
        let resolver = self.resolver
        let zone = start.zone
        return RuleLimit(local: Int(shown.localSeconds)) { local in
            let candidate = CalendarDateTime(localSeconds: Int64(local), zone: zone)
            return resolver.instant(of: candidate).map { $0 <= last } ?? false
        }
    }
}
