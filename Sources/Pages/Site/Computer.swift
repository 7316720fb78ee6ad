/// The state of this computer that pages show and change, and that is not part of the store.
package struct Computer: Sendable {
    /// Whether alarms are delivered, in words.
    package struct AlarmState: Hashable, Sendable {
        package let isOn: Bool
        /// The state in a sentence, with a step that is left for the user; empty if nothing was set up.
        package let sentence: String

        package init(isOn: Bool, sentence: String) {
            self.isOn = isOn
            self.sentence = sentence
        }
    }

    /// The result of an operation on the computer: whether it is complete, and what happened, in sentences.
    package struct Report: Hashable, Sendable {
        package let isComplete: Bool
        package let sentences: [String]

        package init(isComplete: Bool, sentences: [String]) {
            self.isComplete = isComplete
            self.sentences = sentences
        }
    }

    /// Whether a daemon runs for the store; the list asks this at each request, so it must be fast.
    let deliversAlarms: @Sendable () -> Bool
    /// The state of the service, for which systemd is asked.
    let alarms: @Sendable () -> AlarmState
    /// Installs the service, and shows a test notification.
    let enableAlarms: @Sendable () -> Report

    package init(
        deliversAlarms: @escaping @Sendable () -> Bool,
        alarms: @escaping @Sendable () -> AlarmState,
        enableAlarms: @escaping @Sendable () -> Report
    ) {
        self.deliversAlarms = deliversAlarms
        self.alarms = alarms
        self.enableAlarms = enableAlarms
    }
}
