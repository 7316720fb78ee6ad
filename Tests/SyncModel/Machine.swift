import RemindavBridge
import RemindavCalDAV
import RemindavHTTP
import RemindavHost
import RemindavHosting
import RemindavICalendar
import RemindavPostgresStore
import RemindavRecurrence
import RemindavStore

/// A machine with a store of its own, which runs the use cases of the program.
///
/// Everything runs on one thread (``SingleThread``), which makes this class Sendable.
final class Machine: @unchecked Sendable {
    let name: String
    /// The connection of the present or last run.
    private(set) var wire: Wire
    /// The use cases for the user, and for syncs without workers.
    let useCases: UseCases
    /// The store, if workers sync it; `nil` for a computer with a store of its own.
    let shared: SharedStore?
    /// Whether the last worker was killed, so that its lease lasts.
    var hasLeftLease = false
    var clockError: Int64 = 0
    /// The UIDs by object, to notice a change of UID by the program.
    var known: [ObjectID: String] = [:]

    var store: ReminderStore { self.useCases.store }

    /// - Parameter folder: contains the password; the store is in memory unless one is given.
    init(
        _ name: String,
        _ server: MemoryServer,
        folder: String,
        store: ReminderStore,
        shared: SharedStore? = nil,
        isNew: Bool = true,
        seed: UInt64,
        clock: @escaping () -> Int64
    ) throws {
        self.name = name
        let wire = Wire(server)
        self.wire = wire
        let context = Context(SeededGenerator(seed, name == "A" ? 3 : 4), clock)
        self.context = context
        self.folder = folder
        self.shared = shared
        self.useCases = Self.useCases(store, wire, context, folder)
        context.machine = self
        let isShared = shared != nil
        self.store.observeWrites { () throws(DatabaseError) in
            context.machine?.held = nil
            // The writes of a user are not those of a run.
            guard isShared || wire.mayWrite() else { throw DatabaseError(.other) }
        }
        guard isNew else { return }
        try self.store.write { transaction in
            _ = try transaction.insertAccount(
                named: "account",
                url: MemoryServer.origin + MemoryServer.home,
                user: "u",
                homeSets: [MemoryServer.origin + MemoryServer.home],
                secret: SecretReference(kind: "file", reference: "password"),
                at: 0
            )
        }
    }

    private let context: Context
    private let folder: String

    /// - Parameter transport: sends the requests; `nil` means the connection itself.
    private static func useCases(
        _ store: ReminderStore,
        _ wire: Wire,
        _ context: Context,
        _ folder: String,
        transport: (any Transport)? = nil
    ) -> UseCases {
        UseCases(
            configuration: Configuration(
                storeFolder: folder,
                localZone: "UTC",
                zones: ZoneDatabase { _ in nil },
                now: { Instant(secondsSince1970: context.now()) },
                randomBytes: { context.bytes($0) },
                transport: { _ in transport ?? wire },
                pacingClock: PacingClock(now: { wire.uptime }, sleep: { wire.pause($0) })
            ),
            store: store
        )
    }

    // Used on one thread only.
    private final class Context: @unchecked Sendable {
        var random: SeededGenerator
        let clock: () -> Int64
        weak var machine: Machine?

        init(_ random: SeededGenerator, _ clock: @escaping () -> Int64) {
            self.random = random
            self.clock = clock
        }

