/// Where the secret of an account is to be had.
///
/// The secret itself is never in the store.
package struct SecretReference: Hashable, Sendable {
    /// The kind of place, in the caller's words: `command`, `file`, `keyring` and so on.
    package var kind: String
    /// Which one: the command line, the path, the name.
    package var reference: String

    /// A place of a kind that the caller knows.
    package init(kind: String, reference: String) {
        self.kind = kind
        self.reference = reference
    }
}

/// An account on a CalDAV server.
public struct AccountRecord: Hashable, Sendable {
    /// The account's number.
    public let id: AccountID
    /// Unique in the store.
    public let name: String
    /// The address that discovery settled on.
    public let url: String
    /// The name to sign in with.
    public let user: String
    /// The address of the signed-in principal, when the server told it (RFC 5397).
    public let principal: String?
    /// The addresses of the calendar home sets (RFC 4791 §6.2.1).
    public let homeSets: [String]
    /// Where the password is.
    package let secret: SecretReference
    /// Seconds since 1970.
    public let createdAt: Int64
    /// What a person has set for it.
    public var settings: AccountSettings
    /// Seconds since 1970, before which the server wants no request; `nil` when it has not said so.
    public let notBefore: Int64?
}

/// What a person sets for an account, and what was found out about signing in.
///
/// Words of other rooms stand here as they are; a word that is not known there means what a new account has.
public struct AccountSettings: Hashable, Sendable {
    /// How to sign in: `basic`, `digest` or `bearer`.
    public var signIn = "basic"
    /// The path of a PEM file with certificates that are trusted beside the system's.
    public var caFile: String?
    /// The path of the PEM file with the certificate that signs us in.
    public var clientCertificate: String?
    /// The path of the PEM file with its key; `nil` when the certificate's file holds it.
    public var clientKey: String?
    /// The only key that the server may have, as the transport writes it; `nil` when an authority vouches for it.
    public var pinnedKey: String?
    /// Whether the password may travel unencrypted to another machine.
    public var allowsInsecure = false
    /// Who wins when both sides changed one property: `newer`, `here` or `server`.
    public var conflictPolicy = "newer"
    /// How a repeating reminder is completed: `roll` or `override`.
    public var completesAs = "roll"
    /// How often it is synced by itself, such as `15m`, or `never`; `nil` for as the settings of the program say.
    public var syncInterval: String?

    /// What a new account has.
    public init() {}
}

extension StoreSnapshot {
    private static let accountColumns = """
        SELECT id, name, url, "user", principal, home_sets, secret_kind, secret_reference, created, sign_in, ca_file,
            client_certificate, client_key, pinned_key, allows_insecure, conflict_policy, completes_as, not_before,
            sync_interval
        FROM account
        """

    /// All accounts, oldest first.
    package func accounts() throws(DatabaseError) -> [AccountRecord] {
        try self.database.rows("\(Self.accountColumns) ORDER BY id") { AccountRecord($0) }
    }
}

extension StoreTransaction {
    /// Adds an account.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when the name is taken.
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

    /// Writes what a person has set for an account.
    ///
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

    /// Changes what a person has set for an account, as it is now.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``, and what the change throws; then nothing has changed.
    package func changeSettings(of id: AccountID, _ change: (inout AccountSettings) throws -> Void) throws {
        guard var settings = try self.accounts().first(where: { $0.id == id })?.settings else {
            throw DatabaseError(.notFound)
        }
        try change(&settings)
        try self.update(settings, of: id)
    }

    /// Says where an account's secret is from now on.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func update(_ secret: SecretReference, of id: AccountID) throws(DatabaseError) {
        let sql = "UPDATE account SET secret_kind = ?2, secret_reference = ?3 WHERE id = ?1"
        guard try self.database.run(sql, [.id(id), .text(secret.kind), .text(secret.reference)]) == 1 else {
            throw DatabaseError(.notFound)
        }
    }

    /// Remembers until when an account's server wants no request; `nil` for now.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func wait(until notBefore: Int64?, for id: AccountID) throws(DatabaseError) {
        let sql = "UPDATE account SET not_before = ?2 WHERE id = ?1"
        guard try self.database.run(sql, [.id(id), .integer(notBefore)]) == 1 else {
            throw DatabaseError(.notFound)
        }
    }

    /// Removes an account.
    ///
    /// Its lists stay, with all their reminders, as local ones.
    package func deleteAccount(_ id: AccountID) throws(DatabaseError) {
        for list in try self.lists() where list.account == id {
            try self.makeLocal(list.id)
        }
        guard try self.database.run("DELETE FROM account WHERE id = ?1", [.id(id)]) == 1 else {
            throw DatabaseError(.notFound)
        }
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

/// The number of an account.
public typealias AccountID = RecordID<AccountRecord>
