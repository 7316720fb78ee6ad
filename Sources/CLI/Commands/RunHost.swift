import RemindavBridge
import RemindavHTTPServer
import RemindavHost
import RemindavPlatform
import RemindavPostgresStore

struct RunHost: Command {
    static let page = CommandPage(
        name: "host run",
        summary: "Sync the accounts of all tenants, serve their feeds and pages, and send their alarms",
        options: [
            Option("--roles", value: "ROLES", "web, sync and alarms, with commas; default: all"),
            Option("--port", value: "N", "The port of the feeds on 127.0.0.1; default: 8737"),
            Option(
                "--monitoring-port",
                value: "N",
                "The port of /livez, /readyz and /metrics on 127.0.0.1;",
                "default: none"
            ),
            Option(
                "--feed-address",
                value: "URL",
                "The https address of a web server that publishes the",
                "feeds; default: the setting 'feed-address' or 'web-address'"
            ),
        ],
        details: """
            Runs until Ctrl-C or SIGTERM. Any number of processes can run at the same time, also on
            several machines. With the role sync, a process leases the servers of accounts, and syncs
            the accounts that are due. When a process was killed, others take over its servers within
            two minutes. With the role web, a process serves the feeds of all tenants for a reverse
            proxy, and the web pages, if the setting 'host-subject-header' names the header in which
            the proxy names the person that it has signed in. With the role alarms, a process sends
            messages about due alarms to the destinations of 'remindav host alarms'.

            /livez answers while the process works. /readyz answers with status 200 while the process
            can do its duties. /metrics has counters in the text format of Prometheus.
            """,
        examples: [
            "remindav host run": "all roles in one process",
            "remindav host run --roles sync --monitoring-port 9464": "a worker with metrics",
        ],
        exits: [.locked]
    )

    let roles: Set<HostRole>
    let port: UInt16?
    let monitoringPort: UInt16?
    let site: FeedSite?

    init(_ arguments: inout Arguments) throws(UsageError) {
        var roles: Set<HostRole> = []
        for word in arguments.value("--roles")?.split(separator: ",") ?? [] {
            guard let role = HostRole(rawValue: String(word)) else {
                throw UsageError(
                    .badValue,
                    "'--roles' must be one or more of web, sync and alarms, separated by commas, not '\(Sanitizer.excerpt(String(word)))'."
                )
            }
            roles.insert(role)
        }
        self.roles = roles.isEmpty ? Set(HostRole.allCases) : roles
        self.port = try arguments.port()
        self.monitoringPort = try arguments.port("--monitoring-port")
        self.site = try arguments.feedAddress()
    }

    func run(in context: Context) async throws -> ExitStatus {
        let host = try context.settings.connectedHost()
        if self.roles != [.web], host.readsPasswords == false {
            throw UsageError(
                .badValue,
                "The role of this process in the setting 'host' can serve pages and feeds only. Use '--roles web', or the "
                    + "role remindav_worker."
            )
        }
        var process = HostProcess()
        process.roles = self.roles
        process.port = self.port ?? context.settings.port
        process.site = self.site ?? context.settings.hostFeedAddress
        process.monitoringPort = self.monitoringPort
        process.pages = self.roles.contains(.web) ? try context.hostPages(port: process.port) : nil
        if self.roles.contains(.alarms) { process.alarms = try context.hostAlarms() }
        process.syncCommand = Self.syncCommand(context)
        let output = context.output
        let configuration = try context.configuration()
        do {
            try await context.untilInterrupted { [process] in
                try await host.run(process, configuration) { event in
                    Self.report(event, to: output)
                } ready: { feeds, monitoring in
                    if let feeds { output.remark("Serving feeds on http://127.0.0.1:\(feeds)/") }
                    if let pages = process.pages {
                        let door =
                            pages.socket.map { "by the socket \(Sanitizer.line($0))" } ?? "by the port of the feeds"
                        output.remark("Serving the pages of \(pages.site.text) \(door)")
                    }
                    if let monitoring { output.remark("Metrics are on http://127.0.0.1:\(monitoring)/metrics") }
                }
            }
        } catch let error as ServerError where error.port == self.monitoringPort && error.isAboutPort {
            let problem = ErrorMessages.explain(error)
            let advice = "Choose another port with --monitoring-port."
            output.complain(Explanation(problem.code, problem.message, advice: advice, status: problem.status))
            return problem.status
        }
        return .success
    }

    /// The words of a command that syncs an account with the run of this process; `nil` if the program is unknown.
    private static func syncCommand(
        _ context: Context
    ) -> (@Sendable (_ tenant: String, _ run: DelegatedRun) -> [String])? {
        guard let program = context.session.program() else { return nil }
        let config = context.options.config.map { ["--config", System.absolute($0)] } ?? []
        // Other users of the machine can read the arguments, so these have the name of the tenant and no other text.
        return { tenant, run in
            ["env", "\(TenantRun.variable)=\(run.text)", program] + config + ["--quiet", "--tenant", tenant, "sync"]
        }
    }

    private static func report(_ event: HostEvent, to output: Output) {
        switch event {
        case .started(let places): output.remark("Syncing up to \(places) accounts at the same time, until Ctrl-C")
        case .keyFailed(let problem): output.complain(ErrorMessages.explain(problem))
        case .syncsFailed(let count, let reason, isPartial: true):
            output.complain("Lists of \(count.counted("sync")) were left out: \(ErrorCategoryName.shown(reason)).")
        case .syncsFailed(let count, let reason, isPartial: false):
            output.complain(
                "\(count.counted("sync")) failed: \(ErrorCategoryName.shown(reason)). "
                    + "'remindav host queue --failing' names the accounts."
            )
        case .messageFailed(let attempt):
            output.complain("An alarm could not be sent by \(attempt.channel): \(Sanitizer.line(attempt.reason)).")
        case .databaseFailed(let error):
            output.complain(
                "The database cannot be used; the process retries. \(ErrorMessages.explain(error).message)"
            )
        case .databaseWorks: output.remark("The database can be used again")
        case .held:
            output.complain(
                "A sync or the alarms of a tenant are held, because the last runs ended their processes. "
                    + "'remindav host queue --release' lets them run again."
            )
        case .lostLeases(let count):
            output.complain("Lost \(count.counted("lease")) to other processes, which complete the syncs.")
        case .stopping: output.remark("Stopping: the running syncs end")
        }
    }
}

/// The run that a worker has begun for this process.
enum TenantRun {
    /// The environment variable with the text of the run.
    static let variable = "REMINDAV_RUN"

    /// The run; `nil` if no worker has begun one.
    static func run(_ environment: [String: String]) -> DelegatedRun? {
        environment.variable(self.variable).flatMap { DelegatedRun($0) }
    }

    /// Takes over the run, so that this process ends when that of the worker does; `nil` if no worker has begun one.
    static func take(_ environment: [String: String]) -> DelegatedRun? {
        guard let run = self.run(environment) else { return nil }
        TiedProcess.endWithInput()
        return run
    }
}
