extension DocumentChecker {
    /// What an alarm can count from: asked of the to-do around it, before its alarms are looked at.
    struct Anchors {
        /// The to-do that they are of.
        var component = -1
        var hasStart = false
        var hasEnd = false
        var hasBoth: Bool { self.hasStart && self.hasEnd }
    }

    /// Whether an alarm has what its ACTION asks for, and a time to count from.
    mutating func checkAlarm(_ alarm: Component) {
        self.checkAction(alarm)
        guard !self.anchors.hasBoth, self.anchors.component == alarm.parent?.index, let trigger = alarm.first(.trigger)
        else { return }
        // RFC 5545 §3.8.6.3. Where only DUE stands, START is read as DUE by most.
        let isToEnd = trigger.parameter(.related)?.uppercased() == "END"
        if isToEnd ? self.anchors.hasEnd : self.anchors.hasStart || self.anchors.hasEnd { return }
        // An alarm that waits for a place has a time for form's sake.
        guard CalendarDuration(wire: trigger.value.trimmingSpaces) != nil, !self.has(.proximity, alarm) else { return }
        let missing = isToEnd ? "DUE" : "DTSTART and no DUE"
        self.report(.triggerWithoutAnchor, trigger.line, "TRIGGER", missing)
    }

    // RFC 5545 §3.6.6.
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
        for second in alarm.all(.attach).dropFirst() { self.report(.duplicateProperty, second.line, "ATTACH") }
    }
}
