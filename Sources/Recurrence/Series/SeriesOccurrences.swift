import RemindavICalendar

/// The occurrences of a ``Series`` in the order of time, each computed on request.
public struct SeriesOccurrences: Sendable {
    private var strands: [SeriesStrand]
    private var overrides: ArraySlice<Occurrence>
    private var queue = OccurrenceQueue()
    /// The sources that have no occurrence in ``queue``: number 0 is ``overrides``, and number n is `strands[n - 1]`.
    private var waiting: Range<Int>

    init(strands: [SeriesStrand], overrides: [Occurrence]) {
        self.strands = strands
        self.overrides = overrides[...]
        self.waiting = 0..<(strands.count + 1)
    }

    /// The next occurrence; `nil` after the last one.
    ///
    /// - Throws: ``RecurrenceError`` if the search is abandoned. The sequence then has no further occurrence.
    public mutating func next() throws(RecurrenceError) -> Occurrence? {
        for source in self.waiting {
            if let next = source == 0 ? self.overrides.popFirst() : try self.strands[source - 1].next() {
                self.queue.push(next, source)
            }
        }
        self.waiting = 0..<0
        guard let (occurrence, source) = self.queue.pop() else { return nil }
        self.waiting = source..<(source + 1)
        return occurrence
    }
}

/// The occurrences that one component describes, except those with an override of their own.
///
/// An override with RANGE=THISANDFUTURE describes the occurrences from its RECURRENCE-ID to the next such override. The
/// component with the rules describes the occurrences before the first of these overrides.
struct SeriesStrand: Sendable {
    private var locals: Occurrences
    private let clock: StartClock
    private let shape: OccurrenceShape
    private let isOverride: Bool
    /// The start of the series, or the RECURRENCE-ID of the override, in local seconds: the occurrence with this date
    /// begins at ``OccurrenceShape/anchor``.
    private let base: Int
    /// The local seconds, in the series' time zone, from which the next override with RANGE=THISANDFUTURE applies.
    private let end: Int
    private let hidden: Set<OccurrenceKey>
    private let periods: [Int: PeriodEnd]
    private let repeats: Bool
    private let from: Instant?
    private let to: Instant?
    private let budget: StepBudget
    /// Computed occurrences that were not returned yet, the latest first.
    private var ready: [Occurrence] = []
    /// The moments of occurrences whose local time a clock change skips; a second occurrence at one of them is dropped.
    private var leftOut: Set<OccurrenceKey> = []
    private var isAtEnd = false

    init(
        _ series: Series,
        _ set: RecurrenceSet,
        _ shape: OccurrenceShape,
        _ future: Series.Override?,
        floor asked: Int?,
        end: Int,
        window: (from: Instant?, to: Instant?)
    ) throws(RecurrenceError) {
        self.budget = series.budget
        self.clock = set.clock
        self.shape = shape
        self.isOverride = future != nil
        self.base = future?.local ?? Int(set.start.localSeconds)
        self.end = end
        self.hidden = series.hidden
        self.periods = series.periods
        self.repeats = series.repeats
        (self.from, self.to) = window
        let beginning = max(future?.local ?? Int.min / 4, asked ?? Int.min / 4)
        var floor = beginning
        if let from = window.from {
            guard let shown = set.clock.resolver.dateTime(of: from, in: shape.anchor.zone) else { throw .unknownZone }
            let shift = Int(shape.anchor.localSeconds) - self.base
            let margin = shape.longest + Self.clockMargin(before: from, shape.anchor.zone, set.clock.resolver)
            floor = max(floor, Int(shown.localSeconds) - shift - margin - 1)
        }
        // A period of RDATE may last for years, so all RDATEs are searched. A rule may match each second, so the rules
        // are searched only from `floor` on.
        self.locals = try set.occurrences(afterLocal: floor, dates: self.periods.isEmpty ? nil : beginning)
    }

    /// A local time up to this many seconds before the local time of `from` may still mean a moment after `from`.
    ///
    /// The result is 0 if the clocks do not change within two days of `from`. Otherwise it is two days, which is more
    /// than any clock change.
    private static func clockMargin(before from: Instant, _ zone: ZoneReference, _ resolver: TimeZoneResolver) -> Int {
        let days = 2
        let offsets = (-days...days).map { day in
            resolver.offset(of: zone, at: from.adding(seconds: day * ClockTime.secondsPerDay))
        }
        return offsets.allSatisfy { $0 == offsets[0] } ? 0 : days * ClockTime.secondsPerDay
    }

    mutating func next() throws(RecurrenceError) -> Occurrence? {
        if self.ready.isEmpty { try self.prepare() }
        return self.ready.popLast()
    }

    /// Fills ``ready``: the next occurrence, and after a skipped local time the following ones, which may be earlier.
    private mutating func prepare() throws(RecurrenceError) {
        var last = Instant(secondsSince1970: .min)
        while let (occurrence, isLeftOut) = try self.pull() {
            self.ready.append(occurrence)
            let isBehind = occurrence.begins < last
            last = max(last, occurrence.begins)
            if !isLeftOut, !isBehind { break }
        }
        guard self.ready.count > 1 else { return }
        self.ready.sort { $0.begins < $1.begins }
        self.ready.reverse()
    }

    private mutating func pull() throws(RecurrenceError) -> (Occurrence, isLeftOut: Bool)? {
        while !self.isAtEnd {
            try self.budget.spend(1)
            guard let local = try self.locals.nextLocal(), local < self.end else { break }
            let id = self.clock.moment(local)
            guard self.isNew(id) else { continue }
            let moment = self.shape.anchor.moved(byLocal: local - self.base)
            let occurrence = self.shape.occurrence(
                at: moment,
                id: self.repeats ? id : nil,
                isOverride: self.isOverride,
                period: self.periods[local],
                resolver: self.clock.resolver
            )
            guard let occurrence else { throw .unknownZone }
            let isLeftOut = self.isLeftOut(moment, at: occurrence.begins)
            if let to = self.to, occurrence.begins >= to {
                if isLeftOut { continue }
                break
            }
            if occurrence.overlaps(from: self.from, to: self.to) { return (occurrence, isLeftOut) }
        }
        self.isAtEnd = true
        return nil
    }

    /// Whether the occurrence is not ``hidden``, and no skipped local time has produced the same moment before.
    ///
    /// If the clocks move from 02:00 to 03:00, the skipped local time 02:30 means the moment of 03:30.
    private mutating func isNew(_ id: CalendarDateOrDateTime) -> Bool {
        let key = self.clock.key(id)
        if self.hidden.contains(key) { return false }
        guard case .moment(let instant) = key else { return true }
        if self.isLeftOut(id, at: instant) {
            self.leftOut.insert(key)
            return true
        }
        return self.leftOut.isEmpty || self.leftOut.remove(key) == nil
    }

    /// Whether a clock change skips the local time `moment`; in this case, later local times may be earlier moments.
    private func isLeftOut(_ moment: CalendarDateOrDateTime, at instant: Instant) -> Bool {
        guard case .dateTime(let dateTime) = moment, dateTime.zone != .utc else { return false }
        return self.clock.resolver.dateTime(of: instant, in: dateTime.zone)?.localSeconds != dateTime.localSeconds
    }
}
