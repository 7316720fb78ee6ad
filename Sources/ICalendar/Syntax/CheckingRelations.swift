extension DocumentChecker {
    /// Checks whether a component has its required properties.
    mutating func checkPresence(_ component: Component, _ kind: ComponentKind) {
        let essential = ComponentRule.of(kind)?.essential ?? []
        let name = component.name.canonical
        for definition in ComponentRule.required[kind.rawValue] where !self.has(definition.name, component) {
            let wire = definition.name.wire
            if essential.contains(definition.name) {
                self.report(.missingEssential, component.line, name, wire)
            } else if self.isOld {
                // vCalendar 1.0 requires neither UID nor DTSTAMP.
            } else if definition.name == .uid {
                self.report(.missingUID, component.line, name)
            } else {
                self.report(.missingProperty, component.line, name, wire)
            }
        }
        if self.has(.uid, component), component.first(.uid)?.text.trimmingSpaces.isEmpty ?? false {
            self.report(.missingUID, component.line, name)
        }
        // RFC 5546 §3: all methods except PUBLISH are between an organizer and attendees.
        if self.needsOrganizer, [.event, .todo, .journal, .freeBusy].contains(kind), !self.has(.organizer, component) {
            self.report(.missingProperty, component.line, name, "ORGANIZER")
        }
        switch kind {
        case .event where !self.has(.dtstart, component) && !(component.parent != nil && self.hasMethod):
            self.report(.missingProperty, component.line, name, "DTSTART")
        case .timeZone where component.components(.standard).isEmpty && component.components(.daylight).isEmpty:
            self.report(.zoneWithoutObservance, component.line, name)
        default: break
        }
    }

    /// Checks whether the properties of a component are consistent.
    mutating func checkRelations(_ component: Component, _ kind: ComponentKind) {
        guard let rule = ComponentRule.of(kind) else { return }
        for pair in rule.exclusive where self.has(pair.kept, component) && self.has(pair.other, component) {
            let line = component.first(pair.other)?.line ?? component.line
            self.report(.exclusiveProperties, line, pair.other.wire, pair.kept.wire)
        }
        for pair in rule.companions where self.has(pair.name, component) && !self.has(pair.needs, component) {
            let line = component.first(pair.name)?.line ?? component.line
            let isCounted = kind == .todo && pair.name != .duration && self.has(.due, component)
            self.report(
                .missingCompanion,
                line,
                pair.name.wire,
                pair.needs.wire + (isCounted ? "; it is counted from DUE" : "")
            )
        }
        switch kind {
        case .alarm: if component.isEnded { self.checkAlarm(component) }
        case .todo:
            self.checkStates(component)
            self.noteAnchors(component)
        default: break
        }
        self.checkKinship(component)
        guard self.has(.dtstart, component), let start = component.first(.dtstart)?.moment else { return }
        self.checkEnd(component, rule, start)
        self.checkRules(component, kind, start)
        if kind != .observance { self.checkDates(component, start) }
    }

    private mutating func noteAnchors(_ component: Component) {
        let hasStart = self.has(.dtstart, component)
        let hasEnd = self.has(.due, component) || hasStart && self.has(.duration, component)
        self.anchors = Anchors(component: component.index, hasStart: hasStart, hasEnd: hasEnd)
    }

    private mutating func checkKinship(_ component: Component) {
        guard self.has(.relatedTo, component), self.has(.uid, component), let uid = component.first(.uid)?.text else {
            return
        }
        for property in component.all(.relatedTo) where !uid.isEmpty && property.text == uid {
            self.report(.relatedToItself, property.line, "RELATED-TO")
        }
    }
}
