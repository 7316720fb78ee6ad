/// What a sync, or a person who undoes one, changed on one side.
package enum ChangeKind: String, Hashable, Sendable, CaseIterable {
    /// That side had no such item.
    case added
    /// It took over the other side's version.
    case changed
    /// Both versions were put together.
    case merged
    /// It has the item in another list than before; of the change, this is the new one.
    case moved
    /// It has the item no more.
    case deleted
}

/// A change, as the step that makes it tells it.
package struct ChangeNote: Hashable, Sendable {
    /// The item's number here.
    package var object: ObjectID
    /// Its UID.
    package var uid: String
    /// What it was called.
    package var title: String
    /// The side that was changed.
    package var side: SyncSide
    /// What was done.
    package var kind: ChangeKind
    /// That side's text until then; `nil` when it had none.
    package var before: [UInt8]?
    /// Its text since then; `nil` when it has none, and of what a sync added, since that is in the store.
    package var after: [UInt8]?
    /// The list where it was: of what was moved, another one; of what the first sync of a list brought, since the server
    /// had it before anybody here knew of it, the list itself; else `nil`.
    package var origin: ListID?

    /// A change of one side.
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

    /// Whether it only tells that the server had the item already when its list came here: nobody changed anything.
    package var wasThereBefore: Bool { self.kind == .added && self.origin != nil }
}

/// A change in the journal.
package struct ChangeRecord: Hashable, Sendable {
    /// The change's number.
    package let id: ChangeID
    /// The run that made it.
    package let run: RunID
    /// The list; it may be gone.
    package let list: ListID
    /// What was changed; without the texts where ``StoreSnapshot/changes(_:)`` leaves them out.
    package let note: ChangeNote
    /// Seconds since 1970.
    package let at: Int64
    /// When a person undid it, seconds since 1970; `nil` when nobody has, or when the undoing was undone.
    package let undoneAt: Int64?
    /// The change that this one takes back; `nil` for what is no undoing.
    package let reverses: ChangeID?
}

/// Which part of the journal.
package enum ChangeSelection: Hashable, Sendable {
    /// What one run did.
    case run(RunID)
    /// The newest, so many at most.
    case newest(Int)
    /// Deletions since that moment of what is not there again, and was not moved: the trash.
    ///
    /// Another list may have one with its UID, since files are imported twice and copied.
    /// Each reminder once, with the text that a person deleted rather than the one that the server had.
    case trash(since: Int64)
}

extension StoreSnapshot {
    private static let changeColumns =
        "SELECT id, run, list, object, key, title, side, kind, at, undone, reverses, origin"

    /// Changes without their texts; of one run in the order in which they were made, else newest first.
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
                -- What a person moved, or put back into another list, a sync deletes where it was.
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
                -- What somebody moved on the server comes into another list by the same sync or a later one.
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

    /// How many changes of each kind on each side a run made, and how many of them were undone.
    package func changeCounts(of run: RunID) throws(DatabaseError) -> [ChangeCount] {
        let sql = """
            SELECT side, kind, count(*) AS changes, count(undone) AS undone, count(reverses) AS reversals
            FROM change WHERE run = ?1 AND entity = 'reminder' GROUP BY side, kind
            """
        return try self.database.rows(sql, [.id(run)]) { ChangeCount($0) }
    }

    /// Deletions of that reminder that nobody has undone, here and on the server; those of another one that has had its UID
    /// at some time are none of them.
    package func deletions(of object: ObjectID, in list: ListID, uid: String) throws(DatabaseError) -> [ChangeID] {
        let sql = """
            SELECT id FROM change
            WHERE list = ?1 AND key = ?2 AND object = ?3 AND kind = 'deleted' AND undone IS NULL
            """
        return try self.database.rows(sql, [.id(list), .text(uid), .id(object)]) { $0.id("id") }
    }

    /// Whether a sync has ever brought that object into the list, or changed it there, as far as the journal goes back.
    ///
    /// Operations of a person, such as renaming a label, are in the journal as well, and do not count.
    package func wasSynchronized(_ id: ObjectID, uid: String, in list: ListID) throws(DatabaseError) -> Bool {
        let sql = """
            SELECT 1 FROM change JOIN sync_run ON sync_run.id = change.run
            WHERE list = ?1 AND key = ?2 AND object = ?3 AND kind IN ('added', 'changed', 'merged')
                AND account <> ''
            """
        return try self.database.exists(sql, [.id(list), .text(uid), .id(id)])
    }

    /// Whether the server is known to have had an item of a list and an object of another list with its UID at the same
    /// time, so that neither has become the other.
    ///
    /// That is so when the object came into its list and a whole sync after that still found the item in its list; and
    /// when a sync deleted the item there at our request after that. Where the journal does not go back to the object's
    /// arrival nothing is known.
    ///
    /// - Parameter run: the sync that asks; `nil` for none, and then nothing is known.
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

