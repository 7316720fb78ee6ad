/// The changes of one reminder on both sides since the last sync.
package enum ItemState: Hashable, Sendable {
    package enum Change: Hashable, Sendable, CaseIterable {
        case unchanged
        case modified
        case deleted
    }

    case newLocal
    case newRemote
    /// Both sides have a reminder with this UID, but no sync has compared the two.
    case newOnBoth
    /// An earlier sync has compared both sides.
    case tracked(local: Change, remote: Change)
}

package enum SyncAction: Hashable, Sendable {
    case push
    case pull
    /// Merge both versions, and send the result if it differs from the server's version.
    case resolve
    case deleteRemote
    case deleteLocal
    case forget
}

/// The action for a reminder in this state; `nil` when both sides are unchanged.
///
/// The `switch` has no `default`, so that a new state does not compile without a decision. An edit overrides a
/// deletion, so that no text is lost.
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
