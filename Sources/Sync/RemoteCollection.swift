package import RemindavICalendar
package import RemindavResources

/// Read access to a list on a server.
///
/// Requests contain the addresses exactly as the server sent them; to compare addresses, use ``key(of:)``.
package protocol RemoteReading: Sendable {
    /// The canonical form of an address, in ASCII; all spellings of an address have the same key.
    func key(of href: Href) -> String
    func newHref() -> Href
    /// The address in this list for a reminder that is moved from another list.
    func href(movedFrom href: Href) -> Href
    /// The changes since `token`; all resources when `token` is `nil` or no longer valid.
    /// - Parameter wantsTexts: whether the answer should contain the texts too.
    func changes(since token: SyncToken?, wantsTexts: Bool) async throws(RemoteError) -> ResourceChanges
    /// All resources, with the texts if the server sends them; for a list that was never synced.
    func everything() async throws(RemoteError) -> ResourceChanges
    /// All resources by a full listing, without a sync token.
    func listing() async throws(RemoteError) -> ResourceChanges
    /// Fetches the texts of these resources, in any order.
    func fetch(_ hrefs: [Href], _ reason: FetchReason) async throws(RemoteError) -> FetchResult<RemoteError>
}

/// The reason for a fetch, which determines how many 404 answers prove that a resource is missing.
package enum FetchReason: Sendable {
    /// The server listed the resources, so one 404 answer does not prove that a resource is missing.
    case changed
    /// The resources were just sent, or are reported as removed, so one 404 answer proves that a resource is missing.
    case sent, removed
}

/// Write access to a list on a server.
package protocol RemoteWriting: Sendable {
    /// Stores a new object; throws ``RemoteError/Kind/conflict`` when the address is in use.
    /// - Returns: the entity tag; `nil` when it is unknown whether the server stored the text unchanged.
    func create(_ text: [UInt8], at href: Href) async throws(RemoteError) -> EntityTag?
    /// Replaces an object; throws ``RemoteError/Kind/conflict`` when the resource has another entity tag.
    func update(_ text: [UInt8], at href: Href, ifMatch etag: EntityTag) async throws(RemoteError) -> EntityTag?
    /// Moves an object; throws ``RemoteError/Kind/conflict`` when the resource has another entity tag.
    func move(_ href: Href, ifMatch etag: EntityTag, to destination: Href) async throws(RemoteError) -> MoveOutcome
    /// - Returns: whether the resource existed; a missing resource is no error.
    func delete(_ href: Href, ifMatch etag: EntityTag?) async throws(RemoteError) -> Bool
    /// Fills an empty list with one calendar of many objects in one request; the caller then has to list the objects.
    func fill(_ text: [UInt8]) async throws(RemoteError) -> FillOutcome
    /// Restores objects from the server's trash bin at their former addresses, so that their UIDs can be stored again.
    func restore(_ uids: Set<ByteExactString>) async throws(RemoteError) -> RemoteRestoration
}

extension RemoteWriting {
    package func fill(_ text: [UInt8]) async throws(RemoteError) -> FillOutcome { .notOffered }
    package func restore(_ uids: Set<ByteExactString>) async throws(RemoteError) -> RemoteRestoration { .init() }
}

/// A writer that sends nothing and gives each write the same answer.
package struct NullWriter: RemoteWriting {
    private let answer: Result<EntityTag, RemoteError>

    /// The writer for a dry run, in which every write succeeds.
    ///
    /// A sync on a copy of the store then reports the same as a real sync, except for refusals and for servers that
    /// cannot move objects.
    package static let accepting = Self(answer: .success("\"dry-run\""))

    /// The writer for a list that is read-only on the server; a reminder moved to another list is still sent there.
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

/// The outcome of restoring objects from a server's trash bin; a UID in neither set is not in the trash bin.
package struct RemoteRestoration: Sendable {
    package var restored: Set<ByteExactString> = []
    /// UIDs of objects that the server did not restore.
    package var refused: Set<ByteExactString> = []

    package init() {}
}

/// An error of a request to a server, with the distinctions that a sync needs.
package struct RemoteError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The resource has another entity tag than the request requires (status 412).
        case conflict
        /// Another resource in the list has the same UID.
        case duplicateUID
        /// The server refuses this object, but may accept others.
        case refused
        /// The server failed, so that the request may or may not have been done.
        case unknownOutcome
        case vanished
        /// The sync cannot continue, for example because of a lost connection or a wrong password.
        case stopped
    }

    package let kind: Kind
    package let underlying: any Error
    /// Whether the UID may be the cause: a server may fail with 500 if its trash bin contains the UID.
    package let mayConcernUID: Bool
    /// Whether all attempts of the request failed, so that this sync does not send the request again.
    package var isGivenUp = false
    /// Whether the server refuses this text, so that it would refuse the same text again.
    package var concernsText = false
    /// Whether the server reports that the UID is in use, although no object of the list has this UID.
    package let isUIDTaken: Bool

    package init(_ kind: Kind, _ underlying: any Error, mayConcernUID: Bool = false, isUIDTaken: Bool = false) {
        self.kind = kind
        self.underlying = underlying
        self.mayConcernUID = mayConcernUID
        self.isUIDTaken = isUIDTaken
    }

    package var description: String { "\(self.underlying)" }
}

/// An error of one reminder that the sync itself detects.
package enum ItemError: Error, Hashable, CustomStringConvertible {
    /// Another program changed the reminder at each attempt to send it.
    case contested
    /// The server accepted the reminder more than once but did not store it.
    case dropped
    /// The end of the resource's text was missing in two answers of the server.
    case cutShort(Href)

    package var description: String {
        switch self {
        case .contested: "another program changes the same reminder at the same time"
        case .dropped: "the server accepts the reminder but does not store it"
        case .cutShort(let href): "the server sends only the beginning of '\(href.lastSegment)'"
        }
    }
}
