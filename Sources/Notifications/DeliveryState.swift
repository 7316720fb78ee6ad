package import RemindavICalendar
package import RemindavReminders

/// Identifies a reminder by its number in the store.
public struct ReminderID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number of the reminder's calendar object.
    public let rawValue: Int64
    /// The number as decimal digits.
    public var description: String { String(self.rawValue) }

    /// Creates the id of the reminder with this number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// Whether `one` has the lower number, so that it is older.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// The state on the disk that prevents duplicate and lost notifications after any interruption.
///
/// It is stored apart from the reminders, because a write to the reminders wakes the daemon.
package struct DeliveryState: Hashable, Sendable {
    package var clock: SchedulerClock?
    package var delivered: [ReminderID: Set<DeliveredAlarm>] = [:]
    package var slots: [ReminderID: Slot] = [:]
    /// The summary of several reminders, while it is on the screen.
    package var summary: NotificationID?
    package var closing: Set<NotificationID> = []
    /// Actions of the user that are not written to their reminders yet, by number.
    package var actions: [Int: PendingAction] = [:]
    package init() {}

    package enum Change: Hashable, Sendable {
        case clock(SchedulerClock)
        case delivered(ReminderID, DeliveredAlarm)
        case forgotten(ReminderID, DeliveredAlarm)
        /// The new place of the reminder on the screen; `nil` removes its place.
        case slot(ReminderID, Slot?)
        case summary(NotificationID?)
        case closing(NotificationID)
        case gone(NotificationID)
        case action(Int, PendingAction?)

        /// Whether the change records an action that the user has chosen; a power loss must not lose it.
        package var isClick: Bool {
            guard case .action(_, .some) = self else { return false }
            return true
        }
    }

    /// The changes that turn an empty state into this state.
    package var changes: [Change] {
        var changes: [Change] = []
        if let clock = self.clock { changes.append(.clock(clock)) }
        for (reminder, alarms) in self.delivered { changes += alarms.map { .delivered(reminder, $0) } }
        changes += self.slots.map { .slot($0.key, $0.value) } + self.closing.map { .closing($0) }
        if let summary = self.summary { changes.append(.summary(summary)) }
        return changes + self.actions.map { .action($0.key, $0.value) }
    }

    package mutating func apply(_ change: Change) {
        switch change {
        case .clock(let clock): self.clock = clock
        case .delivered(let reminder, let alarm): self.delivered[reminder, default: []].insert(alarm)
        case .forgotten(let reminder, let alarm):
            self.delivered[reminder]?.remove(alarm)
            if self.delivered[reminder]?.isEmpty == true { self.delivered[reminder] = nil }
        case .slot(let reminder, let slot): self.slots[reminder] = slot
        case .summary(let notification): self.summary = notification
        case .closing(let notification): self.closing.insert(notification)
        case .gone(let notification): self.closing.remove(notification)
        case .action(let number, let action): self.actions[number] = action
        }
    }
}

/// The time up to which alarms were processed (inclusive), and the settings that determined the alarms' times.
package struct SchedulerClock: Hashable, Sendable {
    package var processed: Instant
    package var alarmBasis: AlarmBasis

    package init(processed: Instant, by alarmBasis: AlarmBasis) {
        self.processed = processed
        self.alarmBasis = alarmBasis
    }
}

/// The settings that determine alarm times together with the reminder; a change of a setting moves alarms.
package struct AlarmBasis: Hashable, Sendable {
    package var local: String
    package var alarms: AlarmSettings

    package init(local: String, alarms: AlarmSettings = AlarmSettings()) {
        self.local = local
        self.alarms = alarms
    }
}

/// Identifies an alarm of a reminder: its occurrence, in the form of `AlarmID`, and the time at which it fires.
package struct DeliveredAlarm: Hashable, Sendable {
    package let occurrence: String?
    package let fires: Instant

    package init(occurrence: String?, fires: Instant) {
        self.occurrence = occurrence
        self.fires = fires
    }
}

/// The place of a reminder on the screen; all alarms of the reminder share it.
package struct Slot: Hashable, Sendable {
    package enum Place: String, Hashable, Sendable {
        /// The notification waits for the end of the quiet hours.
        case held
        /// The reminder has its own notification or will get one.
        case own
        /// The reminder is listed in the summary, one notification for several reminders.
        case summary
    }

    package var place: Place
    /// The last alarm that was shown; `nil` when none was shown or its notification is gone.
    package var shown: DeliveredAlarm?
    /// The alarms that are not shown yet, sorted by time, at most `SchedulerLimits.maximumDelivered`.
    package var unshown: [DeliveredAlarm] = []
    /// The start of the period with older unshown alarms that did not fit into ``unshown``; `nil` when all alarms fit.
    package var unlisted: Instant?
    package var isMissed = false
    /// The notification; `nil` while its number is unknown.
    package var notification: NotificationID?

    package init(place: Place, shown: DeliveredAlarm? = nil, unshown: [DeliveredAlarm] = []) {
        self.place = place
        self.shown = shown
        self.unshown = unshown
    }

    /// The last alarm, which the notification shows or will show; `nil` for an empty ``Slot``, which must be removed.
    package var alarm: DeliveredAlarm? { self.unshown.last ?? self.shown }

    /// Adds alarms to ``unshown``; `unlisted` is the start of a period with older alarms, or `nil`.
    mutating func add(_ alarms: [DeliveredAlarm], unlisted: Instant?) {
        let all = (self.unshown + alarms).sorted { $0.fires < $1.fires }
        let cut = all.count > SchedulerLimits.maximumDelivered ? all.first?.fires : nil
        self.unshown = all.suffix(SchedulerLimits.maximumDelivered)
        self.unlisted = [self.unlisted, unlisted, cut].compactMap { $0 }.min()
    }

    /// Removes these alarms from ``unshown``, and stores the last of them in ``shown``.
    mutating func show(_ alarms: [DeliveredAlarm]) {
        guard let last = alarms.last else { return }
        // The notification covers all alarms up to `last`. Later alarms of the unlisted period are still unshown.
        let isBeforeListed = self.unshown.first.map { last.fires < $0.fires } ?? false
        self.unlisted = isBeforeListed ? self.unlisted.map { max($0, last.fires.adding(seconds: 1)) } : nil
        self.unshown.removeAll(where: alarms.contains)
        self.shown = last
    }

    /// Forgets the shown alarm and its notification; unshown alarms are still pending.
    mutating func leave() {
        self.shown = nil
        self.notification = nil
    }
}

/// Identifies a notification by the number that its notification service assigned.
public struct NotificationID: Hashable, Sendable {
    /// The number, which is never 0.
    public let number: UInt32
    /// The instance of the notification service; another instance does not know the number.
    public let service: String

    /// Creates the id of a notification that is on the screen.
    public init(number: UInt32, service: String) {
        self.number = number
        self.service = service
    }
}
