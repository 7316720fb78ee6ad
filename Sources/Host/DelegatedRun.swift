import RemindavPostgresStore
import RemindavStore

/// A run that a worker has begun for another process, which syncs the account.
package struct DelegatedRun: Hashable, Sendable {
    /// The number of the account.
    package let account: Int64
    let number: Int64
    /// The name of the database's history in which the run began.
    let history: String

    /// - Returns: `nil` when the history of the database has changed since the run began.
    init?(_ fence: WorkFence, in works: WorkDirectory) {
        let present = works.history
        guard present.generation == fence.generation, let name = present.name else { return nil }
        (self.account, self.number, self.history) = (fence.key.item, fence.number, name)
    }

    /// - Parameter text: as of ``text``; `nil` for any other text.
    package init?(_ text: String) {
        let words = text.split(separator: ":", maxSplits: 2)
        guard words.count == 3, let account = Int64(words[0]), let number = Int64(words[1]) else { return nil }
        (self.account, self.number, self.history) = (account, number, String(words[2]))
    }

    /// The text for the environment of the other process.
    package var text: String { "\(self.account):\(self.number):\(self.history)" }

    /// The run with its right to write, in the other process.
    ///
    /// - Throws: ``DatabaseError/Code/leaseLost`` when the run has been lost since it began.
    func taken(by tenant: TenantID, in works: WorkDirectory) throws(DatabaseError) -> CurrentRuns {
        let present = works.history
        guard present.name == self.history else { throw DatabaseError(.leaseLost) }
        let key = WorkKey(tenant: tenant, kind: .sync, item: self.account)
        let fence = WorkFence(key: key, number: self.number, generation: present.generation)
        return try CurrentRuns(delegated: fence, in: works)
    }
}
