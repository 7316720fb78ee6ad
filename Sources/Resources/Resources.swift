/// A resource of a collection in one version.
public struct ResourceVersion: Hashable, Sendable {
    /// The address.
    public let href: Href
    /// The version; `nil` when the server does not send one: the text then has to be fetched.
    public let etag: EntityTag?

    /// Creates a version of a resource.
    public init(href: Href, etag: EntityTag?) {
        self.href = href
        self.etag = etag
    }
}

/// A calendar object as a server holds it: address, version and text.
public struct ResourceText: Hashable, Sendable {
    /// The address.
    public let href: Href
    /// The version; `nil` when the server does not send one.
    public let etag: EntityTag?
    /// iCalendar text; its lines end in CRLF, or as the server sent them if the text contains any CR.
    public let text: [UInt8]

    /// Creates a resource with its text.
    public init(href: Href, etag: EntityTag?, text: [UInt8]) {
        self.href = href
        self.etag = etag
        self.text = text
    }

    /// The resource without its text.
    public var version: ResourceVersion { ResourceVersion(href: self.href, etag: self.etag) }
}

/// The changes of a collection since a sync token, or its whole content.
public struct ResourceChanges: Hashable, Sendable {
    /// New and changed resources, each once.
    public var changed: [ResourceVersion]
    /// Removed resources; the receiver may not know some of them.
    public var removed: [Href]
    /// The texts that came with the answer, of resources in ``changed``.
    public var texts: [ResourceText]
    /// The token for the next request; `nil` when the server has none.
    public var token: SyncToken?
    /// Whether ``changed`` contains every resource of the collection, so that any other resource is gone.
    public var isComplete: Bool

    /// Creates a set of changes.
    public init(
        changed: [ResourceVersion] = [],
        removed: [Href] = [],
        texts: [ResourceText] = [],
        token: SyncToken?,
        isComplete: Bool
    ) {
        self.changed = changed
        self.removed = removed
        self.texts = texts
        self.token = token
        self.isComplete = isComplete
    }
}

/// The result of a request for the texts of resources: each resource is in exactly one of the three lists.
public struct FetchResult<Failure: Error>: Sendable {
    /// The texts.
    public var texts: [ResourceText] = []
    /// Resources that no longer exist.
    public var missing: [Href] = []
    /// Resources that exist but could not be fetched, with the reasons.
    public var failures: [(href: Href, error: Failure)] = []

    /// Creates a result.
    public init(texts: [ResourceText] = [], missing: [Href] = [], failures: [(href: Href, error: Failure)] = []) {
        self.texts = texts
        self.missing = missing
        self.failures = failures
    }

    /// Appends the result of another request.
    public static func += (result: inout Self, other: Self) {
        result.texts += other.texts
        result.missing += other.missing
        result.failures += other.failures
    }

    /// The same result with other errors.
    public func mapFailures<Other: Error>(_ transform: (Failure) -> Other) -> FetchResult<Other> {
        FetchResult<Other>(
            texts: self.texts,
            missing: self.missing,
            failures: self.failures.map { ($0.href, transform($0.error)) }
        )
    }
}

/// The outcome of an attempt to move a resource to another collection (MOVE, RFC 4918 §9.9).
public enum MoveOutcome: Hashable, Sendable {
    /// The resource was moved and has this version; `nil` when the server does not send one.
    case moved(EntityTag?)
    /// The server does not move between these collections; nothing was written.
    case notOffered
}

/// The outcome of an attempt to fill an empty collection with one request.
public enum FillOutcome: Hashable, Sendable {
    /// The server stored the objects.
    case filled
    /// The collection is not empty, or not in the state it was listed in; nothing was written.
    case notEmpty
    /// The server does not offer it; nothing was written.
    case notOffered
}
