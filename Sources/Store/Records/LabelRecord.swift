import ICalendar
public import Reminders

/// What a label is no more since then, so that an older word of another machine does not bring it back.
package struct DeletedLabel: Hashable, Sendable {
    /// As it was called last.
    package let name: String
    /// Seconds since 1970.
    package let deletedAt: Int64

    /// A label that was deleted then.
    package init(name: String, deletedAt: Int64) {
        self.name = name
        self.deletedAt = deletedAt
    }
}

/// What a operation did to a label beside the reminders, with what undoing it takes.
package struct LabelChange: Hashable, Sendable {
    /// The label until then; `nil` when there was none.
    package let before: Label?
    /// And since then; `nil` when there is none.
    package let after: Label?
    /// Whether more than the name was known of it until then; else it was just what reminders had.
    package let wasKnown: Bool
    /// And since then.
    package let isKnown: Bool

    /// A change of a label.
    package init(before: Label?, after: Label?, wasKnown: Bool = true, isKnown: Bool = true) {
        self.before = before
        self.after = after
        self.wasKnown = wasKnown
        self.isKnown = isKnown
    }
}

/// A change of a label in the journal.
package struct LabelChangeRecord: Hashable, Sendable {
    /// Its number, by which another takes it back.
    package let id: Int64
    /// What was changed.
    package let change: LabelChange
    /// When a person undid it, seconds since 1970; `nil` when nobody has, or when the undoing was undone.
    package let undoneAt: Int64?
    /// The change of a label that this one takes back; `nil` for what is no undoing.
    package let reverses: Int64?
}

extension StoreSnapshot {
    fileprivate static let labelColumns = "SELECT id, name, color, created, updated FROM label"

    /// The labels of which more is known than their names, by name.
    ///
    /// There are few.
    public func labels() throws(DatabaseError) -> [Label] {
        try self.database.rows(Self.labelColumns) { Label($0) }
            .sorted { ($0.key.text, $0.name) < ($1.key.text, $1.name) }
    }

    /// The labels that reminders have, each set of them once for each account; `nil` stands for lists that have none.
    package func carriedLabels() throws(DatabaseError) -> [(account: AccountID?, labels: [String])] {
        let sql = """
            SELECT DISTINCT account, labels FROM calendar_object JOIN list ON list.id = calendar_object.list
            WHERE labels <> ''
            """
        return try self.database.rows(sql) { ($0.idIfPresent(0), TextLines.split($0.text(1))) }
    }

    /// Labels that were deleted here or on another machine, those of the last ``labelMemorySeconds``, by name.
    package func deletedLabels() throws(DatabaseError) -> [DeletedLabel] {
        try self.database.rows("SELECT name, deleted FROM deleted_label ORDER BY key") { row in
            DeletedLabel(name: row.text(0), deletedAt: row.integer(1))
        }
    }

    /// What a operation did to labels, in the order in which it was done.
    package func labelChanges(of run: RunID) throws(DatabaseError) -> [LabelChangeRecord] {
        let sql = """
            SELECT label, old_name, old_color, old_created, old_updated, new_name, new_color, new_created, new_updated,
                id, undone, reverses
            FROM label_change WHERE run = ?1 ORDER BY id
            """
        return try self.database.rows(sql, [.id(run)]) { row in
            LabelChangeRecord(
                id: row.integer(9),
                change: LabelChange(
                    before: Label(row, part: 1),
                    after: Label(row, part: 5),
                    wasKnown: row.isNull(1) || !row.isNull(3),
                    isKnown: row.isNull(5) || !row.isNull(7)
                ),
                undoneAt: row.integerIfPresent(10),
                reverses: row.integerIfPresent(11)
            )
        }
    }
}

/// How long a deleted label is remembered: a machine that has not synced for a year may bring it back.
package let labelMemorySeconds: Int64 = 365 * Int64(ClockTime.secondsPerDay)

extension StoreTransaction {
    /// Keeps a label, in the place of the one with its id.
    ///
    /// One of its name is no longer remembered as deleted; where it was called otherwise, that name is.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when another label has the name.
    public func save(_ label: Label) throws(DatabaseError) {
        let sql = "\(Self.labelColumns) WHERE id = ?1"
        let old = try self.database.first(sql, [.text(label.id)]) { Label($0) }
        try self.database.run(
            """
            INSERT INTO label (id, name, key, color, created, updated) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, key = excluded.key, color = excluded.color,
                created = excluded.created, updated = excluded.updated
            """,
            [
                .text(label.id), .text(label.name), .text(label.key.text), .text(label.color.hex),
                .integer(label.createdAt.secondsSince1970), .integer(label.updatedAt.secondsSince1970),
            ]
        )
        if let old, old.key != label.key {
            try self.remember(DeletedLabel(name: old.name, deletedAt: label.updatedAt.secondsSince1970))
        }
        try self.forgetDeletion(of: label.key)
    }

