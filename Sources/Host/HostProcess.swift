package import RemindavBridge
import RemindavHTTP
import RemindavHTTPServer
import RemindavHosting
import RemindavICalendar
import RemindavPlatform
import RemindavPostgresStore
import RemindavStore
import RemindavWeb
import Synchronization

/// The duties of a process of a host.
package enum HostRole: String, Sendable, CaseIterable {
    /// Serves the feeds, and the pages if they are on.
    case web
    /// Syncs the accounts.
    case sync
    /// Sends messages about alarms.
    case alarms
}

/// The settings of a process of a host.
package struct HostProcess: Sendable {
    package var roles: Set<HostRole> = Set(HostRole.allCases)
    /// The port of 127.0.0.1 for feeds; 0 for any unused port.
    package var port: UInt16 = UseCases.defaultPort
    /// The public address of the feeds; `nil` allows requests from this machine only.
    package var site: FeedSite?
    /// The port of 127.0.0.1 for `/livez`, `/readyz` and `/metrics`; `nil` for none.
    package var monitoringPort: UInt16?
    /// The web pages; `nil` for none.
    package var pages: HostPages?
    /// The messages about alarms.
    package var alarms = HostAlarms()
    /// The words of a command that syncs an account in a process of its own.
    package var syncCommand: (@Sendable (_ tenant: String, _ run: DelegatedRun) -> [String])?

    package init() {}
}

/// Passes on the events of the workers of a process, but a fault of the database and its end only once.
final class WorkerEvents: Sendable {
    private let next: @Sendable (HostEvent) -> Void
    /// The workers that cannot use the database.
    private let failing = Mutex<Set<HostRole>>([])

    init(_ next: @escaping @Sendable (HostEvent) -> Void) { self.next = next }

    /// The events of the worker of a role.
    func report(of role: HostRole) -> @Sendable (HostEvent) -> Void {
        { event in
            // The lock is held during the calls, so that the lines of the log have the order of the changes.
            self.failing.withLock { failing in
                switch event {
                case .databaseFailed:
                    if failing.isEmpty { self.next(event) }
                    failing.insert(role)
                case .databaseWorks:
                    failing.remove(role)
                    if failing.isEmpty { self.next(event) }
                default: self.next(event)
                }
            }
        }
    }
}

extension Host {
    /// The threads that wait for the database or a mail server: more than the connections, because most runs wait for a
    /// CalDAV server.
    private static let threads = 32
    /// The process is not ready if its last search for work is older than this.
    private static let readySeconds = 60.0

    /// Runs the duties of a process until the task is cancelled.
    ///
    /// - Parameters:
    ///   - configuration: the surroundings of all tenants; the zone of each tenant replaces its zone.
    ///   - ready: called once with the port of the feeds and that of the monitoring.
    package func run(
        _ process: HostProcess,
        _ configuration: Configuration,
        report: @escaping @Sendable (HostEvent) -> Void,
        ready: @escaping @Sendable (_ feeds: UInt16?, _ monitoring: UInt16?) -> Void
    ) async throws {
        let events = WorkerEvents(report)
        FreeMemory.returnLargeBlocks()
        // A wrong role or schema is reported at once, and not with the first request.
        _ = try self.directory.tenant(TenantID(rawValue: 0))
        let executor = BlockingExecutor(threads: Self.threads)
        let metrics = HostMetrics()
        let now = configuration.now
        let feeds = HostFeeds(directory: self.directory) { tenant, zone in
            self.useCases(of: tenant, zone: zone, configuration)
        }
        let visits = FeedVisits(now: { now().secondsSince1970 }, executor: executor, write: feeds.record)
        // The address for push messages is sealed, too.
        if process.roles.contains(.sync) || process.roles.contains(.alarms) {
            let key = try self.checkKey(credentials: configuration.credentials)
            if let problem = key?.problem { report(.keyFailed(problem)) }
        }
        let servers: (port: Server?, socket: Server?) =
            try process.roles.contains(.web)
            ? self.serve(feeds, visits, process, configuration, executor, metrics) : (nil, nil)
        let monitor = try process.monitoringPort.map { try self.monitor($0, process.roles, executor, metrics) }
        ready(servers.port?.port, monitor?.port)
        await withTaskGroup(of: Void.self) { group in
            if process.roles.contains(.sync) {
                let worker = self.worker(process, configuration, executor, metrics, events.report(of: .sync))
                group.addTask { await worker.run() }
            }
            if process.roles.contains(.alarms) {
                let worker = self.alarmWorker(
                    process.alarms,
                    configuration,
                    executor,
                    metrics,
                    events.report(of: .alarms)
                )
                group.addTask { await worker.run() }
            }
            group.addTask {
                while !Task.isCancelled { try? await Task.sleep(for: .seconds(LeaseTerms.seconds)) }
            }
        }
        await servers.socket?.stop()
        if servers.socket != nil, let path = process.pages?.socket { SystemFiles.remove(path) }
        await servers.port?.stop()
        await visits.finish()
        await monitor?.stop()
    }

