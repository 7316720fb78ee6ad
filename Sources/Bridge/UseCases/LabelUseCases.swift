import RemindavICalendar
package import RemindavReminders
import RemindavStore

extension UseCases {
    package func labels() throws -> [LabelView] {
        try self.store.read { snapshot throws(DatabaseError) in try LabelTable(snapshot).views }
    }

    package func labelColors() throws -> [LabelKey: LabelColor] {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.knownLabels() }.mapValues(\.color)
    }

    /// Creates a label, or gives a colour to a label that only reminders have.
    ///
    /// - Throws: `LabelNameError`; ``UseCaseError/Code/labelExists`` if a stored label has the name, ignoring case.
    package func addLabel(named name: String, color: LabelColor?) throws -> LabelView {
        try self.addingLabel(named: name, color: color).label
    }

    /// - Returns: also the run in the journal; `nil` if nothing was changed.
    package func addingLabel(named name: String, color: LabelColor?) throws -> (label: LabelView, run: Int64?) {
        let label = try Label(id: self.newUID(), name: name, color: color ?? .standard, at: self.editing.now)
        return try self.store.write { transaction in
            let known = try transaction.knownLabels()
            if let clash = known[label.key] { throw UseCaseError(.labelExists, subject: clash.name) }
            return try transaction.save(label, since: known, at: label.updatedAt)
        }
    }

    package func recolorLabel(_ name: String, to color: LabelColor) throws -> LabelView {
        try self.recoloringLabel(name, to: color).label
    }

    /// - Returns: also the run in the journal; `nil` if nothing was changed.
    package func recoloringLabel(_ name: String, to color: LabelColor) throws -> (label: LabelView, run: Int64?) {
        let (key, now, id) = (LabelKey(name), self.editing.now, self.newUID())
        return try self.store.write { transaction in
            let table = try LabelTable(transaction)
            guard let view = table[key] else { throw UseCaseError(.labelNotFound, subject: name) }
            let fresh = Label(id: id, known: view.name, color: color, createdAt: now, updatedAt: now)
            let label = try table.known[key]?.edited(color: color, at: now) ?? fresh
            return try transaction.save(label, since: table.known, at: now)
        }
    }

    /// Renames a label in all reminders and feeds, and gives it another colour if `color` is not `nil`.
    ///
    /// - Throws: `LabelNameError`; ``UseCaseError/Code/labelNameTaken`` if another label has the name.
    package func renameLabel(
        _ name: String,
        to new: String,
        color: LabelColor? = nil,
        isDryRun: Bool = false
    ) throws -> LabelChangeResult {
        let new = try Label.checked(name: new)
        return try self.perform(on: name, isDryRun: isDryRun) { table throws(UseCaseError) in
            if LabelKey(new) != LabelKey(name), let clash = table[LabelKey(new)] {
                throw UseCaseError(.labelNameTaken, subject: clash.name)
            }
            return .rename(to: new, color: color)
        }
    }

    /// Replaces the label `name` by the label `other` in all reminders, and deletes the label `name`.
    package func mergeLabel(_ name: String, into other: String, isDryRun: Bool = false) throws -> LabelChangeResult {
        try self.perform(on: name, isDryRun: isDryRun) { table throws(UseCaseError) in
            guard let target = table[LabelKey(other)] else { throw UseCaseError(.noLabelToMergeInto, subject: other) }
            guard LabelKey(other) != LabelKey(name) else { throw UseCaseError(.labelMergedWithItself, subject: other) }
            return .merge(into: target.name)
        }
    }

    package func deleteLabel(_ name: String, isDryRun: Bool = false) throws -> LabelChangeResult {
        try self.perform(on: name, isDryRun: isDryRun) { _ throws(UseCaseError) in .delete }
    }

    private enum LabelOperation {
        case rename(to: String, color: LabelColor?), merge(into: String), delete

        var replacement: String? {
            switch self {
            case .rename(let name, _), .merge(let name): name
            case .delete: nil
            }
        }
    }

    /// Changes all reminders and the label in one transaction and in one run of the journal.
    private func perform(
        on name: String,
        isDryRun: Bool,
        _ decide: (LabelTable) throws(UseCaseError) -> LabelOperation
    ) throws -> LabelChangeResult {
        let (key, context, id) = (LabelKey(name), self.editing, self.newUID())
        return try self.store.write { transaction in
            let table = try LabelTable(transaction)
            let carriers = try transaction.carriers(of: key)
            guard table[key] != nil || !carriers.isEmpty else { throw UseCaseError(.labelNotFound, subject: name) }
            let oldName = table[key]?.name ?? name
            let operation = try decide(table)
            let new = operation.replacement
            var writer = LabelWriter(label: key, name: new, reader: self.reader, context: context)
            try writer.rewrite(carriers, in: transaction)
            guard writer.kept.isEmpty || !writer.changed.isEmpty else {
                throw UseCaseError(.labelIsReadOnly, subject: writer.kept.keys.sorted().joined(separator: "', '"))
            }
            var feeds = try transaction.openFeeds(of: key)
            let known = table.known[key]
            let seconds = context.now.secondsSince1970
            // Another machine may have stored the label, so the store records the deletion for the next sync.
            if known == nil, new.map({ LabelKey($0) }) != key {
                try transaction.remember(DeletedLabel(name: oldName, deletedAt: seconds))
            }
            var (before, after): (Label?, Label?) = (known, nil)
            if case .rename(let new, let color) = operation {
                let label = known ?? Label(newlyKnown: oldName, id: id, at: context.now)
                let renamed = label.renamed(new, color: color, at: context.now)
                if renamed != label { try transaction.save(renamed) }
                (before, after) = (label, renamed)
                try transaction.renameFeeds(of: key, to: new)
                feeds = []
            } else if let known {
                try transaction.delete(known, at: seconds)
            }
            if let before, before.name != after?.name || before.color != after?.color {
                let change = StateChange(
                    before: LabelState(before, isKnown: known != nil),
                    after: after.map { LabelState($0) }
                )
                try transaction.recordChange(change, of: writer.beginRun(in: transaction), at: seconds)
            }
            let label = try new.flatMap { try LabelTable(transaction)[LabelKey($0)] }
            if isDryRun { transaction.discard() }
            return LabelChangeResult(
                name: oldName,
                label: label,
                changed: writer.changed,
                kept: writer.kept.sorted { $0.key < $1.key }.map { .init(list: $0.key, count: $0.value) },
                run: isDryRun ? nil : writer.run?.rawValue,
                feeds: feeds
            )
        }
    }
}

