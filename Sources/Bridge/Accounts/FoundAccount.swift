import RemindavCalDAV
import RemindavHTTP
import RemindavStore

/// A found account on a server, before it is stored.
package struct FoundAccount: Sendable {
    package struct List: Hashable, Sendable {
        /// The display name on the server; without one, the last segment of the address.
        package let name: String
        package let isReadOnly: Bool
        /// The number of items in the list; `nil` when the server did not answer in time.
        package internal(set) var count: Int?
    }

    /// The name that the account gets in the store.
    package let name: String
    /// The lists that may contain to-dos, in the order in which they are stored later.
    package internal(set) var lists: [List]
    let client: CalDAVClient
    let discovery: Discovery
    let request: NewAccount
    let settings: AccountSettings

    package var user: String { self.request.user }
    /// The address of the principal (RFC 3744); `nil` when the server does not send it.
    package var principal: String? { self.discovery.principal?.text }
    /// The calendar home sets (RFC 4791 §6.2.1).
    package var homes: [String] { self.discovery.homes.map(\.text) }
    /// The given address if the server answered 403 for it and the lists were found elsewhere; otherwise `nil`.
    package var forbidden: String? { self.discovery.forbidden?.text }
    /// The collections on the server, in the order of ``lists``.
    var collections: [CalendarCollection] { self.discovery.lists.taskLists }
    /// Whether the server is Nextcloud or ownCloud.
    package var isNextcloud: Bool { self.homes.contains { $0.contains("/remote.php/dav/") } }
}

/// The default list for new reminders after an account was added.
package enum DefaultListChoice: Hashable, Sendable {
    /// Keeps the recorded default list; without one, the oldest writable list becomes the default.
    case automatic
    /// A list of the new account, by its index in ``FoundAccount/lists``.
    case found(Int)
    case existing(String)
}
