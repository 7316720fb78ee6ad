extension DocumentChecker {
    /// The reference times of alarms: taken from the surrounding to-do before its alarms are checked.
    struct Anchors {
        /// The to-do that contains them.
        var component = -1
        var hasStart = false
        var hasEnd = false
        var hasBoth: Bool { self.hasStart && self.hasEnd }
    }

    /// Checks whether an alarm has the properties that its ACTION requires, and a reference time.
    mutating func checkAlarm(_ alarm: Component) {
        self.checkAction(alarm)
        guard !self.anchors.hasBoth, self.anchors.component == alarm.parent?.index, let trigger = alarm.first(.trigger)
        else { return }
        // RFC 5545 §3.8.6.3. If there is only DUE, most programs read START as DUE.
        let isToEnd = trigger.parameter(.related)?.uppercased() == "END"
        if isToEnd ? self.anchors.hasEnd : self.anchors.hasStart || self.anchors.hasEnd { return }
        // The time of a place-based alarm is only a formality.
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
