public import ICalendar

/// What the components of one UID amount to: an event, a to-do or a journal entry with the occurrences that its rules and
/// dates name, and those that were changed (RFC 5545 §3.8.4.4, §3.8.5).
///
/// - A to-do without DTSTART repeats from DUE.
/// - What EXDATE or EXRULE name is left out, also where an override is there for it. A start that the rules do not name is
///   no occurrence.
/// - An override whose RECURRENCE-ID the rules do not name is an occurrence all the same.
/// - An override with RANGE=THISANDFUTURE moves all that follow by as much as it moves its own, gives them its length,
///   and describes them, up to the next such override. One for a single occurrence goes before it.
/// - Of two overrides for the same occurrence the one with the higher SEQUENCE counts, else the later one.
public struct Series: Sendable {
    /// The component that the rules are in; `nil` when only overrides are there.
    public let main: Component?
    private let shape: OccurrenceShape?
    private let set: RecurrenceSet?
    /// Whether there is a rule, a date or an override beside the start.
    private let repeats: Bool
    /// Lengths that RDATE gives to its own dates, by their local seconds.
    private let periods: [Int: PeriodEnd]
    private let overrides: [Override]
    private let resolver: TimeZoneResolver

    /// A component with a RECURRENCE-ID.
    struct Override: Sendable {
        /// RECURRENCE-ID in local seconds of the series' clock.
        let local: Int
        let id: CalendarMoment
        let shape: OccurrenceShape
        /// RANGE=THISANDFUTURE.
        let isForFuture: Bool
        let sequence: Int
    }

    /// - Parameters:
    ///   - components: those of one UID, of one kind. The first without a RECURRENCE-ID has the rules.
    ///   - resolver: knows the zones of the calendar that they are in.
    /// - Throws: ``RecurrenceError/unreadableRule`` where a rule cannot be read or no date is there to count from,
    ///   ``RecurrenceError/unknownZone`` where the zone of a start is not known.
    public init(_ components: [Component], resolver: TimeZoneResolver) throws(RecurrenceError) {
        self.resolver = resolver
        let main = components.first { $0.first(.recurrenceID) == nil }
        self.main = main
        if let main {
            self.shape = try Self.shape(of: main, resolver)
        } else {
            self.shape = nil
        }
        let dates = main.map { SeriesDates($0) }
        if let main, let shape = self.shape, let dates {
            self.set = RecurrenceSet(
                start: shape.anchor,
                rules: try Self.rules(main, .rrule),
                dates: dates.dates,
                exceptions: dates.exceptions,
                exceptionRules: try Self.rules(main, .exrule),
                resolver: resolver
            )
        } else {
            self.set = nil
        }
        let clock = self.set?.clock
        var periods: [Int: PeriodEnd] = [:]
        if let clock, let dates {
            for (moment, end) in dates.periods { periods[clock.local(moment)] = end }
        }
        self.periods = periods
        let overrides = Self.overrides(components, of: self.shape, clock, resolver)
        let excepted = Set(clock.map { clock in dates?.exceptions.map(clock.local) ?? [] } ?? [])
        self.overrides = overrides.filter { !excepted.contains($0.local) }
        self.repeats = main?.first(.rrule) != nil || main?.first(.rdate) != nil || !overrides.isEmpty
    }

