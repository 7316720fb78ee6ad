import RemindavHosting
import RemindavStore
import Synchronization

/// The counters of a process of a host.
///
/// No value is about one tenant or one server, because operators often let other people read metrics.
package final class HostMetrics: Sendable {
    private struct State {
        // A rule about the increase of a counter needs a value from before the first event.
        var runs = Dictionary(uniqueKeysWithValues: RunOutcome.names.map { ($0, 0) })
        var runSeconds = Dictionary(uniqueKeysWithValues: RunOutcome.names.map { ($0, 0.0) })
        var leasesLost = 0
        var databaseErrors = ["busy": 0, "unavailable": 0]
        var answers: [Int: Int] = [:]
        var messages = Dictionary(
            uniqueKeysWithValues: AlarmChannel.allCases.map { channel in
                (channel, Dictionary(uniqueKeysWithValues: MessageOutcome.allCases.map { ($0, 0) }))
            }
        )
        var alarmRuns = 0
        var alarmDelay = 0
        var alarmsGivenUp = 0
        var failedAlarmRuns = 0
        var lastStep: ContinuousClock.Instant?
        var lastAlarmStep: ContinuousClock.Instant?
        var active = (servers: 0, runs: 0)
    }

    private let state = Mutex(State())

    package init() {}

    func count(_ outcome: RunOutcome, seconds: Double) {
        self.state.withLock { state in
            state.runs[outcome.name, default: 0] += 1
            state.runSeconds[outcome.name, default: 0] += seconds
        }
    }

    func countLostLeases(_ number: Int) { self.state.withLock { $0.leasesLost += number } }
    func count(_ error: DatabaseError) {
        self.state.withLock { $0.databaseErrors["\(error.code)".prefix { $0.isLetter }.description, default: 0] += 1 }
    }
    func countAnswer(_ status: Int) { self.state.withLock { $0.answers[status, default: 0] += 1 } }
    func setActive(servers: Int, runs: Int) { self.state.withLock { $0.active = (servers, runs) } }

    func count(_ channel: AlarmChannel, _ outcome: MessageOutcome) {
        self.state.withLock { $0.messages[channel, default: [:]][outcome, default: 0] += 1 }
    }

    /// - Parameter delay: the seconds between the time at which a run was due and its beginning.
    func countAlarmRun(delay: Int) {
        self.state.withLock { state in
            state.alarmRuns += 1
            state.alarmDelay += delay
        }
    }

    func countFailedAlarmRun() { self.state.withLock { $0.failedAlarmRuns += 1 } }
    func countGivenUpAlarm() { self.state.withLock { $0.alarmsGivenUp += 1 } }

    /// Notes that the worker for alarms has reached the database.
    func noteAlarmStep(at now: ContinuousClock.Instant) { self.state.withLock { $0.lastAlarmStep = now } }

    /// The time since the worker for alarms has last reached the database; `nil` if it never has.
    func sinceAlarmStep(at now: ContinuousClock.Instant) -> Duration? {
        self.state.withLock { $0.lastAlarmStep }.map { $0.duration(to: now) }
    }

    /// Notes that the worker has reached the database.
    func step(at now: ContinuousClock.Instant) { self.state.withLock { $0.lastStep = now } }

    /// The time since the worker has last reached the database; `nil` if it never has.
    func sinceStep(at now: ContinuousClock.Instant) -> Duration? {
        self.state.withLock { $0.lastStep }.map { $0.duration(to: now) }
    }

    /// The counters in the text format of Prometheus, version 0.0.4.
    ///
    /// - Parameter queue: the state of the work in the database; `nil` if it cannot be read.
    package func text(queue: [(name: String, help: String, value: Int64)]?) -> String {
        let state = self.state.withLock { $0 }
        var text = ""
        func add(_ name: String, _ type: String, _ help: String, _ values: [(labels: String, value: String)]) {
            text += "# HELP remindav_\(name) \(help)\n# TYPE remindav_\(name) \(type)\n"
            for (labels, value) in values { text += "remindav_\(name)\(labels) \(value)\n" }
        }
        func byLabel(_ label: String, _ counts: [String: String]) -> [(String, String)] {
            counts.sorted { $0.key < $1.key }.map { ("{\(label)=\"\($0.key)\"}", $0.value) }
        }
        add("runs_total", "counter", "Ended syncs of accounts.", byLabel("outcome", state.runs.mapValues(String.init)))
        add(
            "run_seconds_total",
            "counter",
            "Duration of the ended syncs.",
            byLabel("outcome", state.runSeconds.mapValues { "\($0)" })
        )
        add("leases_lost_total", "counter", "Leases that another worker has taken over.", [("", "\(state.leasesLost)")])
        add("servers_leased", "gauge", "CalDAV servers that this process syncs.", [("", "\(state.active.servers)")])
        add("runs_active", "gauge", "Accounts that this process syncs.", [("", "\(state.active.runs)")])
        add(
            "database_errors_total",
            "counter",
            "Errors of the database.",
            byLabel("code", state.databaseErrors.mapValues(String.init))
        )
        let messages = state.messages.flatMap { channel, outcomes in
            outcomes.map { ("{channel=\"\(channel.rawValue)\",outcome=\"\($0.key.rawValue)\"}", "\($0.value)") }
        }
        add("alarm_messages_total", "counter", "Messages about alarms.", messages.sorted { $0.0 < $1.0 })
        add("alarm_runs_total", "counter", "Completed checks of the alarms of a tenant.", [("", "\(state.alarmRuns)")])
        add(
            "alarm_delay_seconds_total",
            "counter",
            "The total lateness of these checks.",
            [("", "\(state.alarmDelay)")]
        )
        add(
            "alarm_runs_failed_total",
            "counter",
            "Checks of the alarms of a tenant that failed, for example because of the database.",
            [("", "\(state.failedAlarmRuns)")]
        )
        add(
            "alarms_given_up_total",
            "counter",
            "Alarms whose messages all servers have refused several times.",
            [("", "\(state.alarmsGivenUp)")]
        )
        let answers = Dictionary(uniqueKeysWithValues: state.answers.map { ("\($0.key)", "\($0.value)") })
        add("answers_total", "counter", "Answers to HTTP requests.", byLabel("status", answers))
        for entry in queue ?? [] { add(entry.name, "gauge", entry.help, [("", "\(entry.value)")]) }
        return text
    }
}

extension RunOutcome {
    /// The names of all outcomes.
    static let names = [
        Self.done, .partlyDone, .unreachable, .busy(seconds: 0), .refusedPassword, .failed, .hostFailed, .interrupted,
    ]
    .map(\.name)

    var name: String {
        switch self {
        case .done: "done"
        case .partlyDone: "partly_done"
        case .unreachable: "unreachable"
        case .busy: "busy"
        case .refusedPassword: "refused_password"
        case .failed: "failed"
        case .hostFailed: "host_failed"
        case .interrupted: "interrupted"
        }
    }
}