    /// Whether the server, too, had it no more at some time since that change, or because of it.
    package func wasDeletedThere(_ change: ChangeRecord) throws(DatabaseError) -> Bool {
        let sql = """
            SELECT 1 FROM change JOIN sync_run ON sync_run.id = change.run
            WHERE list = ?1 AND key = ?2 AND change.id >= ?3 AND kind = 'deleted' AND account <> ''
            """
        let values: [SQLValue] = [.id(change.list), .text(change.note.uid), .id(change.id)]
        return try self.database.exists(sql, values)
    }

    /// What a run was about: the title of the reminder that it changed first, and how many it changed.
    ///
    /// A reminder that was done and moved on is one, though what is done of it is another one now.
    package func subject(of run: RunID) throws(DatabaseError) -> (title: String, count: Int)? {
        let sql = """
            SELECT title, (
                SELECT count(DISTINCT object) FROM change WHERE run = ?1 AND entity = 'reminder' AND kind = opening.kind
            ) AS reminders
            FROM change AS opening WHERE run = ?1 AND entity = 'reminder' ORDER BY id LIMIT 1
            """
        return try self.database.first(sql, [.id(run)]) { ($0.text("title"), $0.number("reminders")) }
    }

    /// The text that a change of kind ``ChangeKind/added`` brought, as far as the journal and the store know it still.
    ///
    /// A sync does not write it down: it is what both sides agreed on until one of the two changed it, so the first
    /// sync that did has it, and whoever undid the adding; before that it is the base. What a person did since leaves both
    /// as they are.
    package func textAsAdded(_ change: ChangeRecord) throws(DatabaseError) -> [UInt8]? {
        if let after = change.note.after { return after }
        let sql = """
            SELECT before, CASE WHEN kind = 'changed' OR reverses = ?3 THEN 1 ELSE 0 END AS is_agreed FROM change JOIN sync_run ON sync_run.id = run
            WHERE list = ?1 AND key = ?2 AND change.id > ?3 AND (account <> '' OR reverses = ?3)
            ORDER BY change.id LIMIT 1
            """
        let values: [SQLValue] = [.id(change.list), .text(change.note.uid), .id(change.id)]
        if let (text, isAgreed) = try self.database.first(
            sql,
            values,
            {
                ($0.bytesIfPresent("before"), $0.flag("is_agreed"))
            }
        ) {
            return isAgreed ? text : nil
        }
        return try self.texts(of: change.note.object)?.base
    }

    /// The change of that number with its texts, `nil` when the journal has none.
    package func change(_ id: ChangeID) throws(DatabaseError) -> ChangeRecord? {
        let sql = "\(Self.changeColumns), before, after FROM change WHERE id = ?1"
        return try self.database.first(sql, [.id(id)]) { ChangeRecord($0) }
    }

    /// How many items of a list the last sync that changed it sent, new and changed.
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

    /// The items that the server was sent, new or changed, and about which it has not been asked since: by the last run
    /// before this one that came to its end, or that sent something.
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

    /// What an object is called, `nil` when there is none.
    package func title(of id: ObjectID) throws(DatabaseError) -> String? {
        try self.database.first("SELECT title FROM calendar_object WHERE id = ?1", [.id(id)]) { $0.text("title") }
    }
}

extension StoreTransaction {
    /// Writes a change into the journal, in the same `write` as the step that makes it.
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

    /// Adds the texts of now to what a run in the journal has added and changed here, in the same `write`.
    ///
    /// A run that touches a reminder more than once writes down what it was before, and at its end what it has become.
    package func recordTexts(of run: RunID) throws(DatabaseError) {
        let sql = """
            UPDATE change SET after = (SELECT source FROM calendar_text WHERE object = change.object)
            WHERE run = ?1 AND entity = 'reminder' AND side = 'local' AND kind IN ('added', 'changed')
            """
        try self.database.run(sql, [.id(run)])
    }

    /// Notes that a person undid a change.
    ///
    /// When it was an undoing itself, what it took back stands again, and so on.
    package func markUndone(_ id: ChangeID, at now: Int64) throws(DatabaseError) {
        var next: ChangeID? = id
        var isUndone = true
        while let change = next {
            let moment: SQLValue = isUndone ? .integer(now) : .null
            try self.database.run("UPDATE change SET undone = ?2 WHERE id = ?1", [.id(change), moment])
            // A change takes back an older one, so this ends.
            let sql = "SELECT reverses FROM change WHERE id = ?1 AND reverses < id"
            next = try self.database.integer(sql, [.id(change)]).map { ChangeID($0) }
            isUndone.toggle()
        }
    }
}

/// Changes of one kind on one side.
package struct ChangeCount: Hashable, Sendable {
    /// The side that was changed.
    package let side: SyncSide
    /// What was done.
    package let kind: ChangeKind
    /// How many.
    package let count: Int
    /// How many of them were undone.
    package let undone: Int
    /// How many of them take back another change.
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

/// The number of a change in the journal.
package typealias ChangeID = RecordID<ChangeRecord>
