/// What a person's operation did to a list that is on this machine only.
package struct ListNote: Hashable, Sendable {
    /// How a list looks.
    package struct Looks: Hashable, Sendable {
        /// What it is called.
        package var name: String
        /// Its colour, as in ``ListRecord/color``.
        package var color: String?
        /// Its place among the others, as in ``ListRecord/position``.
        package var position: Int

        fileprivate init(_ list: ListRecord) {
            self.name = list.name
            self.color = list.color
            self.position = list.position
        }

        fileprivate init?(_ row: Row, part: Int) {
            guard let name = row.textIfPresent(part) else { return nil }
            self.name = name
            self.color = row.textIfPresent(part + 1)
            self.position = row.number(part + 2)
        }
    }

    /// The list's number, which no other list gets.
    package let list: ListID
    /// How it was; `nil` when there was none.
    package let before: Looks?
    /// How it is since then; `nil` when it was taken away.
    package let after: Looks?

    /// What was done to a list.
    ///
    /// - Returns: `nil` when that is nothing.
    package init?(before: ListRecord?, after: ListRecord?) {
        guard let list = before?.id ?? after?.id else { return nil }
        self.list = list
        self.before = before.map { Looks($0) }
        self.after = after.map { Looks($0) }
        guard self.before != self.after else { return nil }
    }

    fileprivate init(_ row: Row) {
        self.list = row.id(1)
        self.before = Looks(row, part: 2)
        self.after = Looks(row, part: 5)
    }
}

/// The same in the journal.
package struct ListNoteRecord: Hashable, Sendable {
    /// Its number, by which another takes it back.
    package let id: Int64
    /// What was done.
    package let change: ListNote
    /// When a person undid it, seconds since 1970; `nil` when nobody has, or when the undoing was undone.
    package let undoneAt: Int64?
    /// The change of a list that this one takes back; `nil` for what is no undoing.
    package let reverses: Int64?
}

extension StoreSnapshot {
    /// What a run did to lists, in the order in which it was done.
    package func listChanges(of run: RunID) throws(DatabaseError) -> [ListNoteRecord] {
        let sql = """
            SELECT id, list, old_name, old_color, old_position, new_name, new_color, new_position, undone, reverses
            FROM list_change WHERE run = ?1 ORDER BY id
            """
        return try self.database.rows(sql, [.id(run)]) { row in
            ListNoteRecord(
                id: row.integer(0),
                change: ListNote(row),
                undoneAt: row.integerIfPresent(8),
                reverses: row.integerIfPresent(9)
            )
        }
    }
}

extension StoreTransaction {
    /// Writes into the journal what a operation did to a list, in the same `write`.
    ///
    /// - Parameter reversed: the change of a list that it takes back; `nil` for none.
    package func recordChange(
        _ change: ListNote,
        of run: RunID,
        reversing reversed: Int64? = nil
    ) throws(DatabaseError) {
        try self.database.run(
            """
            INSERT INTO list_change (run, list, old_name, old_color, old_position, new_name, new_color, new_position,
                reverses)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """,
            [.id(run), .id(change.list)] + Self.values(change.before) + Self.values(change.after)
                + [.integer(reversed)]
        )
    }

    private static func values(_ looks: ListNote.Looks?) -> [SQLValue] {
        [.text(looks?.name), .text(looks?.color), .integer(looks.map { Int64($0.position) })]
    }

    /// Notes that a person undid a change of a list; what an undoing took back stands again then, and so on.
    package func markUndone(listChange id: Int64, at now: Int64) throws(DatabaseError) {
        var next: Int64? = id
        var isUndone = true
        while let change = next {
            let moment: SQLValue = isUndone ? .integer(now) : .null
            try self.database.run("UPDATE list_change SET undone = ?2 WHERE id = ?1", [.integer(change), moment])
            // A change takes back an older one, so this ends.
            let sql = "SELECT reverses FROM list_change WHERE id = ?1 AND reverses < id"
            next = try self.database.first(sql, [.integer(change)]) { $0.integerIfPresent(0) } ?? nil
            isUndone.toggle()
        }
    }

    /// Makes a local list again that was taken away, with the number and the place that it had.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when there is a list of that number.
    package func putBack(_ list: ListID, as looks: ListNote.Looks, at now: Int64) throws(DatabaseError) {
        try self.database.run(
            """
            INSERT INTO list (id, name, color, state, read_only, supports_sync_collection, position, created)
            VALUES (?1, ?2, ?3, ?4, 0, 0, ?5, ?6)
            """,
            [
                .id(list), .text(looks.name), .text(looks.color), .text(ListState.local.rawValue),
                .integer(Int64(looks.position)), .integer(now),
            ]
        )
    }

    /// Takes a list away that nobody has touched since it was so: it is empty, nowhere else, and looks as it did.
    ///
    /// - Returns: whether it was.
    package func deleteIfUnchanged(_ id: ListID, looking looks: ListNote.Looks) throws(DatabaseError) -> Bool {
        guard let list = try self.list(id) else { return false }
        let isTouched = list.state != .local || list.name != looks.name || list.color != looks.color
        guard !isTouched, try self.objectCount(in: list.id) == 0, try !self.hasOpenFeed(of: list.id) else {
            return false
        }
        try self.deleteList(list.id)
        return true
    }

    private func hasOpenFeed(of list: ListID) throws(DatabaseError) -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM feed WHERE list = ?1 AND revoked IS NULL)"
        return try self.database.first(sql, [.id(list)]) { $0.flag(0) } ?? false
    }
}
