import RemindavBridge
import RemindavCalDAV
import RemindavICalendar
import RemindavRecurrence
import RemindavStore

/// A machine with a store of its own, which runs the use cases of the program.
///
/// Everything runs on one thread (``SingleThread``), which makes this class Sendable.
final class Machine: @unchecked Sendable {
    let name: String
    let wire: Wire
    let useCases: UseCases
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
        isNew: Bool = true,
        seed: UInt64,
        clock: @escaping () -> Int64
    ) throws {
        self.name = name
        let wire = Wire(server)
        self.wire = wire
        let context = Context(SeededGenerator(seed, name == "A" ? 3 : 4), clock)
        self.context = context
        self.useCases = UseCases(
            configuration: Configuration(
                storeFolder: folder,
                localZone: "UTC",
                zones: ZoneDatabase { _ in nil },
                now: { Instant(secondsSince1970: context.now()) },
                randomBytes: { context.bytes($0) },
                transport: { _ in wire },
                pacingClock: PacingClock(now: { wire.uptime }, sleep: { wire.pause($0) })
            ),
            store: store
        )
        context.machine = self
        self.store.observeWrites { () throws(DatabaseError) in
            context.machine?.held = nil
            guard wire.mayWrite() else { throw DatabaseError(.other) }
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
    func sync(
        _ trouble: Disturbance = Disturbance(),
        allowMassDelete: Bool = false,
        dryRun: Bool = false,
        isNow: Bool = false,
        meanwhile: @escaping () async -> Void = {}
    ) async -> Run {
        self.wire.begin(trouble, meanwhile: meanwhile)
        defer { self.wire.end() }
        var run = Run()
        do {
            var request = SyncRequest()
            request.isDryRun = dryRun
            request.allowsMassDelete = allowMassDelete
            request.isNow = isNow
            let summary = try await self.useCases.sync(request)
            run.summary = summary
            run.errors += summary.failedAccounts.map(\.error) + summary.lists.compactMap(\.error)
        } catch {
            run.errors.append(error)
        }
        run.requests = self.wire.requests
        run.writes = self.wire.writes
        run.wasKilled = self.wire.isDead
        run.hastyRequests = self.wire.hastyRequests
        run.hasFailedReadBack = self.wire.hasFailedReadBack
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

        /// The messages of all errors.
        var words: String { self.errors.map { "\($0)" }.joined(separator: "; ") }
    }
}
