import CalDAV
import Store

/// The result of the discovery of an account that is not stored yet.
package struct FoundAccount: Sendable {
    /// One list, as the server shows it.
    package struct List: Hashable, Sendable {
        /// The display name on the server, or the last segment of the address.
        package let name: String
        /// Whether the server allows no changes.
        package let isReadOnly: Bool
        /// Number of items; `nil` when they were not counted.
        package internal(set) var count: Int?
    }

    /// The name of the local list.
    package let name: String
    /// The user's name at the server.
    package let user: String
    /// The address of the signed-in principal, `nil` when the server does not say.
    package let principal: String?
    /// The addresses where its lists lie.
    package let homes: [String]
    /// The lists that may hold to-dos, in the order in which they will be kept.
    package internal(set) var lists: [List]
    /// The address that was given, when this user may not see it (403): the lists are still those of the account.
    package let forbidden: String?
    /// How it is signed in to: `basic`, `digest` or `bearer`.
    package let signIn: String

    /// Whether the addresses are those of a Nextcloud or an ownCloud.
    package var isNextcloud: Bool { self.homes.contains { $0.contains("/remote.php/dav/") } }

    let collections: [CalendarCollection]
    let client: CalDAVClient
    let password: PasswordSource
    let settings: AccountSettings
    let keyPassword: PasswordSource?
}

/// Which list new reminders go to after an account was added.
package enum DefaultListChoice: Hashable, Sendable {
    /// The recorded default, or where there is none yet the oldest list that can be changed.
    case automatic
    /// A list of the account, by its place among those that were found.
    case found(Int)
    /// A list that the store has already, by its name.
    case existing(String)
}
