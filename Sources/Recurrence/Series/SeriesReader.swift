package import ICalendar

/// Reads the components of one UID into the parts of a ``Series``, and collects the issues.
struct SeriesReader {
    private let components: [Component]
    private let resolver: TimeZoneResolver
    private let countsStart: Bool
    private(set) var issues: [SeriesIssue] = []
    /// The first without a RECURRENCE-ID.
    let main: Component?
    private(set) var shape: OccurrenceShape?
    private(set) var set: RecurrenceSet?
    private(set) var isEndless = false
    /// Whether there is a rule or a date besides the start.
    private(set) var repeats = false
    /// Lengths of single dates from RDATE, by their local seconds.
    private(set) var periods: [Int: PeriodEnd] = [:]
    private(set) var exceptions: Set<OccurrenceKey> = []
    /// One per occurrence, in the order of local time.
    private(set) var overrides: [Series.Override] = []

    init(_ components: [Component], countsStart: Bool, resolver: TimeZoneResolver) {
        self.components = components
        self.countsStart = countsStart
        self.resolver = resolver
        self.main = components.first { $0.recurrenceID == nil }
    }

    mutating func read() throws(SeriesIssue) {
        if let main = self.main { try self.readMain(main) }
        self.readOverrides()
    }

    private mutating func readMain(_ main: Component) throws(SeriesIssue) {
        let start = main.valued(.dtstart) ?? main.valued(.due)
        guard let shape = OccurrenceShape(main, resolver: self.resolver) else {
            // A to-do without a date does not repeat, which is valid; a rule without a start is an error.
            if let start { throw SeriesIssue(start.moment == nil ? .unreadableMoment : .unknownZone, start) }
            if main.name == .vevent {
                self.issues.append(SeriesIssue(.missingStart, main))
            } else if let rule = main.valued(.rrule) ?? main.valued(.rdate) {
                throw SeriesIssue(.recurrence(.unreadableRule), rule)
            }
            return
        }
        let rules = self.rules(main, .rrule)
        let added = self.dates(main, .rdate)
        let exceptions = self.dates(main, .exdate).map(\.moment)
        let set = RecurrenceSet(
            start: shape.anchor,
            rules: rules,
            dates: added.map(\.moment),
            exceptions: exceptions,
            exceptionRules: self.rules(main, .exrule),
            countsStart: self.countsStart,
            resolver: self.resolver
        )
        self.shape = shape
        self.set = set
        self.repeats = !rules.isEmpty || !added.isEmpty
        self.isEndless = rules.contains { $0.count == nil && $0.until == nil }
        for date in added { if let end = date.end { self.periods[set.clock.local(date.moment)] = end } }
        self.exceptions = Set(exceptions.map(set.clock.key))
    }

    /// The readable rules, at most ``Series/maximumRules``.
    private mutating func rules(_ main: Component, _ name: Name) -> [RecurrenceRule] {
        var rules: [RecurrenceRule] = []
        for property in main.all(name) where !property.value.trimmingSpaces.isEmpty {
            guard rules.count < Series.maximumRules else {
                self.issues.append(SeriesIssue(.tooManyRules, property))
                break
            }
            do {
                rules.append(try RecurrenceRule(wire: property.value))
            } catch {
                self.issues.append(SeriesIssue(.unreadableRule(error), property))
            }
        }
        return rules
    }

    /// The values of RDATE or EXDATE; for a period its start and end.
    private mutating func dates(_ main: Component, _ name: Name) -> [(moment: CalendarDateOrDateTime, end: PeriodEnd?)]
    {
        var dates: [(moment: CalendarDateOrDateTime, end: PeriodEnd?)] = []
        for property in main.all(name) {
            let tzid = property.parameter(.tzid)
            var isRead = true
            for value in property.listItems {
                let halves = value.split(separator: "/", maxSplits: 1)
                guard let moment = halves.first.flatMap({ CalendarDateOrDateTime(wire: String($0), tzid: tzid) }) else {
                    isRead = false
                    continue
                }
                let end = halves.dropFirst().first.flatMap { PeriodEnd(String($0), tzid: tzid) }
                if halves.count == 2, end == nil { isRead = false }
                dates.append((moment, end))
            }
            if !isRead { self.issues.append(SeriesIssue(.unreadableDate, property)) }
        }
        return dates
    }

    private mutating func readOverrides() {
        var keys: Set<OccurrenceKey> = []
        var hasMain = false
        for component in self.components {
            guard let property = component.recurrenceID else {
                if hasMain { self.issues.append(SeriesIssue(.repeated, component)) }
                hasMain = true
                continue
            }
            guard let id = property.moment else {
                self.issues.append(SeriesIssue(.unreadableMoment, property))
                continue
            }
            guard let shape = OccurrenceShape(component, resolver: self.resolver, fallback: (id, self.shape)) else {
                let start = component.valued(.dtstart) ?? component.valued(.due) ?? property
                self.issues.append(SeriesIssue(.unknownZone, start))
                continue
            }
            let override = self.override(property, id, shape)
            guard keys.insert(override.key).inserted else {
                self.issues.append(SeriesIssue(.repeated, component))
                continue
            }
            self.overrides.append(override)
        }
        self.overrides.sort { $0.local < $1.local }
        let surplus = self.overrides.indices.filter { self.overrides[$0].isForFuture }.dropFirst(Series.maximumFutures)
        for index in surplus { self.overrides[index].isForFuture = false }
        if let first = surplus.first {
            self.issues.append(SeriesIssue(.tooManyFutures, self.overrides[first].shape.component))
        }
    }

    private func override(_ property: Property, _ id: CalendarDateOrDateTime, _ shape: OccurrenceShape)
        -> Series.Override
    {
        let clock = self.set?.clock
        let key = clock?.key(id) ?? OccurrenceKey(id, resolver: self.resolver)
        let local = clock?.local(id) ?? Int(id.localSeconds)
        // The second of two equal local hours has no local form of its own.
        let shown = clock?.moment(local)
        return Series.Override(
            local: local,
            key: key,
            id: shown.map { clock?.key($0) == key ? $0 : id } ?? id,
            shape: shape,
            isForFuture: property.parameter(.range)?.uppercased() == "THISANDFUTURE",
            isLeftOut: self.exceptions.contains(key)
        )
    }
}

extension Property {
    /// The items of its list, without the blanks of hand-written files.
    package var listItems: [String] {
        self.value.split(separator: ",").map { String($0).trimmingSpaces }.filter { !$0.isEmpty }
    }
}

extension Name {
    /// A rule for excluded dates (RFC 2445 §4.8.5.2); removed in RFC 5545, but still in some files.
    static let exrule = Name("EXRULE") ?? .exdate
}

extension PeriodEnd {
    /// The part after the slash; `nil` if it is neither a time nor a duration.
    fileprivate init?(_ wire: String, tzid: String?) {
        if let duration = CalendarDuration(wire: wire) {
            self = .duration(duration)
        } else if let end = CalendarDateOrDateTime(wire: wire, tzid: tzid) {
            self = .moment(end)
        } else {
            return nil
        }
    }
}
