import RemindavBridge

/// An account on a CalDAV server, without its password.
public struct Account: Hashable, Sendable {
    /// The name of the account, by which other functions name it.
    public let name: String
    /// The address of the calendar home (RFC 4791 §6.2.1), without a user and a password.
    public let address: String
    /// The name of the user at the server.
    public let user: String
    /// The names of its lists.
    public let lists: [String]

    init(_ view: AccountView) {
        (self.name, self.address, self.user, self.lists) = (view.name, view.address, view.user, view.lists)
    }
}

/// The source of the password of an account.
public struct PasswordSource: Hashable, Sendable {
    let source: RemindavBridge.PasswordSource

    /// A password that the library stores: in the desktop's keyring, or in the store's folder with the mode 0600.
    public static func password(_ text: String) -> Self { Self(source: .keeping(text)) }

    /// A shell command that prints the password as its first line; it runs at each sync.
    public static func command(_ command: String) -> Self { Self(source: .command(command)) }

    /// A shell command that prints a bearer token (RFC 6750) as its first line; it runs at each sync.
    public static func tokenCommand(_ command: String) -> Self { Self(source: .tokenCommand(command)) }
}

/// The lists that discovery found for a user, before the account is stored.
public struct DiscoveredAccount: Sendable {
    /// A list of the user on the server.
    public struct List: Hashable, Sendable {
        /// The display name on the server; without one, the last part of the address.
        public let name: String
        /// Whether the user may not change the reminders of the list.
        public let isReadOnly: Bool
    }

    let found: FoundAccount
    /// The name that the account gets: the host of the server, with a number if another account has that name.
    public var name: String { self.found.name }
    /// The lists that may contain reminders.
    public var lists: [List] { self.found.lists.map { List(name: $0.name, isReadOnly: $0.isReadOnly) } }
}

/// A sign-in with a browser that a server has begun (Nextcloud Login Flow v2).
public struct BrowserSignIn: Sendable {
    let login: BrowserLogin
    let address: String
    /// The address of the page on which the user grants access.
    public var page: String { self.login.page }
}

extension Remindav {
    /// Returns all accounts, in the order in which they were added.
    public func accounts() throws(RemindavError) -> [Account] {
        try self.perform { try self.useCases.accounts().map { Account($0) } }
    }

    /// Finds the lists of a user on a server, without a change of the store (RFC 6764, RFC 5397, RFC 4791).
    ///
    /// - Parameters:
    ///   - address: an address in any usual form: a host, the address of the web pages, of a calendar, or a mail
    ///     address.
    ///   - user: the name of the user at the server.
    ///   - password: the source of the password; the server gets it only over TLS, or on this machine.
    public func discover(
        _ address: String,
        user: String,
        password: PasswordSource
    ) async throws(RemindavError) -> DiscoveredAccount {
        try await self.perform { useCases in
            let request = NewAccount(address: address, user: user, password: password.source)
            return DiscoveredAccount(found: try await useCases.findAccount(request))
        }
    }

    /// Stores a discovered account with its password.
    ///
    /// - Parameters:
    ///   - account: the result of the discovery.
    ///   - lists: the indices of the lists to sync in ``DiscoveredAccount/lists``; `nil` for all.
    @discardableResult
    public func addAccount(_ account: DiscoveredAccount, lists: Set<Int>? = nil) throws(RemindavError) -> Account {
        try self.perform { Account(try self.useCases.keep(account.found, lists: lists)) }
    }

    /// Finds the lists of a user on a server, and stores the account with all of them.
    @discardableResult
    public func addAccount(
        at address: String,
        user: String,
        password: PasswordSource
    ) async throws(RemindavError) -> Account {
        try self.addAccount(try await self.discover(address, user: user, password: password))
    }

    /// Begins a sign-in with a browser; the program then opens ``BrowserSignIn/page`` for the user.
    ///
    /// - Throws: ``RemindavError/Code/notDAV`` if the server does not offer it.
    public func beginBrowserSignIn(at address: String) async throws(RemindavError) -> BrowserSignIn {
        try await self.perform { useCases in
            BrowserSignIn(login: try await useCases.browserLogin(at: address), address: address)
        }
    }

    /// Waits until the user has granted access, at most twenty minutes, and finds the lists of the user.
    ///
    /// - Throws: ``RemindavError/Code/loginTimedOut`` without access in this time.
    public func awaitAccess(_ signIn: BrowserSignIn) async throws(RemindavError) -> DiscoveredAccount {
        try await self.perform { useCases in
            let grant = try await useCases.wait(for: signIn.login)
            var request = NewAccount(address: signIn.address, user: grant.user, password: grant.password)
            request.isAppPassword = true
            return DiscoveredAccount(found: try await useCases.findAccount(request))
        }
    }

    /// Removes an account with its lists and its password from the store; nothing changes on the server.
    ///
    /// - Parameters:
    ///   - name: the name of the account.
    ///   - discardsUnsent: whether unsent changes may get lost. Otherwise they cause the code
    ///     ``RemindavError/Code/unsentChanges``.
    public func removeAccount(named name: String, discardsUnsent: Bool = false) throws(RemindavError) {
        try self.perform { _ = try self.useCases.removeAccount(named: name, discardUnsent: discardsUnsent) }
    }
}
