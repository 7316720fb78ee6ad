import SQLiteStore
import Store

/// What somebody wants of a store, which says what is right where there is none.
package enum OpenMode: Sendable, CaseIterable {
    /// To look at what is in it, or to change that: there is nothing in the usual folder yet, and a folder that was named is
    /// somebody's slip.
    case existing
    /// To take it away somewhere else: nothing must not be taken for it.
    case required
    /// To see what would come of something: there is nothing yet.
    case temporary
    /// To put something into it: it is made.
    case create
}

extension UseCases {
    /// Whether there is a store; also true where that cannot be found out.
    package static func storeExists(_ configuration: Configuration) -> Bool {
        ReminderStore.exists(in: configuration.storeFolder)
    }

    /// Opens the store for what is wanted of it; only ``OpenMode/create`` makes one.
    ///
    /// - Parameter isNamed: whether somebody has named the folder, who may have misspelt it.
    /// - Throws: `storeNotFound` where there should be a store; `DatabaseError` when it is locked, damaged or from a newer
    ///   program.
    package static func open(
        _ configuration: Configuration,
        for need: OpenMode,
        isNamed: Bool
    ) throws -> UseCases {
        if self.storeExists(configuration) || need == .create { return try self.open(configuration) }
        guard need == .temporary || need == .existing && !isNamed else {
            throw UseCaseError(.storeNotFound, subject: configuration.storeFolder)
        }
        return UseCases(configuration: configuration, store: try ReminderStore.inMemory())
    }
}
