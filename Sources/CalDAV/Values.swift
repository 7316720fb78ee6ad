public import HTTP
public import Resources

/// A collection of calendar objects (RFC 4791 §4.2), with its state at the listing.
public struct CalendarCollection: Hashable, Sendable {
    /// The address; ends with a slash.
    public let url: URL
    /// The display name; `nil` when the server has none.
    public internal(set) var displayName: String?
    /// The colour as `#RRGGBB`; `nil` without one or for a name.
    public internal(set) var color: String?
    /// The permitted components, in upper case; empty if the server lists none, which means all.
    public internal(set) var components: [String] = []
    /// Whether the user may change members; true if the server does not tell.
    public internal(set) var isWritable = true
    /// The opaque state for sync-collection.
    public internal(set) var syncToken: SyncToken?
    /// The opaque state for servers without sync-collection.
    public internal(set) var ctag: String?
    /// Whether it supports sync-collection.
    public internal(set) var supportsSyncCollection = true
    /// Whether it may support calendar-query: its list of reports has it, or there is no list.
    var mayAnswerQueries = true
    /// Constant for the collection's life; another value at the same address means another collection.
    public internal(set) var resourceID: String?
    /// The largest member in bytes; `nil` when it is unknown.
    public internal(set) var maxResourceSize: Int?

    /// Creates a collection with only an address, and perhaps the resource-id.
    public init(url: URL, resourceID: String? = nil) {
        self.url = url.asFolder
        self.resourceID = resourceID
    }

    /// Whether it may contain a component such as `VTODO`.
    public func supports(_ component: String) -> Bool { self.components.isEmpty || self.components.contains(component) }

    /// Whether its state equals the known one and proves that no member has changed.
    ///
    /// - Parameter ctag: for a server without sync-collection, or a listing without tokens.
    public func isUnchanged(since token: SyncToken?, ctag: String?) -> Bool {
        if let now = self.syncToken, self.supportsSyncCollection { return Quirks.provesState(now.wire) && now == token }
        return Quirks.provesState(self.ctag) && self.ctag == ctag
    }

    /// The reference of a new member.
    ///
    /// - Parameter name: letters, digits and hyphens with `.ics` at the end, and unpredictable: every server can store
    ///   such a name, and SOGo overwrites an existing resource.
    public func href(forResource name: String) -> Href { Href(self.url.appending(segment: name).path) }
}

/// The state properties that a listing requests for each collection.
///
/// Radicale derives each of the two from every item, so that one of them takes half the time.
public enum CollectionState: Hashable, Sendable {
    case tag
    /// Only ``CalendarCollection/syncToken``: a first sync continues from it.
    case token
    case tokenAndTag

    /// The state that shows with the least work for the server whether collections are unchanged.
    ///
    /// - Parameter ctags: of the compared collections, `nil` where only a token is known; empty when none was compared
    ///   yet.
    public static func least(knowing ctags: [String?]) -> Self {
        guard !ctags.isEmpty else { return .token }
        return ctags.allSatisfy(Quirks.provesState) ? .tag : .tokenAndTag
    }
}

/// The lists of a user on a server.
public struct Discovery: Hashable, Sendable {
    /// The principal of the user; `nil` when the server names none.
    public let principal: URL?
    /// The homes of the user's calendars; new ones are created in the first.
    public let homes: [URL]
    /// Every calendar in the homes, with any components.
    public let lists: [CalendarCollection]
    /// The calendar at the given address; `nil` when the address names another resource.
    public let pasted: URL?
    /// The given address, when this user may not see it (403) and the account was found elsewhere on the server.
    public let forbidden: URL?
}

/// The condition of a write.
public enum WriteCondition: Hashable, Sendable {
    case create
    case update(EntityTag)
    case replace
}

/// The result of a deletion.
public enum DeleteOutcome: Hashable, Sendable {
    case deleted
    case alreadyGone
}
