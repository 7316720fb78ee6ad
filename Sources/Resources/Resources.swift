/// The address of a resource with its entity tag.
public struct ResourceVersion: Hashable, Sendable {
    /// The address of the resource.
    public let href: Href
    /// The entity tag; `nil` when the server sends none, so that the text has to be fetched.
    public let etag: EntityTag?

    /// Creates a version of a resource.
    public init(href: Href, etag: EntityTag?) {
        self.href = href
        self.etag = etag
    }
}

/// A calendar object as a server stores it: address, entity tag and text.
public struct ResourceText: Hashable, Sendable {
    /// The address of the object.
    public let href: Href
    /// The entity tag; `nil` when the server sends none.
    public let etag: EntityTag?
    /// The iCalendar text; lone LF line ends are replaced by CRLF if the server's text contains no CR.
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
    /// New and changed resources; each occurs once.
    public var changed: [ResourceVersion]
    /// Removed resources, which may include resources that the receiver never knew.
    public var removed: [Href]
    /// Texts that the same answer contained, for some resources in ``changed``.
    public var texts: [ResourceText]
    /// The sync token for the next request; `nil` when the server sends none.
    public var token: SyncToken?
    /// Whether ``changed`` contains every resource of the collection, so that all other resources no longer exist.
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

/// The result of a request for the texts of resources; each resource is in exactly one of the three arrays.
public struct FetchResult<Failure: Error>: Sendable {
    /// The fetched texts.
    public var texts: [ResourceText] = []
    /// The addresses of resources that do not exist.
    public var missing: [Href] = []
    /// Resources that could not be fetched, each with the reason.
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

    /// The same result with each error converted by `transform`.
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
    /// The resource was moved and has this entity tag; `nil` when the server sends no strong tag.
    case moved(EntityTag?)
    /// The server cannot move between these collections; nothing was written.
    case notOffered
}

/// The outcome of an attempt to fill an empty collection with one request.
public enum FillOutcome: Hashable, Sendable {
    /// The server stored the objects.
    case filled
    /// The collection is not empty, or it has changed since its listing; nothing was written.
    case notEmpty
    /// The server does not support this request; nothing was written.
    case notOffered
}
