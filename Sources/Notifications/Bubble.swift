import ICalendar
package import Recurrence
package import Reminders

/// One thing to show.
package struct Bubble: Hashable, Sendable {
    /// What the answer to it names.
    package let token: Int
    /// The bubble whose place it takes; `nil` for a new one.
    package let replaces: ShownBubble?
    /// The reminder that it is of; `nil` for the summary.
    package let reminder: String?
    package let words: BubbleWords
    package let priority: Priority
    /// Whether it may make a sound: the first time that it is shown, if at all.
    package let makesSound: Bool
    package let actions: [BubbleAction]
}

/// What a bubble offers to do.
package enum BubbleAction: Hashable, Sendable {
    /// A click on the bubble itself.
    case open
    case complete
    case snooze(seconds: Int)

    /// Those of a reminder, in the order in which they are shown.
    package static let ofReminder: [Self] =
        [.open, .complete] + [5, 15, 30, 60].map { .snooze(seconds: $0 * 60) }
    /// Those of a summary.
    package static let ofSummary: [Self] = [.open]

    /// The key by which a notification service names it.
    package var key: String {
        switch self {
        case .open: "default"
        case .complete: "complete"
        case .snooze(let seconds): "snooze-\(seconds)"
        }
    }

    /// What stands on its button.
    package var label: String {
        switch self {
        case .open: "Open"
        case .complete: "Complete"
        case .snooze(let seconds): seconds == 3600 ? "Snooze 1 hour" : "Snooze \(seconds / 60) minutes"
        }
    }
}

/// What a bubble says: plain text, bounded; markup is escaped by who shows it.
package struct BubbleWords: Hashable, Sendable {
    package let title: String
    package let body: String

    /// Those of one alarm: title and notes as they are; of one that was missed the notes come after when it was.
    package init(_ alarm: ReminderAlarm, isMissed: Bool, zones: TimeZoneResolver) {
        self.title = Self.title(alarm.title)
        let body = Self.bounded(alarm.body, RingLimits.maximumBody)
        guard isMissed else {
            self.body = body
            return
        }
        let wall = zones.dateTime(of: alarm.fires, in: .floating) ?? CalendarDateTime(utc: alarm.fires)
        self.body = "Missed: \(wall.date) \(wall.time.hoursAndMinutes)\n\(body)"
    }

    /// Those of a summary.
    ///
    /// - Parameter named: titles of the first of them.
    package init(count: Int, areMissed: Bool, named: [String]) {
        let reminders = count == 1 ? "1 reminder" : "\(count) reminders"
        self.title = areMissed ? "You missed \(reminders)" : "\(reminders) due"
        let titles = named.map(Self.title)
        let others = count > named.count && !named.isEmpty ? ["and \(count - named.count) more"] : []
        self.body = (titles + others).joined(separator: "\n")
    }

    /// One line, with words where there is none.
    private static func title(_ text: String) -> String {
        let lines = self.bounded(text, RingLimits.maximumTitle).split(whereSeparator: \.isNewline)
        let words = lines.map { String($0).trimmingWhiteSpace }.filter { !$0.isEmpty }
        return words.isEmpty ? Reminder.untitled : words.joined(separator: " ")
    }

    private static func bounded(_ text: String, _ limit: Int) -> String {
        // Characters can be long themselves: one letter, and a thousand accents.
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
