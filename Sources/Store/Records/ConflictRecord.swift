/// A side of a sync.
public enum SyncSide: String, Hashable, Sendable {
    /// This store.
    case local
    /// The server.
    case remote
}

/// What lost when both sides had changed one property, kept for a person to look at.
public struct ConflictNote: Hashable, Sendable {
    /// The object's number; it may have been deleted since.
    public var object: ObjectID?
    /// The object's UID.
    public var uid: String
    /// The property's name on the wire.
    public var property: String
    /// The content lines that were overruled; empty when that side had removed the property.
    public var losingText: String
    /// The content lines that stand; empty likewise.
    public var winningText: String
    /// Whose value was overruled.
    public var losingSide: SyncSide

    /// A note, which is in no store yet.
    public init(
        object: ObjectID?,
        uid: String,
        property: String,
        losingText: String,
        winningText: String,
        losingSide: SyncSide
    ) {
        self.object = object
        self.uid = uid
        self.property = property
        self.losingText = losingText
        self.winningText = winningText
        self.losingSide = losingSide
    }
}

/// A note about a conflict, as the store keeps it.
public struct ConflictRecord: Hashable, Sendable {
    /// The note's number.
    public let id: ConflictID
    /// The list of the object.
    public let list: ListID
    /// What happened.
    public let note: ConflictNote
    /// Seconds since 1970.
    public let at: Int64
}

extension StoreSnapshot {
    /// What was overruled, newest first.
    public func conflicts(in list: ListID? = nil) throws(DatabaseError) -> [ConflictRecord] {
        try self.connection.rows(
            """
            SELECT id, list, object, uid, property, losing_text, winning_text, losing_side, at
            FROM conflict WHERE ?1 IS NULL OR list = ?1 ORDER BY id DESC
            """,
            [.id(list)]
        ) { ConflictRecord($0) }
    }
}

extension StoreTransaction {
    /// Keeps what was overruled.
    ///
    /// In the same `write` as the step that overruled it.
    @discardableResult
    package func recordConflict(
        _ note: ConflictNote,
        in list: ListID,
        at now: Int64
    ) throws(DatabaseError) -> ConflictID {
        try self.connection.run(
            """
            INSERT INTO conflict (list, object, uid, property, losing_text, winning_text, losing_side, at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .id(list), .id(note.object), .text(note.uid), .text(note.property), .text(note.losingText),
                .text(note.winningText), .text(note.losingSide.rawValue), .integer(now),
            ]
        )
        return ConflictID(self.connection.lastInsertedID)
    }
}

extension ConflictRecord {
    fileprivate init(_ row: Row) {
        self.id = row.id(0)
        self.list = row.id(1)
        self.note = ConflictNote(
            object: row.idIfPresent(2),
            uid: row.text(3),
            property: row.text(4),
            losingText: row.text(5),
            winningText: row.text(6),
            losingSide: SyncSide(rawValue: row.text(7)) ?? .local
        )
        self.at = row.integer(8)
    }
}
