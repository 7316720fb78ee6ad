import SQLiteStore
package import Store

/// The purpose of opening a store, which decides on a missing one.
package enum OpenMode: Sendable, CaseIterable {
    /// To read or change its content: an unnamed missing folder counts as an empty store, a named one is an error.
    case existing
    /// To export its content: a missing store is an error.
    case required
    /// For a dry run: a missing store counts as an empty one.
    case temporary
    /// To add content: a missing store is created.
    case create
}

extension UseCases {
    /// Whether there is a store; also true where that cannot be determined.
    package static func storeExists(_ configuration: Configuration) -> Bool {
        ReminderStore.exists(in: configuration.storeFolder)
    }

    /// Opens the store; only ``OpenMode/create`` creates one.
    ///
    /// - Parameter isNamed: whether the user named the folder, possibly misspelt.
    /// - Throws: `storeNotFound` for a missing store that is an error; `DatabaseError` when it is locked, damaged or
    ///   from a newer program.
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
    /// - Throws: `DatabaseError` when there is no store, or one that must be migrated first.
    package static func openReadOnly(
        _ configuration: Configuration,
        withLocks: Bool = false
    ) throws(DatabaseError) -> UseCases {
        let store = try ReminderStore.openReadOnly(folder: configuration.storeFolder, withLocks: withLocks)
        return UseCases(configuration: configuration, store: store)
    }
}
