public import ICalendar

/// What the components of one UID amount to: an event, a to-do or a journal entry with the occurrences that its rules and
/// dates name, and those that were changed (RFC 5545 §3.8.4.4, §3.8.5).
///
/// - A to-do without DTSTART repeats from DUE.
/// - What EXDATE or EXRULE name is left out, also where an override is there for it; one with RANGE=THISANDFUTURE still
///   describes what follows. A start that the rules do not name is no occurrence.
/// - An override whose RECURRENCE-ID the rules do not name is an occurrence all the same.
/// - An override with RANGE=THISANDFUTURE moves all that follow by as much as it moves its own, gives them its length,
///   and describes them, up to the next such override. One for a single occurrence goes before it.
/// - Of two overrides for the same occurrence, and of two components without a RECURRENCE-ID, the first counts.
/// - What the clocks leave out is the moment after the gap, so two times may be one; a moment comes once.
public struct Series: Sendable {
    /// The component that the rules are in; `nil` when only overrides are there.
    public let main: Component?
    /// What could not be read and was passed over, in no order.
    public let issues: [SeriesIssue]
    /// Whether a rule goes on for ever.
    public let isEndless: Bool
    private let shape: OccurrenceShape?
    private var set: RecurrenceSet?
    /// Whether there is a rule, a date or an override beside the start.
    private let repeats: Bool
    /// Lengths that RDATE gives to its own dates, by their local seconds.
    private let periods: [Int: PeriodEnd]
    private let overrides: [Override]
    /// What the rules name and is not theirs to show: what has an override, and what EXDATE names.
    private let taken: Set<OccurrenceKey>
    private let resolver: TimeZoneResolver
    /// Charged with the steps of all searches.
    package let budget: StepBudget

    /// RRULE and EXRULE lines that are read of each kind: RFC 5545 §3.8.5.3 allows one RRULE, and has EXRULE no more.
    ///
    /// Each is checked for each occurrence.
    static let maximumRules = 16

    /// Overrides that change all that follows: one in each quarter of a year for 25 years.
    ///
    /// Each of them is a series of its own to look through.
    static let maximumFutures = 100

    /// A component with a RECURRENCE-ID.
    struct Override: Sendable {
        /// RECURRENCE-ID in local seconds of the series' clock.
        let local: Int
        let key: OccurrenceKey
        let id: CalendarDateOrDateTime
        let shape: OccurrenceShape
        /// RANGE=THISANDFUTURE.
        var isForFuture: Bool
        /// Whether EXDATE names it: then it has no occurrence of its own.
        let isLeftOut: Bool
    }

    /// - Parameters:
    ///   - components: those of one UID, of one kind. The first without a RECURRENCE-ID has the rules.
    ///   - countsStart: whether the start is an occurrence in any case, and the first that COUNT counts.
    ///   - resolver: knows the zones of the calendar that they are in.
    ///   - budget: charged with the steps of all searches for occurrences, which throw when it is exceeded.
    /// - Throws: ``SeriesIssue`` where no date is there to count from or the zone of a start is not known: nothing can be
    ///   told then. A rule that cannot be read is passed over and among ``issues``.
    public init(
        _ components: [Component],
        countsStart: Bool = false,
        resolver: TimeZoneResolver,
        budget: StepBudget = StepBudget()
    ) throws(SeriesIssue) {
        self.resolver = resolver
        self.budget = budget
        var reader = SeriesReader(components, countsStart: countsStart, resolver: resolver)
        try reader.read()
        self.main = reader.main
        self.shape = reader.shape
        self.set = reader.set
        self.set?.budget = budget
        self.isEndless = reader.isEndless
        self.periods = reader.periods
        self.overrides = reader.overrides.filter { $0.isForFuture || !$0.isLeftOut }
        self.taken = reader.exceptions.union(reader.overrides.map(\.key))
        self.repeats = reader.repeats || !reader.overrides.isEmpty
        self.issues = reader.issues
    }

    /// Whether there is no date at all.
    package var isEmpty: Bool { self.set == nil && self.overrides.isEmpty }

    /// Groups components by kind and UID, in the order of their first; one without a UID stands alone.
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

