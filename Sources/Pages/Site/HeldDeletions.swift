import RemindavBridge
import RemindavHTTP

/// The deletions that a sync held back until the user confirms them.
struct HeldDeletions: Hashable, Sendable {
    /// Deleted on the server, and still here.
    let here: [HeldReminder]
    /// Deleted here, and still on the server.
    let onServer: [HeldReminder]

    init(_ summary: SyncSummary) {
        let held = summary.lists.flatMap(\.held)
        self.here = held.filter(\.wasDeletedOnServer)
        self.onServer = held.filter { !$0.wasDeletedOnServer }
    }

    var count: Int { self.here.count + self.onServer.count }

    /// A digest of the reminders, so that a confirmation concerns only those that the user saw.
    var digest: String {
        let lines = (self.here + self.onServer).map { "\($0.id) \($0.wasDeletedOnServer) \($0.title)" }.sorted()
        return SHA256(lines.joined(separator: "\n").utf8).hexadecimal
    }
}
