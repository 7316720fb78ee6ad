import RemindavBridge
import RemindavDaemon
import RemindavHosting
import RemindavICalendar
import RemindavNotifications
import RemindavPostgresStore
import RemindavReminders
import RemindavSQLiteStore
import RemindavStore
import Synchronization

/// Checks the alarms of one tenant, sends messages for those that are due, and finds the time of the next one.
struct AlarmRun: Sendable {
    let host: Host
    let channels: AlarmChannels
    let configuration: Configuration
    /// The settings of all tenants; the quiet hours are those of the tenant.
    let settings: SchedulerSettings
    /// The public address of the web pages; `nil` for none.
    let site: String?
    let metrics: HostMetrics
    let report: @Sendable (HostEvent) -> Void
    private let problems = MessageProblems()

    init(
        host: Host,
        channels: AlarmChannels,
        configuration: Configuration,
        settings: SchedulerSettings,
        site: String?,
        metrics: HostMetrics,
        report: @escaping @Sendable (HostEvent) -> Void
    ) {
        (self.host, self.channels, self.configuration, self.settings) = (host, channels, configuration, settings)
        (self.site, self.metrics, self.report) = (site, metrics, report)
    }

    func run(_ due: DueAlarms, _ clock: LeaseClock) async -> AlarmRunEnd {
        do {
            return try await self.attempt(due, clock)
        } catch let error as DatabaseError where error.code == .leaseLost {
            return .interrupted
        } catch {
            if let error = error as? DatabaseError { self.metrics.count(error) }
            self.metrics.countFailedAlarmRun()
            return .failed(retrySeconds: AlarmDelivery.pause(after: due.failures))
        }
    }

    private func attempt(_ due: DueAlarms, _ clock: LeaseClock) async throws -> AlarmRunEnd {
        let key = due.fence.key
        guard let tenant = try self.host.directory.tenant(key.tenant) else { return .done(nextSeconds: nil) }
        let destination = try self.host.directory.alarmDestination(of: tenant.id)
        guard destination.isOn else { return .done(nextSeconds: nil) }
        let runs = CurrentRuns([due.fence], clock: clock)
        var session = AlarmSession(
            try self.scheduler(destination, runs, tenant.id),
            reminders: StoredReminders(
                self.host.useCases(of: tenant.id, zone: tenant.zone, self.configuration, runs: runs),
                readsAhead: true
            )
        )
        let lateSeconds = due.lateSeconds + HostSchedule.alarmSeconds
        var waiting = ArraySlice(try session.start(zone: tenant.zone, lateSeconds: lateSeconds))
        var progress = Progress()
        while let effect = waiting.popFirst() {
            switch effect {
            case .save(let changes): try session.save(changes)
            case .wake(let moment): session.wake = moment
            case .deliverByFallback(let notification):
                guard progress.mayBeginMessage else {
                    progress.isCut = true
                    continue
                }
                guard !clock.isEnded, clock.mayWrite else { return .interrupted }
                let message = AlarmMessage(
                    notification,
                    tenant: tenant.name,
                    alarms: session.alarms(of: notification),
                    site: self.site
                )
                let outcomes = await self.send(message, destination, due, clock)
                let delivery = AlarmDelivery(outcomes, refusals: due.refusals)
                progress.note(delivery, outcomes)
                guard delivery != .later else { continue }
                if delivery == .givenUp { self.metrics.countGivenUpAlarm() }
                waiting += try session.delivered(notification)
            // A host has no screen, and no button of a message is pressed.
            case .show, .close, .write, .open, .gaveUp: break
            }
        }
        return progress.end(failures: due.failures, nextSeconds: session.nextSeconds)
    }

    /// The messages of a run.
    private struct Progress {
        private let began = ContinuousClock.now
        private var messages = 0
        private var hasFailed = false
        private var isRefusal = false
        private var isUnavailable = false
        /// Whether a message was not begun.
        var isCut = false

        var mayBeginMessage: Bool {
            !self.isUnavailable && self.messages < AlarmDelivery.maximumMessages
                && self.began.duration(to: .now) < .seconds(AlarmDelivery.longestRunSeconds)
        }

        mutating func note(_ delivery: AlarmDelivery, _ outcomes: [MessageOutcome]) {
            self.messages += 1
            guard delivery == .later else { return }
            self.hasFailed = true
            if outcomes.contains(.unavailable) { self.isUnavailable = true } else { self.isRefusal = true }
        }

        func end(failures: Int, nextSeconds: Int?) -> AlarmRunEnd {
            guard !self.hasFailed else {
                let isRefusal = self.isRefusal && !self.isUnavailable
                return .failed(retrySeconds: AlarmDelivery.pause(after: failures), isRefusal: isRefusal)
            }
            let rest = AlarmDelivery.rest(after: self.messages)
            return .done(nextSeconds: self.isCut ? 1 : nextSeconds, restSeconds: rest)
        }
    }

