import CalDAV
import HTTP
import Store

/// The result of the discovery of an account that is not stored yet.
package struct FoundAccount: Sendable {
    package struct List: Hashable, Sendable {
        /// The display name on the server, or the last segment of the address.
        package let name: String
        package let isReadOnly: Bool
        /// `nil` when they were not counted.
        package internal(set) var count: Int?
    }

    /// The name of the account here.
    package let name: String
    /// The lists that may hold to-dos, in the order in which they are stored.
    package internal(set) var lists: [List]
    let client: CalDAVClient
    let discovery: Discovery
    let request: NewAccount
    let settings: AccountSettings

    package var user: String { self.request.user }
    /// `nil` when the server does not send it.
    package var principal: String? { self.discovery.principal?.text }
    /// The calendar home sets (RFC 4791 §6.2.1).
    package var homes: [String] { self.discovery.homes.map(\.text) }
    /// The given address, if this user may not read it (403); the lists are still those of the account.
    package var forbidden: String? { self.discovery.forbidden?.text }
    /// In the order of ``lists``.
    var collections: [CalendarCollection] { self.discovery.lists.taskLists }
    /// Also true for ownCloud.
    package var isNextcloud: Bool { self.homes.contains { $0.contains("/remote.php/dav/") } }
}

/// The list for new reminders after an account was added.
package enum DefaultListChoice: Hashable, Sendable {
    /// The recorded default list; without one, the oldest list that can be changed.
    case automatic
    /// A list of the account, by its index among those found.
    case found(Int)
    case existing(String)
}
