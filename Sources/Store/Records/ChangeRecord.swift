/// How a sync, an operation or an undo changed an item on one side: in the store or on the server.
package enum ChangeKind: String, Hashable, Sendable, CaseIterable {
    case added = "added"
    /// The side received the version of the other side, or a user edited the item in the store.
    case changed = "changed"
    /// The side received a merge of both versions.
    case merged = "merged"
    /// The item was moved from one list to another; the change is recorded for the new list.
    case moved = "moved"
    case deleted = "deleted"
}

/// The description of a change, from the code that makes the change.
package struct ChangeNote: Hashable, Sendable {
    package var object: ObjectID
    package var uid: String
    package var title: String
    package var side: SyncSide
    package var kind: ChangeKind
    /// The item's text on that side before the change; `nil` for an added or moved item.
    package var before: [UInt8]?
    /// The item's text after the change; `nil` for a deleted or moved item, and for an item that a sync added.
    package var after: [UInt8]?
    /// The former list of a moved item; `nil` for most other changes.
    ///
    /// For an item that the server had before the first sync of the list, it is that list.
    package var origin: ListID?

    package init(
        object: ObjectID,
        uid: String,
        title: String,
        side: SyncSide,
        kind: ChangeKind,
        before: [UInt8]? = nil,
        after: [UInt8]? = nil,
        origin: ListID? = nil
    ) {
        self.object = object
        self.uid = uid
        self.title = title
        self.side = side
        self.kind = kind
        self.before = before
        self.after = after
        self.origin = origin
    }

    /// Whether the change only records that the server had the item before the first sync of the list.
    package var wasThereBefore: Bool { self.kind == .added && self.origin != nil }
}

package struct ChangeRecord: Hashable, Sendable {
    package let id: ChangeID
    package let run: RunID
    /// The list of the changed item; the list may have been deleted since.
    package let list: ListID
    /// The details of the change; ``StoreSnapshot/changes(_:)`` omits `before` and `after`.
    package let note: ChangeNote
    /// When the change was made, in seconds since 1970.
    package let at: Int64
    /// When the change was undone, in seconds since 1970; `nil` for never, or when the undo was itself undone.
    package let undoneAt: Int64?
    /// The change that this change undoes; `nil` for a change that is not an undo.
    package let reverses: ChangeID?
}

package enum ChangeSelection: Hashable, Sendable {
    case run(RunID)
    /// The newest changes, at most this many.
    case newest(Int)
    /// The trash: deletions since a time, in seconds since 1970, without reminders that exist again or were moved.
    ///
    /// A reminder stays in the trash if a separate reminder with the same UID exists in another list. Each reminder
    /// occurs once: with its deletion in the store, or, if there is none, with its deletion on the server.
    case trash(since: Int64)
}

extension StoreSnapshot {
    /// Returns the reminders that were changed after a change, and the newest change.
    ///
    /// - Parameter change: the number of a change; 0 for all changes.
    /// - Returns: `last` is `change` if there is no newer one.
    package func changedObjects(after change: Int64) throws(DatabaseError) -> (objects: Set<ObjectID>, last: Int64) {
        let sql = "SELECT object, max(id) AS last FROM change WHERE id > ?1 AND entity = 'reminder' GROUP BY object"
        let rows = try self.database.rows(sql, [.integer(change)]) { row in
            (object: ObjectID(rawValue: row.integer("object")), last: row.integer("last"))
        }
        return (Set(rows.map(\.object)), rows.map(\.last).max() ?? change)
    }

    private static let changeColumns =
        "SELECT id, run, list, object, key, title, side, kind, at, undone, reverses, origin"

