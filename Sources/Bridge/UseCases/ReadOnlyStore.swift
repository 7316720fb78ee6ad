import SQLiteStore
package import Store

extension UseCases {
    /// Opens a store that is there, for a look that leaves nothing behind: no file is made and none is changed.
    ///
    /// - Parameter withLocks: whether what is read has to be right while another process writes; see `ReminderStore.openReadOnly`.
    /// - Throws: `DatabaseError` when there is no store, or one that another version of this program has to open first.
    package static func openReadOnly(
        _ configuration: Configuration,
        withLocks: Bool = false
    ) throws(DatabaseError) -> UseCases {
        let store = try ReminderStore.openReadOnly(folder: configuration.storeFolder, withLocks: withLocks)
        return UseCases(configuration: configuration, store: store)
    }

    /// The names of the lists, the oldest first, without looking into them.
    package func listNames() throws -> [String] {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.lists().map(\.name) }
    }
}
