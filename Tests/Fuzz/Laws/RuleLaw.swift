import RemindavICalendar
import RemindavRecurrence

/// Rules with a zone (RFC 5545 §3.3.10, §3.8.5): the input is the lines of a component, DTSTART and RRULE among them.
enum RuleLaw {
    /// The number of tested occurrences.
    static let count = 12

    static func check(_ input: [UInt8]) throws(BrokenLaw) {
        let lines = Array("BEGIN:VTODO\n".utf8) + input + Array("\nEND:VTODO\n".utf8)
        for component in ICalendarDocument(lines).components { try self.check(component) }
    }

    static func check(_ component: Component) throws(BrokenLaw) {
        guard let start = component.first(.dtstart)?.moment ?? component.first(.due)?.moment else { return }
        let rules = component.all(.rrule).prefix(4).compactMap { try? RecurrenceRule(wire: $0.value) }
        let resolver = FixtureZones.resolver(calendar: component.parent)
        let set = RecurrenceSet(
            start: start,
            rules: rules,
            dates: component.all(.rdate).flatMap(self.moments),
            exceptions: component.all(.exdate).flatMap(self.moments),
            resolver: resolver
        )
        try self.checkRules(rules, start: start)
        guard let first = try? set.first(self.count) else { return }
        try self.checkOrder(first, start: start)
        try self.checkAsking(set, first, resolver)
    }

    /// The first times of a list, at most 4,000, so that a long list does not make the law slow.
    private static func moments(_ property: Property) -> [CalendarDateOrDateTime] {
        let zone = property.parameter(.tzid)
        return property.value.split(separator: ",").prefix(4000)
            .compactMap { CalendarDateOrDateTime(wire: String($0.prefix { $0 != "/" }), tzid: zone) }
    }

    /// A rule and its written form have the same occurrences.
    private static func checkRules(_ rules: [RecurrenceRule], start: CalendarDateOrDateTime) throws(BrokenLaw) {
        for rule in rules {
            guard let again = try? RecurrenceRule(wire: rule.wire) else {
                throw BrokenLaw(description: "\(rule.wire) is written and cannot be read")
            }
            let times = [rule, again].map { rule in
                try? RecurrenceSet(start: start, rules: [rule], resolver: FixtureZones.resolver()).first(self.count)
            }
            try demandEqual(times[0], times[1], "the times of \(rule.wire) as read and as written")
        }
    }

    private static func checkOrder(_ moments: [CalendarDateOrDateTime], start: CalendarDateOrDateTime) throws(BrokenLaw)
    {
        for (earlier, later) in zip(moments, moments.dropFirst()) {
            try demand(earlier.localSeconds < later.localSeconds, "\(later) comes after \(earlier)")
        }
        for moment in moments { try demandEqual(moment.isDate, start.isDate, "\(moment) has the form of the start") }
    }

    /// All functions for the next occurrence give the same result.
    private static func checkAsking(
        _ set: RecurrenceSet,
        _ moments: [CalendarDateOrDateTime],
        _ resolver: TimeZoneResolver
    ) throws(BrokenLaw) {
        for (index, moment) in moments.enumerated() {
            guard let next = try? set.next(after: moment) else { continue }
            if index + 1 < moments.count {
                try demandEqual(next, moments[index + 1], "the next after \(moment)")
            } else {
                try demand(next.localSeconds > moment.localSeconds, "\(next) comes after \(moment)")
            }
        }
        for moment in moments.prefix(3) {
            guard let instant = resolver.instant(of: moment) else { continue }
            for asked in [instant.adding(seconds: -1), instant] {
                guard let next = try? set.next(after: asked), let found = resolver.instant(of: next) else { continue }
                try demand(found > asked, "\(next) comes after \(asked)")
            }
        }
        for asked in [Instant(secondsSince1970: .min), Instant(secondsSince1970: .max)] {
            _ = try? set.next(after: asked)
        }
    }
}