private struct LabelWriter {
    let label: LabelKey
    let name: String?
    let reader: ReminderReader
    let context: EditingContext
    var run: RunID?
    var changed: [LabelChangeResult.Changed] = []
    /// The number of reminders that keep the label in each read-only list, by the name of the list.
    var kept: [String: Int] = [:]

    mutating func rewrite(_ objects: [ObjectID], in transaction: StoreTransaction) throws(DatabaseError) {
        guard !objects.isEmpty else { return }
        let lists = Dictionary(uniqueKeysWithValues: try transaction.lists().map { ($0.id, $0) })
        for id in objects {
            guard let record = try transaction.object(id), let list = lists[record.list] else { continue }
            guard !list.isReadOnly else {
                self.kept[list.name, default: 0] += 1
                continue
            }
            guard let reminder = Reminder(ICalendarDocument(record.source)) else { continue }
            let changed = reminder.replacing(self.label, with: self.name, in: self.context).object
            let bytes = changed.document.bytes
            guard bytes != record.source else { continue }
            try transaction.update(id, self.reader.stored(changed))
            let note = ChangeNote(
                object: id,
                uid: record.uid,
                title: record.index.title,
                side: .local,
                kind: .changed,
                before: record.source,
                after: bytes
            )
            let run = try self.beginRun(in: transaction)
            try transaction.recordChange(note, in: record.list, of: run, at: self.context.now.secondsSince1970)
            self.changed.append(LabelChangeResult.Changed(id: id.rawValue, title: record.index.title))
        }
    }

    mutating func beginRun(in transaction: StoreTransaction) throws(DatabaseError) -> RunID {
        let now = self.context.now.secondsSince1970
        let run = if let run = self.run { run } else { try transaction.beginOperation(at: now) }
        self.run = run
        return run
    }
}

extension Label {
    /// A stored label for a name that only reminders had.
    fileprivate init(newlyKnown name: String, id: String, at now: Instant) {
        // The label gets an earlier time than now, so that its first change at `now` is later.
        let before = Instant(secondsSince1970: now.secondsSince1970 - 1)
        self.init(id: id, known: name, color: .standard, createdAt: before, updatedAt: before)
    }
}

extension StoreSnapshot {
    fileprivate func openFeeds(of label: LabelKey) throws(DatabaseError) -> [Int64] {
        try self.feeds()
            .filter { $0.revokedAt == nil && $0.labels.contains { LabelKey($0) == label } }
            .map(\.id.rawValue)
    }
}

extension StoreTransaction {
    fileprivate func save(
        _ label: Label,
        since known: [LabelKey: Label],
        at now: Instant
    ) throws -> (label: LabelView, run: Int64?) {
        try self.save(label)
        var run: RunID?
        try self.recordLabels(since: known, of: &run, at: now)
        guard let view = try LabelTable(self)[label.key] else {
            throw UseCaseError(.labelNotFound, subject: label.name)
        }
        return (view, run?.rawValue)
    }

    func renameFeeds(of label: LabelKey, to name: String) throws(DatabaseError) {
        for feed in try self.feeds() {
            let labels = feed.labels.map { LabelKey($0) == label ? name : $0 }
            if labels != feed.labels { try self.setLabels(labels, ofFeed: feed.id) }
        }
    }
}
