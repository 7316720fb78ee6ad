package import RemindavReminders

package struct SchedulerSettings: Hashable, Sendable {
    package var alarms = AlarmSettings()
    /// The quiet hours, in which notifications are held back; `nil` for none.
    package var quietHours: QuietHours?
    package var mutedLists: Set<String> = []
    package var mutedLabels: Set<LabelKey> = []
    package var showsMissed = true
    package var appearance = NotificationAppearance()
    /// Whether the notify command, a terminal or messages can deliver alarms without a notification service.
    package var hasFallback = false
    /// Whether a notification service may start; otherwise the fallback does not wait for it.
    package var expectsService = true
    package init() {}

    /// The seconds to wait for a notification service before the fallback is used.
    var patienceSeconds: Int { self.expectsService ? SchedulerLimits.patienceSeconds : 0 }

    /// Whether neither the reminder's list nor any of its labels is muted.
    func fires(_ reminder: FiringReminder) -> Bool {
        guard !self.mutedLists.contains(reminder.list) else { return false }
        return self.mutedLabels.isEmpty || self.mutedLabels.isDisjoint(with: reminder.labels.map { LabelKey($0) })
    }
}

/// The data of a reminder that the scheduler needs.
package struct FiringReminder: Sendable {
    package let plan: AlarmPlan
    /// The key of the reminder's list, in the form of ``SchedulerSettings/mutedLists``.
    package let list: String
    /// The name of the reminder's list; empty if the list is unknown.
    package let listName: String
    /// The labels, in the user's spelling.
    package let labels: [String]
    package let priority: Priority

    package init(plan: AlarmPlan, list: String, listName: String, labels: [String], priority: Priority) {
        self.plan = plan
        self.list = list
        self.listName = listName
        self.labels = labels
        self.priority = priority
    }
}
