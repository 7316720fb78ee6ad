/// The state of this computer that pages show and change, and that is not part of the store.
package struct Computer: Sendable {
    /// Whether alarms are delivered, in words.
    package struct AlarmState: Hashable, Sendable {
        /// Whether a service delivers the alarms.
        package let isOn: Bool
        /// The state in a sentence, and the remaining step for the user; empty before the service is installed.
        package let sentence: String

        package init(isOn: Bool, sentence: String) {
            self.isOn = isOn
            self.sentence = sentence
        }
    }

    /// The result of an operation on the computer: whether it is complete, and its effects in sentences.
    package struct Report: Hashable, Sendable {
        /// Whether no step is left for the user.
        package let isComplete: Bool
        package let sentences: [String]

        package init(isComplete: Bool, sentences: [String]) {
            self.isComplete = isComplete
            self.sentences = sentences
        }
    }

    /// A setting with the value in use.
    package struct Setting: Hashable, Sendable {
        package let name: String
        /// `nil` if it has no value.
        package let value: String?
        /// The file, the option or the variable with the value, or `default`.
        package let origin: String
        /// The effect of the setting in words.
        package let meaning: String

        package init(name: String, value: String?, origin: String, meaning: String) {
            self.name = name
            self.value = value
            self.origin = origin
            self.meaning = meaning
        }
    }

    /// The result of one check of the installation.
    package struct Finding: Hashable, Sendable {
        /// The result in one word, as in the output of the command `doctor`.
        package enum Level: String, Sendable {
            case ok, warning, problem
        }

        package let level: Level
        /// The checked part, such as `store`.
        package let topic: String
        /// The result in words, and the advice.
        package let sentence: String

        package init(level: Level, topic: String, sentence: String) {
            self.level = level
            self.topic = topic
            self.sentence = sentence
        }
    }

    /// The settings in the order of the command `config`.
    let settings: [Setting]
    /// The path of the settings file; `nil` without a home folder.
    let settingsPath: String?
    /// Checks the installation, and with `true` also the servers.
    let findings: @Sendable (_ asksServers: Bool) async -> [Finding]
    /// Whether a daemon runs for the store; the list asks this at each request, so it must be fast.
    let deliversAlarms: @Sendable () -> Bool
    /// The state of the service, for which systemd is asked.
    let alarms: @Sendable () -> AlarmState
    /// Installs the service, and shows a test notification.
    let enableAlarms: @Sendable () -> Report

    package init(
        settings: [Setting],
        settingsPath: String?,
        findings: @escaping @Sendable (_ asksServers: Bool) async -> [Finding],
        deliversAlarms: @escaping @Sendable () -> Bool,
        alarms: @escaping @Sendable () -> AlarmState,
        enableAlarms: @escaping @Sendable () -> Report
    ) {
        self.settings = settings
        self.settingsPath = settingsPath
        self.findings = findings
        self.deliversAlarms = deliversAlarms
        self.alarms = alarms
        self.enableAlarms = enableAlarms
    }
}
