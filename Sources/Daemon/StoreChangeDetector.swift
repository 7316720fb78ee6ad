import RemindavBridge
import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import RemindavStore

/// Finds changed reminders, and decides when to scan; `Int64` times are `WakeSources.uptime` in nanoseconds.
struct StoreChangeDetector {
    private struct Version: Equatable {
        let list: ListID
        let revision: Int64

        init(_ version: ObjectVersion) {
            self.list = version.list
            self.revision = version.revision
        }
    }

    var needsScan = false {
        didSet { if self.needsScan { self.since = self.since ?? self.unnoticed } }
    }
    private var versions: [ObjectID: Version] = [:]
    private var notBefore: Int64 = 0
    private var backoff = Backoff()
    private var schema = 0
    /// The time since which the store may have changes that no scan has seen; `nil` when there are none.
    private(set) var since: Instant?
    /// The value of ``since`` before the last scan.
    private(set) var foundSince: Instant?
    private var asleep: Instant?
    private var awake: Instant?
    private var unnoticed: Instant?

    /// The maximum number of seconds between a write to the store and the wake-up of the waiting daemon.
    private static let latencySeconds = 2

    mutating func start(_ snapshot: StoreSnapshot) throws(DatabaseError) -> [ReminderID] {
        self.schema = try snapshot.schemaVersion()
        let found = try snapshot.versions()
        self.versions = Dictionary(uniqueKeysWithValues: found.map { ($0.id, Version($0)) })
        return found.filter { !$0.status.isClosed }.map { ReminderID($0.id.rawValue) }
    }

    /// - Throws: ``DatabaseError/Code/newerVersion(found:known:)`` when a newer version has migrated the store.
    mutating func changes(_ snapshot: StoreSnapshot) throws(DatabaseError) -> [ReminderID] {
        let schema = try snapshot.schemaVersion()
        guard schema == self.schema else { throw DatabaseError(.newerVersion(found: schema, known: self.schema)) }
        let found = try snapshot.versions()
        var gone = self.versions
        var changed: [ObjectID] = []
        for version in found where gone.removeValue(forKey: version.id) != Version(version) {
            changed.append(version.id)
        }
        self.versions = Dictionary(uniqueKeysWithValues: found.map { ($0.id, Version($0)) })
        self.needsScan = false
        (self.foundSince, self.since) = (self.since, nil)
        return (changed + gone.keys).sorted().map { ReminderID($0.rawValue) }
    }

    mutating func sleeps(at now: Instant) { self.asleep = now }

    /// Called after each wait of the daemon, which learns only now of writes that happened while it worked.
    mutating func wakes(at now: Instant) {
        let latest = now.adding(seconds: -Self.latencySeconds)
        let hasSlept = self.asleep.map { $0 < latest } ?? true
        self.unnoticed = hasSlept ? latest : min(self.awake ?? latest, latest)
        self.awake = now
    }

    var next: Int64? { self.needsScan ? self.notBefore : nil }
    func isDue(at now: Int64) -> Bool { self.needsScan && now >= self.notBefore }

    /// Plans a pause before the next scan: ten times the length of the last scan, within the limits in `DaemonLimits`.
    mutating func rest(from now: Int64, after length: Int64) {
        self.backoff.succeeded()
        self.notBefore = now + min(max(10 * length, DaemonLimits.shortestRest), DaemonLimits.longestRest)
    }

    mutating func failed(at now: Int64) -> Bool {
        self.needsScan = true
        let isFirst = self.backoff.failed(at: now)
        self.notBefore = self.backoff.next ?? now
        return isFirst
    }
}
