/// The effect of a sync or an undo on one side.
package enum ChangeKind: String, Hashable, Sendable, CaseIterable {
    case added = "added"
    /// The side took over the version of the other side.
    case changed = "changed"
    /// Both versions were merged.
    case merged = "merged"
    /// The item is in another list than before; the change belongs to the new one.
    case moved = "moved"
    case deleted = "deleted"
}

/// A change, as the step that makes it reports it.
package struct ChangeNote: Hashable, Sendable {
    package var object: ObjectID
    package var uid: String
    /// The title before the change.
    package var title: String
    /// The changed side.
    package var side: SyncSide
    package var kind: ChangeKind
    /// The former text on that side; `nil` for none.
    package var before: [UInt8]?
    /// The new text; `nil` for none, and for an item that a sync added, since that text is in the store.
    package var after: [UInt8]?
    /// The former list of a moved item; the list itself for an item that the server had before the first sync; else
    /// `nil`.
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
    /// The list may have been deleted.
    package let list: ListID
    /// Without texts where ``StoreSnapshot/changes(_:)`` leaves them out.
    package let note: ChangeNote
    /// Seconds since 1970.
    package let at: Int64
    /// The time of the undo, seconds since 1970; `nil` for none, or when the undo was undone.
    package let undoneAt: Int64?
    /// The change that this one undoes; `nil` for other changes.
    package let reverses: ChangeID?
}

package enum ChangeSelection: Hashable, Sendable {
    case run(RunID)
    /// The newest, with a maximum number.
    case newest(Int)
    /// The trash: deletions since that moment of reminders that neither exist again nor were moved. A copy with the
    /// same UID may exist in another list. Each reminder occurs once; its deletion by a user precedes that by the
    /// server.
    case trash(since: Int64)
}

extension StoreSnapshot {
    private static let changeColumns =
        "SELECT id, run, list, object, key, title, side, kind, at, undone, reverses, origin"

    /// Changes without their texts; those of one run in their order, else the newest first.
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

    /// Deletions of this reminder, here and on the server, that are not undone; not those of another reminder that had
    /// its UID.
    package func deletions(of object: ObjectID, in list: ListID, uid: String) throws(DatabaseError) -> [ChangeID] {
        let sql = """
            SELECT id FROM change
            WHERE list = ?1 AND key = ?2 AND object = ?3 AND kind = 'deleted' AND undone IS NULL
            """
        return try self.database.rows(sql, [.id(list), .text(uid), .id(object)]) { $0.id("id") }
    }

    /// Whether a sync brought this object into the list or changed it there, as far as the journal goes back.
    ///
    /// Operations of users do not count.
    package func wasSynchronized(_ id: ObjectID, uid: String, in list: ListID) throws(DatabaseError) -> Bool {
        let sql = """
            SELECT 1 FROM change JOIN sync_run ON sync_run.id = change.run
            WHERE list = ?1 AND key = ?2 AND object = ?3 AND kind IN ('added', 'changed', 'merged')
                AND account <> ''
            """
        return try self.database.exists(sql, [.id(list), .text(uid), .id(id)])
    }

    /// Whether the server had an item of a list while an object of another list had the same UID, so that neither has
    /// become the other.
    ///
    /// This is known when the object came into its list and a complete sync after that still found the item, and when a
    /// sync deleted the item on the server at our request after that.
    ///
    /// - Parameter run: the current sync; `nil` outside a sync, and then the result is false.
    package func wereBeside(
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

    /// Whether the server did not have the item at some time since this change, or because of it.
    package func wasDeletedThere(_ change: ChangeRecord) throws(DatabaseError) -> Bool {
        let sql = """
            SELECT 1 FROM change JOIN sync_run ON sync_run.id = change.run
            WHERE list = ?1 AND key = ?2 AND change.id >= ?3 AND kind = 'deleted' AND account <> ''
            """
        let values: [SQLValue] = [.id(change.list), .text(change.note.uid), .id(change.id)]
        return try self.database.exists(sql, values)
    }

    /// The title of the first changed reminder of a run, and the number of changed reminders.
    ///
    /// A completed occurrence and the reminder that moved on count as one.
    package func subject(of run: RunID) throws(DatabaseError) -> (title: String, count: Int)? {
        let sql = """
            SELECT title, (
                SELECT count(DISTINCT object) FROM change WHERE run = ?1 AND entity = 'reminder' AND kind = opening.kind
            ) AS reminders
            FROM change AS opening WHERE run = ?1 AND entity = 'reminder' ORDER BY id LIMIT 1
            """
        return try self.database.first(sql, [.id(run)]) { ($0.text("title"), $0.number("reminders")) }
    }

    /// The text that a change of kind ``ChangeKind/added`` brought, as far as the journal and the store have it.
    ///
    /// A sync does not record it. It is the agreed text until a side changed it: the first later sync that did so, or
    /// the undo of the addition, has it; before that it is the base. Edits of users leave both as they are.
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

    /// A change with its texts.
    package func change(_ id: ChangeID) throws(DatabaseError) -> ChangeRecord? {
        let sql = "\(Self.changeColumns), before, after FROM change WHERE id = ?1 AND entity = 'reminder'"
        return try self.database.first(sql, [.id(id)]) { ChangeRecord($0) }
    }

    /// The number of items that the last sync that changed the list sent, new and changed.
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

    /// New or changed items that the last run that ended or sent anything before this one has sent, and whose state on
    /// the server has not been read since.
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

    /// The last two times that an item of a list was sent, the latest first, with the texts.
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
    /// Records a change, in the same `write` as the change.
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

    /// Adds the current texts to the local additions and changes of a run, in the same `write`.
    ///
    /// A run that changes a reminder more than once records the first and the last text.
    package func recordTexts(of run: RunID) throws(DatabaseError) {
        let sql = """
            UPDATE change SET after = (SELECT source FROM calendar_text WHERE object = change.object)
            WHERE run = ?1 AND entity = 'reminder' AND side = 'local' AND kind IN ('added', 'changed')
            """
        try self.database.run(sql, [.id(run)])
    }

    /// Records the undo of a change.
    ///
    /// If the change was an undo itself, the change that it had undone applies again, and so on.
    package func markUndone(_ id: ChangeID, at now: Int64) throws(DatabaseError) {
        var next: ChangeID? = id
        var isUndone = true
        while let change = next {
            let moment: SQLValue = isUndone ? .integer(now) : .null
            try self.database.run("UPDATE change SET undone = ?2 WHERE id = ?1", [.id(change), moment])
            // Each change undoes only an older one, so the loop ends.
            let sql = "SELECT reverses FROM change WHERE id = ?1 AND reverses < id"
            next = try self.database.integer(sql, [.id(change)]).map { ChangeID($0) }
            isUndone.toggle()
        }
    }
}

/// The changes of one kind on one side.
package struct ChangeCount: Hashable, Sendable {
    package let side: SyncSide
    package let kind: ChangeKind
    package let count: Int
    package let undone: Int
    /// Those that undo another change.
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
