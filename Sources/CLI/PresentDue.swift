import Bridge
import DatePhrases
import ICalendar

/// The day and the time of day of a reminder, which a new due time keeps as far as it does not state them.
struct PresentDue: Sendable {
    let day: CalendarDate?
    /// `nil` for an all-day reminder.
    let time: ClockTime?
    private let zone: LocalZone

    init(_ reminder: ReminderView, zone: LocalZone) {
        self.zone = zone
        // An all-day reminder has an instant too, and no time of day.
        let wall = reminder.allDay ? nil : reminder.dueInstant.map { zone.wallClock(at: $0) }
        self.day = reminder.dueDay ?? wall?.date
        self.time = wall?.time
    }

    /// The due time with the present time of day for a day alone, and the present day for a time alone if that day is in
    /// the future.
    ///
    /// - Parameter keepsTime: whether the present time of day is kept.
    func completing(_ when: When, keepsTime: Bool = true, now: Instant) -> When {
        let day = self.day.flatMap { $0 > self.zone.wallClock(at: now).date ? $0 : nil }
        return when.keeping(keepsTime ? self.time : nil, on: day)
    }
}
