import ICalendar
public import Reminders

/// A deletion of a label, kept so that an older state of another machine does not bring the label back.
package struct DeletedLabel: Hashable, Sendable {
    /// The last name.
    package let name: String
    /// Seconds since 1970.
    package let deletedAt: Int64

    package init(name: String, deletedAt: Int64) {
        self.name = name
        self.deletedAt = deletedAt
    }
}

extension StoreSnapshot {
    fileprivate static let labelColumns = "SELECT id, name, color, created, updated FROM label"

    /// The labels with a record, by name.
    public func labels() throws(DatabaseError) -> [Label] {
        try self.database.rows(Self.labelColumns) { Label($0) }
            .sorted { ($0.key.text, $0.name) < ($1.key.text, $1.name) }
    }

    /// The labels of reminders, each set once for each account; `nil` stands for lists without one.
    package func carriedLabels() throws(DatabaseError) -> [(account: AccountID?, labels: [String])] {
        let sql = """
            SELECT DISTINCT account, labels FROM calendar_object JOIN list ON list.id = calendar_object.list
            WHERE labels <> ''
            """
        return try self.database.rows(sql) {
            ($0.idIfPresent("account"), TextLines.split($0.text("labels")))
        }
    }

    /// Labels that were deleted here or on another machine in the last ``labelMemorySeconds``, by name.
    package func deletedLabels() throws(DatabaseError) -> [DeletedLabel] {
        try self.database.rows("SELECT name, deleted FROM deleted_label ORDER BY key") { row in
            DeletedLabel(name: row.text("name"), deletedAt: row.integer("deleted"))
        }
    }
}

/// The time that a deletion is kept: a machine that has not synced for a year may bring the label back.
package let labelMemorySeconds: Int64 = 365 * Int64(ClockTime.secondsPerDay)

extension StoreTransaction {
    /// Writes a label in place of the one with its id.
    ///
    /// A deletion of its name is removed; a former name is recorded as deleted.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when another label has the name.
    public func save(_ label: Label) throws(DatabaseError) {
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

    /// Deletes a label; its reminders keep the name.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: ``DatabaseError/Code/notFound``.
    public func delete(_ label: Label, at now: Int64) throws(DatabaseError) {
        try self.database.changeOne("DELETE FROM label WHERE id = ?1", [.text(label.id)])
        try self.remember(DeletedLabel(name: label.name, deletedAt: now))
    }

    /// Records a deletion, and removes those older than ``labelMemorySeconds``.
    package func remember(_ deleted: DeletedLabel) throws(DatabaseError) {
        try self.database.run(
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
        try self.database.run("DELETE FROM deleted_label WHERE key = ?1", [.text(label.text)])
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
