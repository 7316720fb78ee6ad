extension DocumentChecker {
    /// Checks whether the end of a component has the form of its start and is after it.
    mutating func checkEnd(_ component: Component, _ rule: ComponentRule, _ start: CalendarDateOrDateTime) {
        if start.isDate, self.has(.duration, component), let property = component.first(.duration),
            let duration = CalendarDuration(wire: property.value.trimmingSpaces), duration.seconds != 0
        {
            // RFC 5545 §3.8.2.5.
            self.report(.durationOfHours, property.line, "DURATION")
        }
        guard let name = rule.end, self.has(name, component), let property = component.first(name),
            let end = property.moment
        else { return }
        // RFC 5545 §3.8.2.2, §3.8.2.3: the same type, and both with a zone or both without.
        self.checkLikeness(end, property.line, name, start, "it is read on the clock of who looks")
        let isBefore =
            start.isDate == end.isDate ? end.isAfter(start, orEqual: !rule.mustLast) == false : end.day < start.day
        guard isBefore else { return }
        let words = rule.kind == .todo ? "it is before DTSTART; the start is not read" : nil
        self.report(.endBeforeStart, property.line, name.wire, words)
    }

    /// Checks whether EXDATE and RDATE have the form of the start.
    mutating func checkDates(_ component: Component, _ start: CalendarDateOrDateTime) {
        for name in [Name.exdate, .rdate] where self.has(name, component) {
            for property in component.all(name) {
                guard let value = property.valueReader.firstValue else { continue }
                let moment: CalendarDateOrDateTime? =
                    if case .period(let period) = value { period.start } else { value.moment }
                if let moment { self.checkLikeness(moment, property.line, name, start, Self.onClockOfStart) }
            }
        }
    }

    /// Checks whether RECURRENCE-IDs have the form of the start of their series (RFC 5545 §3.8.4.4).
    mutating func checkOverrides() {
        for override in self.overrides {
            guard let start = self.masters[override.uid.exact] else { continue }
            self.checkLikeness(override.moment, override.line, .recurrenceID, start, Self.onClockOfStart)
        }
    }

    private static let onClockOfStart = "it is read on the clock of DTSTART"

    /// - Parameter reading: the interpretation of a time without a zone.
    private mutating func checkLikeness(
        _ moment: CalendarDateOrDateTime,
        _ line: Int,
        _ name: Name,
        _ start: CalendarDateOrDateTime,
        _ reading: String
    ) {
        guard case .dateTime(let time) = moment, case .dateTime(let first) = start else {
            guard moment.isDate != start.isDate else { return }
            let words = moment.isDate ? "it is a day and DTSTART a time" : "it is a time and DTSTART a day"
            return self.report(.typesDiffer, line, name.wire, words)
        }
        guard (time.zone == .floating) != (first.zone == .floating) else { return }
        let words =
            time.zone == .floating
            ? "it has no zone and DTSTART has one; \(reading)"
            : "it has a zone and DTSTART has none; which moment that is depends on who looks"
        self.report(.zoneDiffers, line, name.wire, words)
    }
}

extension CalendarDateOrDateTime {
    /// Whether it is after `other`; `nil` when that depends on the rules of a zone.
    func isAfter(_ other: Self, orEqual: Bool) -> Bool? {
        let distance = self.localSeconds - other.localSeconds
        if case .dateTime(let own) = self, case .dateTime(let its) = other, own.zone != its.zone {
            // Two local times are at most 26 hours apart.
            return abs(distance) > 26 * 3600 ? distance > 0 : nil
        }
        return orEqual ? distance >= 0 : distance > 0
    }
}
