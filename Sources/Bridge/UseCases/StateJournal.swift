import RemindavICalendar
import RemindavReminders
import RemindavStore

// The journal also records changes of labels and local lists. For a synced list, the values of the server apply, so its
// changes are not recorded.

/// The result of undoing one change of a label or a list.
enum Reversal<State: JournaledState> {
    /// The change that the undo made.
    case done(StateChange<State>)
    case alreadyApplied
    /// The label or list stays unchanged for one of the reasons in ``StateUndoView/Outcome/changedSince``.
    case refused
}

extension StoreTransaction {
    /// Undoes changes of a run to labels or lists, in the order of `records`.
    ///
    /// - Parameter operation: the run that records the undo; if it is `nil`, the first change begins a run.
    private func undoStates<State>(
        _ records: [StateChangeRecord<State>],
        as operation: inout RunID?,
        at now: Int64,
        _ undo: (StateChange<State>) throws(DatabaseError) -> Reversal<State>
    ) throws(DatabaseError) -> [StateUndoView] {
        var views: [StateUndoView] = []
        for record in records {
            var outcome = StateUndoView.Outcome.undoneBefore
            if record.undoneAt == nil {
                switch try undo(record.change) {
                case .refused: outcome = .changedSince
                case .alreadyApplied: outcome = .alreadyApplied
                case .done(let change):
                    outcome = .undone
                    let run = if let operation { operation } else { try self.beginOperation(at: now) }
                    operation = run
                    try self.recordChange(change, of: run, reversing: record.id, at: now)
                }
                if outcome != .changedSince { try self.markUndone(record.id, at: now) }
            }
            views.append(StateUndoView(change: StateChangeView(record), outcome: outcome))
        }
        return views
    }
}

// MARK: labels

extension StoreTransaction {
    /// Records the differences between the labels `known` and the current labels.
    ///
    /// - Parameter run: the run that records them; if it is `nil`, the first difference begins a run.
    func recordLabels(since known: [LabelKey: Label], of run: inout RunID?, at now: Instant) throws(DatabaseError) {
        let before = Dictionary(known.values.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let labels = try self.labels()
        let after = Set(labels.map(\.id))
        let deleted = known.values.filter { !after.contains($0.id) }.sorted { $0.key.text < $1.key.text }
        let changes =
            deleted.map { StateChange(before: LabelState($0), after: nil) }
            + labels.filter { before[$0.id] != $0 }.map { label in
                StateChange(before: before[label.id].map { LabelState($0) }, after: LabelState(label))
            }
        for change in changes {
            let operation = if let run { run } else { try self.beginOperation(at: now.secondsSince1970) }
            run = operation
            try self.recordChange(change, of: operation, at: now.secondsSince1970)
        }
    }

    /// Undoes the changes of a run to labels; a name or a colour that was changed again later is not restored.
    ///
    /// - Parameter operation: the run that records the undo; if it is `nil`, the first change begins a run.
    func undoLabels(
        of run: RunID,
        as operation: inout RunID?,
        at now: Instant
    ) throws(DatabaseError) -> [StateUndoView] {
        let records: [StateChangeRecord<LabelState>] = try self.stateChanges(of: run).reversed()
        return try self.undoStates(records, as: &operation, at: now.secondsSince1970) {
            (change) throws(DatabaseError) in
            let labels = try self.labels()
            let current = labels.first { $0.id == (change.after ?? change.before)?.label.id }
            return try self.perform(
                LabelStep(undoing: change, current: current, others: labels, at: now),
                on: change,
                current,
                at: now.secondsSince1970
            )
        }
    }

    private func perform(
        _ step: LabelStep,
        on change: StateChange<LabelState>,
        _ current: Label?,
        at now: Int64
    ) throws(DatabaseError) -> Reversal<LabelState> {
        switch step {
        case .alreadyApplied: return .alreadyApplied
        case .changedSince: return .refused
        case .save(let label):
            try self.save(label)
            let isKnown = change.after?.isKnown ?? true
            let former = current ?? (isKnown ? nil : change.after?.label)
            if let former { try self.renameFeeds(of: former.key, to: label.name) }
            // Another machine may have stored the label, so the store records the deletion for the next sync.
            if current == nil, let former { try self.remember(DeletedLabel(name: former.name, deletedAt: now)) }
            return .done(StateChange(before: former.map { LabelState($0, isKnown: isKnown) }, after: LabelState(label)))
        case .forget(let name):
            if let current {
                try self.delete(current, at: now)
                try self.renameFeeds(of: current.key, to: name.name)
            }
            try self.forgetDeletion(of: name.key)
            return .done(StateChange(before: current.map { LabelState($0) }, after: LabelState(name, isKnown: false)))
        case .delete:
            if let current { try self.delete(current, at: now) }
            return .done(StateChange(before: current.map { LabelState($0) }, after: nil))
        }
    }
}

/// The step that undoes a change of a label, determined from the label's current values.
private enum LabelStep {
    case save(Label)
    /// Deletes the stored label, so that only reminders have it under this name.
    case forget(Label)
    case delete
    case alreadyApplied, changedSince

