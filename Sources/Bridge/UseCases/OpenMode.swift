import RemindavSQLiteStore
package import RemindavStore

/// The purpose of opening a store, which decides the treatment of a missing store.
package enum OpenMode: Sendable, CaseIterable {
    /// To read or change reminders: a missing store counts as empty, or is an error if the user named its folder.
    case existing
    /// To export reminders: a missing store is an error.
    case required
    /// For a dry run: a missing store counts as an empty store.
    case temporary
    /// To add reminders: a missing store is created.
    case create
}

extension UseCases {
    /// Whether the store exists; `true` if that cannot be determined.
    package static func storeExists(_ configuration: Configuration) -> Bool {
        ReminderStore.exists(in: configuration.storeFolder)
    }

    /// Opens the store; only ``OpenMode/create`` creates a missing store.
    ///
    /// - Parameter isNamed: whether the user named the folder; the name may then be misspelled.
    /// - Throws: `storeNotFound`; `DatabaseError` when the store is locked, damaged or from a newer version.
    package static func open(_ configuration: Configuration, for need: OpenMode, isNamed: Bool) throws -> UseCases {
        if self.storeExists(configuration) || need == .create { return try self.open(configuration) }
        guard need == .temporary || need == .existing && !isNamed else {
            throw UseCaseError(.storeNotFound, subject: configuration.storeFolder)
        }
        return UseCases(configuration: configuration, store: try ReminderStore.inMemory())
    }

    /// Opens an existing store without creating or changing a file.
    ///
    /// - Parameter withLocks: whether reads must be consistent while another process writes; see
    ///   `ReminderStore.openReadOnly`.
    /// - Throws: `DatabaseError` when the store is missing or must be migrated first.
    package static func openReadOnly(
        _ configuration: Configuration,
        withLocks: Bool = false
    ) throws(DatabaseError) -> UseCases {
        let store = try ReminderStore.openReadOnly(folder: configuration.storeFolder, withLocks: withLocks)
        return UseCases(configuration: configuration, store: store)
    }
}
