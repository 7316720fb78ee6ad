import Synchronization

@testable import Pages

/// A computer without services; a test sets the state of the alarms, and the result of enabling them.
final class TestComputer: Sendable {
    struct State {
        var alarms = Computer.AlarmState(isOn: true, sentence: "Alarms are on.")
        var report = Computer.Report(isComplete: true, sentences: [])
        /// The number of times that alarms were enabled.
        var attempts = 0
    }

    let state = Mutex(State())

    var computer: Computer {
        Computer(
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
