/// Where an account's password is; the store never contains the password itself.
package struct SecretReference: Hashable, Sendable {
    /// The kind of source: `command`, `file`, `keyring` and so on.
    package var kind: String
    /// The command line, the path or the keyring name that yields the password.
    package var reference: String

    package init(kind: String, reference: String) {
        self.kind = kind
        self.reference = reference
    }
}

/// An account on a CalDAV server.
package struct AccountRecord: Hashable, Sendable {
    /// The number that identifies the account.
    package let id: AccountID
    /// The account's display name, unique in the store.
    package let name: String
    /// The server address that discovery found (RFC 6764).
    package let url: String
    /// The user name for signing in to the server.
    package let user: String
    /// The address of the signed-in principal; `nil` when the server did not report it (RFC 5397).
    package let principal: String?
    /// The addresses of the calendar home sets (RFC 4791 §6.2.1).
    package let homeSets: [String]
    package let secret: SecretReference
    /// When the account was added, in seconds since 1970.
    package let createdAt: Int64
    /// The user's settings for this account.
    package var settings: AccountSettings
    /// The server wants no request before this time, in seconds since 1970; `nil` when the server set no time.
    package let notBefore: Int64?
}

/// A user's settings for an account, and the sign-in method that was chosen for the server.
///
/// A value that this version does not know is treated as the default.
package struct AccountSettings: Hashable, Sendable {
    /// The sign-in method: `basic`, `digest` or `bearer`.
    package var signIn = "basic"
    /// The path of a PEM file with certificates that are trusted in addition to the system's certificates.
    package var caFile: String?
    /// The path of the PEM file with the client certificate.
    package var clientCertificate: String?
    /// The path of the PEM file with the client certificate's private key; `nil` when the certificate's file has it.
    package var clientKey: String?
    /// The only accepted public key, as `sha256//` and its SHA-256 in base64; `nil` to rely on certificate authorities.
    package var pinnedKey: String?
    /// Whether the password may be sent unencrypted to another machine.
    package var allowsInsecure = false
    /// The winner when both sides changed a property: `newer` (the later change), `here` (the store) or `server`.
    package var conflictPolicy = "newer"
    /// How a repeating reminder is completed: `roll` advances the series, `override` adds an override.
    package var completesAs = "roll"
    /// The interval of automatic syncs, such as `15m`, or `never`; `nil` means the interval of the general settings.
    package var syncInterval: String?

    /// Creates settings with the default values.
    package init() {}
}

extension StoreSnapshot {
    private static let accountColumns = """
        SELECT id, name, url, "user", principal, home_sets, secret_kind, secret_reference, created, sign_in, ca_file,
            client_certificate, client_key, pinned_key, allows_insecure, conflict_policy, completes_as, not_before,
            sync_interval
        FROM account
        """

    /// Returns all accounts, oldest first.
    package func accounts() throws(DatabaseError) -> [AccountRecord] {
        try self.database.rows("\(Self.accountColumns) ORDER BY id") { AccountRecord($0) }
    }
}

extension StoreTransaction {
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when another account has this name.
    package func insertAccount(
        named name: String,
        url: String,
        user: String,
        principal: String? = nil,
        homeSets: [String] = [],
        secret: SecretReference,
        settings: AccountSettings = AccountSettings(),
        at now: Int64
    ) throws(DatabaseError) -> AccountID {
        let id = AccountID(
            try self.database.insert(
                into: "account",
                [
                    "name": .text(name), "url": .text(url), "\"user\"": .text(user), "principal": .text(principal),
                    "home_sets": .text(TextLines.join(homeSets)), "secret_kind": .text(secret.kind),
                    "secret_reference": .text(secret.reference), "created": .integer(now),
                ]
            )
        )
        try self.update(settings, of: id)
        return id
    }

    /// - Throws: ``DatabaseError/Code/notFound``.
    package func update(_ settings: AccountSettings, of id: AccountID) throws(DatabaseError) {
        let count = try self.database.update(
            "account",
            where: ["id": .id(id)],
            [
                "sign_in": .text(settings.signIn), "ca_file": .text(settings.caFile),
                "client_certificate": .text(settings.clientCertificate), "client_key": .text(settings.clientKey),
                "pinned_key": .text(settings.pinnedKey), "allows_insecure": .flag(settings.allowsInsecure),
                "conflict_policy": .text(settings.conflictPolicy), "completes_as": .text(settings.completesAs),
                "sync_interval": .text(settings.syncInterval),
            ]
        )
        guard count == 1 else { throw DatabaseError(.notFound) }
    }

    /// Passes the settings of an account to `change`, and stores the result if `change` does not throw.
    /// - Throws: ``DatabaseError/Code/notFound``, and the errors of `change`.
    package func changeSettings(of id: AccountID, _ change: (inout AccountSettings) throws -> Void) throws {
        guard var settings = try self.accounts().first(where: { $0.id == id })?.settings else {
            throw DatabaseError(.notFound)
        }
        try change(&settings)
        try self.update(settings, of: id)
    }

    /// - Throws: ``DatabaseError/Code/notFound``.
    package func update(_ secret: SecretReference, of id: AccountID) throws(DatabaseError) {
        let sql = "UPDATE account SET secret_kind = ?2, secret_reference = ?3 WHERE id = ?1"
        try self.database.changeOne(sql, [.id(id), .text(secret.kind), .text(secret.reference)])
    }

    /// Stores the time before which the server wants no request, in seconds since 1970; `nil` clears that time.
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func wait(until notBefore: Int64?, for id: AccountID) throws(DatabaseError) {
        let sql = "UPDATE account SET not_before = ?2 WHERE id = ?1"
        try self.database.changeOne(sql, [.id(id), .integer(notBefore)])
    }

    /// Removes an account; its lists become local lists and keep all their reminders.
    package func deleteAccount(_ id: AccountID) throws(DatabaseError) {
        for list in try self.lists() where list.account == id {
            try self.makeLocal(list.id)
        }
        try self.database.changeOne("DELETE FROM account WHERE id = ?1", [.id(id)])
    }
}

extension AccountRecord {
    fileprivate init(_ row: Row) {
        self.id = row.id("id")
        self.name = row.text("name")
        self.url = row.text("url")
        self.user = row.text("user")
        self.principal = row.textIfPresent("principal")
        self.homeSets = TextLines.split(row.text("home_sets"))
        self.secret = SecretReference(kind: row.text("secret_kind"), reference: row.text("secret_reference"))
        self.createdAt = row.integer("created")
        self.settings = AccountSettings()
        self.settings.signIn = row.text("sign_in")
        self.settings.caFile = row.textIfPresent("ca_file")
        self.settings.clientCertificate = row.textIfPresent("client_certificate")
        self.settings.clientKey = row.textIfPresent("client_key")
        self.settings.pinnedKey = row.textIfPresent("pinned_key")
        self.settings.allowsInsecure = row.flag("allows_insecure")
        self.settings.conflictPolicy = row.text("conflict_policy")
        self.settings.completesAs = row.text("completes_as")
        self.notBefore = row.integerIfPresent("not_before")
        self.settings.syncInterval = row.textIfPresent("sync_interval")
    }
}

/// The number that identifies an account.
package typealias AccountID = RecordID<AccountRecord>
