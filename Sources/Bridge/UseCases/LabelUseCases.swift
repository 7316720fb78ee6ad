import ICalendar
package import Reminders
import Store

extension UseCases {
    /// All labels, by name: those that somebody has made or coloured, and those that reminders have.
    package func labels() throws -> [LabelView] {
        try self.store.read { snapshot throws(DatabaseError) in try LabelTable(snapshot).views }
    }

    /// Makes a label, or gives one that reminders have already a colour.
    ///
    /// - Throws: `LabelNameError`; ``UseCaseError/Code/labelExists`` when there is one of this name in any spelling.
    package func addLabel(named name: String, color: LabelColor?) throws -> LabelView {
        let label = try Label(id: self.newUID(), name: name, color: color ?? .standard, at: self.editing.now)
        return try self.store.write { transaction in
            let known = try transaction.knownLabels()
            if let clash = known[label.key] { throw UseCaseError(.labelExists, subject: clash.name) }
            try transaction.save(label)
            var run: RunID?
            try transaction.recordLabels(since: known, of: &run, at: label.updatedAt)
            return try transaction.labelView(label.key)
        }
    }

    /// Gives a label another colour.
    package func recolorLabel(_ name: String, to color: LabelColor) throws -> LabelView {
        let (key, now, id) = (LabelKey(name), self.editing.now, self.newUID())
        return try self.store.write { transaction in
            let table = try LabelTable(transaction)
            guard let view = table[key] else { throw UseCaseError(.labelNotFound, subject: name) }
            let fresh = Label(id: id, known: view.name, color: color, createdAt: now, updatedAt: now)
            try transaction.save(table.known[key]?.edited(color: color, at: now) ?? fresh)
            var run: RunID?
            try transaction.recordLabels(since: table.known, of: &run, at: now)
            return try transaction.labelView(key)
        }
    }

    /// Gives a label another name, in all reminders that have it.
    ///
    /// - Parameter isDryRun: whether nothing is to be changed.
    /// - Throws: `LabelNameError`; ``UseCaseError/Code/labelExists`` when there is another label of that name.
    package func renameLabel(_ name: String, to new: String, isDryRun: Bool = false) throws -> LabelChangeResult {
        let new = try Label.checked(name: new)
        let (old, key) = (LabelKey(name), LabelKey(new))
        return try self.perform(on: name, isDryRun: isDryRun) { operation, table throws(UseCaseError) in
            if key != old, let clash = table[key] { throw UseCaseError(.labelNameTaken, subject: clash.name) }
            operation.name = new
            // The feeds of a label stay feeds of it under its new name.
            operation.renamesFeeds = true
            operation.after = { $0.renamed(new, at: $1) }
        }
    }

    /// Gives all reminders that have one label another in its place, and forgets the one.
    package func mergeLabel(_ name: String, into other: String, isDryRun: Bool = false) throws -> LabelChangeResult {
        try self.perform(on: name, isDryRun: isDryRun) { operation, table throws(UseCaseError) in
            guard let target = table[LabelKey(other)] else { throw UseCaseError(.noLabelToMergeInto, subject: other) }
            guard LabelKey(other) != LabelKey(name) else { throw UseCaseError(.labelMergedWithItself, subject: other) }
            operation.name = target.name
        }
    }

    /// Forgets a label and takes it away from all reminders that have it; they stay.
    package func deleteLabel(_ name: String, isDryRun: Bool = false) throws -> LabelChangeResult {
        try self.perform(on: name, isDryRun: isDryRun) { _, _ throws(UseCaseError) in }
    }

    /// What is done to a label.
    private struct Relabeling {
        /// What the reminders get in its place.
        var name: String?
        /// The label as it is afterwards; `nil` when it is none any more.
        var after: ((Label, Instant) -> Label)?
        var renamesFeeds = false
    }

