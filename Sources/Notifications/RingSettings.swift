package import Reminders

/// What a person has chosen about what rings and when.
package struct RingSettings: Hashable, Sendable {
    /// When an alarm is at all.
    package var alarms = AlarmSettings()
    /// When nothing rings, and what would have is shown afterwards; `nil` for at no time.
    package var quietHours: QuietHours?
    /// The lists whose reminders do not ring.
    package var silentLists: Set<String> = []
    /// The labels whose reminders do not ring.
    package var silentLabels: Set<LabelKey> = []
    /// Whether what was missed is shown afterwards.
    package var showsMissed = true
    /// Whether bubbles make a sound.
    package var makesSound = true
    /// Whether there is another way to tell of alarms where no notification service is: a command, a terminal.
    package var tellsElsewhere = false

    package init() {}

    /// Whether a reminder rings at all.
    func rings(_ reminder: RingingReminder) -> Bool {
        !self.silentLists.contains(reminder.list) && self.silentLabels.isDisjoint(with: reminder.labels)
    }
}

/// What has to be known of a reminder to ring for it.
package struct RingingReminder: Sendable {
    /// Its alarms.
    package let plan: AlarmPlan
    /// The list that it is in, as ``RingSettings/silentLists`` names it.
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
