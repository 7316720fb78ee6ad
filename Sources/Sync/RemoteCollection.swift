package import ICalendar
package import Store

/// The other side of a sync: one list on a server.
///
/// What lies beyond cannot be had in a test, so this is one of the program's few protocols. Hrefs go back exactly as they
/// came; they are compared by ``key(of:)`` only.
package protocol RemoteCollection: Sendable {
    /// What two spellings of one href have in common, in ASCII: strings that only look the same are no keys.
    func key(of href: Href) -> String
    /// A name for a new resource that nobody has used before.
    func newHref() -> Href
    /// Where an item of another list of the same account lies when it is moved here.
    func href(movedFrom href: Href) -> Href
    /// What has changed since `token`, or everything when `token` is `nil` or no longer good.
    ///
    /// - Parameter wantsTexts: whether the texts of everything are wanted with it, should it be everything.
    func changes(since token: SyncToken?, wantsTexts: Bool) async throws(RemoteError) -> RemoteChanges
    /// Everything that there is, with its texts if they come along; for a list of which nothing is known here.
    func everything() async throws(RemoteError) -> RemoteChanges
    /// Everything, whatever the server believes to have told before.
    func listing() async throws(RemoteError) -> RemoteChanges
    /// The texts of those resources, in any order.
    func fetch(_ hrefs: [Href]) async throws(RemoteError) -> RemoteFetch
    /// The same of one resource that is new on the server: one answer that denies it is enough.
    func look(at href: Href) async throws(RemoteError) -> RemoteFetch
    /// The same of resources that the server calls removed: one more statement that a resource is not there is enough.
    func fetch(removed hrefs: [Href]) async throws(RemoteError) -> RemoteFetch
    /// Brings items back from the server's trash into this list, each with its UID and under its old address.
    ///
    /// For UIDs that the server refuses to store since they are in its trash.
    func restore(_ uids: Set<ByteExactString>) async throws(RemoteError) -> RemoteRestoration
    /// Stores a new resource; fails with ``RemoteError/Kind/conflict`` when there is one already.
    ///
    /// - Returns: its entity tag, `nil` when the server gave none because it changed the text.
    func create(_ text: [UInt8], at href: Href) async throws(RemoteError) -> EntityTag?
    /// Fills the list, which must be empty, with a calendar of many items at once.
    ///
    /// - Returns: the outcome. The caller has to list the items as the server stored them.
    func fill(_ text: [UInt8]) async throws(RemoteError) -> RemoteFilling
    /// Replaces a resource; fails with ``RemoteError/Kind/conflict`` when it is not the one with that entity tag any more.
    func update(_ text: [UInt8], at href: Href, ifMatch etag: EntityTag) async throws(RemoteError) -> EntityTag?
    /// Moves a resource to another list of the same account; fails with ``RemoteError/Kind/conflict`` when it is not the
    /// one with that entity tag any more.
    func move(_ href: Href, ifMatch etag: EntityTag, to destination: Href) async throws(RemoteError) -> RemoteMove
    /// Removes a resource.
    ///
    /// - Returns: whether it was there; one that is gone already is no error.
    func delete(_ href: Href, ifMatch etag: EntityTag?) async throws(RemoteError) -> Bool
}

extension RemoteCollection {
    package func look(at href: Href) async throws(RemoteError) -> RemoteFetch { try await self.fetch([href]) }
    /// As ``fetch(_:)``.
    package func fetch(removed hrefs: [Href]) async throws(RemoteError) -> RemoteFetch { try await self.fetch(hrefs) }
    /// Nothing: the server has no trash.
    package func restore(_ uids: Set<ByteExactString>) async throws(RemoteError) -> RemoteRestoration {
        RemoteRestoration()
    }
}

/// The outcome of restoring items from a server's trash; UIDs in neither set are not in the trash.
package struct RemoteRestoration: Sendable {
    /// UIDs of the items that are in the list again.
    package var restored: Set<ByteExactString> = []
    /// UIDs of the items that the server keeps in its trash.
    package var refused: Set<ByteExactString> = []

    /// Nothing was found.
    package init() {}
}