    private func scheduler(
        _ destination: AlarmDestination,
        _ runs: CurrentRuns,
        _ tenant: TenantID
    ) throws -> (AlarmScheduler, any Database) {
        let database = self.host.pool.database(of: tenant, runs: runs)
        let state = try database.transaction(.read) { () throws(DatabaseError) in
            try DeliveryTable(database).content().state
        }
        var settings = self.settings
        settings.quietHours = destination.quietHours.flatMap { QuietHours($0) }
        (settings.hasFallback, settings.expectsService) = (true, false)
        return (AlarmScheduler(records: state, settings: settings), database)
    }

    private func send(
        _ message: AlarmMessage,
        _ destination: AlarmDestination,
        _ due: DueAlarms,
        _ clock: LeaseClock
    ) async -> [MessageOutcome] {
        let attempts = await self.channels.send(message, to: destination, of: due.fence.key.tenant, clock: clock)
        for attempt in attempts {
            self.metrics.count(attempt.channel, attempt.outcome)
            if let problem = self.problems.new(attempt) {
                self.report(.messageFailed(problem))
            }
        }
        // Without a message, the run ends at the next check of its clock.
        return attempts.isEmpty ? [.unavailable] : attempts.map(\.outcome)
    }
}

/// The last reason of a failure of each channel, so that the log has it once until a message is accepted.
private final class MessageProblems: Sendable {
    private let last = Mutex<[AlarmChannel: String]>([:])

    /// The attempt if it failed for another reason than the last failure of the channel; `nil` otherwise.
    func new(_ attempt: MessageAttempt) -> MessageAttempt? {
        self.last.withLock { last in
            let reason = attempt.outcome == .accepted ? nil : attempt.reason
            defer { last[attempt.channel] = reason }
            return reason == last[attempt.channel] || reason == nil ? nil : attempt
        }
    }
}

/// The scheduler of a run with its database.
private struct AlarmSession {
    private var scheduler: AlarmScheduler
    private let database: any Database
    private let reminders: StoredReminders
    private var lastSeenChange: Int64?
    var wake: Instant?
    private var now: Instant { self.reminders.now }
    /// The seconds until the next alarm; `nil` if there is none.
    var nextSeconds: Int? {
        self.wake.map { max(1, Int($0.secondsSince1970 - self.now.secondsSince1970)) }
    }

    init(_ state: (AlarmScheduler, any Database), reminders: StoredReminders) {
        (self.scheduler, self.database) = state
        self.reminders = reminders
    }

    /// Passes all open reminders to the scheduler, and returns its effects.
    ///
    /// - Parameter lateSeconds: the seconds since the first change that no run has seen.
    mutating func start(zone: String, lateSeconds: Int) throws -> [SchedulerEffect] {
        let table = DeliveryTable(self.database)
        let seen = try self.database.transaction(.read) { () throws(DatabaseError) in try table.lastSeenChange() }
        let since = self.now.adding(seconds: -lateSeconds)
        var last = seen
        let effects = try self.reminders.handle(by: &self.scheduler) { snapshot in
            let changes = try snapshot.changedObjects(after: seen)
            last = changes.last
            let open = try snapshot.versions().filter { !$0.status.isClosed }
            return .started(
                reminders: open.map { ReminderID($0.id.rawValue) },
                local: zone,
                changed: Set(changes.objects.map { ReminderID($0.rawValue) }),
                since: since
            )
        }
        self.lastSeenChange = last == seen ? nil : last
        // If no effect saves anything, the number of the change is saved alone.
        let savesNothing = !effects.contains { if case .save = $0 { true } else { false } }
        return savesNothing ? [.save([])] + effects : effects
    }

    /// Saves records, before a message is sent: after a kill in between, the message is sent again.
    mutating func save(_ changes: [DeliveryState.Change]) throws {
        guard !changes.isEmpty || self.lastSeenChange != nil else { return }
        let table = DeliveryTable(self.database)
        try self.database.transaction(.write(.survivesKill)) { () throws(DatabaseError) in
            try table.apply(changes)
            if let number = self.lastSeenChange { try table.setLastSeenChange(number) }
        }
        self.lastSeenChange = nil
    }

    mutating func delivered(_ notification: Notification) throws -> [SchedulerEffect] {
        try self.reminders.handle(.deliveredByFallback(token: notification.token), by: &self.scheduler)
    }

    /// The alarms that a notification shows, in a fixed order.
    func alarms(of notification: Notification) -> [(reminder: ReminderID, alarms: [DeliveredAlarm])] {
        let slots = self.scheduler.records.slots
        if let reminder = notification.reminder { return [(reminder, slots[reminder]?.unshown ?? [])] }
        return slots.filter { $0.value.place == .summary && !$0.value.unshown.isEmpty }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value.unshown) }
    }
}
