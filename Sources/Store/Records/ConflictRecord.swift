/// A side of a sync.
package enum SyncSide: String, Hashable, Sendable {
    /// This store.
    case local = "local"
    /// The server.
    case remote = "remote"
}

/// The property value that lost when both sides had changed the property; it is stored so that a user can restore it.
package struct ConflictNote: Hashable, Sendable {
    /// The id of the object; the object may have been deleted since.
    package var object: ObjectID?
    /// The object's UID.
    package var uid: String
    /// The iCalendar name of the property.
    package var property: String
    /// The content lines that lost; empty when the losing side had removed the property.
    package var losingText: String
    /// The content lines that won; empty when the winning side had removed the property.
    package var winningText: String
    /// The side whose value lost.
    package var losingSide: SyncSide
    /// The keys of the component with the property (`ComponentPath.keys`); it may be empty for the main VTODO.
    package var component: [String]
    /// The losing content lines with their original bytes, for restoring them; `nil` when they were not stored.
    package var losingLines: [UInt8]?

    /// Creates a note.
    package init(
        object: ObjectID?,
        uid: String,
        property: String,
        losingText: String,
        winningText: String,
        losingSide: SyncSide,
        component: [String] = [],
        losingLines: [UInt8]? = nil
    ) {
        self.object = object
        self.uid = uid
        self.property = property
        self.losingText = losingText
        self.winningText = winningText
        self.losingSide = losingSide
        self.component = component
        self.losingLines = losingLines
    }
}

/// A conflict in the store.
package struct ConflictRecord: Hashable, Sendable {
    /// The number that identifies the conflict.
    package let id: ConflictID
    /// The list of the object.
    package let list: ListID
    /// The values of both sides.
    package let note: ConflictNote
    /// When the sync found the conflict, in seconds since 1970.
    package let at: Int64
    /// When a user restored the losing value or dismissed the conflict, in seconds since 1970; `nil` while unsettled.
    package let settledAt: Int64?
}

extension StoreSnapshot {
    private static let conflictColumns = """
        SELECT id, list, object, uid, property, losing_text, winning_text, losing_side, at, component, losing_lines,
            settled
        FROM conflict
        """

    /// Returns conflicts, newest first.
    ///
    /// - Parameter unsettledOnly: whether to omit the conflicts that a user has settled.
    package func conflicts(in list: ListID? = nil, unsettledOnly: Bool = false) throws(DatabaseError)
        -> [ConflictRecord]
    {
        let isWanted = unsettledOnly ? "settled IS NULL" : "TRUE"
        return try self.database.rows(
            "\(Self.conflictColumns) WHERE (CAST(?1 AS BIGINT) IS NULL OR list = ?1) AND \(isWanted) ORDER BY id DESC",
            [.id(list)]
        ) { ConflictRecord($0) }
    }

    package func conflict(_ id: ConflictID) throws(DatabaseError) -> ConflictRecord? {
        try self.database.first("\(Self.conflictColumns) WHERE id = ?1", [.id(id)]) { ConflictRecord($0) }
    }

    package func unsettledConflictCount() throws(DatabaseError) -> Int {
        try self.database.count("SELECT count(*) FROM conflict WHERE settled IS NULL")
    }
}

extension StoreTransaction {
    /// Adds a conflict; the step that decided the conflict runs in the same `write`.
    @discardableResult
    package func recordConflict(
        _ note: ConflictNote,
        in list: ListID,
        at now: Int64
    ) throws(DatabaseError) -> ConflictID {
        ConflictID(
            try self.database.insert(
                into: "conflict",
                [
                    "list": .id(list), "object": .id(note.object), "uid": .text(note.uid),
                    "property": .text(note.property), "losing_text": .text(note.losingText),
                    "winning_text": .text(note.winningText), "losing_side": .text(note.losingSide.rawValue),
                    "at": .integer(now), "component": .text(TextLines.join(note.component)),
                    "losing_lines": .blob(note.losingLines),
                ]
            )
        )
    }

    /// Records that a user restored the losing value or dismissed the conflict.
    /// - Returns: whether the conflict exists.
    @discardableResult
    package func settle(_ id: ConflictID, at now: Int64) throws(DatabaseError) -> Bool {
        let sql = "UPDATE conflict SET settled = coalesce(settled, ?2) WHERE id = ?1"
        return try self.database.run(sql, [.id(id), .integer(now)]) == 1
    }

    /// - Returns: the number of conflicts that this call settled.
    package func settleAllConflicts(at now: Int64) throws(DatabaseError) -> Int {
        try self.database.run("UPDATE conflict SET settled = ?1 WHERE settled IS NULL", [.integer(now)])
    }
}

extension ConflictRecord {
    fileprivate init(_ row: Row) {
        self.id = row.id("id")
        self.list = row.id("list")
        self.note = ConflictNote(
            object: row.idIfPresent("object"),
            uid: row.text("uid"),
            property: row.text("property"),
            losingText: row.text("losing_text"),
            winningText: row.text("winning_text"),
            losingSide: SyncSide(rawValue: row.text("losing_side")) ?? .local,
            component: TextLines.split(row.text("component")),
            losingLines: row.bytesIfPresent("losing_lines")
        )
        self.at = row.integer("at")
        self.settledAt = row.integerIfPresent("settled")
    }
}

/// The number that identifies a conflict.
package typealias ConflictID = RecordID<ConflictRecord>
