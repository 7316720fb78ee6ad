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
}

extension StoreSnapshot {
    private static let accountColumns = """
        SELECT id, name, url, user, principal, home_sets, secret_kind, secret_reference, created FROM account
        """

    /// All accounts, oldest first.
    package func accounts() throws(DatabaseError) -> [AccountRecord] {
        try self.connection.rows("\(Self.accountColumns) ORDER BY id") { AccountRecord($0) }
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
        at now: Int64
    ) throws(DatabaseError) -> AccountID {
        try self.connection.run(
            """
            INSERT INTO account (name, url, user, principal, home_sets, secret_kind, secret_reference, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .text(name), .text(url), .text(user), .text(principal), .text(TextLines.join(homeSets)),
                .text(secret.kind), .text(secret.reference), .integer(now),
            ]
        )
        return AccountID(self.connection.lastInsertedID)
    }

    /// Removes an account.
    ///
    /// Its lists stay, with all their reminders, as local ones.
    package func deleteAccount(_ id: AccountID) throws(DatabaseError) {
        for list in try self.lists() where list.account == id {
            try self.makeLocal(list.id)
        }
        guard try self.connection.run("DELETE FROM account WHERE id = ?1", [.id(id)]) == 1 else {
            throw DatabaseError(.notFound)
        }
    }
}

extension AccountRecord {
    fileprivate init(_ row: Row) {
        self.id = row.id(0)
        self.name = row.text(1)
        self.url = row.text(2)
        self.user = row.text(3)
        self.principal = row.textIfPresent(4)
        self.homeSets = TextLines.split(row.text(5))
        self.secret = SecretReference(kind: row.text(6), reference: row.text(7))
        self.createdAt = row.integer(8)
    }
}
