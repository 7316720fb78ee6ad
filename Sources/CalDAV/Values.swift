public import HTTP
public import Resources

/// A collection of calendar objects (RFC 4791 §4.2), with the state that it was listed in.
public struct CalendarCollection: Hashable, Sendable {
    /// Where it lies; ends with a slash.
    public let url: URL
    /// The display name; `nil` when the server has none.
    public internal(set) var displayName: String?
    /// Its colour as `#RRGGBB`, `nil` when there is none or it is not a number.
    public internal(set) var color: String?
    /// The components that it may hold, in upper case; empty when the server does not say, which means all.
    public internal(set) var components: [String] = []
    /// Whether the person may change members; taken for true when the server does not say.
    public internal(set) var isWritable = true
    /// Its state for sync-collection, opaque.
    public internal(set) var syncToken: SyncToken?
    /// Its state for servers without sync-collection, opaque.
    public internal(set) var ctag: String?
    /// Whether it answers sync-collection.
    public internal(set) var supportsSyncCollection = true
    /// Whether it may answer calendar-query: it says so, or nothing of its reports.
    var mayAnswerQueries = true
    /// Stays the same for the collection's life; another one at the same address is another collection.
    public internal(set) var resourceID: String?
    /// Bytes that a member may have, `nil` when the server does not say.
    public internal(set) var maxResourceSize: Int?

    /// Creates a collection of which only the address is known, and perhaps the resource-id.
    public init(url: URL, resourceID: String? = nil) {
        self.url = url.asFolder
        self.resourceID = resourceID
    }

    /// Whether it may hold a component: `VTODO`.
    public func supports(_ component: String) -> Bool {
        self.components.isEmpty || self.components.contains(component)
    }

    /// Whether its state is the one that was known, and such that this proves that nothing has changed.
    ///
    /// - Parameters:
    ///   - token: the ``syncToken`` that was known, `nil` for none.
    ///   - ctag: the ``ctag`` that was known, for a server without sync-collection, or a listing without tokens.
    public func isUnchanged(since token: SyncToken?, ctag: String?) -> Bool {
        if let now = self.syncToken, self.supportsSyncCollection { return Quirks.provesState(now.wire) && now == token }
        return Quirks.provesState(self.ctag) && self.ctag == ctag
    }

    /// The reference of a member with this file name, for one that is about to be written.
    ///
    /// - Parameter name: of letters, digits and hyphens with `.ics` at the end, and not to be guessed: every server can
    ///   spell such a name, and SOGo overwrites an existing resource.
    public func href(forResource name: String) -> Href { Href(self.url.appending(segment: name).path) }
}

/// The state properties that a listing requests for each collection.
///
/// Radicale works out each of the two from every item, so that asking for one takes half the time.
public enum CollectionState: Hashable, Sendable {
    /// ``CalendarCollection/ctag`` alone, which tells that nothing has changed.
    case tag
    /// ``CalendarCollection/syncToken`` alone, from which a first sync goes on.
    case token
    /// Both.
    case tokenAndTag

    /// The one with the least work for the server that tells whether these collections are unchanged.
    ///
    /// - Parameter ctags: the states of those that were compared before, `nil` where only a token is known; empty when
    ///   nothing was compared yet.
    public static func least(knowing ctags: [String?]) -> Self {
        guard !ctags.isEmpty else { return .token }
        return ctags.allSatisfy(Quirks.provesState) ? .tag : .tokenAndTag
    }
}

/// The lists of a user on a server.
public struct Discovery: Hashable, Sendable {
    /// The principal of the user; `nil` when the server does not name one.
    public let principal: URL?
    /// Where the person's calendars lie; new ones are made in the first.
    public let homes: [URL]
    /// Every calendar in the homes, with any components.
    public let lists: [CalendarCollection]
    /// The calendar that the address itself named, `nil` when it named something else.
    public let pasted: URL?
    /// The address itself, when this user may not see it (403) and the account was found elsewhere on the server.
    public let forbidden: URL?
}

/// When a write may happen.
public enum WriteCondition: Hashable, Sendable {
    /// Only if there is nothing yet.
    case create
    /// Only if the item is still in this version.
    case update(EntityTag)
    /// In any case.
    case replace
}

/// How a deletion ended.
public enum DeleteOutcome: Hashable, Sendable {
    /// The item was there and is gone now.
    case deleted
    /// There was nothing to delete.
    case alreadyGone
}
