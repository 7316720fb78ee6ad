import Store

/// What somebody wants of a store, which says what is right where there is none.
package enum StoreNeed: Sendable, CaseIterable {
    /// To look at what is in it, or to change that: there is nothing in the usual folder yet, and a folder that was named is
    /// somebody's slip.
    case whatIsThere
    /// To take it away somewhere else: nothing must not be taken for it.
    case somethingThere
    /// To see what would come of something: there is nothing yet.
    case trial
    /// To put something into it: it is made.
    case made
}

extension UseCases {
    /// Whether there is a store; also true where that cannot be found out.
    package static func storeExists(_ configuration: Configuration) -> Bool {
        ReminderStore.exists(in: configuration.storeFolder)
    }

    /// Opens the store for what is wanted of it; only ``StoreNeed/made`` makes one.
    ///
    /// - Parameter isNamed: whether somebody has named the folder, who may have misspelt it.
    /// - Throws: `storeNotFound` where there should be a store; `DatabaseError` when it is locked, damaged or from a newer
    ///   program.
    package static func open(
        _ configuration: Configuration,
        for need: StoreNeed,
        isNamed: Bool
    ) throws -> UseCases {
        if self.storeExists(configuration) || need == .made { return try self.open(configuration) }
        guard need == .trial || need == .whatIsThere && !isNamed else {
            throw UseCaseError(.storeNotFound, subject: configuration.storeFolder)
        }
        return UseCases(configuration: configuration, store: try ReminderStore.inMemory())
    }
}