    /// Returns changes without their texts: the changes of one run in their order, other selections newest first.
    package func changes(_ selection: ChangeSelection) throws(DatabaseError) -> [ChangeRecord] {
        let columns = "\(Self.changeColumns), NULL AS before, NULL AS after FROM change"
        switch selection {
        case .run(let run):
            return try self.database.rows("\(columns) WHERE run = ?1 AND entity = 'reminder' ORDER BY id", [.id(run)]) {
                ChangeRecord($0)
            }
        case .newest(let count):
            let sql = "\(columns) WHERE entity = 'reminder' ORDER BY id DESC LIMIT ?1"
            return try self.database.rows(sql, [.integer(count)]) { ChangeRecord($0) }
        case .trash(let since):
            let sql = """
                WITH arrival AS MATERIALIZED (
                    SELECT change.key, max(run) AS run
                    FROM change JOIN sync_run ON sync_run.id = run
                    JOIN calendar_object AS there ON there.list = change.list AND there.uid = change.key
                    WHERE kind = 'added' AND side = 'local' AND account <> '' GROUP BY change.key
                )
                \(columns) AS entry WHERE entity = 'reminder' AND kind = 'deleted' AND undone IS NULL AND at >= ?1
                AND NOT EXISTS (SELECT 1 FROM calendar_object WHERE list = entry.list AND uid = entry.key)
                AND NOT EXISTS (SELECT 1 FROM calendar_object WHERE id = entry.object AND uid = entry.key)
                -- A sync deletes a reminder where it was if a user has moved it or restored it into another list.
                AND NOT (side = 'remote' AND (
                    EXISTS (
                        SELECT 1 FROM change AS move
                        WHERE object = entry.object AND kind <> 'added' AND kind = 'moved' AND origin = entry.list
                            AND id < entry.id
                    )
                    OR EXISTS (
                        SELECT 1 FROM change AS restored
                        WHERE list = entry.list AND key = entry.key AND kind = 'deleted' AND side = 'local'
                            AND undone IS NOT NULL AND id < entry.id
                    )
                ))
                -- A reminder that was moved on the server arrives in another list by the same sync or a later one.
                AND NOT (
                    side = 'local' AND (SELECT account FROM sync_run WHERE id = entry.run) <> ''
                    AND EXISTS (SELECT 1 FROM arrival WHERE key = entry.key AND run >= entry.run)
                )
                AND id = (
                    SELECT id FROM change
                    WHERE list = entry.list AND key = entry.key AND kind = 'deleted' AND undone IS NULL
                    ORDER BY CASE side WHEN 'local' THEN 0 ELSE 1 END, id DESC LIMIT 1
                )
                ORDER BY id DESC
                """
            return try self.database.rows(sql, [.integer(since)]) { ChangeRecord($0) }
        }
    }

    package func changeCounts(of run: RunID) throws(DatabaseError) -> [ChangeCount] {
        let sql = """
            SELECT side, kind, count(*) AS changes, count(undone) AS undone, count(reverses) AS reversals
            FROM change WHERE run = ?1 AND entity = 'reminder' GROUP BY side, kind
            """
        return try self.database.rows(sql, [.id(run)]) { ChangeCount($0) }
    }

    /// Returns the deletions of a reminder, on both sides, that are not undone.
    ///
    /// Deletions of an earlier reminder with the same UID but another object id are omitted.
    package func deletions(of object: ObjectID, in list: ListID, uid: String) throws(DatabaseError) -> [ChangeID] {
        let sql = """
            SELECT id FROM change
            WHERE list = ?1 AND key = ?2 AND object = ?3 AND kind = 'deleted' AND undone IS NULL
            """
        return try self.database.rows(sql, [.id(list), .text(uid), .id(object)]) { $0.id("id") }
    }

    /// Whether the journal contains a sync that added, changed or merged this object in the list.
    package func wasSynchronized(_ id: ObjectID, uid: String, in list: ListID) throws(DatabaseError) -> Bool {
        let sql = """
            SELECT 1 FROM change JOIN sync_run ON sync_run.id = change.run
            WHERE list = ?1 AND key = ?2 AND object = ?3 AND kind IN ('added', 'changed', 'merged')
                AND account <> ''
            """
        return try self.database.exists(sql, [.id(list), .text(uid), .id(id)])
    }

    /// Whether the journal contains an operation of the user that added the object and changed no reminder with the UID
    /// `series`.
    ///
    /// The completion of an occurrence changes the series and adds a copy of the occurrence. An import of such a copy
    /// does not change the series.
    package func wasAdded(
        _ id: ObjectID,
        uid: String,
        to list: ListID,
        without series: String
    ) throws(DatabaseError) -> Bool {
        let sql = """
            SELECT 1 FROM change AS addition JOIN sync_run ON sync_run.id = addition.run
            WHERE addition.list = ?1 AND addition.key = ?2 AND addition.object = ?3 AND addition.kind = 'added'
                AND account = '' AND addition.undone IS NULL
                AND NOT EXISTS (SELECT 1 FROM change WHERE change.run = addition.run AND change.key = ?4)
            """
        return try self.database.exists(sql, [.id(list), .text(uid), .id(id), .text(series)])
    }