    /// Forgets a label; the reminders that have it keep it.
    ///
    /// - Parameter now: seconds since 1970; remembered with its name.
    /// - Throws: ``DatabaseError/Code/notFound``.
    public func delete(_ label: Label, at now: Int64) throws(DatabaseError) {
        guard try self.database.run("DELETE FROM label WHERE id = ?1", [.text(label.id)]) == 1 else {
            throw DatabaseError(.notFound)
        }
        try self.remember(DeletedLabel(name: label.name, deletedAt: now))
    }

    /// Remembers that there is no label of that name, and forgets what is older than ``labelMemorySeconds`` before.
    package func remember(_ deleted: DeletedLabel) throws(DatabaseError) {
        try self.database.run(
            "DELETE FROM deleted_label WHERE deleted < ?1",
            [.integer(deleted.deletedAt - labelMemorySeconds)]
        )
        try self.database.run(
            """
            INSERT INTO deleted_label (key, name, deleted) VALUES (?1, ?2, ?3)
            ON CONFLICT (key) DO UPDATE SET name = excluded.name, deleted = excluded.deleted
            """,
            [.text(LabelKey(deleted.name).text), .text(deleted.name), .integer(deleted.deletedAt)]
        )
    }

    /// Remembers no more that there is no label of that name.
    package func forgetDeletion(of label: LabelKey) throws(DatabaseError) {
        try self.database.run("DELETE FROM deleted_label WHERE key = ?1", [.text(label.text)])
    }

    /// Writes into the journal what a operation did to a label, in the same `write`.
    ///
    /// - Parameter reversed: the change of a label that it takes back; `nil` for none.
    package func recordChange(
        _ change: LabelChange,
        of run: RunID,
        reversing reversed: Int64? = nil
    ) throws(DatabaseError) {
        guard let id = change.before?.id ?? change.after?.id else { return }
        try self.database.run(
            """
            INSERT INTO label_change (run, label, old_name, old_color, old_created, old_updated,
                new_name, new_color, new_created, new_updated, reverses)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """,
            [.id(run), .text(id)] + Self.values(change.before, isKnown: change.wasKnown)
                + Self.values(change.after, isKnown: change.isKnown) + [.integer(reversed)]
        )
    }

    /// Notes that a person undid a change of a label; what an undoing took back stands again then, and so on.
    package func markUndone(labelChange id: Int64, at now: Int64) throws(DatabaseError) {
        var next: Int64? = id
        var isUndone = true
        while let change = next {
            let moment: SQLValue = isUndone ? .integer(now) : .null
            try self.database.run("UPDATE label_change SET undone = ?2 WHERE id = ?1", [.integer(change), moment])
            // A change takes back an older one, so this ends.
            let sql = "SELECT reverses FROM label_change WHERE id = ?1 AND reverses < id"
            next = try self.database.first(sql, [.integer(change)]) { $0.integerIfPresent(0) } ?? nil
            isUndone.toggle()
        }
    }

    /// - Parameter isKnown: whether it was made at some time; of what reminders just had, that is not kept.
    private static func values(_ label: Label?, isKnown: Bool) -> [SQLValue] {
        [
            .text(label?.name), .text(label?.color.hex),
            .integer(isKnown ? label?.createdAt.secondsSince1970 : nil),
            .integer(isKnown ? label?.updatedAt.secondsSince1970 : nil),
        ]
    }
}

extension Label {
    fileprivate init(_ row: Row) {
        self.init(
            id: row.text(0),
            known: row.text(1),
            color: LabelColor(row.text(2)) ?? .unreadable,
            createdAt: Instant(secondsSince1970: row.integer(3)),
            updatedAt: Instant(secondsSince1970: row.integer(4))
        )
    }

    /// A side of a change, whose first column is `first`; `nil` when there was no label.
    fileprivate init?(_ row: Row, part first: Int) {
        guard let name = row.textIfPresent(first) else { return nil }
        self.init(
            id: row.text(0),
            known: name,
            color: LabelColor(row.text(first + 1)) ?? .unreadable,
            createdAt: Instant(secondsSince1970: row.integer(first + 2)),
            updatedAt: Instant(secondsSince1970: row.integer(first + 3))
        )
    }
}
