import ICalendar
import Reminders
import Store
package import TaskFormats

/// Which reminders an export writes, by whether they are done.
package enum ExportState: Sendable {
    case all
    /// What is still to be done.
    case open
    /// What is done or cancelled.
    case completed
}

extension ExportState {
    func matches(_ index: ObjectIndex) -> Bool {
        switch self {
        case .all: true
        case .open: !index.isClosed
        case .completed: index.isClosed
        }
    }
}

extension UseCases {
    /// Writes reminders for other programs and for people.
    ///
    /// By the name of their list, then by the moment at which they are due, those without one last, then by title and
    /// UID: the same reminders give the same text. In a checklist a reminder stands below the one that it is a part of.
    ///
    /// - Parameters:
    ///   - list: the name of the only list, `nil` for all.
    ///   - labels: one of these; empty for all.
    ///   - words: says a rule in words, for people.
    ///   - write: takes the text piece by piece.
    /// - Returns: how many were written.
    package func exportReminders(
        as form: ExportForm,
        list name: String?,
        labels: [String],
        state: ExportState,
        words: @escaping @Sendable (_ rule: String) -> String,
        write: ([UInt8]) throws -> Void
    ) throws -> Int {
        let reader = self.reader
        let filter = LabelFilter(labels)
        let known = try self.exportedLabels(list: name, labels: labels, state: state)
        var writer = ExportWriter(form, words: words)
        try self.store.read { snapshot in
            let names = try snapshot.listNames()
            let list = try name.map { try snapshot.list(named: $0).id }
            var entries: [ExportEntry] = []
            for row in try snapshot.rows(in: list) where filter.matches(row.index.labels) && state.matches(row.index) {
                let view = reader.view(row, list: names[row.list] ?? "")
                entries.append(ExportEntry(id: row.id, list: row.list, view: view))
            }
            entries.sort { $0.precedes($1) }
            var order = entries.map { (id: $0.id, depth: 0) }
            if form == .markdown { order = ExportTree(entries, parents: try Self.parents(in: snapshot, list)).order }
            let isWhole = labels.isEmpty && state == .all
            let shown = isWhole ? nil : Set(entries.map(\.list))
            writer = ExportWriter(
                form,
                lists: try snapshot.movedLists.filter { list == $0.id || list == nil && shown?.contains($0.id) ?? true }
                    .map(\.list),
                labels: known.map { label in
                    ImportedLabel(name: label.name, id: label.id, color: label.color.hex, updatedAt: label.updatedAt)
                },
                words: words
            )
            var pending = writer.beginning
            for (id, depth) in order {
                guard let record = try snapshot.object(id) else { continue }
                pending += writer.text(reader.exported(record, list: names[record.list] ?? ""), depth: depth)
                if pending.count >= Self.exportPieceBytes {
                    try write(pending)
                    pending.removeAll(keepingCapacity: true)
                }
            }
            try write(pending + writer.end)
        }
        return writer.count
    }

    /// Bytes that are collected before they are written.
    private static let exportPieceBytes = 1 << 16

    /// The UID of each reminder's parent, by the number of the reminder.
    private static func parents(in snapshot: StoreSnapshot, _ list: ListID?) throws -> [ObjectID: String] {
        var parents: [ObjectID: String] = [:]
        try snapshot.forEachRelatedObject(in: list) { record in
            if let parent = Reminder(ICalendarDocument(record.source))?.todo.parentUID { parents[record.id] = parent }
        }
        return parents
    }
}

extension StoreSnapshot {
    /// All lists as an export describes them, the oldest first.
    fileprivate var movedLists: [(id: ListID, list: ImportedList)] {
        get throws(DatabaseError) {
            let lists = try self.lists().sorted { $0.id < $1.id }
            let standard = try self.usableDefaultList(nil)
            return lists.map { list in
                (list.id, ImportedList(name: list.name, color: list.color, isDefault: list.id == standard?.id))
            }
        }
    }
}

/// What an export sorts by.
private struct ExportEntry {
    let id: ObjectID
    let list: ListID
    let view: ReminderView

    func precedes(_ other: Self) -> Bool {
        if self.view.list != other.view.list { return self.view.list < other.view.list }
        let (mine, theirs) = (self.view.dueInstant, other.view.dueInstant)
        if mine != theirs {
            guard let mine, let theirs else { return mine != nil }
            return mine < theirs
        }
        if self.view.title != other.view.title { return self.view.title < other.view.title }
        return (self.view.uid, self.id.rawValue) < (other.view.uid, other.id.rawValue)
    }
}

/// The order of a checklist: each below what it is a part of, as far as that is written too.
private struct ExportTree {
    private(set) var order: [(id: ObjectID, depth: Int)] = []

    init(_ entries: [ExportEntry], parents: [ObjectID: String]) {
        struct Key: Hashable {
            let list: ListID
            let uid: String
        }
        let present = Set(entries.map { Key(list: $0.list, uid: $0.view.uid) })
        var children: [Key: [ExportEntry]] = [:]
        var roots: [ExportEntry] = []
        for entry in entries {
            if let parent = parents[entry.id].map({ Key(list: entry.list, uid: $0) }), present.contains(parent) {
                children[parent, default: []].append(entry)
            } else {
                roots.append(entry)
            }
        }
        var seen: Set<ObjectID> = []
        // What is a part of itself, by whatever detour, has no root: it begins where it comes first.
        for root in roots + entries where !seen.contains(root.id) {
            var waiting = [(entry: root, depth: 0)]
            while let (entry, depth) = waiting.popLast() {
                guard seen.insert(entry.id).inserted else { continue }
                self.order.append((entry.id, depth))
                let inner = children[Key(list: entry.list, uid: entry.view.uid)] ?? []
                waiting += inner.reversed().map { ($0, depth + 1) }
            }
        }
    }
}

extension ReminderReader {
    /// As an export in a form of our own writes it.
    func exported(_ record: ObjectRecord, list: String) -> ExportedReminder {
        let view = self.view(record, list: list)
        var reminder = ExportedReminder(
            uid: view.uid,
            list: list,
            title: view.title,
            status: view.status.rawValue,
            priority: view.priority.rawValue
        )
        reminder.notes = view.notes
        reminder.due = view.due
        reminder.dueZone = view.dueZone
        reminder.allDay = view.allDay
        reminder.start = view.start
        reminder.repeatRule = view.repeatRule
        reminder.completedAt = view.completedAt
        reminder.snoozedUntil = view.snoozedUntil
        reminder.labels = view.labels
        reminder.alarms = view.alarms
        reminder.createdAt = view.createdAt
        reminder.updatedAt = view.updatedAt
        reminder.source = String(validating: record.source, as: UTF8.self)
        if let todo = Reminder(ICalendarDocument(record.source))?.todo {
            reminder.parent = todo.parentUID
            reminder.location = todo.first(.location)?.text
            reminder.link = todo.first(.url)?.value
        }
        return reminder
    }
}

extension Component {
    /// The UID of what it is a part of: the first RELATED-TO of the type PARENT, or of none (RFC 5545 §3.2.15).
    fileprivate var parentUID: String? {
        self.all(.relatedTo).first { ($0.parameter(.reltype) ?? "PARENT").uppercased() == "PARENT" }?.text
            .trimmingSpaces
    }
}
