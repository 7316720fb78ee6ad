package import Store

/// What a sync of one list did, or in a dry run would do.
package struct SyncReport: Sendable {
    /// Items taken from the server, new and changed.
    package var pulled = 0
    /// Items sent to the server, new and changed.
    package var pushed = 0
    /// Items that both sides had changed.
    package var merged = 0
    /// Properties that both sides had changed differently.
    package var conflicts = 0
    /// Items moved to this list on the server.
    package var moved = 0
    /// Items whose state the server had kept from us until a full listing was compared.
    package var repaired = 0
    /// Items deleted here because the server no longer has them.
    package var deletedLocally = 0
    /// Items deleted on the server.
    package var deletedRemotely = 0
    /// Deletions that wait for the person's word.
    package var held = 0
    /// Items that the server would not take, or that could not be fetched; they are tried again next time.
    package var failures: [Failure] = []
    /// Resources of the server that hold no to-do that can be read.
    ///
    /// They are left alone.
    package var unreadable = 0

    /// An item that could not be synchronised.
    package struct Failure: Sendable {
        /// The item, `nil` for one that is only on the server.
        package let id: ObjectID?
        /// The resource on the server, `nil` for an item that has none yet.
        package let href: Href?
        /// Why.
        package let error: RemoteError
        /// What the item was called, of one that was deleted here and could not be deleted there.
        package var titleOfDeleted: String?
    }

    /// Nothing done yet.
    package init() {}
}
