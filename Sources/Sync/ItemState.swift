/// The changes of one item on both sides since they last agreed.
package enum ItemState: Hashable, Sendable {
    /// The change of one side to an item that both had.
    package enum Change: Hashable, Sendable, CaseIterable {
        /// It is as both knew it.
        case unchanged
        /// It says something else now.
        case modified
        /// It is gone.
        case deleted
    }

    /// Only here, and never anywhere else.
    case newLocal
    /// Only there.
    case newRemote
    /// On both sides, without either knowing of the other: the same UID.
    case newOnBoth
    /// Both sides have agreed on it once.
    case tracked(local: Change, remote: Change)
}

/// The action of a sync for an item.
package enum SyncAction: Hashable, Sendable {
    /// Send the local version.
    case push
    /// Take the server's version.
    case pull
    /// Merge both versions, then send the result unless the server has it.
    case resolve
    /// Delete it on the server.
    case deleteRemote
    /// Delete it here.
    case deleteLocal
    /// Stop remembering it.
    case forget
}

/// The action for an item, or `nil` when there is nothing to do.
///
/// Every state is listed, so that the compiler requires a decision for a new one. An edit overrides a deletion, so
/// that no text is lost.
package func action(for state: ItemState) -> SyncAction? {
    switch state {
    case .newLocal: .push
    case .newRemote: .pull
    case .newOnBoth: .resolve
    case .tracked(local: .unchanged, remote: .unchanged): nil
    case .tracked(local: .modified, remote: .unchanged): .push
    case .tracked(local: .deleted, remote: .unchanged): .deleteRemote
    case .tracked(local: .unchanged, remote: .modified): .pull
    case .tracked(local: .modified, remote: .modified): .resolve
    case .tracked(local: .deleted, remote: .modified): .pull
    case .tracked(local: .unchanged, remote: .deleted): .deleteLocal
    case .tracked(local: .modified, remote: .deleted): .push
    case .tracked(local: .deleted, remote: .deleted): .forget
    }
}
