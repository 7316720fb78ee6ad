import Reminders
import Store

/// What is known of the texts in the store, and when it is looked at again.
///
/// Times are nanoseconds of ``WakeSources/uptime``.
struct StoreLook {
    fileprivate struct Version: Equatable {
        let list: ListID
        let revision: Int64
    }

    /// Whether something may have become different.
    var isWanted = false
    private var versions: [ObjectID: Version] = [:]
    private var notBefore: Int64 = 0

    /// The first look: the names of all reminders that are open.
    mutating func begin(_ snapshot: StoreSnapshot) throws(DatabaseError) -> [String] {
        let found = try snapshot.versions()
        self.versions = Dictionary(uniqueKeysWithValues: found.map { ($0.id, Version($0)) })
        return found.filter { !Status.allCases[clamped: $0.status].isClosed }.map { String($0.id.rawValue) }
    }

    /// The names of reminders that are new, different or gone since the last look.
    mutating func changes(_ snapshot: StoreSnapshot) throws(DatabaseError) -> [String] {
        let found = try snapshot.versions()
        var gone = self.versions
        var changed: [ObjectID] = []
        for version in found where gone.removeValue(forKey: version.id) != Version(version) {
            changed.append(version.id)
        }
        self.versions = Dictionary(uniqueKeysWithValues: found.map { ($0.id, Version($0)) })
        self.isWanted = false
        return (changed + gone.keys).sorted().map { String($0.rawValue) }
    }

    /// When the next look is, that is wanted and has to wait; `nil` when none is.
    var next: Int64? { self.isWanted ? self.notBefore : nil }

    func isDue(at now: Int64) -> Bool { self.isWanted && now >= self.notBefore }

    /// A store that is written to all the time is looked at for a tenth of the time at the most.
    mutating func rest(from now: Int64, after length: Int64) {
        self.notBefore = now + min(max(10 * length, DaemonLimits.shortestRest), DaemonLimits.longestRest)
    }
}

extension StoreLook.Version {
    fileprivate init(_ version: ObjectVersion) {
        self.init(list: version.list, revision: version.revision)
    }
}
