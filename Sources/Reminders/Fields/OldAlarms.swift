import RemindavICalendar

// Alarms of vCalendar 1.0 are properties of the to-do: `DALARM:19960415T235000;PT5M;2;Your taxes are due`.

extension Alarm {
    private static let oldActions = [
        "AALARM": "AUDIO", "DALARM": "DISPLAY", "MALARM": "EMAIL", "PALARM": "PROCEDURE",
    ]

    /// Reads an alarm from a property of vCalendar 1.0; `nil` for any other property.
    ///
    /// A time without `Z` is in the time zone of DUE, so the trigger becomes relative to DUE.
    init?(old property: Property, due: CalendarDateOrDateTime?) {
        guard let action = Self.oldActions[property.name.canonical] else { return nil }
        let parts = property.text.split(separator: ";", omittingEmptySubsequences: false)
            .map { String($0).trimmingSpaces }
        self.uid = nil
        self.action = action
        self.trigger = parts.first.flatMap { Self.oldTrigger($0, due: due) }
        (self.repeats, self.interval) = Self.repetition(
            count: parts.count > 2 ? parts[2] : nil,
            interval: parts.count > 1 ? parts[1] : nil
        )
        // In an AUDIO, EMAIL or PROCEDURE alarm, the fourth component is an address and not a text.
        self.description = action == "DISPLAY" && parts.count > 3 && !parts[3].isEmpty ? parts[3] : nil
        self.acknowledged = nil
        self.isLocation = false
    }

    private static func oldTrigger(_ time: String, due: CalendarDateOrDateTime?) -> Trigger? {
        guard case .dateTime(let dateTime)? = CalendarDateOrDateTime(wire: time, tzid: nil) else { return nil }
        if dateTime.zone == .utc { return Instant(wire: time).map(Trigger.absolute) }
        guard let due else { return nil }
        // Whole days keep the local time of day across a clock change.
        let distance = Int(dateTime.localSeconds - due.localSeconds)
        let (days, seconds) = distance.quotientAndRemainder(dividingBy: ClockTime.secondsPerDay)
        return .relative(CalendarDuration(days: days, seconds: seconds), to: .end)
    }
}
