public import RemindavICalendar

/// All components of one UID (an event, a to-do or a journal entry) and their occurrences (RFC 5545 §3.8.5).
///
/// - A to-do without DTSTART repeats from DUE.
/// - EXDATE and EXRULE exclude occurrences, including overridden ones. An excluded override with RANGE=THISANDFUTURE
///   still describes the later occurrences. A start that the rules do not produce is an occurrence only with
///   `countsStart`.
/// - An override for a date that the rules do not produce is an additional occurrence.
/// - An override with RANGE=THISANDFUTURE also describes the later occurrences, up to the next such override: they get
///   its length and move as far as its own occurrence. An override of a single occurrence takes precedence.
/// - If two overrides have the same RECURRENCE-ID, or two components have none, only the first of them is used.
/// - A local time that a clock change skips means a moment after the skipped hour. Two dates of the rules that mean the
///   same moment are one occurrence.
public struct Series: Sendable {
    /// The component with the rules; `nil` if all components are overrides.
    public let main: Component?
    /// The parts that could not be read and were skipped, in no particular order.
    public internal(set) var issues: [SeriesIssue] = []
    /// Whether a rule has neither COUNT nor UNTIL.
    public internal(set) var isEndless = false
    var shape: OccurrenceShape?
    var set: RecurrenceSet?
    /// Whether there is a rule, an RDATE or an override in addition to the start.
    var repeats = false
    /// The ends of the periods in RDATE, by the local seconds of their starts.
    var periods: [Int: PeriodEnd] = [:]
    /// The overrides, sorted by the local time of their RECURRENCE-IDs.
    var overrides: [Override] = []
    /// Dates of the rules at which the main component has no occurrence: overridden dates and dates of EXDATE.
    var hidden: Set<OccurrenceKey> = []
    let resolver: TimeZoneResolver
    package let budget: StepBudget
    /// The largest number of RRULE lines, and of EXRULE lines; RFC 5545 §3.8.5.3 advises one RRULE and no EXRULE.
    static let maximumRules = 16
    /// The largest number of overrides with RANGE=THISANDFUTURE: four a year for 25 years; each needs its own search.
    static let maximumFutures = 100

    struct Override: Sendable {
        /// The RECURRENCE-ID in local seconds of the series' time zone.
        let local: Int
        let key: OccurrenceKey
        let id: CalendarDateOrDateTime
        let shape: OccurrenceShape
        var isForFuture: Bool
        /// Whether EXDATE excludes the occurrence.
        let isLeftOut: Bool
    }

    /// - Parameters:
    ///   - components: the components of one UID and one kind. The first one without a RECURRENCE-ID has the rules.
    ///   - countsStart: whether the start is always an occurrence, and the first one for COUNT.
    ///   - resolver: converts times; it belongs to the calendar that contains the components.
    ///   - budget: the limit of steps of all searches together.
    /// - Throws: ``SeriesIssue`` if a rule has no date to count from, or if the time zone of the start is unknown. An
    ///   unreadable rule is skipped and listed in ``issues``.
    public init(
        _ components: [Component],
        countsStart: Bool = false,
        resolver: TimeZoneResolver,
        budget: StepBudget = StepBudget()
    ) throws(SeriesIssue) {
        self.resolver = resolver
        self.budget = budget
        self.main = components.first { $0.recurrenceID == nil }
        if let main = self.main { try self.read(main, countsStart: countsStart) }
        self.readOverrides(in: components)
    }

    package var isEmpty: Bool { self.set == nil && self.overrides.isEmpty }

    /// Groups components by name and UID, in the order of their first components; one without a UID is its own group.
    public static func grouped(_ components: [Component]) -> [[Component]] {
        var places: [ByteExactString: Int] = [:]
        var groups: [[Component]] = []
        for component in components {
            guard let uid = component.first(.uid)?.text, !uid.isEmpty else {
                groups.append([component])
                continue
            }
            let key = "\(component.name)\n\(uid)".exact
            if let place = places[key] {
                groups[place].append(component)
            } else {
                places[key] = groups.count
                groups.append([component])
            }
        }
        return groups
    }

    /// The occurrences that take place in `from ..< to`, earliest first; each is computed on request.
    ///
    /// Included are occurrences that began before `from` and last longer, and occurrences that an override moves into
    /// the time range. An occurrence without a length takes place if its moment is in the range. An all-day occurrence
    /// lasts until midnight in the time zone of floating times. RFC 4791 §9.9 has the same test for events.
    ///
    /// - Parameters:
    ///   - from: `nil` means from the first occurrence on.
    ///   - to: `nil` means no end. A rule without COUNT and UNTIL then ends with the year 9999.
    public func occurrences(from: Instant? = nil, to: Instant? = nil) throws(RecurrenceError) -> SeriesOccurrences {
        try self.occurrences(window: (from, to), isWanted: { _ in true }, isAfter: nil)
    }

