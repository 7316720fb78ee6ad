import RemindavResources

@testable import RemindavSQLiteStore
@testable import RemindavStore

/// Texts and index rows for tests; the store does not parse the text.
enum Sample {
    static let now: Int64 = 1_795_000_000

    static func source(_ uid: String, _ title: String = "Water the plants") -> [UInt8] {
        Array("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:\(uid)\r\nSUMMARY:\(title)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n".utf8)
    }

    static func index(_ title: String = "Water the plants") -> ObjectIndex { ObjectIndex(title: title) }

    static func pulled(_ uid: String, _ href: Href, _ etag: EntityTag, _ title: String = "Pulled") -> PulledObject {
        PulledObject(
            uid: uid,
            href: href,
            etag: etag,
            StoredObject(source: self.source(uid, title), index: self.index(title))
        )
    }
}

extension ReminderStore {
    /// A local list.
    @discardableResult
    func makeList(_ name: String = "Home") throws(DatabaseError) -> ListID {
        try self.write { (transaction) throws(DatabaseError) in
            try transaction.insertList(named: name, at: Sample.now)
        }
    }

    /// Creates a list that is paired with `/dav/home/`.
    func makeSyncedList() throws(DatabaseError) -> ListID {
        try self.write { (transaction) throws(DatabaseError) in
            let account = try transaction.insertAccount(
                named: "work",
                url: "https://dav.example/",
                user: "ann",
                secret: SecretReference(kind: "command", reference: "pass show dav"),
                at: Sample.now
            )
            let list = try transaction.insertList(named: "Home", at: Sample.now)
            try transaction.adoptRemote(list, RemoteList(account: account, url: "/dav/home/"))
            return list
        }
    }

    /// Adds an object as a user does.
    @discardableResult
    func add(_ uid: String, _ title: String = "Water the plants", to list: ListID) throws(DatabaseError) -> ObjectID {
        try self.write { (transaction) throws(DatabaseError) in
            try transaction.insert(
                into: list,
                uid: uid,
                StoredObject(source: Sample.source(uid, title), index: Sample.index(title))
            )
        }
    }

    /// Edits an object as a user does.
    func edit(_ id: ObjectID, uid: String, _ title: String) throws(DatabaseError) {
        try self.write { (transaction) throws(DatabaseError) in
            try transaction.update(id, StoredObject(source: Sample.source(uid, title), index: Sample.index(title)))
        }
    }

    /// Adds an object from the server, as a sync does.
    func pull(_ uid: String, _ href: Href, into list: ListID) throws(DatabaseError) -> SyncStepOutcome {
        try self.write(.survivesKill) { (transaction) throws(DatabaseError) in
            try transaction.recordPulled(Sample.pulled(uid, href, "\"1\""), in: list)
        }
    }

    /// Returns the sync state of an existing list.
    func state(of list: ListID) throws(DatabaseError) -> SyncState {
        let state = try self.read { (snapshot) throws(DatabaseError) in try snapshot.syncState(of: list) }
        guard let state else { throw DatabaseError(.notFound) }
        return state
    }

    /// An object that exists.
    func object(_ id: ObjectID) throws(DatabaseError) -> ObjectRecord {
        let object = try self.read { (snapshot) throws(DatabaseError) in try snapshot.object(id) }
        guard let object else { throw DatabaseError(.notFound) }
        return object
    }
}

extension StoreFiles {
    /// Creates an empty database file.
    func makeEmpty() throws(DatabaseError) { try self.createDatabase { _ in } }
}

extension Row {
    /// A column by its position, for statements of tests.
    func integer(_ column: Int) -> Int64 { self.integerIfPresent(at: column) ?? 0 }
    func integerIfPresent(_ column: Int) -> Int64? { self.integerIfPresent(at: column) }
    func number(_ column: Int) -> Int { Int(self.integer(column)) }
    func text(_ column: Int) -> String { self.textIfPresent(at: column) ?? "" }
    func textIfPresent(_ column: Int) -> String? { self.textIfPresent(at: column) }
    func bytesIfPresent(_ column: Int) -> [UInt8]? { self.bytesIfPresent(at: column) }
}