    /// - Parameter current: the label as it is now; `nil` when there is none.
    init(undoing change: StateChange<LabelState>, current: Label?, others labels: [Label], at now: Instant) {
        let (before, after) = (change.before?.label, change.after?.label)
        let current = current ?? (change.after?.isKnown == false ? after : nil)
        guard let before else {
            guard let current else {
                self = .alreadyApplied
                return
            }
            self = current.name == after?.name && current.color == after?.color ? .delete : .changedSince
            return
        }
        if current == nil, after != nil {
            self = .changedSince
            return
        }
        if current != nil, after == nil {
            self = .alreadyApplied
            return
        }
        if change.before?.isKnown == false, let current, current.name == after?.name, current.color == after?.color {
            self = .forget(before)
            return
        }
        let label = Label(
            id: before.id,
            known: current?.name == after?.name ? before.name : current?.name ?? before.name,
            color: current?.color == after?.color ? before.color : current?.color ?? before.color,
            createdAt: before.createdAt,
            // Other machines use the label with the later time, so this time must be later than the time of the
            // replaced label, even if the clock is slow.
            updatedAt: current.map { max(now, $0.updatedAt.adding(seconds: 1)) } ?? now
        )
        let isTaken = labels.contains { $0.key == label.key && $0.id != label.id }
        let isSame = current?.name == label.name && current?.color == label.color
        let wasSo = current?.name == before.name && current?.color == before.color
        self = isTaken || isSame && !wasSo ? .changedSince : isSame ? .alreadyApplied : .save(label)
    }
}

// MARK: lists

extension StoreTransaction {
    /// Records the lists that a run created; `known` contains all earlier lists.
    func recordLists(besides known: Set<ListID>, of run: RunID, at now: Int64) throws(DatabaseError) {
        for list in try self.lists() where !known.contains(list.id) {
            try self.recordChange(StateChange(before: nil, after: ListAppearance(list)), of: run, at: now)
        }
    }

    /// Records a change of a list by the user in the run of the command; `nil` begins a run.
    func recordList(
        before: ListRecord?,
        after: ListRecord?,
        of run: RunID? = nil,
        at now: Int64
    ) throws(DatabaseError) {
        let change = StateChange(before: before.map { ListAppearance($0) }, after: after.map { ListAppearance($0) })
        guard change.before != change.after else { return }
        let run = if let run { run } else { try self.beginOperation(at: now) }
        try self.recordChange(change, of: run, at: now)
    }

    /// Creates the lists that a run deleted, so that its reminders can return to them.
    ///
    /// - Parameter operation: the run that records the undo; if it is `nil`, the first created list begins a run.
    func restoreLists(of run: RunID, as operation: inout RunID?, at now: Instant) throws(DatabaseError)
        -> [StateUndoView]
    {
        let records: [StateChangeRecord<ListAppearance>] = try self.stateChanges(of: run)
        return try self.undoLists(records.filter { $0.change.after == nil }, as: &operation, at: now)
    }

    /// Undoes the changes of a run to lists, except deletions, after the changes of its reminders.
    ///
    /// A list that the run created is deleted if it is empty and unchanged.
    ///
    /// - Parameter operation: the same as in ``restoreLists(of:as:at:)``.
    func undoLists(of run: RunID, as operation: inout RunID?, at now: Instant) throws(DatabaseError)
        -> [StateUndoView]
    {
        let records: [StateChangeRecord<ListAppearance>] = try self.stateChanges(of: run).reversed()
        return try self.undoLists(records.filter { $0.change.after != nil }, as: &operation, at: now)
    }

    private func undoLists(
        _ records: [StateChangeRecord<ListAppearance>],
        as operation: inout RunID?,
        at now: Instant
    ) throws(DatabaseError) -> [StateUndoView] {
        try self.undoStates(records, as: &operation, at: now.secondsSince1970) { (change) throws(DatabaseError) in
            guard let id = (change.after ?? change.before)?.list else { return .alreadyApplied }
            let current = try self.list(id)
            return try self.undo(change, current, at: now.secondsSince1970)
        }
    }

    /// - Parameter current: the list as it is now; `nil` when there is none.
    private func undo(
        _ change: StateChange<ListAppearance>,
        _ current: ListRecord?,
        at now: Int64
    ) throws(DatabaseError) -> Reversal<ListAppearance> {
        switch (change.before, change.after) {
        case (nil, nil): return .alreadyApplied
        case (nil, let created?):
            guard let current else { return .alreadyApplied }
            guard try self.deleteIfUnchanged(created) else { return .refused }
            return .done(StateChange(before: ListAppearance(current), after: nil))
        case (let former?, nil):
            guard current == nil else { return .alreadyApplied }
            guard try !self.isTaken(former.name, by: former.list) else { return .refused }
            try self.restore(former, at: now)
            return .done(StateChange(before: nil, after: former))
        case (let former?, let since?):
            guard let current, current.state != .synced else { return .refused }
            guard current.name != former.name || current.color != former.color else { return .alreadyApplied }
            var list = current
            if current.name == since.name { list.name = former.name }
            if current.color == since.color { list.color = former.color }
            guard list != current, try !self.isTaken(list.name, by: list.id) else { return .refused }
            try self.update(list)
            return .done(StateChange(before: ListAppearance(current), after: ListAppearance(list)))
        }
    }

    /// Whether another list has the name, ignoring case.
    private func isTaken(_ name: String, by list: ListID) throws(DatabaseError) -> Bool {
        try self.lists().contains { $0.id != list && $0.name.isSameButForCase(as: name) }
    }
}

extension StateChangeView {
    init<State: JournaledState>(_ record: StateChangeRecord<State>) {
        self.oldName = record.change.before?.name
        self.oldColor = record.change.before?.shownColor
        self.newName = record.change.after?.name
        self.newColor = record.change.after?.shownColor
        self.isUndone = record.undoneAt != nil
    }
}

extension JournaledState {
    fileprivate var shownColor: String? {
        (self as? LabelState)?.label.color.hex ?? (self as? ListAppearance)?.color
    }
}
