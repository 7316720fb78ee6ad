package import Reminders

/// The user's settings for notifications.
package struct SchedulerSettings: Hashable, Sendable {
    /// The settings that determine alarm times.
    package var alarms = AlarmSettings()
    /// When notifications are held back until the end; `nil` for no quiet hours.
    package var quietHours: QuietHours?
    /// The muted lists.
    package var mutedLists: Set<String> = []
    /// The muted labels.
    package var mutedLabels: Set<LabelKey> = []
    /// Whether missed alarms are shown afterwards.
    package var showsMissed = true
    /// Whether notifications make a sound.
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
