import RemindavICalendar
package import RemindavReminders

/// The deletion of a label; because of this record, an older state of another machine does not restore the label.
package struct DeletedLabel: Hashable, Sendable {
    package let name: String
    /// When the label was deleted, in seconds since 1970.
    package let deletedAt: Int64

    package init(name: String, deletedAt: Int64) {
        self.name = name
        self.deletedAt = deletedAt
    }
}

extension StoreSnapshot {
    fileprivate static let labelColumns = "SELECT id, name, color, created, updated FROM label"

    /// Returns the labels that have a record in the store, sorted by name.
    package func labels() throws(DatabaseError) -> [Label] {
        try self.database.rows(Self.labelColumns) { Label($0) }
            .sorted { ($0.key.text, $0.name) < ($1.key.text, $1.name) }
    }

    /// Returns each distinct set of labels that reminders have, with its account; `nil` stands for local lists.
    package func carriedLabels() throws(DatabaseError) -> [(account: AccountID?, labels: [String])] {
        let sql = """
            SELECT DISTINCT account, labels FROM calendar_object JOIN list ON list.id = calendar_object.list
            WHERE labels <> ''
            """
        return try self.database.rows(sql) {
            ($0.idIfPresent("account"), TextLines.split($0.text("labels")))
        }
    }

    /// Returns the number of reminders for each distinct set of labels and each status.
    ///
    /// The order is that of the first reminder of each row, by its number.
    package func labelCounts() throws(DatabaseError) -> [(labels: [String], isClosed: Bool, count: Int)] {
        let sql = """
            SELECT labels, status, count(*) AS count FROM calendar_object
            WHERE labels <> '' GROUP BY labels, status ORDER BY min(id)
            """
        return try self.database.rows(sql) {
            (TextLines.split($0.text("labels")), Status(stored: $0.number("status")).isClosed, Int($0.integer("count")))
        }
    }

    /// Returns the recorded deletions of labels, made on this or another machine, sorted by name.
    package func deletedLabels() throws(DatabaseError) -> [DeletedLabel] {
        try self.database.rows("SELECT name, deleted FROM deleted_label ORDER BY key") { row in
            DeletedLabel(name: row.text("name"), deletedAt: row.integer("deleted"))
        }
    }
}

/// How long the deletion of a label is stored; a machine that has not synced for longer may restore the label.
package let labelMemorySeconds: Int64 = 365 * Int64(ClockTime.secondsPerDay)

extension StoreTransaction {
    /// Writes a label, and replaces the label with the same id.
    ///
    /// A deletion recorded for the name is removed. If the label had another name, that name is recorded as deleted.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when another label has the name.
    package func save(_ label: Label) throws(DatabaseError) {
        let sql = "\(Self.labelColumns) WHERE id = ?1"
        let old = try self.database.first(sql, [.text(label.id)]) { Label($0) }
        try self.database.upsert(
            "label",
            key: ["id": .text(label.id)],
            [
                "name": .text(label.name), "key": .text(label.key.text), "color": .text(label.color.hex),
                "created": .integer(label.createdAt.secondsSince1970),
                "updated": .integer(label.updatedAt.secondsSince1970),
            ]
        )
        if let old, old.key != label.key {
            try self.remember(DeletedLabel(name: old.name, deletedAt: label.updatedAt.secondsSince1970))
        }
        try self.forgetDeletion(of: label.key)
    }

    /// Deletes the record of a label; reminders keep the label's name.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func delete(_ label: Label, at now: Int64) throws(DatabaseError) {
        try self.database.changeOne("DELETE FROM label WHERE id = ?1", [.text(label.id)])
        try self.remember(DeletedLabel(name: label.name, deletedAt: now))
    }

    /// Records a deletion, and removes the records of deletions older than ``labelMemorySeconds``.
    package func remember(_ deleted: DeletedLabel) throws(DatabaseError) {
        try self.database.send(
            "DELETE FROM deleted_label WHERE deleted < ?1",
            [.integer(deleted.deletedAt - labelMemorySeconds)]
        )
        try self.database.upsert(
            "deleted_label",
            key: ["key": .text(LabelKey(deleted.name).text)],
            ["name": .text(deleted.name), "deleted": .integer(deleted.deletedAt)]
        )
    }

    package func forgetDeletion(of label: LabelKey) throws(DatabaseError) {
        try self.database.send("DELETE FROM deleted_label WHERE key = ?1", [.text(label.text)])
    }
}

extension Label {
    fileprivate init(_ row: Row) {
        self.init(
            id: row.text("id"),
            known: row.text("name"),
            color: LabelColor(row.text("color")) ?? .unreadable,
            createdAt: Instant(secondsSince1970: row.integer("created")),
            updatedAt: Instant(secondsSince1970: row.integer("updated"))
        )
    }
}
