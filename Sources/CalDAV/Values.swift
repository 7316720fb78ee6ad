public import RemindavHTTP
public import RemindavResources

/// A collection of calendar objects (RFC 4791 §4.2), as a listing described it.
public struct CalendarCollection: Hashable, Sendable {
    /// The address, which ends with a slash.
    public let url: URL
    /// The display name; `nil` when the server has none.
    public internal(set) var displayName: String?
    /// The colour as `#RRGGBB`; `nil` without a colour, or if the server sent the name of a colour.
    public internal(set) var color: String?
    /// The permitted component names in upper case; empty, which permits all, if the server lists none.
    public internal(set) var components: [String] = []
    /// Whether the user may change members; `true` if the server does not say.
    public internal(set) var isWritable = true
    /// The sync token; `nil` when the server sends none or the listing did not request it.
    public internal(set) var syncToken: SyncToken?
    /// The CTag, which changes when a member changes; used for servers without sync-collection.
    public internal(set) var ctag: String?
    /// Whether the server supports sync-collection for this collection.
    public internal(set) var supportsSyncCollection = true
    /// Whether calendar-query may work: the server announces it, or it announces no reports at all.
    var mayAnswerQueries = true
    /// DAV:resource-id (RFC 5842), constant for the collection's life: another value means another collection.
    public internal(set) var resourceID: String?
    /// The size limit of a member, in bytes; `nil` when it is unknown.
    public internal(set) var maxResourceSize: Int?

    /// Creates a collection with only an address and an optional resource-id.
    public init(url: URL, resourceID: String? = nil) {
        self.url = url.asFolder
        self.resourceID = resourceID
    }

    /// Whether the collection may contain a component such as `VTODO`.
    public func supports(_ component: String) -> Bool { self.components.isEmpty || self.components.contains(component) }

    /// Whether the collection's state equals an earlier one and proves that no member has changed.
    ///
    /// - Parameters:
    ///   - token: the earlier sync token; `nil` when there was none.
    ///   - ctag: the earlier CTag; compared when the server has no sync-collection or sent no token.
    public func isUnchanged(since token: SyncToken?, ctag: String?) -> Bool {
        if let now = self.syncToken, self.supportsSyncCollection { return Quirks.provesState(now.wire) && now == token }
        return Quirks.provesState(self.ctag) && self.ctag == ctag
    }

    /// The address for a new member.
    ///
    /// - Parameter name: an unpredictable name of letters, digits and hyphens that ends in `.ics`. Every server can
    ///   store such a name. It must be unpredictable because SOGo would overwrite an object with the same name.
    public func href(forResource name: String) -> Href { Href(self.url.appending(segment: name).path) }
}

/// The properties of a collection's state that a listing requests.
///
/// Radicale reads all objects to compute the CTag, and again for the sync token, so a listing with only one of the two
/// takes half the time.
public enum CollectionState: Hashable, Sendable {
    /// Only the CTag.
    case tag
    /// Only ``CalendarCollection/syncToken``, which the first sync stores for the second sync.
    case token
    /// The CTag and the sync token.
    case tokenAndTag

    /// The properties that show with the least work for the server whether collections have changed.
    ///
    /// - Parameter ctags: the stored CTag of each list, `nil` for a list with only a sync token; empty before the first
    ///   sync.
    public static func least(knowing ctags: [String?]) -> Self {
        guard !ctags.isEmpty else { return .token }
        return ctags.allSatisfy(Quirks.provesState) ? .tag : .tokenAndTag
    }
}

/// The lists of a user on a server.
public struct Discovery: Hashable, Sendable {
    /// The URL of the user's principal; `nil` when the server names none.
    public let principal: URL?
    /// The user's calendar homes; new calendars are created in the first one.
    public let homes: [URL]
    /// Every calendar in the homes, whether or not it permits VTODO.
    public let lists: [CalendarCollection]
    /// The calendar at the address that the user entered; `nil` when the address names no calendar.
    public let pasted: URL?
    /// The address that the user entered, if this user may not see it (403) but the server has an account for the user.
    public let forbidden: URL?
}

/// The condition under which a PUT succeeds.
public enum WriteCondition: Hashable, Sendable {
    /// The name is free (`If-None-Match: *`).
    case create
    /// The object on the server still has this version (`If-Match`).
    case update(EntityTag)
    /// No condition: any version is replaced.
    case replace
}

/// The result of a deletion.
public enum DeleteOutcome: Hashable, Sendable {
    /// The object was deleted.
    case deleted
    /// The server had no such object.
    case alreadyGone
}
