import ICalendar
import Reminders
import Store

/// What is known of the texts in the store, and when it is looked at again.
///
/// Times are nanoseconds of ``WakeSources/uptime``.
struct StoreChangeDetector {
    fileprivate struct Version: Equatable {
        let list: ListID
        let revision: Int64
    }

    /// Whether something may have become different.
    var isWanted = false {
        didSet { if self.isWanted { self.since = self.since ?? self.unnoticed } }
    }
    private var versions: [ObjectID: Version] = [:]
    private var notBefore: Int64 = 0
    /// Looks in a row that could not be had.
    private var failures = 0
    private var schema = 0
    /// From which moment on the store may hold what nobody has told of, by the clock; `nil` when it holds nothing such.
    private(set) var since: Instant?
    /// The same of what was found by the last look.
    private(set) var foundSince: Instant?
    private var asleep: Instant?
    private var awake: Instant?
    private var unnoticed: Instant?

    /// Seconds for which a write goes unnoticed by who sleeps: it is woken at once.
    private static let latencySeconds = 2

    /// The first look: the names of all reminders that are open.
    mutating func begin(_ snapshot: StoreSnapshot) throws(DatabaseError) -> [String] {
        self.schema = try snapshot.schemaVersion()
        let found = try snapshot.versions()
        self.versions = Dictionary(uniqueKeysWithValues: found.map { ($0.id, Version($0)) })
        return found.filter { !Status.allCases[clamped: $0.status].isClosed }.map { String($0.id.rawValue) }
    }

    /// The names of reminders that are new, different or gone since the last look.
    ///
    /// - Throws: ``DatabaseError/Code/newerVersion(found:known:)`` when another program has made the store into one that
    ///   this one may not understand.
    mutating func changes(_ snapshot: StoreSnapshot) throws(DatabaseError) -> [String] {
        let schema = try snapshot.schemaVersion()
        guard schema == self.schema else { throw DatabaseError(.newerVersion(found: schema, known: self.schema)) }
        let found = try snapshot.versions()
        var gone = self.versions
        var changed: [ObjectID] = []
        for version in found where gone.removeValue(forKey: version.id) != Version(version) {
            changed.append(version.id)
        }
        self.versions = Dictionary(uniqueKeysWithValues: found.map { ($0.id, Version($0)) })
        self.isWanted = false
        (self.foundSince, self.since) = (self.since, nil)
        return (changed + gone.keys).sorted().map { String($0.rawValue) }
    }

    /// It begins to wait.
    mutating func sleeps(at now: Instant) { self.asleep = now }

    /// It has waited, and is told what has happened.
    ///
    /// What was written while it was busy it finds as soon as it waits.
    mutating func wakes(at now: Instant) {
        let latest = now.adding(seconds: -Self.latencySeconds)
        let hasSlept = self.asleep.map { $0 < latest } ?? true
        self.unnoticed = hasSlept ? latest : min(self.awake ?? latest, latest)
        self.awake = now
    }

    /// When the next look is, that is wanted and has to wait; `nil` when none is.
    var next: Int64? { self.isWanted ? self.notBefore : nil }

    func isDue(at now: Int64) -> Bool { self.isWanted && now >= self.notBefore }

    /// A store that is written to all the time is looked at for a tenth of the time at the most.
    mutating func rest(from now: Int64, after length: Int64) {
        self.failures = 0
        self.notBefore = now + min(max(10 * length, DaemonLimits.shortestRest), DaemonLimits.longestRest)
    }

    /// A store that cannot be read is looked at again later, and ever later.
    ///
    /// - Returns: whether it is the first time.
    mutating func failed(at now: Int64) -> Bool {
        self.isWanted = true
        self.failures += 1
        self.notBefore = now + DaemonLimits.pause(after: self.failures)
        return self.failures == 1
    }
}

extension StoreChangeDetector.Version {
    fileprivate init(_ version: ObjectVersion) {
        self.init(list: version.list, revision: version.revision)
    }
}
