import RemindavICalendar
import RemindavReminders
import RemindavStore

/// The parents and subtasks among all reminders.
///
/// A reminder is a subtask if its first parent (``Reminder/parentUID``) is in the same list. CalDAV programs such as
/// Nextcloud Tasks also look for the parent only in the list of the subtask.
struct Subtasks {
    private var parents: [ObjectID: ObjectID] = [:]
    private var children: [ObjectID: [ObjectID]] = [:]
    /// The reminders with at least one open subtask.
    private var parentsOfOpen: Set<ObjectID> = []

    init(_ snapshot: StoreSnapshot) throws(DatabaseError) {
        try snapshot.forEachSubtask { subtask, parent, isOpen in
            self.parents[subtask] = parent
            self.children[parent, default: []].append(subtask)
            if isOpen { self.parentsOfOpen.insert(parent) }
        }
    }

    func fill(_ view: inout ReminderView) {
        if self.parents.isEmpty { return }
        let id = ObjectID(view.id)
        view.parentID = self.parents[id]?.rawValue
        guard let children = self.children[id] else { return }
        view.childIDs = children.map(\.rawValue).sorted()
        view.hasOpenSubtasks = self.parentsOfOpen.contains(id)
    }
}

extension StoreSnapshot {
    /// Fills the numbers of the parent, the subtasks and the dependencies of one reminder.
    func fillFamily(_ view: inout ReminderView, of record: ObjectRecord, _ text: Reminder?) throws(DatabaseError) {
        if let uid = text?.parentUID, uid.exact != record.uid.exact {
            let row = try self.row(uid: uid, preferring: record.list)
            view.parentID = row.flatMap { $0.list == record.list ? $0.id.rawValue : nil }
        }
        view.childIDs = try self.subtasks(of: record.id).map(\.rawValue)
        try Dependencies(self, of: record.id).fill(&view)
    }

    /// All reminders below a reminder, each after its parent; a cycle ends at the reminder itself.
    func descendants(of record: ObjectRecord) throws(DatabaseError) -> [ObjectRecord] {
        var found: [ObjectRecord] = []
        var seen: Set<ObjectID> = [record.id]
        var waiting = [record]
        while let next = waiting.popLast() {
            if next.id != record.id { found.append(next) }
            for child in try self.subtasks(of: next.id).reversed() where seen.insert(child).inserted {
                if let record = try self.object(child) { waiting.append(record) }
            }
        }
        return found
    }

    /// The change with the UIDs of its parent and its dependencies instead of the numbers.
    ///
    /// The parameters and errors are those of ``resolvingDependencies(of:for:in:)``; a parent must be in `list`.
    func resolvingRelations(
        of change: ReminderChange,
        for record: ObjectRecord?,
        in list: ListRecord
    ) throws -> ReminderChange {
        let change = try self.resolvingParent(of: change, for: record, in: list)
        return try self.resolvingDependencies(of: change, for: record, in: list)
    }

    /// The change with the UID of its parent instead of the number.
    ///
    /// - Parameters:
    ///   - child: the changed reminder; `nil` for a new one.
    ///   - list: the list of the reminder after the change.
    /// - Throws: an error for a parent that is missing, in another list, or below `child`.
    private func resolvingParent(
        of change: ReminderChange,
        for child: ObjectRecord?,
        in list: ListRecord
    ) throws -> ReminderChange {
        guard case .set(let choice) = change.parent else { return change }
        let parent = try self.object(choice, in: list)
        if parent.id == child?.id { throw UseCaseError(.parentIsItself, subject: String(parent.id.rawValue)) }
        guard parent.list == list.id else {
            let name = try self.list(parent.list)?.name
            throw UseCaseError(.parentInOtherList, subject: name)
        }
        var seen: Set<ObjectID> = []
        var next: ObjectRecord? = parent
        while let record = next, seen.insert(record.id).inserted {
            if record.id == child?.id { throw UseCaseError(.parentIsSubtask, subject: String(parent.id.rawValue)) }
            let uid = Reminder(ICalendarDocument(record.source))?.parentUID
            next = try uid.flatMap { try self.object(in: record.list, uid: $0) }
        }
        var resolved = change
        resolved.parent = .set(.uid(parent.uid))
        return resolved
    }

    /// The reminder that a change names; a UID means the reminder of this list, or else of the first list.
    func object(_ choice: ReminderReference, in list: ListRecord) throws -> ObjectRecord {
        switch choice {
        case .number(let number): return try self.reminder(number).0
        case .uid(let uid):
            if let record = try self.object(in: list.id, uid: uid) { return record }
            guard let record = try self.objects(withUID: uid).first else {
                throw UseCaseError(.reminderNotFound, subject: uid)
            }
            return record
        }
    }
}

extension UseCases {
    /// The reminders below the given ones, each after its parent, without those that are given themselves.
    ///
    /// - Parameter onlyOpen: selects open subtasks, and ignores repeating parents: their subtasks belong to the next date
    ///   too.
    /// - Returns: the given reminders that have such subtasks, in their order.
    package func subtasks(of ids: [Int64], onlyOpen: Bool) throws -> [(parent: Int64, subtasks: [Int64])] {
        try self.store.read { snapshot in
            var seen = Set(ids)
            var families: [(parent: Int64, subtasks: [Int64])] = []
            for id in ids {
                guard try !snapshot.subtasks(of: ObjectID(id)).isEmpty, let record = try snapshot.object(ObjectID(id)),
                    !onlyOpen || !record.index.repeats
                else { continue }
                let subtasks = try snapshot.descendants(of: record)
                    .filter { !onlyOpen || !$0.index.status.isClosed }.map(\.id.rawValue)
                    .filter { seen.insert($0).inserted }
                if !subtasks.isEmpty { families.append((id, subtasks)) }
            }
            return families
        }
    }

    /// Reopens the completed subtasks of a repeating reminder that has moved to its next date, as Tasks.org does.
    ///
    /// Completed occurrences of repeating subtasks are separate reminders and stay completed.
    ///
    /// - Returns: the numbers of the reopened subtasks.
    func reopenSubtasks(
        of id: Int64,
        in scope: inout OperationScope,
        _ transaction: StoreTransaction
    ) throws -> [Int64] {
        var reopened: [Int64] = []
        for record in try transaction.descendants(of: transaction.reminder(id).0) {
            guard record.index.status == .completed, let text = Reminder(ICalendarDocument(record.source)),
                !text.relations.contains(where: { $0.kind == .other("SIBLING") })
            else { continue }
            _ = try self.reopen(record.id.rawValue, in: &scope, transaction)
            reopened.append(record.id.rawValue)
        }
        return reopened
    }

    /// The draft with the UIDs of its parent and its dependencies; without a list, it gets the list of the parent.
    func resolvingRelations(of draft: ReminderDraft) throws -> ReminderDraft {
        guard draft.change.parent != .keep || draft.change.dependencies != .keep else { return draft }
        var draft = draft
        if draft.list == nil, case .set(let choice) = draft.change.parent {
            draft.list = try self.store.read { snapshot in
                switch choice {
                case .number(let number): try snapshot.reminder(number).1.name
                case .uid(let uid):
                    try snapshot.objects(withUID: uid).first.flatMap { try snapshot.list($0.list)?.name }
                }
            }
        }
        let list = try self.writableList(draft.list)
        draft.change = try self.store.read { [draft] snapshot in
            try snapshot.resolvingRelations(of: draft.change, for: nil, in: list)
        }
        return draft
    }
}
