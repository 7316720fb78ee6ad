internal import RemindavICalendar
package import RemindavReminders

enum JournalEntity: String, CaseIterable {
    case reminder = "reminder"
    case label = "label"
    case list = "list"
}

/// A label or a local list in the form that the journal stores.
package protocol JournaledState: Hashable, Sendable {
    /// The type of the record, as in the column `entity`.
    static var entity: String { get }
    /// The key, unique among the records of this type.
    var key: String { get }
    var name: String { get }
    /// All values in a fixed order; only the last values may be missing, because ``TextLines`` drops empty texts.
    var fields: [String] { get }
    init?(key: String, fields: [String])
}

/// A change of a label or a local list, with both versions for undo.
package struct StateChange<State: JournaledState>: Hashable, Sendable {
    /// The version before the change; `nil` when the record did not exist.
    package let before: State?
    /// The version after the change; `nil` when the change deleted the record.
    package let after: State?

    package init(before: State?, after: State?) {
        self.before = before
        self.after = after
    }

    fileprivate var kind: ChangeKind { self.before == nil ? .added : self.after == nil ? .deleted : .changed }
}

package struct StateChangeRecord<State: JournaledState>: Hashable, Sendable {
    package let id: ChangeID
    package let change: StateChange<State>
    /// When the change was undone, in seconds since 1970; `nil` for never, or when the undo was itself undone.
    package let undoneAt: Int64?
    /// The change that this change undoes; `nil` for a change that is no undo, 0 when an old version did not record it.
    package let reverses: ChangeID?
}

/// A label, and whether the store has a record of the label.
package struct LabelState: JournaledState {
    package let label: Label
    /// Whether the label has a record; a label without a record occurs only in reminders.
    package let isKnown: Bool

    package init(_ label: Label, isKnown: Bool = true) {
        self.label = label
        self.isKnown = isKnown
    }

    package static var entity: String { JournalEntity.label.rawValue }
    package var key: String { self.label.id }
    package var name: String { self.label.name }
    package var fields: [String] {
        let dates = [self.label.createdAt, self.label.updatedAt].map { String($0.secondsSince1970) }
        return [self.label.name, self.label.color.hex] + (self.isKnown ? dates : [])
    }

    package init?(key: String, fields: [String]) {
        guard fields.count >= 2 else { return nil }
        let dates = fields.dropFirst(2).compactMap { Int64($0) }
        self.isKnown = dates.count == 2
        self.label = Label(
            id: key,
            known: fields[0],
            color: LabelColor(fields[1]) ?? .unreadable,
            createdAt: Instant(secondsSince1970: dates.first ?? 0),
            updatedAt: Instant(secondsSince1970: dates.last ?? 0)
        )
    }
}

package struct ListAppearance: JournaledState {
    package let list: ListID
    package var name: String
    package var color: String?
    package var position: Int

    package init(_ list: ListRecord) {
        self.list = list.id
        self.name = list.name
        self.color = list.color
        self.position = list.position
    }

    package static var entity: String { JournalEntity.list.rawValue }
    package var key: String { self.list.description }
    package var fields: [String] { [String(self.position), self.name] + (self.color.map { [$0] } ?? []) }

    package init?(key: String, fields: [String]) {
        guard let number = Int64(key), let position = fields.first.flatMap({ Int($0) }) else { return nil }
        self.list = ListID(number)
        self.name = fields.count > 1 ? fields[1] : ""
        self.position = position
        self.color = fields.count > 2 ? fields[2] : nil
    }
}