        func now() -> Int64 { self.clock() + (self.machine?.clockError ?? 0) }

        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: self.random.next()) } }
    }

    /// The readable texts, by object.
    private var readable: [ObjectID: [UInt8]] = [:]

    /// Whether an object's text is a to-do.
    func holdsReadable(_ object: ObjectRecord) -> Bool {
        if self.readable[object.id] == object.source { return true }
        guard CalendarText(object.source) != nil else { return false }
        self.readable[object.id] = object.source
        return true
    }

    /// The result of ``objects()``, until the next write.
    private var held: [ObjectRecord]?

    func objects() throws -> [ObjectRecord] {
        if let held { return held }
        let objects = try self.store.read { try $0.objects() }
        self.held = objects
        return objects
    }

    /// Whether a server has requested a pause that lasts, by this machine's clock.
    func isResting() throws -> Bool {
        let now = self.context.now()
        return try self.store.read { try $0.accounts() }.contains { account in
            // The longest pause is an hour.
            account.notBefore.map { (1...3600).contains($0 - now) } ?? false
        }
    }

    /// The texts by UID; one UID may be in two lists.
    func texts() throws -> [String: [CalendarText]] {
        var texts: [String: [CalendarText]] = [:]
        for object in try self.objects() {
            if let text = CalendarText(object.source) { texts[object.uid, default: []].append(text) }
        }
        return texts
    }

    func notes() throws -> [Ledger.Note] {
        try self.store.read { try $0.conflicts() }.map {
            Ledger.Note(uid: $0.note.uid, property: $0.note.property, losingText: $0.note.losingText)
        }
    }

    /// Runs one sync.
    ///
    /// - Parameter takeOver: lets another worker take over the run.
    func sync(
        _ trouble: Disturbance = Disturbance(),
        allowMassDelete: Bool = false,
        dryRun: Bool = false,
        isNow: Bool = false,
        meanwhile: @escaping () async -> Void = {},
        takeOver: @escaping (_ wire: Wire, _ leaseEnd: Int64, _ arrive: (() -> Void)?) -> Void = { _, _, _ in }
    ) async -> Run {
        var request = SyncRequest()
        request.isDryRun = dryRun
        request.allowsMassDelete = allowMassDelete
        request.isNow = isNow
        guard let shared, !dryRun else { return await self.run(request, self.useCases, trouble, meanwhile) }
        let last = self.wire
        let wire = Wire(self.wire.server, after: last)
        self.wire = wire
        defer { self.wire = Wire(wire.server, after: wire) }
        let context = self.context
        let extended = context.clock() - (trouble.freeze?.age ?? 0)
        wire.takeOver = { arrive in
            takeOver(wire, extended + Int64(LeaseTerms.seconds), arrive)
            self.wire = wire
        }
        do {
            let lease = try shared.begin(wire)
            lease.store.observeWrites { () throws(DatabaseError) in
                context.machine?.held = nil
                wire.willCommit()
                guard wire.mayWrite() else { throw DatabaseError(.other) }
            }
            let start = Self.epoch
            let clock = LeaseClock(extended: start.advanced(by: .seconds(extended))) {
                start.advanced(by: .seconds(context.clock()))
            }
            let transport = WorkerTransport(wire: wire, lease: clock)
            let useCases = Self.useCases(lease.store, wire, context, self.folder, transport: transport)
            var run = await self.run(request, useCases, trouble, meanwhile)
            run.isOfWorker = true
            if run.wasKilled { self.hasLeftLease = true } else { lease.giveBack() }
            return run
        } catch {
            return Run(errors: [error], isOfWorker: true)
        }
    }

    /// The origin of the clock of workers.
    private static let epoch = ContinuousClock.now

    private func run(
        _ request: SyncRequest,
        _ useCases: UseCases,
        _ trouble: Disturbance,
        _ meanwhile: @escaping () async -> Void
    ) async -> Run {
        let wire = self.wire
        wire.begin(trouble, meanwhile: meanwhile)
        defer { wire.end() }
        var run = Run()
        do {
            let summary = try await useCases.sync(request)
            run.summary = summary
            run.errors += summary.failedAccounts.map(\.error) + summary.lists.compactMap(\.error)
        } catch {
            run.errors.append(error)
        }
        run.requests = wire.requests
        run.writes = wire.writes
        run.wasKilled = wire.isDead
        run.hastyRequests = wire.hastyRequests
        run.hasFailedReadBack = wire.hasFailedReadBack
        run.written = wire.written
        run.wasTakenOver = wire.isTakenOver
        run.lateChanges = wire.lateChanges
        run.requestsAfterRefusal = wire.requestsAfterRefusal
        run.violations = wire.violations
        return run
    }

    struct Run {
        var summary = SyncSummary(lists: [])
        var errors: [any Error] = []
        var requests = 0
        var writes = 0
        var wasKilled = false
        var hastyRequests = 0
        /// Whether a text written by this run could not be read back: the next run reads it.
        var hasFailedReadBack = false
        /// The UIDs that the run has sent, if it was disturbed.
        var written: Set<String> = []
        /// Whether it had a lease.
        var isOfWorker = false
        /// Whether another worker took over.
        var wasTakenOver = false
        /// Changing requests that arrived between the freeze and the takeover.
        var lateChanges = 0
        /// Requests since the first refused write; `nil` without one.
        var requestsAfterRefusal: Int?
        /// Broken rules of the leases.
        var violations: [String] = []

        /// The messages of all errors.
        var words: String { self.errors.map { "\($0)" }.joined(separator: "; ") }
    }
}
