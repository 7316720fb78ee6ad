package import RemindavICalendar

extension Series {
    mutating func read(_ main: Component, countsStart: Bool) throws(SeriesIssue) {
        let start = main.valued(.dtstart) ?? main.valued(.due)
        guard let shape = OccurrenceShape(main, resolver: self.resolver) else {
            // A to-do without a date and without a rule is valid. A rule without a date is an error.
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
            countsStart: countsStart,
            resolver: self.resolver,
            budget: self.budget
        )
        self.shape = shape
        self.set = set
        self.repeats = !rules.isEmpty || !added.isEmpty
        self.isEndless = rules.contains { $0.count == nil && $0.until == nil }
        for date in added { if let end = date.end { self.periods[set.clock.local(date.moment)] = end } }
        self.hidden = Set(exceptions.map(set.clock.key))
    }

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

    private typealias PeriodDate = (moment: CalendarDateOrDateTime, end: PeriodEnd?)

    /// The values of RDATE or EXDATE; a period gives its start and end.
    private mutating func dates(_ main: Component, _ name: Name) -> [PeriodDate] {
        var dates: [PeriodDate] = []
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

    mutating func readOverrides(in components: [Component]) {
        var keys: Set<OccurrenceKey> = []
        var hasMain = false
        for component in components {
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
        self.hidden.formUnion(keys)
        self.repeats = self.repeats || !self.overrides.isEmpty
        self.overrides.removeAll { !$0.isForFuture && $0.isLeftOut }
    }

    private func override(_ property: Property, _ id: CalendarDateOrDateTime, _ shape: OccurrenceShape) -> Override {
        let (key, local) = (self.key(id), self.local(id))
        // The id is converted to the start's time zone. A local time that a clock change repeats means the first of its
        // two moments, so an id that means the second moment is not converted.
        let shown = self.set?.clock.moment(local)
        return Override(
            local: local,
            key: key,
            id: shown.map { self.key($0) == key ? $0 : id } ?? id,
            shape: shape,
            isForFuture: property.parameter(.range)?.uppercased() == "THISANDFUTURE",
            isLeftOut: self.hidden.contains(key)
        )
    }
}

extension Property {
    /// The elements of the list without the spaces of hand-written files; empty elements are left out.
    package var listItems: [String] {
        self.value.split(separator: ",").map { String($0).trimmingSpaces }.filter { !$0.isEmpty }
    }
}

extension Name {
    /// A rule for excluded dates (RFC 2445 §4.8.5.2); RFC 5545 has removed it, but some files still contain it.
    static let exrule = Name("EXRULE") ?? .exdate
}

extension PeriodEnd {
    /// Parses the text after the slash of a period; `nil` if it is neither a time nor a duration.
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