    /// Reads, decides and writes in one transaction; all that is changed is in the journal, in one run.
    private func perform(
        on name: String,
        isDryRun: Bool,
        _ decide: (inout Relabeling, LabelTable) throws(UseCaseError) -> Void
    ) throws -> LabelChangeResult {
        let (key, now, id) = (LabelKey(name), self.editing.now, self.newUID())
        let (reader, context) = (self.reader, self.editing)
        return try self.store.write { transaction in
            let table = try LabelTable(transaction)
            let carriers = try transaction.carriers(of: key)
            let view = table[key]
            guard view != nil || !carriers.isEmpty else { throw UseCaseError(.labelNotFound, subject: name) }
            var relabeling = Relabeling()
            try decide(&relabeling, table)
            var writer = LabelWriter(label: key, name: relabeling.name, reader: reader, context: context)
            try writer.rewrite(carriers, in: transaction)
            guard writer.kept.isEmpty || !writer.changed.isEmpty else {
                throw UseCaseError(.labelIsReadOnly, subject: writer.kept.keys.sorted().joined(separator: "', '"))
            }
            let before =
                table.known[key]
                ?? relabeling.after.map { _ in
                    Label(newlyKnown: view?.name ?? name, id: id, at: now)
                }
            // Another machine may know more of it.
            let deleted = DeletedLabel(name: view?.name ?? name, deletedAt: now.secondsSince1970)
            if table.known[key] == nil, relabeling.name.map({ LabelKey($0) }) != key {
                try transaction.remember(deleted)
            }
            if let before {
                let after = relabeling.after?(before, now)
                if let after {
                    if after != before { try transaction.save(after) }
                } else {
                    try transaction.delete(before, at: now.secondsSince1970)
                }
                if before.name != after?.name || before.color != after?.color {
                    let run = try writer.run ?? transaction.beginOperation(at: now.secondsSince1970)
                    writer.run = run
                    let wasKnown = table.known[key] != nil
                    let change = StateChange(
                        before: LabelState(before, isKnown: wasKnown),
                        after: after.map { LabelState($0) }
                    )
                    try transaction.recordChange(change, of: run, at: now.secondsSince1970)
                }
            }
            var feeds = try transaction.openFeeds(of: key)
            if relabeling.renamesFeeds, let new = relabeling.name {
                try transaction.renameFeeds(of: key, to: new)
                feeds = []
            }
            let label = try relabeling.name.flatMap { try LabelTable(transaction)[LabelKey($0)] }
            if isDryRun { transaction.discard() }
            return LabelChangeResult(
                name: view?.name ?? name,
                label: label,
                changed: writer.changed,
                kept: writer.kept.map { LabelChangeResult.Kept(list: $0.key, count: $0.value) }.sorted {
                    $0.list < $1.list
                },
                run: isDryRun ? nil : writer.run?.rawValue,
                feeds: feeds
            )
        }
    }
}

/// Writes another label, or none, into the texts of reminders.
private struct LabelWriter {
    let label: LabelKey
    let name: String?
    let reader: ReminderReader
    let context: EditingContext
    /// The run in the journal that has the changes; `nil` before the first.
    var run: RunID?
    var changed: [LabelChangeResult.Changed] = []
    /// How many have the label in a list that nobody can change, by its name.
    var kept: [String: Int] = [:]

    mutating func rewrite(_ objects: [ObjectID], in transaction: StoreTransaction) throws(DatabaseError) {
        guard !objects.isEmpty else { return }
        let lists = Dictionary(uniqueKeysWithValues: try transaction.lists().map { ($0.id, $0) })
        let now = self.context.now.secondsSince1970
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
            try transaction.update(id, source: bytes, index: self.reader.index(changed))
            let run = if let run = self.run { run } else { try transaction.beginOperation(at: now) }
            self.run = run
            let note = ChangeNote(
                object: id,
                uid: record.uid,
                title: record.index.title,
                side: .local,
                kind: .changed,
                before: record.source,
                after: bytes
            )
            try transaction.recordChange(note, in: record.list, of: run, at: now)
            self.changed.append(LabelChangeResult.Changed(id: id.rawValue, title: record.index.title))
        }
    }
}

extension Label {
    /// A label that reminders have, of which only the name is known until now.
    fileprivate init(newlyKnown name: String, id: String, at now: Instant) {
        // What is done to it is of now, and later.
        let before = Instant(secondsSince1970: now.secondsSince1970 - 1)
        self.init(id: id, known: name, color: .standard, createdAt: before, updatedAt: before)
    }
}

extension StoreSnapshot {
    fileprivate func labelView(_ key: LabelKey) throws -> LabelView {
        guard let view = try LabelTable(self)[key] else { throw UseCaseError(.labelNotFound, subject: key.text) }
        return view
    }

    /// The feeds that are open and were asked for by the label.
    fileprivate func openFeeds(of label: LabelKey) throws(DatabaseError) -> [Int64] {
        try self.feeds()
            .filter { $0.revokedAt == nil && $0.labels.contains { LabelKey($0) == label } }
            .map(\.id.rawValue)
    }
}

extension StoreTransaction {
    /// Lets the feeds of a label be feeds of it under its new name.
    func renameFeeds(of label: LabelKey, to name: String) throws(DatabaseError) {
        for feed in try self.feeds() {
            let labels = feed.labels.map { LabelKey($0) == label ? name : $0 }
            if labels != feed.labels { try self.setLabels(labels, ofFeed: feed.id) }
        }
    }
}
