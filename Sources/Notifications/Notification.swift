import ICalendar
package import Recurrence
package import Reminders

/// A notification to show.
package struct Notification: Hashable, Sendable {
    /// The identifier that the answer names.
    package let token: Int
    /// The notification to replace; `nil` for a new one.
    package let replaces: NotificationID?
    /// The reminder that it belongs to; `nil` for the summary.
    package let reminder: String?
    package let words: NotificationText
    package let priority: Priority
    /// Whether it may make a sound: only when it is first shown, if at all.
    package let makesSound: Bool
    package let actions: [NotificationAction]
}

/// An action that a notification offers.
package enum NotificationAction: Hashable, Sendable {
    /// A click on the notification itself.
    case open
    case complete
    case snooze(seconds: Int)

    /// The actions of a reminder, in display order.
    package static let ofReminder: [Self] =
        [.open, .complete] + [5, 15, 30, 60].map { .snooze(seconds: $0 * 60) }
    /// The actions of a summary.
    package static let ofSummary: [Self] = [.open]

    /// The key that a notification service uses for it.
    package var key: String {
        switch self {
        case .open: "default"
        case .complete: "complete"
        case .snooze(let seconds): "snooze-\(seconds)"
        }
    }

    /// The text of its button.
    package var label: String {
        switch self {
        case .open: "Open"
        case .complete: "Complete"
        case .snooze(let seconds): seconds == 3600 ? "Snooze 1 hour" : "Snooze \(seconds / 60) minutes"
        }
    }
}

/// The text of a notification: plain and bounded; `DesktopBus` escapes markup.
package struct NotificationText: Hashable, Sendable {
    package let title: String
    package let body: String

    /// The text of one alarm: title and notes unchanged; for a missed alarm, its time comes before the notes.
    package init(_ alarm: ReminderAlarm, isMissed: Bool, zones: TimeZoneResolver) {
        self.title = Self.title(alarm.title)
        let body = Self.bounded(alarm.body, SchedulerLimits.maximumBody)
        guard isMissed else {
            self.body = body
            return
        }
        let wall = zones.dateTime(of: alarm.fires, in: .floating) ?? CalendarDateTime(utc: alarm.fires)
        self.body = "Missed: \(wall.date) \(wall.time.hoursAndMinutes)\n\(body)"
    }

    /// The text of a summary.
    ///
    /// - Parameter named: the titles of the first reminders.
    package init(count: Int, areMissed: Bool, named: [String]) {
        let reminders = count == 1 ? "1 reminder" : "\(count) reminders"
        self.title = areMissed ? "You missed \(reminders)" : "\(reminders) due"
        let titles = named.map(Self.title)
        let others = count > named.count && !named.isEmpty ? ["and \(count - named.count) more"] : []
        self.body = (titles + others).joined(separator: "\n")
    }

    /// One line; an empty title gets a default text.
    private static func title(_ text: String) -> String {
        let lines = self.bounded(text, SchedulerLimits.maximumTitle).split(whereSeparator: \.isNewline)
        let words = lines.map { String($0).trimmingWhiteSpace }.filter { !$0.isEmpty }
        return words.isEmpty ? Reminder.untitled : words.joined(separator: " ")
    }

    private static func bounded(_ text: String, _ limit: Int) -> String {
        // A character can be long itself: one letter with a thousand accents.
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
