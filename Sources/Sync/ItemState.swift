/// What has become of one item on both sides since they last agreed.
package enum ItemState: Hashable, Sendable {
    /// What one side did to an item that both had.
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

/// What to do about an item.
package enum SyncAction: Hashable, Sendable {
    /// Send the local version.
    case push
    /// Take the server's version.
    case pull
    /// Merge both versions, then send the result unless it is what the server has.
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
/// Every state is listed, so a new one does not compile until somebody has decided about it. An edit beats a deletion:
/// nobody's words are lost because somebody else tidied up.
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