extension StoreSnapshot {
    /// Returns the changes of a run to records of one type, in their order.
    package func stateChanges<State>(
        of run: RunID,
        _ kind: State.Type = State.self
    ) throws(DatabaseError) -> [StateChangeRecord<State>] {
        let sql = """
            SELECT id, key, before, after, undone, reverses FROM change WHERE run = ?1 AND entity = ?2 ORDER BY id
            """
        return try self.database.rows(sql, [.id(run), .text(State.entity)]) { row in
            let id: ChangeID = row.id("id")
            let key = row.text("key")
            func state(_ column: String) -> State? {
                row.bytesIfPresent(column).flatMap {
                    State(key: key, fields: TextLines.split(String(decoding: $0, as: UTF8.self)))
                }
            }
            return StateChangeRecord(
                id: id,
                change: StateChange(before: state("before"), after: state("after")),
                undoneAt: row.integerIfPresent("undone"),
                reverses: row.idIfPresent("reverses")
            )
        }
    }
}

/// The list, object and side of a change in the journal; for a change of a label or a list, the default values apply.
struct JournalPlace {
    var list: ListID?
    var object: ObjectID?
    var side = SyncSide.local
    var origin: ListID?
}

extension StoreTransaction {
    /// Records a change of a label or a local list; if both versions are equal, nothing is recorded.
    /// - Parameter reversed: the change that this change undoes; `nil` when it is not an undo.
    package func recordChange<State>(
        _ change: StateChange<State>,
        of run: RunID,
        reversing reversed: ChangeID? = nil,
        at now: Int64
    ) throws(DatabaseError) {
        guard change.before != change.after, let state = change.after ?? change.before,
            let entity = JournalEntity(rawValue: State.entity)
        else { return }
        try self.insertChange(
            entity,
            key: state.key,
            title: state.name,
            kind: change.kind,
            before: (change.before?.fields).map { Array(TextLines.join($0).utf8) },
            after: (change.after?.fields).map { Array(TextLines.join($0).utf8) },
            of: run,
            reversing: reversed,
            at: now,
            place: JournalPlace()
        )
    }

    func insertChange(
        _ entity: JournalEntity,
        key: String,
        title: String,
        kind: ChangeKind,
        before: [UInt8]?,
        after: [UInt8]?,
        of run: RunID,
        reversing reversed: ChangeID?,
        at now: Int64,
        place: JournalPlace
    ) throws(DatabaseError) {
        _ = try self.database.insert(
            insertChangeText,
            [
                .null, .id(run), .text(entity.rawValue), .integer(place.list?.rawValue ?? 0),
                .integer(place.object?.rawValue ?? 0), .text(key), .text(title), .text(place.side.rawValue),
                .text(kind.rawValue), .blob(before), .blob(after), .integer(now), .id(reversed), .id(place.origin),
            ]
        )
    }
}

private let changeColumns = [
    "id", "run", "entity", "list", "object", "key", "title", "side", "kind", "before", "after", "at", "reverses",
    "origin",
]
private let insertChangeText = SQL.insert(into: "change", changeColumns)

extension StoreTransaction {
    /// Creates a deleted local list again, with its id and its position.
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when a list with this id exists.
    package func restore(_ list: ListAppearance, at now: Int64) throws(DatabaseError) {
        _ = try self.database.insert(
            into: "list",
            id: list.list.rawValue,
            [
                "name": .text(list.name), "color": .text(list.color), "state": .text(ListState.local.rawValue),
                "read_only": .flag(false), "supports_sync_collection": .flag(false),
                "position": .integer(list.position), "created": .integer(now),
            ]
        )
    }

    /// Deletes a local list if it has this name and colour, contains no objects and is in no unrevoked feed.
    /// - Returns: whether the list was deleted.
    package func deleteIfUnchanged(_ appearance: ListAppearance) throws(DatabaseError) -> Bool {
        guard let list = try self.list(appearance.list), list.state == .local, list.name == appearance.name,
            list.color == appearance.color, try self.objectCount(in: list.id) == 0,
            try !self.database.exists("SELECT 1 FROM feed WHERE list = ?1 AND revoked IS NULL", [.id(list.id)])
        else { return false }
        try self.deleteList(list.id)
        return true
    }
}
