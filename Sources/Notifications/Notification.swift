package import RemindavICalendar
package import RemindavRecurrence
public import RemindavReminders

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

    /// Creates the text of an alarm; `reminder` is the reminder of the alarm.
    ///
    /// The first line of the body has the time of a missed alarm, the due time, the list, the labels and the place, as
    /// far as they exist. The notes follow. No part depends on the current time, so the text stays valid on the screen.
    package init(_ alarm: ReminderAlarm, of reminder: FiringReminder, isMissed: Bool, zones: TimeZoneResolver) {
        self.title = Self.title(alarm.title)
        let fires = Self.wallClock(alarm.fires, zones)
        let missed = isMissed ? "Missed: \(fires.date) \(fires.time.hoursAndMinutes)" : ""
        let facts = [
            missed, Self.due(alarm, fires, isMissed: isMissed, zones), Self.line(reminder.listName),
            Self.line(reminder.labels.prefix(SchedulerLimits.maximumLabels).map { "#\($0)" }.joined(separator: " ")),
            Self.line(alarm.location ?? ""),
        ]
        let notes = alarm.notes.map { Self.bounded($0, SchedulerLimits.maximumBody) } ?? ""
        self.body = [facts.filter { !$0.isEmpty }.joined(separator: " · "), notes].filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    /// The due time, with its date if that is not the date of the alarm; empty if there is none, or if the time of a
    /// missed alarm already says it.
    private static func due(
        _ alarm: ReminderAlarm,
        _ fires: CalendarDateTime,
        isMissed: Bool,
        _ zones: TimeZoneResolver
    ) -> String {
        switch alarm.due {
        case nil: return ""
        case .date(let date): return isMissed && date == fires.date ? "" : "Due \(date)"
        case .dateTime(let time):
            let due = zones.instant(of: time)
            if isMissed, due == alarm.fires { return "" }
            let wall = due.map { Self.wallClock($0, zones) } ?? time
            return "Due \(wall.date == fires.date ? "" : "\(wall.date) ")\(wall.time.hoursAndMinutes)"
        }
    }

    private static func wallClock(_ instant: Instant, _ zones: TimeZoneResolver) -> CalendarDateTime {
        zones.dateTime(of: instant, in: .floating) ?? CalendarDateTime(utc: instant)
    }

    /// A line of a summary: the local time of an alarm, with its date if this is not `today`, and the title.
    package static func line(_ alarm: ReminderAlarm, today: CalendarDate, zones: TimeZoneResolver) -> String {
        let wall = Self.wallClock(alarm.fires, zones)
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
        let line = self.line(text)
        return line.isEmpty ? Reminder.untitled : line
    }

    /// Returns a text as one line of limited length, without white space at its ends.
    private static func line(_ text: String) -> String {
        let lines = self.bounded(text, SchedulerLimits.maximumTitle).split(whereSeparator: \.isNewline)
        return lines.map { String($0).trimmingWhiteSpace }.filter { !$0.isEmpty }.joined(separator: " ")
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
