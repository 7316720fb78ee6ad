package import ICalendar
package import Resources

/// The read access to a list on a server, and the addresses in it.
///
/// A test cannot have a real server, so this is one of the program's few protocols. Addresses are sent back exactly as they
/// were received; they are compared by ``key(of:)`` only.
package protocol RemoteReading: Sendable {
    /// The canonical form of an address, in ASCII; two spellings of one address have the same key.
    func key(of href: Href) -> String
    /// An unused address for a new resource.
    func newHref() -> Href
    /// The address in this list of an item that is moved from another list of the account.
    func href(movedFrom href: Href) -> Href
    /// The changes since `token`, or everything when `token` is `nil` or no longer valid.
    ///
    /// - Parameter wantsTexts: whether the answer should contain the texts, if it is everything.
    func changes(since token: SyncToken?, wantsTexts: Bool) async throws(RemoteError) -> ResourceChanges
    /// Everything, with the texts if the server sends them; for a list of which nothing is known here.
    func everything() async throws(RemoteError) -> ResourceChanges
    /// Everything, without regard to earlier answers of the server.
    func listing() async throws(RemoteError) -> ResourceChanges
    /// The texts of these resources, in any order.
    func fetch(_ hrefs: [Href]) async throws(RemoteError) -> FetchResult<RemoteError>
    /// The text of a resource that was just sent: one answer that denies it is enough to call it missing.
    func fetchOnce(_ href: Href) async throws(RemoteError) -> FetchResult<RemoteError>
    /// The texts of resources that the server reports as removed: one more answer is enough to call them missing.
    func fetch(removed hrefs: [Href]) async throws(RemoteError) -> FetchResult<RemoteError>
}

extension RemoteReading {
    package func fetchOnce(_ href: Href) async throws(RemoteError) -> FetchResult<RemoteError> {
        try await self.fetch([href])
    }
    package func fetch(removed hrefs: [Href]) async throws(RemoteError) -> FetchResult<RemoteError> {
        try await self.fetch(hrefs)
    }
}

/// The write access to a list on a server.
package protocol RemoteWriting: Sendable {
    /// Stores a new resource; fails with ``RemoteError/Kind/conflict`` when the address is in use.
    ///
    /// - Returns: its entity tag; `nil` when the server sent none because it changed the text.
    func create(_ text: [UInt8], at href: Href) async throws(RemoteError) -> EntityTag?
    /// Replaces a resource; fails with ``RemoteError/Kind/conflict`` when it has another entity tag.
    func update(_ text: [UInt8], at href: Href, ifMatch etag: EntityTag) async throws(RemoteError) -> EntityTag?
    /// Moves a resource to another list of the account; fails with ``RemoteError/Kind/conflict`` when it has another
    /// entity tag.
    func move(_ href: Href, ifMatch etag: EntityTag, to destination: Href) async throws(RemoteError) -> MoveOutcome
    /// Deletes a resource.
    ///
    /// - Returns: whether it existed; a missing one is no error.
    func delete(_ href: Href, ifMatch etag: EntityTag?) async throws(RemoteError) -> Bool
    /// Fills the list, which must be empty, with a calendar of many items in one request.
    ///
    /// The caller has to list the items as the server stored them.
    func fill(_ text: [UInt8]) async throws(RemoteError) -> FillOutcome
    /// Restores items from the server's trash into this list, each with its UID and at its old address.
    ///
    /// For UIDs that the server refuses to store because they are in its trash.
    func restore(_ uids: Set<ByteExactString>) async throws(RemoteError) -> RemoteRestoration
}

extension RemoteWriting {
    /// ``FillOutcome/notOffered``.
    package func fill(_ text: [UInt8]) async throws(RemoteError) -> FillOutcome { .notOffered }
    /// Nothing: the server has no trash.
    package func restore(_ uids: Set<ByteExactString>) async throws(RemoteError) -> RemoteRestoration {
        RemoteRestoration()
    }
}

/// The writer of a list that the server lets no user change: local changes stay unsent, and nothing is written.
///
/// An item that was moved away before is sent to its new list all the same.
package struct ReadOnlyWriter: RemoteWriting {
    private let error: RemoteError

    /// - Parameter reason: the error that is reported for each change.
    package init(reason: any Error) { self.error = RemoteError(.refused, reason) }

    package func create(_: [UInt8], at _: Href) async throws(RemoteError) -> EntityTag? { throw self.error }
    package func update(_: [UInt8], at _: Href, ifMatch _: EntityTag) async throws(RemoteError) -> EntityTag? {
        throw self.error
    }
    package func move(_: Href, ifMatch _: EntityTag, to _: Href) async throws(RemoteError) -> MoveOutcome {
        .notOffered
    }
    package func delete(_: Href, ifMatch _: EntityTag?) async throws(RemoteError) -> Bool { throw self.error }
}

/// The writer of a dry run: reports success and writes nothing.
///
/// On a copy of the store, a sync with it reports the same as a real one, except refusals and a server that cannot move.
package struct DryRunWriter: RemoteWriting {
    /// The version of everything that was not really written.
    private static let etag = EntityTag("\"dry-run\"")

    package init() {}

    package func create(_: [UInt8], at _: Href) async throws(RemoteError) -> EntityTag? { Self.etag }
    package func update(_: [UInt8], at _: Href, ifMatch _: EntityTag) async throws(RemoteError) -> EntityTag? {
        Self.etag
    }
    package func move(_: Href, ifMatch etag: EntityTag, to _: Href) async throws(RemoteError) -> MoveOutcome {
        .moved(etag)
    }
    package func delete(_: Href, ifMatch _: EntityTag?) async throws(RemoteError) -> Bool { true }
}

/// The outcome of restoring items from a server's trash; UIDs in neither set are not in the trash.
package struct RemoteRestoration: Sendable {
    /// UIDs of the items that are in the list again.
    package var restored: Set<ByteExactString> = []
    /// UIDs of the items that the server keeps in its trash.
    package var refused: Set<ByteExactString> = []

    package init() {}
}

/// The error of a request to a server, as far as a sync distinguishes errors.
package struct RemoteError: Error, Sendable, CustomStringConvertible {
    /// The effect of an error on the rest of the sync.
    package enum Kind: Sendable {
        /// The resource has another version (412).
        case conflict
        /// Another resource has the same UID.
        case duplicateUID
        /// The server refuses this item; others may still be accepted.
        case refused
        /// The server failed; it may have done the request.
        case unknownOutcome
        /// The list no longer exists.
        case vanished
        /// Nothing more can be done in this sync: no connection, wrong password, unreadable answers.
        case stopped
    }

    package let kind: Kind
    package let underlying: any Error
    /// Whether the UID may be the cause: a server may fail for a UID in its trash without naming the reason.
    package let mayConcernUID: Bool
    /// Whether all retries of the request failed, so that this sync does not send it again.
    package var isGivenUp = false
    /// Whether the server refuses the text as it is, so that it refuses the same text again.
    package var concernsText = false
    /// Whether the server reports that this UID is already in use, although no item of the list has it.
    package let isUIDTaken: Bool

    package init(
        _ kind: Kind,
        _ underlying: any Error,
        mayConcernUID: Bool = false,
        isUIDTaken: Bool = false
    ) {
        self.kind = kind
        self.underlying = underlying
        self.mayConcernUID = mayConcernUID
        self.isUIDTaken = isUIDTaken
    }

    package var description: String { "\(self.underlying)" }
}
