import Synchronization

@testable import RemindavPages

/// A computer without services; a test sets the state of the alarms, and the result of enabling them.
final class TestComputer: Sendable {
    struct State {
        var alarms = Computer.AlarmState(isOn: true, sentence: "Alarms are on.")
        var report = Computer.Report(isComplete: true, sentences: [])
        /// The number of times that alarms were enabled.
        var attempts = 0
        /// Whether each check of the installation asked the servers.
        var asked: [Bool] = []
    }

    let state = Mutex(State())

    var computer: Computer {
        Computer(
            settings: [
                Computer.Setting(
                    name: "due-time",
                    value: "08:30",
                    origin: "/home/ada/<config>:3",
                    meaning: "The time of day of the default date"
                ), Computer.Setting(name: "snooze", value: nil, origin: "default", meaning: "The delay of 'snooze'"),
            ],
            settingsPath: "/home/ada/<config>",
            findings: { asksServers in
                self.state.withLock { $0.asked.append(asksServers) }
                return [
                    Computer.Finding(level: .ok, topic: "zone", sentence: "The time zone is UTC."),
                    Computer.Finding(level: .warning, topic: "files", sentence: "Other users can read it."),
                    Computer.Finding(level: .problem, topic: "disk", sentence: "Free <space>."),
                ]
            },
            deliversAlarms: { self.state.withLock { $0.alarms.isOn } },
            alarms: { self.state.withLock { $0.alarms } },
            enableAlarms: {
                self.state.withLock { state in
                    state.attempts += 1
                    if state.report.isComplete { state.alarms = State().alarms }
                    return state.report
                }
            }
        )
    }
}
