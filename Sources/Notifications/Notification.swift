import ICalendar
package import Recurrence
public import Reminders

/// A notification to show.
public struct Notification: Hashable, Sendable {
    /// The identifier that the answer names.
    package let token: Int
    /// The notification to replace; `nil` for a new one.
    public let replaces: NotificationID?
    /// The reminder that it belongs to; `nil` for the summary.
    public let reminder: ReminderID?
    /// Its title and body.
    public let text: NotificationText
    /// The priority of the reminder.
    public let priority: Priority
    /// Whether it may make a sound: only when it is first shown, if at all.
    public let makesSound: Bool
    /// Its actions, in display order.
    public let actions: [NotificationAction]
}

/// An action that a notification offers.
public struct NotificationAction: Hashable, Sendable {
    enum Effect: Hashable {
        case open
        case complete
        case snooze(seconds: Int)
    }

    /// The key that reports the choice; `default` for a click on the notification itself.
    public let key: String
    /// The text of its button.
    public let label: String
    /// `nil` for an action that the scheduler does not know.
    let effect: Effect?
    package init(key: String, label: String) { self.init(key, label, nil) }

    private init(_ key: String, _ label: String, _ effect: Effect?) {
        self.key = key
        self.label = label
        self.effect = effect
    }

    private static let open = Self("default", "Open", .open)
    /// The actions of a reminder, in display order.
    package static let ofReminder: [Self] =
        [.open, Self("complete", "Complete", .complete)]
        + [5, 15, 30, 60].map { minutes in
            let label = minutes == 60 ? "Snooze 1 hour" : "Snooze \(minutes) minutes"
            return Self("snooze-\(minutes * 60)", label, .snooze(seconds: minutes * 60))
        }
    /// The actions of a summary.
    package static let ofSummary: [Self] = [.open]
}

/// The text of a notification: plain and bounded; `DesktopBus` escapes markup.
public struct NotificationText: Hashable, Sendable {
    /// One line of plain text.
    public let title: String
    /// Lines of plain text.
    public let body: String

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
