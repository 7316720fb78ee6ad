package import ICalendar
package import Resources

/// Read access to a list on a server, and the addresses in it.
///
/// Addresses are sent back exactly as received; they are compared by ``key(of:)`` only.
package protocol RemoteReading: Sendable {
    /// The canonical form of an address, in ASCII; two spellings of one address have the same key.
    func key(of href: Href) -> String
    func newHref() -> Href
    /// The address in this list of an item that is moved from another list.
    func href(movedFrom href: Href) -> Href
    /// The changes since `token`, or everything when `token` is `nil` or no longer valid.
    ///
    /// - Parameter wantsTexts: whether a full answer should contain the texts.
    func changes(since token: SyncToken?, wantsTexts: Bool) async throws(RemoteError) -> ResourceChanges
    /// Everything, with the texts if the server sends them; for a list of which nothing is known here.
    func everything() async throws(RemoteError) -> ResourceChanges
    /// Everything, without regard to earlier answers of the server.
    func listing() async throws(RemoteError) -> ResourceChanges
    /// The texts of these resources, in any order.
    func fetch(_ hrefs: [Href], _ reason: FetchReason) async throws(RemoteError) -> FetchResult<RemoteError>
}

/// The reason for a fetch, which decides how many answers without the resource prove that it is missing.
package enum FetchReason: Sendable {
    /// The resources exist as far as is known.
    case changed
    /// They were just sent, or are reported as removed: one answer is enough.
    case sent, removed
}

/// Write access to a list on a server.
package protocol RemoteWriting: Sendable {
    /// Fails with ``RemoteError/Kind/conflict`` when the address is in use.
    ///
    /// - Returns: `nil` when the server sent no entity tag because it changed the text.
    func create(_ text: [UInt8], at href: Href) async throws(RemoteError) -> EntityTag?
    /// Fails with ``RemoteError/Kind/conflict`` when the resource has another entity tag.
    func update(_ text: [UInt8], at href: Href, ifMatch etag: EntityTag) async throws(RemoteError) -> EntityTag?
    /// Fails with ``RemoteError/Kind/conflict`` when the resource has another entity tag.
    func move(_ href: Href, ifMatch etag: EntityTag, to destination: Href) async throws(RemoteError) -> MoveOutcome
    /// - Returns: whether the resource existed; a missing one is no error.
    func delete(_ href: Href, ifMatch etag: EntityTag?) async throws(RemoteError) -> Bool
    /// Fills the empty list with a calendar of many items in one request; the caller then lists the stored items.
    func fill(_ text: [UInt8]) async throws(RemoteError) -> FillOutcome
    /// Restores items from the server's trash at their old addresses, because the server refuses to store their UIDs.
    func restore(_ uids: Set<ByteExactString>) async throws(RemoteError) -> RemoteRestoration
}

extension RemoteWriting {
    package func fill(_ text: [UInt8]) async throws(RemoteError) -> FillOutcome { .notOffered }
    package func restore(_ uids: Set<ByteExactString>) async throws(RemoteError) -> RemoteRestoration { .init() }
}

/// A writer that gives every write the same answer and writes nothing.
package struct NullWriter: RemoteWriting {
    private let answer: Result<EntityTag, RemoteError>

    /// For a dry run.
    ///
    /// On a copy of the store, a sync with it reports the same as a real one, except refusals and a server that cannot
    /// move.
    package static let accepting = Self(answer: .success("\"dry-run\""))

    /// For a list that is read-only on the server: local changes stay unsent.
    ///
    /// An item that was moved away before is sent to its new list all the same.
    package static func refusing(_ reason: any Error) -> Self { Self(answer: .failure(RemoteError(.refused, reason))) }

    package func create(_: [UInt8], at _: Href) async throws(RemoteError) -> EntityTag? { try self.answer.get() }
    package func update(_: [UInt8], at _: Href, ifMatch _: EntityTag) async throws(RemoteError) -> EntityTag? {
        try self.answer.get()
    }
    package func move(_: Href, ifMatch etag: EntityTag, to _: Href) async throws(RemoteError) -> MoveOutcome {
        if case .success = self.answer { .moved(etag) } else { .notOffered }
    }
    package func delete(_: Href, ifMatch _: EntityTag?) async throws(RemoteError) -> Bool {
        _ = try self.answer.get()
        return true
    }
}

/// The outcome of restoring items from a server's trash; UIDs in neither set are not in the trash.
package struct RemoteRestoration: Sendable {
    package var restored: Set<ByteExactString> = []
    /// UIDs of items that the server keeps in its trash.
    package var refused: Set<ByteExactString> = []

    package init() {}
}

/// The error of a request to a server, as far as a sync distinguishes errors.
package struct RemoteError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The resource has another version (412).
        case conflict
        /// Another resource has the same UID.
        case duplicateUID
        /// The server refuses this item; others may still be accepted.
        case refused
        /// The server failed; it may have done the request.
        case unknownOutcome
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

    package init(_ kind: Kind, _ underlying: any Error, mayConcernUID: Bool = false, isUIDTaken: Bool = false) {
        self.kind = kind
        self.underlying = underlying
        self.mayConcernUID = mayConcernUID
        self.isUIDTaken = isUIDTaken
    }

    package var description: String { "\(self.underlying)" }
}

/// An error of one item that the sync finds itself.
package enum ItemError: Error, Hashable, CustomStringConvertible {
    /// Another program changes the item again and again while this sync sends it.
    case contested
    /// The server accepts the item again and again and does not store it.
    case dropped
    /// The server sent the text of the resource twice without its end.
    case cutShort(Href)

    package var description: String {
        switch self {
        case .contested: "another program keeps changing the item at the same time"
        case .dropped: "the server accepts the item, and does not keep it"
        case .cutShort(let href): "the server sends only the beginning of '\(href.lastSegment)'"
        }
    }
}
