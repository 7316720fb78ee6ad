import ICalendar
import Reminders
import Store

// What is done to a label is in the journal beside what is done to the reminders that have it.

/// What came of undoing one change of a label.
package struct LabelUndoView: Hashable, Sendable {
    /// What became of it.
    package enum Outcome: String, Hashable, Sendable {
        case undone, alreadyApplied, undoneBefore
        /// It was changed again since, and stays as it is.
        case changedSince
    }

    /// The change that was to be undone.
    package let change: LabelChangeView
    /// What became of it.
    package let outcome: Outcome
}

extension StoreTransaction {
    /// Writes into the journal what has become of labels since they were as `known`.
    ///
    /// - Parameter run: begun here when there is none yet and a label is different.
    func recordLabels(
        since known: [LabelKey: Label],
        of run: inout RunID?,
        at now: Instant
    ) throws(DatabaseError) {
        let before = Dictionary(known.values.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let labels = try self.labels()
        let after = Dictionary(labels.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let gone = known.values.filter { after[$0.id] == nil }.sorted { $0.key.text < $1.key.text }
        let changes =
            gone.map { LabelChange(before: $0, after: nil) }
            + labels.filter { before[$0.id] != $0 }.map { LabelChange(before: before[$0.id], after: $0) }
        for change in changes {
            let operation = if let run { run } else { try self.beginOperation(at: now.secondsSince1970) }
            run = operation
            try self.recordChange(change, of: operation)
        }
    }

    /// Takes back what a run did to labels, beside the reminders: names, colours, and labels that are no more.
    ///
    /// A name or a colour that was given since stays.
    ///
    /// - Parameter operation: the run in the journal that tells of the undoing, so that it can be undone itself; begun here
    ///   when there is none yet and a label is taken back.
    func takeBackLabels(
        of run: RunID,
        as operation: inout RunID?,
        at now: Instant
    ) throws(DatabaseError) -> [LabelUndoView] {
        var views: [LabelUndoView] = []
        for record in try self.labelChanges(of: run).reversed() {
            let outcome = try self.takeBack(record, as: &operation, at: now)
            views.append(LabelUndoView(change: LabelChangeView(record), outcome: outcome))
        }
        return views
    }

    private func takeBack(
        _ record: LabelChangeRecord,
        as operation: inout RunID?,
        at now: Instant
    ) throws(DatabaseError) -> LabelUndoView.Outcome {
        guard record.undoneAt == nil else { return .undoneBefore }
        let labels = try self.labels()
        let change = record.change
        let current = labels.first { $0.id == change.after?.id ?? change.before?.id }
        let step = LabelStep(takingBack: change, current: current, others: labels, at: now)
        if case .changedSince = step { return .changedSince }
        if case .alreadyApplied = step {
            try self.markUndone(labelChange: record.id, at: now.secondsSince1970)
            return .alreadyApplied
        }
        let reversed = try self.perform(step, on: change, current, at: now.secondsSince1970)
        let run = if let operation { operation } else { try self.beginOperation(at: now.secondsSince1970) }
        operation = run
        try self.recordChange(reversed, of: run, reversing: record.id)
        try self.markUndone(labelChange: record.id, at: now.secondsSince1970)
        return .undone
    }

    /// - Returns: what was done to the label by it.
    private func perform(
        _ step: LabelStep,
        on change: LabelChange,
        _ current: Label?,
        at now: Int64
    ) throws(DatabaseError) -> LabelChange {
        switch step {
        case .save(let label):
            try self.save(label)
            let former = current ?? (change.isKnown ? nil : change.after)
            if let former { try self.renameFeeds(of: former.key, to: label.name) }
            // As when it was renamed first: another machine may know more of it.
            if current == nil, let former { try self.remember(DeletedLabel(name: former.name, deletedAt: now)) }
            return LabelChange(before: former, after: label, wasKnown: change.isKnown)
        case .letGo(let name):
            if let current {
                try self.delete(current, at: now)
                try self.renameFeeds(of: current.key, to: name.name)
            }
            try self.forgetDeletion(of: name.key)
            return LabelChange(before: current, after: name, isKnown: false)
        case .delete, .alreadyApplied, .changedSince:
            if let current { try self.delete(current, at: now) }
            return LabelChange(before: current, after: nil)
        }
    }
}

/// What taking back a change of a label means for the label as it is now.
private enum LabelStep {
    case save(Label)
    /// It is again what reminders just have, under this name.
    case letGo(Label)
    case delete
    case alreadyApplied, changedSince

    /// - Parameters:
    ///   - current: the label as it is now, `nil` when it is none.
    ///   - labels: all that are known now.
    init(takingBack change: LabelChange, current: Label?, others labels: [Label], at now: Instant) {
        let current = current ?? (change.isKnown ? nil : change.after)
        guard let before = change.before else {
            guard let current else {
                self = .alreadyApplied
                return
            }
            self = current.name == change.after?.name && current.color == change.after?.color ? .delete : .changedSince
            return
        }
        if current == nil, change.after != nil {
            self = .changedSince
            return
        }
        if current != nil, change.after == nil {
            self = .alreadyApplied
            return
        }
        if !change.wasKnown, let current, current.name == change.after?.name, current.color == change.after?.color {
            self = .letGo(before)
            return
        }
        let label = Label(
            id: before.id,
            known: current?.name == change.after?.name ? before.name : current?.name ?? before.name,
            color: current?.color == change.after?.color ? before.color : current?.color ?? before.color,
            createdAt: before.createdAt,
            // Later than what it replaces, whatever the clock says: the later word counts on other machines.
            updatedAt: current.map { max(now, $0.updatedAt.adding(seconds: 1)) } ?? now
        )
        let isTaken = labels.contains { $0.key == label.key && $0.id != label.id }
        let isSame = current?.name == label.name && current?.color == label.color
        let wasSo = current?.name == before.name && current?.color == before.color
        self = isTaken || isSame && !wasSo ? .changedSince : isSame ? .alreadyApplied : .save(label)
    }
}
