public import ICalendar

/// All components of one UID: an event, a to-do or a journal entry with the occurrences of its rules and dates and its
/// overrides (RFC 5545 §3.8.4.4, §3.8.5).
///
/// - A to-do without DTSTART repeats from DUE.
/// - EXDATE and EXRULE exclude occurrences, including overridden ones; an excluded override with RANGE=THISANDFUTURE
///   still describes the later ones. A start that the rules do not produce is no occurrence.
/// - An override for a date that the rules do not produce is an occurrence.
/// - An override with RANGE=THISANDFUTURE moves all later occurrences by the same distance, gives them its length, and
///   describes them, up to the next such override. An override of a single occurrence takes precedence.
/// - Of two overrides for one occurrence, and of two components without a RECURRENCE-ID, the first counts.
/// - A skipped local time is the moment after the gap, so two dates may be one moment, which occurs once.
public struct Series: Sendable {
    /// The component with the rules; `nil` if there are only overrides.
    public let main: Component?
    /// The parts that could not be read and were skipped, in no order.
    public internal(set) var issues: [SeriesIssue] = []
    /// Whether a rule has no end.
    public internal(set) var isEndless = false
    var shape: OccurrenceShape?
    var set: RecurrenceSet?
    /// Whether there is a rule, a date or an override beside the start.
    var repeats = false
    /// Lengths of single dates from RDATE, by their local seconds.
    var periods: [Int: PeriodEnd] = [:]
    /// In the order of local time.
    var overrides: [Override] = []
    /// Dates of the rules that are not shown: overridden dates and EXDATEs.
    var hidden: Set<OccurrenceKey> = []
    let resolver: TimeZoneResolver
    /// For all searches together.
    package let budget: StepBudget
    /// The limit of RRULE lines, and of EXRULE lines, of which RFC 5545 §3.8.5.3 allows one and none.
    static let maximumRules = 16
    /// The limit of overrides with RANGE=THISANDFUTURE, each searched as a series: one in each quarter for 25 years.
    static let maximumFutures = 100

    struct Override: Sendable {
        /// RECURRENCE-ID in local seconds of the series' zone.
        let local: Int
        let key: OccurrenceKey
        let id: CalendarDateOrDateTime
        let shape: OccurrenceShape
        /// RANGE=THISANDFUTURE.
        var isForFuture: Bool
        /// By EXDATE.
        let isLeftOut: Bool
    }

    /// - Parameters:
    ///   - components: those of one UID, of one kind. The first without a RECURRENCE-ID has the rules.
    ///   - countsStart: whether the start is always an occurrence, and the first that COUNT counts.
    ///   - resolver: knows the zones of their calendar.
    ///   - budget: the limit of steps of all searches together.
    /// - Throws: ``SeriesIssue`` without a date to count from, or if the zone of a start is unknown. An unreadable rule
    ///   is skipped and listed in ``issues``.
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

    /// Groups components by kind and UID, in the order of their first; one without a UID is a group of its own.
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

    /// The occurrences that take place in `from ..< to`, earliest first, each computed on request.
    ///
    /// They include occurrences that began before `from` and last into the window, and occurrences moved into it. An
    /// occurrence without a length takes place if its moment is in the window. An all-day occurrence lasts to its
    /// midnight in the zone of floating times. This is RFC 4791 §9.9 without its exceptions.
    ///
    /// - Parameters:
    ///   - from: `nil` for all from the first on.
    ///   - to: `nil` for no end; a rule without COUNT and UNTIL then ends with the year 9999.
    public func occurrences(from: Instant? = nil, to: Instant? = nil) throws(RecurrenceError) -> SeriesOccurrences {
        try self.occurrences(window: (from, to), isWanted: { _ in true }, isAfter: nil)
    }

    /// The occurrences described by the wanted components, earliest first, each computed on request.
    ///
    /// - Parameters:
    ///   - first: only the occurrence with this RECURRENCE-ID and later ones; `nil` for all.
    ///   - from: as in ``occurrences(from:to:)``.
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
        // All overrides are checked again, each in a fraction of a step.
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

    /// The start of the rules: DTSTART, else DUE; `nil` if there are only overrides.
    package var start: CalendarDateOrDateTime? { self.set?.start }

    /// The occurrence with that RECURRENCE-ID, as described by a component of several occurrences.
    ///
    /// - Parameter component: the series itself, or an override with RANGE=THISANDFUTURE.
    /// - Returns: `nil` if the component describes at most one occurrence, or the zone is unknown.
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

    /// In the order of their first occurrences.
    package var futures: [(id: CalendarDateOrDateTime, component: Component)] {
        self.overrides.filter(\.isForFuture).map { ($0.id, $0.shape.component) }
    }

    /// The identity of an occurrence as text, independent of the form of its RECURRENCE-ID: the moment in UTC; the
    /// local time for a day, a floating time and a time in an unknown zone.
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