    /// Whether `item` and the object `other` with the same UID in another list existed at the same time.
    ///
    /// If so, they are separate reminders, not one reminder before and after a move. Two facts prove this. A sync
    /// before `run` brought `other` into its list. A later sync was complete while the server had `item`, or deleted
    /// `item` on the server because of a local deletion.
    /// - Parameter run: the current sync; `nil` outside a sync, where the result is `false`.
    package func coexisted(
        _ item: SyncItem,
        in list: ListID,
        _ other: ObjectRecord,
        before run: RunID?
    ) throws(DatabaseError) -> Bool {
        guard let run else { return false }
        let arrivals = """
            SELECT max(run) FROM change JOIN sync_run ON sync_run.id = run
            WHERE object = ?1 AND list = ?2 AND kind IN ('added', 'moved') AND account <> '' AND run < ?3
            """
        let arrival: RunID? =
            try self.database.integer(arrivals, [.id(other.id), .id(other.list), .id(run)]).map { RunID($0) }
        guard let arrival else { return false }
        if item.wasThere {
            let sql = """
                SELECT 1 FROM sync_run
                WHERE id > ?1 AND id < ?2 AND account = (SELECT account FROM sync_run WHERE id = ?2)
                    AND finished IS NOT NULL AND error IS NULL
                """
            return try self.database.exists(sql, [.id(arrival), .id(run)])
        }
        let sql = """
            SELECT 1 FROM change JOIN sync_run ON sync_run.id = run
            WHERE list = ?1 AND key = ?2 AND object = ?3 AND kind = 'deleted' AND side = 'remote'
                AND account <> '' AND run > ?4
            """
        let values: [SQLValue] = [.id(list), .text(item.uid), .id(item.id), .id(arrival)]
        return try self.database.exists(sql, values)
    }

    /// Whether this change, or a later change of the item, is a deletion by a sync.
    package func wasDeletedThere(_ change: ChangeRecord) throws(DatabaseError) -> Bool {
        let sql = """
            SELECT 1 FROM change JOIN sync_run ON sync_run.id = change.run
            WHERE list = ?1 AND key = ?2 AND change.id >= ?3 AND kind = 'deleted' AND account <> ''
            """
        let values: [SQLValue] = [.id(change.list), .text(change.note.uid), .id(change.id)]
        return try self.database.exists(sql, values)
    }

    /// Returns the title of the first changed reminder of a run, and the number of changed reminders.
    ///
    /// A completed occurrence and the advanced series count as one reminder.
    package func subject(of run: RunID) throws(DatabaseError) -> (title: String, count: Int)? {
        let sql = """
            SELECT title, (
                SELECT count(DISTINCT object) FROM change WHERE run = ?1 AND entity = 'reminder' AND kind = opening.kind
            ) AS reminders
            FROM change AS opening WHERE run = ?1 AND entity = 'reminder' ORDER BY id LIMIT 1
            """
        return try self.database.first(sql, [.id(run)]) { ($0.text("title"), $0.number("reminders")) }
    }

    /// Returns the titles of the first changed reminders of a run; changes in the store come before sent changes.
    package func titles(of run: RunID, limit: Int) throws(DatabaseError) -> [String] {
        let sql = """
            SELECT min(title) AS title FROM change WHERE run = ?1 AND entity = 'reminder'
            GROUP BY object ORDER BY min(CASE side WHEN 'local' THEN 0 ELSE 1 END), min(id) LIMIT ?2
            """
        return try self.database.rows(sql, [.id(run), .integer(limit)]) { $0.text("title") }
    }

    /// Returns the text of the item that a change of kind ``ChangeKind/added`` added; `nil` when the text is lost.
    ///
    /// If a sync added the item, the addition has no text in the journal. The next sync that changes the item, or the
    /// undo of the addition, has the text as its `before`. Without such a change, the text is the base, which a user's
    /// edit does not change.
    package func textAsAdded(_ change: ChangeRecord) throws(DatabaseError) -> [UInt8]? {
        if let after = change.note.after { return after }
        let sql = """
            SELECT before, CASE WHEN kind = 'changed' OR reverses = ?3 THEN 1 ELSE 0 END AS is_agreed
            FROM change JOIN sync_run ON sync_run.id = run
            WHERE list = ?1 AND key = ?2 AND change.id > ?3 AND (account <> '' OR reverses = ?3)
            ORDER BY change.id LIMIT 1
            """
        let values: [SQLValue] = [.id(change.list), .text(change.note.uid), .id(change.id)]
        let later = try self.database.first(sql, values) { ($0.bytesIfPresent("before"), $0.flag("is_agreed")) }
        if let (text, isAgreed) = later { return isAgreed ? text : nil }
        return try self.texts(of: change.note.object)?.base
    }

    /// Returns a change with its texts.
    package func change(_ id: ChangeID) throws(DatabaseError) -> ChangeRecord? {
        let sql = "\(Self.changeColumns), before, after FROM change WHERE id = ?1 AND entity = 'reminder'"
        return try self.database.first(sql, [.id(id)]) { ChangeRecord($0) }
    }

    /// Returns the number of new or changed items that the last sync with changes in this list sent to the server.
    package func sentLast(in list: ListID) throws(DatabaseError) -> Int {
        let sql = """
            SELECT count(*) FROM change
            WHERE list = ?1 AND side = 'remote' AND kind <> 'deleted'
                AND run = (
                    SELECT max(run) FROM change JOIN sync_run ON sync_run.id = run WHERE list = ?1 AND account <> ''
                )
            """
        return try self.database.count(sql, [.id(list)])
    }

