import RemindavICalendar
import RemindavReminders
import RemindavStore

/// The dependencies among all reminders (RELATED-TO with RELTYPE=DEPENDS-ON).
///
/// A reminder is blocked while it is open and depends on another open reminder. The other one may be in any list.
struct Dependencies {
    private var needed: [ObjectID: [ObjectID]] = [:]
    private var blocked: Set<ObjectID> = []

    /// - Parameter holder: reads only the dependencies of this reminder; `nil` for all.
    init(_ snapshot: StoreSnapshot, of holder: ObjectID? = nil) throws(DatabaseError) {
        try snapshot.forEachDependency(of: holder) { holder, needed, isOpen in
            self.needed[holder, default: []].append(needed)
            if isOpen { self.blocked.insert(holder) }
        }
    }

    func fill(_ view: inout ReminderView) {
        if self.needed.isEmpty { return }
        let id = ObjectID(view.id)
        view.dependencyIDs = (self.needed[id] ?? []).map(\.rawValue)
        view.isBlocked = !view.status.isClosed && self.blocked.contains(id)
    }
}

extension StoreSnapshot {
    /// The change with the UIDs of dependencies instead of the numbers.
    ///
    /// - Parameters:
    ///   - holder: the changed reminder; `nil` for a new one.
    ///   - list: the list of the reminder after the change.
    /// - Throws: an error for a reminder that is missing, is `holder` itself, or depends on `holder`.
    func resolvingDependencies(
        of change: ReminderChange,
        for holder: ObjectRecord?,
        in list: ListRecord
    ) throws -> ReminderChange {
        guard case .set(var edit) = change.dependencies else { return change }
        edit.added = try edit.added.map { choice in
            let needed = try self.object(choice, in: list)
            let number = String(needed.id.rawValue)
            if needed.id == holder?.id { throw UseCaseError(.dependsOnItself, subject: number) }
            if let holder, try self.depends(needed, on: holder) {
                throw UseCaseError(.dependencyCircle, subject: number)
            }
            return .uid(needed.uid)
        }
        edit.removed = try edit.removed.map { .uid(try self.object($0, in: list).uid) }
        var resolved = change
        resolved.dependencies = .set(edit)
        return resolved
    }

    /// Whether a reminder depends on another one, directly or through other reminders.
    private func depends(_ first: ObjectRecord, on other: ObjectRecord) throws -> Bool {
        var seen: Set<ObjectID> = [first.id]
        var waiting = [first]
        while let record = waiting.popLast() {
            for uid in Reminder(ICalendarDocument(record.source))?.dependencyUIDs ?? [] {
                guard let row = try self.row(uid: uid, preferring: record.list) else { continue }
                if row.id == other.id { return true }
                if seen.insert(row.id).inserted, let next = try self.object(row.id) { waiting.append(next) }
            }
        }
        return false
    }
}
