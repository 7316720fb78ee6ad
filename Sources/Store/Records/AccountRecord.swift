/// The place of an account's secret, which is never in the store itself.
package struct SecretReference: Hashable, Sendable {
    /// `command`, `file`, `keyring` and so on.
    package var kind: String
    /// The command line, path or name.
    package var reference: String

    package init(kind: String, reference: String) {
        self.kind = kind
        self.reference = reference
    }
}

/// An account on a CalDAV server.
public struct AccountRecord: Hashable, Sendable {
    /// The number.
    public let id: AccountID
    /// Unique in the store.
    public let name: String
    /// The address that discovery found.
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
    /// The choices of the user.
    public var settings: AccountSettings
    /// Seconds since 1970, before which the server wants no request; `nil` for no such wish.
    public let notBefore: Int64?
}

/// A user's choices for an account, and the result of choosing a way to sign in.
///
/// An unknown value means the default.
public struct AccountSettings: Hashable, Sendable {
    /// How to sign in: `basic`, `digest` or `bearer`.
    public var signIn = "basic"
    /// The path of a PEM file with certificates that are trusted beside the system's.
    public var caFile: String?
    /// The path of the PEM file with the certificate that signs us in.
    public var clientCertificate: String?
    /// The path of the PEM file with its key; `nil` when the certificate's file holds it.
    public var clientKey: String?
    /// The only accepted key of the server, in the form of the transport; `nil` when an authority vouches for it.
    public var pinnedKey: String?
    /// Whether the password may travel unencrypted to another machine.
    public var allowsInsecure = false
    /// The side that wins when both changed one property: `newer`, `here` or `server`.
    public var conflictPolicy = "newer"
    /// The way to complete a repeating reminder: `roll` or `override`.
    public var completesAs = "roll"
    /// The interval of automatic syncs, such as `15m`, or `never`; `nil` for the interval of the settings.
    public var syncInterval: String?

    /// The defaults.
    public init() {}
}

extension StoreSnapshot {
    private static let accountColumns = """
        SELECT id, name, url, "user", principal, home_sets, secret_kind, secret_reference, created, sign_in, ca_file,
            client_certificate, client_key, pinned_key, allows_insecure, conflict_policy, completes_as, not_before,
            sync_interval
        FROM account
        """

    /// Oldest first.
    package func accounts() throws(DatabaseError) -> [AccountRecord] {
        try self.database.rows("\(Self.accountColumns) ORDER BY id") { AccountRecord($0) }
    }
}

extension StoreTransaction {
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

    /// Changes the current settings of an account; an error of `change` leaves them as they are.
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

    /// Records the end of the time in which the server wants no request; `nil` for none.
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func wait(until notBefore: Int64?, for id: AccountID) throws(DatabaseError) {
        let sql = "UPDATE account SET not_before = ?2 WHERE id = ?1"
        try self.database.changeOne(sql, [.id(id), .integer(notBefore)])
    }

    /// Removes an account; its lists stay, with all their reminders, as local ones.
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

/// The number of an account.
public typealias AccountID = RecordID<AccountRecord>
