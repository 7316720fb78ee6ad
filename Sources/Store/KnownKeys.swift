import RemindavICalendar

/// The UIDs and addresses that a write may find in the store.
///
/// A look-up at a database server takes a round trip. After some look-ups, the transaction reads all UIDs and addresses
/// at once; afterwards, a new one needs no look-up. A key that was removed since is still contained, so that a key that
/// is not contained is certainly not in the store.
final class KnownKeys {
    /// The number of look-ups before all keys are read; most commands have fewer.
    static let patience = 20
    /// The maximum number of reminders whose keys are read, twice the standard quota; they take about 20 MB.
    static let maximumObjects = 100_000

    private let database: any Database
    private var lookUps = 0
    private var keys: Set<ByteExactString> = []
    private var isComplete = false

    init(_ database: any Database) { self.database = database }

    /// Whether a reminder or a tombstone may have this UID or address.
    func mayContain(_ key: String) throws(DatabaseError) -> Bool {
        if self.isComplete { return self.keys.contains(key.exact) }
        self.lookUps += 1
        if self.lookUps == Self.patience { try self.read() }
        return self.isComplete ? self.keys.contains(key.exact) : true
    }

    /// Adds a key that the transaction gives to a reminder.
    func add(_ key: String) { if self.isComplete { self.keys.insert(key.exact) } }

    private func read() throws(DatabaseError) {
        let sql = "SELECT uid, href FROM calendar_object UNION ALL SELECT uid, href FROM tombstone LIMIT ?1"
        var count = 0
        try self.database.forEach(sql, [.integer(Self.maximumObjects + 1)]) { row in
            count += 1
            self.keys.insert(row.text("uid").exact)
            if let href = row.textIfPresent("href") { self.keys.insert(href.exact) }
            return true
        }
        self.isComplete = count <= Self.maximumObjects
        if !self.isComplete { self.keys = [] }
    }
}
