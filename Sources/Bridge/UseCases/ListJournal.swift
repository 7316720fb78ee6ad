import ICalendar
import Store

// What is done to a list of this machine is in the journal beside what is done to its reminders. Of a list that has
// another side nothing is: its server has the word.

extension StoreTransaction {
    /// Writes into the journal which lists a run has made: all but those with the numbers `known`.
    func recordLists(besides known: Set<ListID>, of run: RunID) throws(DatabaseError) {
        for list in try self.lists() where !known.contains(list.id) {
            if let change = ListNote(before: nil, after: list) { try self.recordChange(change, of: run) }
        }
    }

    /// Writes into the journal what a person has done to a list.
    ///
    /// - Parameter run: what the same command did to its reminders is in; `nil` begins one.
    func recordList(
        before: ListRecord?,
        after: ListRecord?,
        of run: RunID? = nil,
        at now: Int64
    ) throws(DatabaseError) {
        guard let change = ListNote(before: before, after: after) else { return }
        let run = if let run { run } else { try self.beginOperation(at: now) }
        try self.recordChange(change, of: run)
    }

    /// Makes the lists of a run again that it took away, before its reminders are put back into them.
    ///
    /// - Parameter operation: the run in the journal that tells of the undoing; begun here when there is none yet.
    func putBackLists(of run: RunID, as operation: inout RunID?, at now: Instant) throws(DatabaseError)
        -> [ListUndoView]
    {
        let records = try self.listChanges(of: run).filter { $0.change.after == nil }
        return try self.takeBack(records, as: &operation, at: now.secondsSince1970)
    }

    /// Takes back what else a run did to lists, after its reminders: those that it made go when they are empty, and as
    /// they were made.
    ///
    /// - Parameter operation: as in ``putBackLists(of:as:at:)``.
    func takeBackLists(of run: RunID, as operation: inout RunID?, at now: Instant) throws(DatabaseError)
        -> [ListUndoView]
    {
        let records = try self.listChanges(of: run).filter { $0.change.after != nil }
        return try self.takeBack(records.reversed(), as: &operation, at: now.secondsSince1970)
    }

    private func takeBack(
        _ records: [ListNoteRecord],
        as operation: inout RunID?,
        at now: Int64
    ) throws(DatabaseError) -> [ListUndoView] {
        var views: [ListUndoView] = []
        for record in records {
            var outcome = ListUndoView.Outcome.undoneBefore
            if record.undoneAt == nil {
                let current = try self.list(record.change.list)
                outcome = try self.takeBack(record.change, current, at: now)
                if outcome == .undone {
                    let run = if let operation { operation } else { try self.beginOperation(at: now) }
                    operation = run
                    let change = ListNote(before: current, after: try self.list(record.change.list))
                    if let change { try self.recordChange(change, of: run, reversing: record.id) }
                }
                if outcome != .kept { try self.markUndone(listChange: record.id, at: now) }
            }
            views.append(ListUndoView(change: ListChangeView(record), outcome: outcome))
        }
        return views
    }

    /// - Parameter current: the list as it is now, `nil` when there is none.
    private func takeBack(
        _ change: ListNote,
        _ current: ListRecord?,
        at now: Int64
    ) throws(DatabaseError) -> ListUndoView.Outcome {
        switch (change.before, change.after) {
        case (nil, nil): return .alreadyApplied
        case (nil, let made?):
            guard current != nil else { return .alreadyApplied }
            return try self.deleteIfUnchanged(change.list, looking: made) ? .undone : .kept
        case (let former?, nil):
            guard current == nil else { return .alreadyApplied }
            guard try !self.isTaken(former.name, by: change.list) else { return .kept }
            try self.putBack(change.list, as: former, at: now)
            return .undone
        case (let former?, let since?):
            // A list that has another side by now has its words from there.
            guard let current, current.state != .synced else { return .kept }
            guard current.name != former.name || current.color != former.color else { return .alreadyApplied }
            var list = current
            if current.name == since.name { list.name = former.name }
            if current.color == since.color { list.color = former.color }
            guard list != current, try !self.isTaken(list.name, by: list.id) else { return .kept }
            try self.update(list)
            return .undone
        }
    }

    /// Whether another list has the name.
    private func isTaken(_ name: String, by list: ListID) throws(DatabaseError) -> Bool {
        try self.lists().contains { $0.id != list && $0.name.isSameButForCase(as: name) }
    }
}

extension ListChangeView {
    init(_ record: ListNoteRecord) {
        self.init(
            oldName: record.change.before?.name,
            oldColor: record.change.before?.color,
            newName: record.change.after?.name,
            newColor: record.change.after?.color,
            isUndone: record.undoneAt != nil
        )
    }
}