/// The outcome of an attempt to fill a list with one request.
package enum RemoteFilling: Hashable, Sendable {
    /// The server took the items.
    case filled
    /// The list is not empty, or not in the state it was listed in; nothing was written.
    case notEmpty
    /// The server does not offer it; nothing was written.
    case notOffered
}

/// What came of an attempt to move a resource.
package enum RemoteMove: Hashable, Sendable {
    /// It is there now, in that version; `nil` when the server does not say which.
    case moved(EntityTag?)
    /// The server does not do that, or not here; nothing has happened.
    case notOffered
}

/// What a server says has changed.
package struct RemoteChanges: Sendable {
    /// A resource that is there.
    package struct Member: Sendable {
        /// Where it is.
        package let href: Href
        /// `nil` when the server does not say.
        package let etag: EntityTag?

        /// A resource and its version.
        package init(href: Href, etag: EntityTag?) {
            self.href = href
            self.etag = etag
        }
    }

    /// New and changed resources.
    package let changed: [Member]
    /// Resources that are gone.
    package let removed: [Href]
    /// Texts that came along.
    package let items: [RemoteItem]
    /// What to ask with next time; `nil` when the server has no such thing.
    package let token: SyncToken?
    /// Whether `changed` names every resource, so that one it does not name is gone.
    package let isComplete: Bool

    /// Everything at once.
    package init(
        changed: [Member],
        removed: [Href],
        items: [RemoteItem] = [],
        token: SyncToken?,
        isComplete: Bool
    ) {
        self.changed = changed
        self.removed = removed
        self.items = items
        self.token = token
        self.isComplete = isComplete
    }
}

/// A resource with its text.
package struct RemoteItem: Sendable {
    /// Where it is.
    package let href: Href
    /// Which version it is; `nil` when the server does not say.
    package let etag: EntityTag?
    /// Its iCalendar text.
    package let text: [UInt8]

    /// A resource, its version and its text.
    package init(href: Href, etag: EntityTag?, text: [UInt8]) {
        self.href = href
        self.etag = etag
        self.text = text
    }
}

/// What came of asking for texts.
package struct RemoteFetch: Sendable {
    /// What came.
    package let items: [RemoteItem]
    /// Asked for, and not there any more.
    package let missing: [Href]
    /// Asked for, and not to be had this time.
    package let failures: [(href: Href, error: RemoteError)]
    /// Texts that were cut off twice; see ``RemoteItem/isCutShort``.
    package let cut: [RemoteItem]

    /// Everything at once.
    package init(
        items: [RemoteItem],
        missing: [Href],
        failures: [(href: Href, error: RemoteError)] = [],
        cut: [RemoteItem] = []
    ) {
        self.items = items
        self.missing = missing
        self.failures = failures
        self.cut = cut
    }
}

/// Why the other side did not do what it was asked.
package struct RemoteError: Error, Sendable, CustomStringConvertible {
    /// What it means for the rest of the run.
    package enum Kind: Sendable {
        /// The resource is not what it was (412).
        case conflict
        /// Another resource has the same UID.
        case duplicateUID
        /// The server does not take this one item; others may still go.
        case refused
        /// The server failed; whether it did what it was asked is not known.
        case unknownOutcome
        /// The list is not there any more.
        case vanished
        /// Nothing more can be done in this run: no connection, wrong password, broken answers.
        case stopped
    }

    /// What it means for the rest of the run.
    package let kind: Kind
    /// What happened, for the person's side to explain.
    package let underlying: any Error
    /// Whether the UID may be the cause: a server may fail for a UID in its trash without naming the reason.
    package let mayConcernUID: Bool
    /// Whether all retries of the request failed, so that this run does not send it again.
    package var isGivenUp = false
    /// Whether the server refuses the text as it is, so that it refuses the same text again.
    package var concernsText = false
    /// Whether the server reports that this UID is already in use, although no item of the list has it.
    package let isUIDTaken: Bool

    /// An error and what lies behind it.
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

    /// What lies behind it, in its own words.
    package var description: String { "\(self.underlying)" }
}
