extension DocumentChecker {
    /// Whether a component has what it must have.
    mutating func checkPresence(_ component: Component, _ kind: ComponentKind) {
        let essential = ComponentRule.of(kind)?.essential ?? []
        let name = component.name.canonical
        for definition in ComponentRule.required[kind.rawValue] where !self.has(definition.name, component) {
            let wire = definition.name.wire
            if essential.contains(definition.name) {
                self.report(.missingEssential, component.line, name, wire)
            } else if self.isOld {
                // vCalendar 1.0 asks for neither UID nor DTSTAMP.
            } else if definition.name == .uid {
                self.report(.missingUID, component.line, name)
            } else {
                self.report(.missingProperty, component.line, name, wire)
            }
        }
        if self.has(.uid, component), component.first(.uid)?.text.trimmingSpaces.isEmpty ?? false {
            self.report(.missingUID, component.line, name)
        }
        switch kind {
        case .event where !self.has(.dtstart, component) && !(component.parent != nil && self.hasMethod):
            self.report(.missingProperty, component.line, name, "DTSTART")
        case .timeZone where component.components(.standard).isEmpty && component.components(.daylight).isEmpty:
            self.report(.zoneWithoutObservance, component.line, name)
        case .alarm: self.checkAction(component)
        default: break
        }
    }

    // What each ACTION asks for (RFC 5545 §3.6.6).
    private mutating func checkAction(_ alarm: Component) {
        let names: [Name] =
            switch alarm.first(.action)?.text.uppercased() {
            case "DISPLAY": [.description]
            case "EMAIL": [.description, .summary, .attendee]
            default: []
            }
        for name in names where !self.has(name, alarm) {
            self.report(.missingProperty, alarm.line, alarm.name.canonical, name.wire)
        }
    }

    /// Whether the properties of a component go together.
    mutating func checkRelations(_ component: Component, _ kind: ComponentKind) {
        guard let rule = ComponentRule.of(kind) else { return }
        for pair in rule.exclusive where self.has(pair.kept, component) && self.has(pair.other, component) {
            let line = component.first(pair.other)?.line ?? component.line
            self.report(.exclusiveProperties, line, pair.other.wire, pair.kept.wire)
        }
        for pair in rule.companions where self.has(pair.name, component) && !self.has(pair.needs, component) {
            let line = component.first(pair.name)?.line ?? component.line
            self.report(.missingCompanion, line, pair.name.wire, pair.needs.wire)
        }
        guard self.has(.dtstart, component), let start = component.first(.dtstart)?.moment else { return }
        self.checkEnd(component, rule, start)
        self.checkRecurrence(component, kind, start)
    }

    private mutating func checkEnd(_ component: Component, _ rule: ComponentRule, _ start: CalendarMoment) {
        guard let name = rule.end, self.has(name, component), let property = component.first(name),
            let end = property.moment
        else { return }
        guard start.isDate == end.isDate else {
            return self.report(.typesDiffer, property.line, name.wire, "DTSTART")
        }
        if let isAfter = end.isAfter(start, orEqual: !rule.mustLast), !isAfter {
            self.report(.endBeforeStart, property.line, name.wire)
        }
    }

    private mutating func checkRecurrence(
        _ component: Component,
        _ kind: ComponentKind,
        _ start: CalendarMoment
    ) {
        if self.has(.rrule, component) {
            for property in component.all(.rrule) {
                guard let until = (try? RecurrenceRule(wire: property.value))?.until else { continue }
                if !until.fits(start, isObservance: kind == .observance) {
                    self.report(.untilDiffers, property.line, "RRULE", "UNTIL")
                }
            }
        }
        if self.has(.exdate, component) {
            for property in component.all(.exdate) {
                let value = property.valueReader.firstValue?.moment
                if let value, value.isDate != start.isDate {
                    self.report(.typesDiffer, property.line, "EXDATE", "DTSTART")
                }
            }
        }
    }
}

extension CalendarMoment {
    /// Whether it is after `other`, `nil` where that cannot be known without the rules of a zone.
    fileprivate func isAfter(_ other: Self, orEqual: Bool) -> Bool? {
        let distance = self.localSeconds - other.localSeconds
        if case .dateTime(let own) = self, case .dateTime(let its) = other, own.zone != its.zone {
            // No two clocks are further apart than 26 hours.
            return abs(distance) > 26 * 3600 ? distance > 0 : nil
        }
        return orEqual ? distance >= 0 : distance > 0
    }

    /// Whether it is in the form that UNTIL must have beside that DTSTART (RFC 5545 §3.3.10).
    ///
    /// In the observance of a zone it is in UTC, whatever DTSTART is.
    fileprivate func fits(_ start: Self, isObservance: Bool) -> Bool {
        switch (self, start) {
        case (.date, .date): true
        case (.dateTime(let until), .dateTime(let start)):
            start.zone == .floating && !isObservance ? until.zone == .floating : until.zone == .utc
        default: false
        }
    }
}