    private func worker(
        _ process: HostProcess,
        _ configuration: Configuration,
        _ executor: BlockingExecutor,
        _ metrics: HostMetrics,
        _ report: @escaping @Sendable (HostEvent) -> Void
    ) -> Worker {
        var command: (@Sendable (_ tenant: String, _ fence: WorkFence) -> [String]?)?
        if let words = process.syncCommand {
            command = { tenant, fence in
                DelegatedRun(fence, in: self.works).map { words(tenant, $0) }
            }
        }
        let run = AccountRun(
            useCases: { (fence: WorkFence, clock: LeaseClock) throws -> (UseCases, tenant: String) in
                guard let tenant = try self.directory.tenant(fence.key.tenant) else {
                    throw UseCaseError(.tenantNotFound)
                }
                let runs = CurrentRuns([fence], clock: clock)
                return (self.useCases(of: tenant.id, zone: tenant.zone, configuration, runs: runs), tenant.name)
            },
            command: command
        )
        return Worker(
            works: self.works,
            places: Worker.standardPlaces,
            executor: executor,
            metrics: metrics,
            random: { configuration.randomFraction() },
            report: report,
            execute: { await run.run($0, $1) }
        )
    }

    // MARK: HTTP

    private func serve(
        _ feeds: HostFeeds,
        _ visits: FeedVisits,
        _ process: HostProcess,
        _ configuration: Configuration,
        _ executor: BlockingExecutor,
        _ metrics: HostMetrics
    ) throws -> (port: Server?, socket: Server?) {
        let router = Router(
            zones: configuration.zones,
            localZone: configuration.localZone,
            publicPrefix: process.site?.prefix ?? "",
            source: feeds.source,
            visits: visits,
            answersWithoutStore: true
        )
        let gate = try process.pages.map { try self.pageGate($0, configuration, executor) }
        @Sendable func counted(_ answer: Response) -> Response {
            metrics.countAnswer(answer.status)
            return answer
        }
        // The servers run this on the executor.
        @Sendable func respond(_ request: Request, _ door: ProxyTrust.Door) async -> Response {
            guard let gate, !router.isForFeed(request) else { return await counted(router.respond(to: request)) }
            return await counted(gate.respond(to: request, by: door))
        }
        let hosts = [process.site?.host, process.pages.flatMap { $0.trust.secret == nil ? nil : $0.site.host }]
        let port = try Server(
            .port(process.port),
            hosts: Set(hosts.compactMap { $0 }),
            limits: gate?.pages.trust.secret == nil ? ServerLimits() : Self.proxyLimits,
            uploads: gate.map { gate in
                Uploads(folder: gate.pages.uploadFolder) { gate.acceptsUpload($0, by: .port) }
            },
            executor: executor
        ) { await respond($0, .port) }
        return (port, try self.serve(gate, executor, onSocketWith: respond))
    }

    private func monitor(
        _ port: UInt16,
        _ roles: Set<HostRole>,
        _ executor: BlockingExecutor,
        _ metrics: HostMetrics
    ) throws -> Server {
        try Server(.port(port)) { request in
            // This answer must not wait for a thread that waits for the database.
            if request.url == "/livez" { return Self.plain(200, "alive\n") }
            return await withTaskExecutorPreference(executor) {
                switch request.url {
                case "/readyz":
                    self.isReady(roles, metrics) ? Self.plain(200, "ready\n") : Self.plain(503, "not ready\n")
                case "/metrics": Self.plain(200, metrics.text(queue: try? self.works.gauges()))
                default: Self.plain(404, "Not found\n")
                }
            }
        }
    }

    /// Whether the database answers, and the workers have searched for work in the last minute.
    private func isReady(_ roles: Set<HostRole>, _ metrics: HostMetrics) -> Bool {
        do { _ = try self.directory.tenant(TenantID(rawValue: 0)) } catch { return false }
        func isRecent(_ duration: Duration?) -> Bool { duration.map { $0 < .seconds(Self.readySeconds) } ?? false }
        return (!roles.contains(.sync) || isRecent(metrics.sinceStep(at: .now)))
            && (!roles.contains(.alarms) || isRecent(metrics.sinceAlarmStep(at: .now)))
    }

    private static func plain(_ status: Int, _ text: String) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
            body: Array(text.utf8)
        )
    }
}
