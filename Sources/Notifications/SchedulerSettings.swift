package import Reminders

package struct SchedulerSettings: Hashable, Sendable {
    package var alarms = AlarmSettings()
    /// The quiet hours, in which notifications are held back; `nil` for none.
    package var quietHours: QuietHours?
    package var mutedLists: Set<String> = []
    package var mutedLabels: Set<LabelKey> = []
    package var showsMissed = true
    package var appearance = NotificationAppearance()
    /// Whether the notify command or a terminal can deliver alarms without a notification service.
    package var hasFallback = false
    package init() {}

    /// Whether neither the reminder's list nor any of its labels is muted.
    func fires(_ reminder: FiringReminder) -> Bool {
        !self.mutedLists.contains(reminder.list) && self.mutedLabels.isDisjoint(with: reminder.labels)
    }
}

/// The data of a reminder that the scheduler needs.
package struct FiringReminder: Sendable {
    package let plan: AlarmPlan
    /// The key of the reminder's list, in the form of ``SchedulerSettings/mutedLists``.
    package let list: String
    package let labels: [LabelKey]
    package let priority: Priority

    package init(plan: AlarmPlan, list: String, labels: [LabelKey], priority: Priority) {
        self.plan = plan
        self.list = list
        self.labels = labels
        self.priority = priority
    }
}
