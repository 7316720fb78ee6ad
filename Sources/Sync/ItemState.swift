/// The changes of one item on both sides since they last agreed.
package enum ItemState: Hashable, Sendable {
    package enum Change: Hashable, Sendable, CaseIterable {
        case unchanged
        case modified
        case deleted
    }

    case newLocal
    case newRemote
    /// On both sides with the same UID, unknown to each other.
    case newOnBoth
    /// Both sides have agreed on it before.
    case tracked(local: Change, remote: Change)
}

package enum SyncAction: Hashable, Sendable {
    case push
    case pull
    /// Merge both versions, then send the result unless the server has it.
    case resolve
    case deleteRemote
    case deleteLocal
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