    /// The occurrences of the components for which `isWanted` returns `true`, earliest first, computed on request.
    ///
    /// - Parameter first: the RECURRENCE-ID of the first occurrence; `nil` for all occurrences.
    package func occurrences(
        fromID first: CalendarDateOrDateTime? = nil,
        from: Instant? = nil,
        describedBy isWanted: (Component) -> Bool
    ) throws(RecurrenceError) -> SeriesOccurrences {
        try self.occurrences(window: (from, nil), isWanted: isWanted, isAfter: first.map { self.local($0) - 1 })
    }

    private func occurrences(
        window: (from: Instant?, to: Instant?),
        isWanted: (Component) -> Bool,
        isAfter floor: Int?
    ) throws(RecurrenceError) -> SeriesOccurrences {
        // Each search checks all overrides. One check takes a fraction of a step.
        try self.budget.spend(self.overrides.count / StepBudget.cursor)
        let futures = self.overrides.filter { $0.isForFuture && self.set != nil }
        var strands: [SeriesStrand] = []
        if let set = self.set, let shape = self.shape {
            for index in -1..<futures.count {
                let future = index < 0 ? nil : futures[index]
                guard isWanted((future?.shape ?? shape).component) else { continue }
                let end = index + 1 < futures.count ? futures[index + 1].local : .max
                let own = future?.shape ?? shape
                strands.append(try SeriesStrand(self, set, own, future, floor: floor, end: end, window: window))
            }
        }
        let wanted = self.overrides.filter { override in
            !override.isLeftOut && floor.map { override.local > $0 } ?? true && isWanted(override.shape.component)
        }
        let single = wanted.compactMap { override in
            let shape = override.shape
            return shape.occurrence(at: shape.anchor, id: override.id, isOverride: true, resolver: self.resolver)
        }
        let shown = single.filter { $0.overlaps(from: window.from, to: window.to) }.sorted { $0.begins < $1.begins }
        return SeriesOccurrences(strands: strands, overrides: shown)
    }

    /// The time from which the rules count: DTSTART or DUE; `nil` if ``main`` is `nil` or has no date.
    package var start: CalendarDateOrDateTime? { self.set?.start }

    /// The occurrence with the RECURRENCE-ID `id`, as `component` describes it.
    ///
    /// - Parameter component: the component with the rules, or an override with RANGE=THISANDFUTURE.
    /// - Returns: `nil` if the component describes at most one occurrence, or if its time zone is unknown.
    package func occurrence(named id: CalendarDateOrDateTime, describedBy component: Component) -> Occurrence? {
        guard let clock = self.set?.clock else { return nil }
        let local = clock.local(id)
        if let main = self.main, main.range == component.range, let shape = self.shape {
            return shape.occurrence(at: clock.moment(local), id: id, isOverride: false, resolver: self.resolver)
        }
        let future = self.overrides.first { $0.isForFuture && $0.shape.component.range == component.range }
        return future.flatMap { future in
            let moment = future.shape.anchor.moved(byLocal: local - future.local)
            return future.shape.occurrence(at: moment, id: id, isOverride: true, resolver: self.resolver)
        }
    }

    /// The overrides with RANGE=THISANDFUTURE, in the order of their first occurrences.
    package var futures: [(id: CalendarDateOrDateTime, component: Component)] {
        self.overrides.filter(\.isForFuture).map { ($0.id, $0.shape.component) }
    }

    /// Identifies an occurrence: by its moment in UTC, or by the wire form of a date or of a time without a known zone.
    package func name(of id: CalendarDateOrDateTime) -> String {
        switch self.key(id) {
        case .moment(let instant): return CalendarDateTime(utc: instant).wire
        case .local(let local):
            if self.set?.start.isDate ?? id.isDate {
                return CalendarDate(dayNumber: local.flooredQuotient(by: ClockTime.secondsPerDay)).wire
            }
            return CalendarDateTime(localSeconds: Int64(local), zone: .floating).wire
        }
    }

    func key(_ id: CalendarDateOrDateTime) -> OccurrenceKey {
        self.set?.clock.key(id) ?? OccurrenceKey(id, resolver: self.resolver)
    }

    package func local(_ id: CalendarDateOrDateTime) -> Int { self.set?.clock.local(id) ?? Int(id.localSeconds) }
}