    /// Groups components by kind and UID, in the order of their first; one without a UID stands alone.
    public static func grouped(_ components: [Component]) -> [[Component]] {
        var places: [String: Int] = [:]
        var groups: [[Component]] = []
        for component in components {
            guard let uid = component.first(.uid)?.text, !uid.isEmpty else {
                groups.append([component])
                continue
            }
            let key = "\(component.name)\n\(uid)"
            // A second one with rules of its own is a series of its own: eM Client keeps what was done so.
            if let place = places[key],
                component.first(.recurrenceID) != nil
                    || groups[place].allSatisfy({ $0.first(.recurrenceID) != nil })
            {
                groups[place].append(component)
            } else {
                if places[key] == nil { places[key] = groups.count }
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
        let futures = self.overrides.filter { $0.isForFuture && self.set != nil }
        var strands: [SeriesStrand] = []
        if let set = self.set, let shape = self.shape {
            let taken = Set(self.overrides.map(\.local))
            for index in -1..<futures.count {
                let future = index < 0 ? nil : futures[index]
                strands.append(
                    try SeriesStrand(
                        set: set,
                        shape: future?.shape ?? shape,
                        future: future,
                        end: index + 1 < futures.count ? futures[index + 1].local : .max,
                        taken: taken,
                        periods: self.periods,
                        repeats: self.repeats,
                        window: (from, to)
                    )
                )
            }
        }
        let single = self.overrides.compactMap { override in
            override.shape.occurrence(
                at: override.shape.anchor,
                id: override.id,
                isOverride: true,
                resolver: self.resolver
            )
        }
        let shown = single.filter { $0.overlaps(from: from, to: to) }.sorted { $0.begins < $1.begins }
        return SeriesOccurrences(strands: strands, overrides: shown)
    }
}

// Reading the components.
extension Series {
    private static func shape(
        of main: Component,
        _ resolver: TimeZoneResolver
    ) throws(RecurrenceError) -> OccurrenceShape? {
        if let shape = OccurrenceShape(main, resolver: resolver) { return shape }
        let start = main.first(.dtstart) ?? main.first(.due)
        if start?.moment != nil { throw .unknownZone }
        // What is never due repeats never, and is no mistake; a rule that has nothing to count from is one.
        if start != nil || main.first(.rrule) != nil || main.first(.rdate) != nil { throw .unreadableRule }
        return nil
    }

    private static func rules(_ main: Component, _ name: Name) throws(RecurrenceError) -> [RecurrenceRule] {
        var rules: [RecurrenceRule] = []
        for property in main.all(name) {
            guard let rule = try? RecurrenceRule(wire: property.value) else { throw .unreadableRule }
            rules.append(rule)
        }
        return rules
    }

    private static func overrides(
        _ components: [Component],
        of shape: OccurrenceShape?,
        _ clock: StartClock?,
        _ resolver: TimeZoneResolver
    ) -> [Override] {
        var overrides: [Int: Override] = [:]
        for component in components {
            guard let property = component.first(.recurrenceID), let id = property.moment,
                let own = OccurrenceShape(component, resolver: resolver, fallback: (id, shape))
            else { continue }
            let local = clock?.local(id) ?? Int(id.localSeconds)
            let override = Override(
                local: local,
                id: clock?.moment(local) ?? id,
                shape: own,
                isForFuture: property.parameter(.range)?.uppercased() == "THISANDFUTURE",
                sequence: component.first(.sequence)?.integer ?? 0
            )
            if let other = overrides[local], other.sequence > override.sequence { continue }
            overrides[local] = override
        }
        return overrides.values.sorted { $0.local < $1.local }
    }
}

extension Name {
    /// A rule for what to leave out (RFC 2445 §4.8.5.2); RFC 5545 has it no more, some files still do.
    static let exrule = Name("EXRULE") ?? .exdate
}

/// RDATE and EXDATE of a component; what cannot be read is left out.
struct SeriesDates {
    var dates: [CalendarMoment] = []
    var exceptions: [CalendarMoment] = []
    var periods: [(CalendarMoment, PeriodEnd)] = []

    init(_ component: Component) {
        for property in component.all(.rdate) {
            let tzid = property.parameter(.tzid)
            for value in property.value.split(separator: ",") {
                let halves = value.split(separator: "/", maxSplits: 1)
                guard let first = halves.first, let moment = CalendarMoment(wire: String(first), tzid: tzid) else {
                    continue
                }
                self.dates.append(moment)
                guard halves.count == 2 else { continue }
                if let duration = CalendarDuration(wire: String(halves[1])) {
                    self.periods.append((moment, .duration(duration)))
                } else if let end = CalendarMoment(wire: String(halves[1]), tzid: tzid) {
                    self.periods.append((moment, .moment(end)))
                }
            }
        }
        for property in component.all(.exdate) {
            let tzid = property.parameter(.tzid)
            for value in property.value.split(separator: ",") {
                if let moment = CalendarMoment(wire: String(value), tzid: tzid) { self.exceptions.append(moment) }
            }
        }
    }
}
