package import RemindavICalendar

/// An action that a notification offers.
public struct NotificationAction: Hashable, Sendable {
    /// The effect of an action.
    public enum Kind: Hashable, Sendable {
        /// A click on the notification itself, which opens the reminder or the due reminders.
        case open
        /// The reminder is completed.
        case complete
        /// The alarm fires again after this number of seconds.
        case snooze(seconds: Int)
    }

    /// The key that the notification service reports, such as `snooze-300`; `default` for ``Kind/open``.
    public let key: String
    /// The text of the action's button.
    public let label: String

    /// The effect of the action.
    public var kind: Kind {
        switch self.key {
        case Self.open.key: .open
        case Self.completionKey: .complete
        default: .snooze(seconds: Int(self.key.dropFirst(Self.snoozePrefix.count)) ?? 0)
        }
    }

    private static let completionKey = "complete"
    private static let snoozePrefix = "snooze-"

    package init(key: String, label: String) {
        self.key = key
        self.label = label
    }

    /// The effect of a click at `now` on the notification of an alarm.
    private typealias Effect = @Sendable (_ alarm: DeliveredAlarm, _ now: Instant) -> PendingAction.Effect

    private static let table: [(action: Self, effect: Effect)] = [
        (.open, { .acknowledgement(of: $0, at: $1) }),
        (Self(key: Self.completionKey, label: "Complete"), { _, _ in .complete }),
        Self.snooze("5 minutes", seconds: 300), Self.snooze("15 minutes", seconds: 900),
        Self.snooze("30 minutes", seconds: 1800), Self.snooze("1 hour", seconds: 3600),
    ]

    private static func snooze(_ time: String, seconds: Int) -> (action: Self, effect: Effect) {
        let action = Self(key: "\(Self.snoozePrefix)\(seconds)", label: "Snooze \(time)")
        return (action, { .snooze(at: $1, until: $1.adding(seconds: seconds)) })
    }

    /// Opens the reminder; its alarm is acknowledged after a window has opened.
    static let open = Self(key: "default", label: "Open")
    /// Opens the reminders for today, after a click on a summary; no alarm is acknowledged.
    private static let show = Self(key: Self.open.key, label: "Show")
    /// Snoozes all reminders of a summary.
    private static let snoozeAll = Self(key: "\(Self.snoozePrefix)3600", label: "Snooze all 1 hour")
    /// The actions of a reminder's notification, in display order.
    package static let ofReminder = Self.table.map(\.action)

    /// The actions of the summary of `count` reminders, in display order.
    package static func ofSummary(of count: Int) -> [Self] {
        [Self.show] + (count > SchedulerLimits.maximumSnoozedTogether ? [] : [Self.snoozeAll])
    }

    /// Returns `nil` for an unknown key.
    static func effect(of key: String, on alarm: DeliveredAlarm, at now: Instant) -> PendingAction.Effect? {
        Self.table.first { $0.action.key == key }?.effect(alarm, now)
    }
}

/// An action that the user clicked; writing it twice has no further effect, because it names occurrence and time.
package struct PendingAction: Hashable, Sendable {
    package enum Effect: Hashable, Sendable {
        /// Acknowledges the alarms up to this time, inclusive.
        case acknowledge(upTo: Instant)
        /// Makes the reminder fire again at `until`, and acknowledges its alarms up to `at`, the time of the click.
        case snooze(at: Instant, until: Instant)
        /// Completes the occurrence, unless it is already completed or no longer exists.
        case complete

        /// Acknowledges alarms up to `alarm`, but not after `now`, because a shown alarm may have moved into the future.
        static func acknowledgement(of alarm: DeliveredAlarm, at now: Instant) -> Self {
            .acknowledge(upTo: min(alarm.fires, now))
        }
    }

    package let reminder: ReminderID
    package let occurrence: String?
    package let effect: Effect

    package init(_ reminder: ReminderID, occurrence: String?, _ effect: Effect) {
        self.reminder = reminder
        self.occurrence = occurrence
        self.effect = effect
    }

    /// The form for the disk: a name, and the values that the effect has.
    package var stored: (name: String, moment: Instant?, until: Instant?) {
        switch self.effect {
        case .acknowledge(let moment): ("acknowledge", moment, nil)
        case .snooze(let moment, let until): ("snooze", moment, until)
        case .complete: ("complete", nil, nil)
        }
    }

    /// Fails for an unknown name, and when a value that the effect needs is missing.
    package init?(_ name: String, of reminder: ReminderID, occurrence: String?, moment: Instant?, until: Instant?) {
        switch (name, moment, until) {
        case ("acknowledge", let moment?, _): self.effect = .acknowledge(upTo: moment)
        case ("snooze", let moment?, let until?): self.effect = .snooze(at: moment, until: until)
        case ("complete", _, _): self.effect = .complete
        default: return nil
        }
        self.reminder = reminder
        self.occurrence = occurrence
    }

    /// Whether the action may prevent this alarm of its reminder, so that the action must be written first.
    func comes(before alarm: DeliveredAlarm?) -> Bool {
        guard case .acknowledge(let moment) = self.effect, let alarm else { return true }
        return alarm.fires <= moment
    }
}
