package import ICalendar
package import Reminders

/// A reminder, by its number in the store.
public struct ReminderID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number.
    public let rawValue: Int64
    /// The number in digits.
    public var description: String { String(self.rawValue) }

    /// Identifies the reminder with a number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// Whether the first reminder is older than the second.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// The data on the disk that prevents duplicate and lost notifications after any interruption.
///
/// Stored apart from the reminders, because a write to the reminders wakes the daemon.
package struct DeliveryState: Hashable, Sendable {
    package var clock: SchedulerClock?
    package var delivered: [ReminderID: Set<DeliveredAlarm>] = [:]
    package var slots: [ReminderID: Slot] = [:]
    /// The summary's notification, while it is on the screen.
    package var summary: NotificationID?
    package var closing: Set<NotificationID> = []
    /// Clicked actions that are not written to the reminders yet, by number.
    package var actions: [Int: PendingAction] = [:]
    package init() {}

    package enum Change: Hashable, Sendable {
        case clock(SchedulerClock)
        case delivered(ReminderID, DeliveredAlarm)
        case forgotten(ReminderID, DeliveredAlarm)
        /// `nil` removes it.
        case slot(ReminderID, Slot?)
        case summary(NotificationID?)
        case closing(NotificationID)
        case gone(NotificationID)
        case action(Int, PendingAction?)
    }

    /// The changes that make an empty state equal to this one.
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

/// The time up to which alarms were processed, inclusive, and the settings that they were computed with.
package struct SchedulerClock: Hashable, Sendable {
    package var processed: Instant
    package var alarmBasis: AlarmBasis

    package init(processed: Instant, by alarmBasis: AlarmBasis) {
        self.processed = processed
        self.alarmBasis = alarmBasis
    }
}

/// The settings that determine alarm times in addition to the reminder: a change moves the alarms.
package struct AlarmBasis: Hashable, Sendable {
    package var local: String
    package var alarms: AlarmSettings

    package init(local: String, alarms: AlarmSettings = AlarmSettings()) {
        self.local = local
        self.alarms = alarms
    }
}

/// An alarm of a reminder: its occurrence, as `AlarmID` names it, and the time at which it fires.
package struct DeliveredAlarm: Hashable, Sendable {
    package let occurrence: String?
    package let fires: Instant

    package init(occurrence: String?, fires: Instant) {
        self.occurrence = occurrence
        self.fires = fires
    }
}

/// The single place of a reminder on the screen, for all its alarms.
package struct Slot: Hashable, Sendable {
    package enum Place: String, Hashable, Sendable {
        /// Waits for the end of the quiet hours.
        case held
        /// Has a notification or will get one.
        case own
        /// Is part of the summary.
        case summary
    }

    package var place: Place
    /// The last alarm that was shown; `nil` when there is none, or when its notification is gone.
    package var shown: DeliveredAlarm?
    /// The alarms that are not shown yet, in the order of their times, at most `SchedulerLimits.maximumDelivered`.
    package var unshown: [DeliveredAlarm] = []
    /// The time from which further unshown alarms exist before the listed ones; `nil` when all are listed.
    package var unlisted: Instant?
    package var isMissed = false
    /// Its notification; `nil` while its number is unknown.
    package var notification: NotificationID?

    package init(place: Place, shown: DeliveredAlarm? = nil, unshown: [DeliveredAlarm] = []) {
        self.place = place
        self.shown = shown
        self.unshown = unshown
    }

    /// The last of its alarms, which its notification shows or will show; `nil` when it has none and is to be removed.
    package var alarm: DeliveredAlarm? { self.unshown.last ?? self.shown }

    /// ``unlisted`` explains `unlisted`.
    mutating func add(_ alarms: [DeliveredAlarm], unlisted: Instant?) {
        let all = (self.unshown + alarms).sorted { $0.fires < $1.fires }
        let cut = all.count > SchedulerLimits.maximumDelivered ? all.first?.fires : nil
        self.unshown = all.suffix(SchedulerLimits.maximumDelivered)
        self.unlisted = [self.unlisted, unlisted, cut].compactMap { $0 }.min()
    }

    /// Marks these alarms as shown.
    mutating func show(_ alarms: [DeliveredAlarm]) {
        guard let last = alarms.last else { return }
        self.unshown.removeAll(where: alarms.contains)
        self.shown = last
        // This alarm also covers the earlier ones.
        self.unlisted = nil
    }

    /// Removes its notification, or its part of the summary; alarms that were not shown are still pending.
    mutating func leave() {
        self.shown = nil
        self.notification = nil
    }
}

/// A notification, identified by the number that its service assigned.
public struct NotificationID: Hashable, Sendable {
    /// Never 0.
    public let number: UInt32
    /// The service instance: another instance does not know the number.
    public let service: String

    /// Identifies a notification that is on the screen.
    public init(number: UInt32, service: String) {
        self.number = number
        self.service = service
    }
}

/// A clicked action; idempotent, because it names its occurrence and its moment.
package enum PendingAction: Hashable, Sendable {
    /// Acknowledge all its alarms up to this moment, inclusive.
    case acknowledge(reminder: ReminderID, occurrence: String?, upTo: Instant)
    /// Fire again at this moment, and acknowledge the alarms until the moment of the click.
    case snooze(reminder: ReminderID, occurrence: String?, at: Instant, until: Instant)
    /// Without effect if the occurrence is already completed or no longer exists.
    case complete(reminder: ReminderID, occurrence: String?)

    package var reminder: ReminderID {
        switch self {
        case .acknowledge(let reminder, _, _), .snooze(let reminder, _, _, _), .complete(let reminder, _): reminder
        }
    }

    /// The stored form: a name, and the values that the action has.
    package var stored: (name: String, occurrence: String?, moment: Instant?, until: Instant?) {
        switch self {
        case .acknowledge(_, let occurrence, let moment): ("acknowledge", occurrence, moment, nil)
        case .snooze(_, let occurrence, let moment, let until): ("snooze", occurrence, moment, until)
        case .complete(_, let occurrence): ("complete", occurrence, nil, nil)
        }
    }

    /// `nil` for an unknown name, and without a value that the action needs.
    package init?(_ name: String, of reminder: ReminderID, occurrence: String?, moment: Instant?, until: Instant?) {
        switch (name, moment, until) {
        case ("acknowledge", let moment?, _):
            self = .acknowledge(reminder: reminder, occurrence: occurrence, upTo: moment)
        case ("snooze", let moment?, let until?):
            self = .snooze(reminder: reminder, occurrence: occurrence, at: moment, until: until)
        case ("complete", _, _): self = .complete(reminder: reminder, occurrence: occurrence)
        default: return nil
        }
    }

    /// Whether it has to be written before this alarm of its reminder is shown, because the alarm may no longer fire
    /// then.
    func comes(before alarm: DeliveredAlarm?) -> Bool {
        guard case .acknowledge(_, _, let moment) = self, let alarm else { return true }
        return alarm.fires <= moment
    }
}
