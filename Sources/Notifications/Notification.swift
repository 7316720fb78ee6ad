package import ICalendar
package import Recurrence
public import Reminders

/// A notification to show.
public struct Notification: Hashable, Sendable {
    /// Identifies the request; the answer contains the same token.
    package let token: Int
    /// The notification that this one replaces; `nil` for a new one.
    public let replaces: NotificationID?
    /// The reminder of the notification; `nil` for the summary of several reminders.
    public let reminder: ReminderID?
    /// The title and the body.
    public let text: NotificationText
    /// The priority of the reminder.
    public let priority: Priority
    /// The appearance; an update without a new alarm makes no sound.
    public let appearance: NotificationAppearance
    /// The actions that the user can choose, in display order.
    public let actions: [NotificationAction]
}

/// The text of a notification: plain and of limited length; `DesktopBus` escapes it for services with markup.
public struct NotificationText: Hashable, Sendable {
    /// The title, one line of plain text.
    public let title: String
    /// The body, lines of plain text.
    public let body: String

    /// Creates the text of an alarm from its title and notes; the body of a missed alarm begins with the alarm's time,
    /// and does not say that it is time.
    package init(_ alarm: ReminderAlarm, isMissed: Bool, zones: TimeZoneResolver) {
        self.title = Self.title(alarm.title)
        let body = Self.bounded(alarm.body, SchedulerLimits.maximumBody)
        guard isMissed else {
            self.body = body
            return
        }
        let wall = zones.dateTime(of: alarm.fires, in: .floating) ?? CalendarDateTime(utc: alarm.fires)
        let missed = "Missed: \(wall.date) \(wall.time.hoursAndMinutes)"
        self.body = alarm.body == ReminderAlarm.standardBody ? missed : "\(missed)\n\(body)"
    }

    /// A line of a summary: the local time of an alarm, with its date if this is not `today`, and the title.
    package static func line(_ alarm: ReminderAlarm, today: CalendarDate, zones: TimeZoneResolver) -> String {
        let wall = zones.dateTime(of: alarm.fires, in: .floating) ?? CalendarDateTime(utc: alarm.fires)
        let date = wall.date == today ? "" : "\(wall.date) "
        return "\(date)\(wall.time.hoursAndMinutes) \(self.title(alarm.title))"
    }

    /// Creates the text of a summary of several reminders; `named` are the lines of the first ones.
    package init(count: Int, areMissed: Bool, named: [String]) {
        let reminders = count == 1 ? "1 reminder" : "\(count) reminders"
        self.title = areMissed ? "You missed \(reminders)" : "\(reminders) due"
        let titles = named.map(Self.title)
        let others = count > named.count && !named.isEmpty ? ["and \(count - named.count) more"] : []
        self.body = (titles + others).joined(separator: "\n")
    }

    /// Returns a title as one line; an empty title becomes a default text.
    private static func title(_ text: String) -> String {
        let lines = self.bounded(text, SchedulerLimits.maximumTitle).split(whereSeparator: \.isNewline)
        let words = lines.map { String($0).trimmingWhiteSpace }.filter { !$0.isEmpty }
        return words.isEmpty ? Reminder.untitled : words.joined(separator: " ")
    }

    private static func bounded(_ text: String, _ limit: Int) -> String {
        // The limit counts Unicode scalars, because a single character may have a thousand accents.
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