    /// The occurrences that take place in `from ..< to`, earliest first, each worked out when it is asked for.
    ///
    /// Also those that have begun before `from` and last into it, and those that were moved there from elsewhere. What
    /// has no length takes place when its moment is not before `from` and before `to`. A whole day lasts to its
    /// midnight on the clock of floating times. This is RFC 4791 §9.9 without its exceptions.
    ///
    /// - Parameters:
    ///   - from: `nil` for all from the first on.
    ///   - to: `nil` for no end; a rule without COUNT and UNTIL then ends with the year 9999.
    public func occurrences(from: Instant? = nil, to: Instant? = nil) throws(RecurrenceError) -> SeriesOccurrences {
        try self.occurrences(window: (from, to), isWanted: { _ in true }, isAfter: nil)
    }

    /// The occurrences that wanted components describe, earliest first, each worked out when it is asked for.
    ///
    /// - Parameters:
    ///   - first: only those of this name (RECURRENCE-ID) and later ones; `nil` for all.
    ///   - from: only those that take place then or later, as in ``occurrences(from:to:)``; `nil` for all.
    ///   - isWanted: an unwanted component takes what it describes along.
    package func occurrences(
        fromID first: CalendarDateOrDateTime? = nil,
        from: Instant? = nil,
        describedBy isWanted: (Component) -> Bool
    ) throws(RecurrenceError) -> SeriesOccurrences {
        let floor = first.map { (self.set?.clock.local($0) ?? Int($0.localSeconds)) - 1 }
        return try self.occurrences(window: (from, nil), isWanted: isWanted, isAfter: floor)
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
                strands.append(
                    try SeriesStrand(
                        set: set,
                        shape: future?.shape ?? shape,
                        future: future,
                        floor: floor,
                        end: index + 1 < futures.count ? futures[index + 1].local : .max,
                        taken: self.taken,
                        periods: self.periods,
                        repeats: self.repeats,
                        window: window,
                        budget: self.budget
                    )
                )
            }
        }
        let wanted = self.overrides.filter { override in
            !override.isLeftOut && floor.map { override.local > $0 } ?? true && isWanted(override.shape.component)
        }
        let single = wanted.compactMap { override in
            override.shape.occurrence(
                at: override.shape.anchor,
                id: override.id,
                isOverride: true,
                resolver: self.resolver
            )
        }
        let shown = single.filter { $0.overlaps(from: window.from, to: window.to) }.sorted { $0.begins < $1.begins }
        return SeriesOccurrences(strands: strands, overrides: shown)
    }

    /// When the rules begin: DTSTART, else DUE; `nil` when only overrides are there.
    package var start: CalendarDateOrDateTime? { self.set?.start }

    /// The dates of a component that describes more than one occurrence, for the one of that name.
    ///
    /// - Parameters:
    ///   - id: its RECURRENCE-ID.
    ///   - component: the series itself, or an override with RANGE=THISANDFUTURE.
    /// - Returns: `nil` when the component describes no more than one, or the zone is not known.
    package func occurrence(named id: CalendarDateOrDateTime, describedBy component: Component) -> Occurrence? {
        guard let clock = self.set?.clock else { return nil }
        let local = clock.local(id)
        if let main = self.main, main.range == component.range, let shape = self.shape {
            return shape.occurrence(at: clock.moment(local), id: id, isOverride: false, resolver: self.resolver)
        }
        let future = self.overrides.first { $0.isForFuture && $0.shape.component.range == component.range }
        return future.flatMap { future in
            future.shape.occurrence(
                at: future.shape.anchor.moved(byLocal: local - future.local),
                id: id,
                isOverride: true,
                resolver: self.resolver
            )
        }
    }

    /// The overrides with RANGE=THISANDFUTURE, in the order of the occurrences that they begin with, and the names of
    /// these.
    package var futures: [(id: CalendarDateOrDateTime, component: Component)] {
        self.overrides.filter(\.isForFuture).map { ($0.id, $0.shape.component) }
    }

    /// What tells an occurrence from the others, as a text that is the same whatever its RECURRENCE-ID is written like:
    /// the moment in UTC; of a day, a floating time and one in a zone that is not known the local time.
    package func name(of id: CalendarDateOrDateTime) -> String {
        let key = self.set?.clock.key(id) ?? OccurrenceKey(id, resolver: self.resolver)
        switch key {
        case .moment(let instant): return CalendarDateTime(utc: instant).wire
        case .local(let local):
            if self.set?.start.isDate ?? id.isDate {
                return CalendarDate(dayNumber: local.flooredQuotient(by: ClockTime.secondsPerDay)).wire
            }
            return CalendarDateTime(localSeconds: Int64(local), zone: .floating).wire
        }
    }

    /// `id` in local seconds of the clock of the start.
    package func local(_ id: CalendarDateOrDateTime) -> Int { self.set?.clock.local(id) ?? Int(id.localSeconds) }
}