    /// Returns the new or changed items that the previous run sent; no run has read them from the server since.
    ///
    /// The previous run is the account's last sync before `run` that was complete or recorded a change in the list.
    package func sentUnasked(in list: ListID, before run: RunID) throws(DatabaseError) -> [ObjectID] {
        let sql = """
            SELECT DISTINCT object FROM change
            WHERE list = ?1 AND side = 'remote' AND kind IN ('added', 'changed') AND run = (
                SELECT max(id) FROM sync_run AS earlier
                WHERE id < ?2 AND account = (SELECT account FROM sync_run WHERE id = ?2)
                    AND (finished IS NOT NULL AND coalesce(error, ?3) = ?3
                        OR EXISTS (SELECT 1 FROM change WHERE run = earlier.id AND list = ?1))
            )
            """
        return try self.database.rows(sql, [.id(list), .id(run), .text(RunRecord.deletionsHeld)]) { $0.id("object") }
    }

    /// Returns the last two changes that sent this object to the server, the latest first, with their texts.
    package func sendings(of object: ObjectID, in list: ListID) throws(DatabaseError) -> [ChangeRecord] {
        let sql = """
            \(Self.changeColumns), before, after FROM change
            WHERE object = ?1 AND list = ?2 AND side = 'remote' ORDER BY id DESC LIMIT 2
            """
        return try self.database.rows(sql, [.id(object), .id(list)]) { ChangeRecord($0) }
    }

    package func title(of id: ObjectID) throws(DatabaseError) -> String? {
        try self.database.first("SELECT title FROM calendar_object WHERE id = ?1", [.id(id)]) { $0.text("title") }
    }
}

extension StoreTransaction {
    /// Adds a change to the journal; the caller makes the change itself in the same `write`.
    package func recordChange(
        _ note: ChangeNote,
        in list: ListID,
        of run: RunID,
        reversing reversed: ChangeID? = nil,
        at now: Int64
    ) throws(DatabaseError) {
        try self.insertChange(
            .reminder,
            key: note.uid,
            title: note.title,
            kind: note.kind,
            before: note.before,
            after: note.after,
            of: run,
            reversing: reversed,
            at: now,
            place: JournalPlace(list: list, object: note.object, side: note.side, origin: note.origin)
        )
    }

    /// Stores the current texts in the local additions and changes of a run, in the same `write` as the run.
    ///
    /// If a run changes a reminder several times, the journal has only the first and the last text.
    package func recordTexts(of run: RunID) throws(DatabaseError) {
        let sql = """
            UPDATE change SET after = (SELECT source FROM calendar_text WHERE object = change.object)
            WHERE run = ?1 AND entity = 'reminder' AND side = 'local' AND kind IN ('added', 'changed')
            """
        try self.database.send(sql, [.id(run)])
    }

    /// Marks a change as undone; if it is itself an undo, the change that it had undone applies again, and so on.
    package func markUndone(_ id: ChangeID, at now: Int64) throws(DatabaseError) {
        var next: ChangeID? = id
        var isUndone = true
        while let change = next {
            let moment: SQLValue = isUndone ? .integer(now) : .null
            try self.database.send("UPDATE change SET undone = ?2 WHERE id = ?1", [.id(change), moment])
            // Each change can undo only an older change, so the loop ends.
            let sql = "SELECT reverses FROM change WHERE id = ?1 AND reverses < id"
            next = try self.database.integer(sql, [.id(change)]).map { ChangeID($0) }
            isUndone.toggle()
        }
    }
}

package struct ChangeCount: Hashable, Sendable {
    package let side: SyncSide
    package let kind: ChangeKind
    package let count: Int
    package let undone: Int
    /// The number of changes that undo another change.
    package let reversals: Int

    fileprivate init(_ row: Row) {
        self.side = SyncSide(rawValue: row.text("side")) ?? .local
        self.kind = ChangeKind(rawValue: row.text("kind")) ?? .changed
        self.count = row.number("changes")
        self.undone = row.number("undone")
        self.reversals = row.number("reversals")
    }
}

extension ChangeRecord {
    fileprivate init(_ row: Row) {
        self.id = row.id("id")
        self.run = row.id("run")
        self.list = row.id("list")
        self.note = ChangeNote(
            object: row.id("object"),
            uid: row.text("key"),
            title: row.text("title"),
            side: SyncSide(rawValue: row.text("side")) ?? .local,
            kind: ChangeKind(rawValue: row.text("kind")) ?? .changed,
            before: row.bytesIfPresent("before"),
            after: row.bytesIfPresent("after"),
            origin: row.idIfPresent("origin")
        )
        self.at = row.integer("at")
        self.undoneAt = row.integerIfPresent("undone")
        self.reverses = row.idIfPresent("reverses")
    }
}

package typealias ChangeID = RecordID<ChangeRecord>
