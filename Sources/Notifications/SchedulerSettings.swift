package import Reminders

package struct SchedulerSettings: Hashable, Sendable {
    package var alarms = AlarmSettings()
    /// When notifications are held back until the end; `nil` for no quiet hours.
    package var quietHours: QuietHours?
    package var mutedLists: Set<String> = []
    package var mutedLabels: Set<LabelKey> = []
    package var showsMissed = true
    package var makesSound = true
    /// Whether there is a fallback for a missing notification service: a notify command or a terminal.
    package var hasFallback = false
    package init() {}

    /// Whether the alarms of a reminder fire at all.
    func fires(_ reminder: FiringReminder) -> Bool {
        !self.mutedLists.contains(reminder.list) && self.mutedLabels.isDisjoint(with: reminder.labels)
    }
}

/// The data of a reminder that notifications need.
package struct FiringReminder: Sendable {
    package let plan: AlarmPlan
    /// Its list, as ``SchedulerSettings/mutedLists`` names it.
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
