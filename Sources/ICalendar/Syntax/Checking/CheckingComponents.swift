extension DocumentChecker {
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
        // RFC 5546 §3: every method except PUBLISH is sent between an organizer and attendees.
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

    mutating func checkRelations(_ component: Component, _ kind: ComponentKind) {
        guard let rule = ComponentRule.of(kind) else { return }
        for pair in rule.exclusive where self.has(pair.kept, component) && self.has(pair.other, component) {
            let line = component.first(pair.other)?.line ?? component.line
            self.report(.exclusiveProperties, line, pair.other.wire, pair.kept.wire)
        }
        for pair in rule.companions where self.has(pair.name, component) && !self.has(pair.needs, component) {
            let line = component.first(pair.name)?.line ?? component.line
            let isCounted = kind == .todo && pair.name != .duration && self.has(.due, component)
            let words = pair.needs.wire + (isCounted ? "; it is counted from DUE" : "")
            self.report(.missingCompanion, line, pair.name.wire, words)
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
            self.report(.relatedToItself, property)
        }
    }

    /// Whether a to-do has the times that relative TRIGGERs need; set before the alarms of the to-do are checked.
    struct Anchors {
        var component = -1
        var hasStart = false
        var hasEnd = false
        var hasBoth: Bool { self.hasStart && self.hasEnd }
    }

    mutating func checkAlarm(_ alarm: Component) {
        self.checkAction(alarm)
        guard !self.anchors.hasBoth, self.anchors.component == alarm.parent?.index, let trigger = alarm.first(.trigger)
        else { return }
        // RFC 5545 §3.8.6.3. If a to-do has DUE but no DTSTART, most programs count RELATED=START from DUE.
        let isToEnd = trigger.parameter(.related)?.uppercased() == "END"
        if isToEnd ? self.anchors.hasEnd : self.anchors.hasStart || self.anchors.hasEnd { return }
        // An alarm with PROXIMITY fires at a place, and its TRIGGER has no effect.
        guard CalendarDuration(wire: trigger.value.trimmingSpaces) != nil, !self.has(.proximity, alarm) else { return }
        let missing = isToEnd ? "DUE" : "DTSTART and no DUE"
        self.report(.triggerWithoutAnchor, trigger, missing)
    }

    // RFC 5545 §3.6.6: the properties that each ACTION requires.
    private mutating func checkAction(_ alarm: Component) {
        let action = alarm.first(.action)?.text.trimmingSpaces.uppercased()
        let names: [Name] =
            switch action {
            case "DISPLAY": [.description]
            case "EMAIL": [.description, .summary, .attendee]
            default: []
            }
        for name in names where !self.has(name, alarm) {
            self.report(.missingProperty, alarm.line, alarm.name.canonical, name.wire)
        }
        guard action == "AUDIO", self.has(.attach, alarm) else { return }
        for second in alarm.all(.attach).dropFirst() { self.report(.duplicateProperty, second) }
    }

    /// Reports contradictions between STATUS, COMPLETED and PERCENT-COMPLETE, which no standard forbids.
    ///
    /// The issue states the result of `Reminder.status`: cancelled overrides completed, and completed overrides open.
    mutating func checkStates(_ todo: Component) {
        guard [Name.status, .completed, .percentComplete].count(where: { self.has($0, todo) }) > 1 else { return }
        let status = self.has(.status, todo) ? todo.first(.status) : nil
        let word = status?.value.trimmingSpaces.uppercased()
        let stamp = self.has(.completed, todo) ? todo.first(.completed) : nil
        let completed = stamp?.moment == nil ? nil : stamp
        let percent = self.has(.percentComplete, todo) ? todo.first(.percentComplete) : nil
        let share = percent?.integer.flatMap { (0...100).contains($0) ? $0 : nil }
        let isFull = share == 100
        if word == "CANCELLED" {
            let words =
                "it says that the reminder is done, but STATUS says that it is cancelled; it is read as cancelled"
            if let completed { self.report(.stateContradicted, completed, words) }
            return
        }
        let reason = word == "COMPLETED" ? "STATUS" : completed != nil ? "COMPLETED" : isFull ? "PERCENT-COMPLETE" : nil
        guard let reason else { return }
        let words = "it says that the reminder is open, but \(reason) says that it is done; it is read as done"
        if let status, word == "NEEDS-ACTION" || word == "IN-PROCESS" {
            self.report(.stateContradicted, status, words)
        }
        if let percent, let share, share < 100 {
            self.report(.stateContradicted, percent, words)
        }
    }
}
