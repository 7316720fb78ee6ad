import RemindavReminders
import RemindavStore
import RemindavTaskFormats

/// The reminders of the lines of a todo.txt file, found by the lines that an export writes for them now.
///
/// A line has no identifier. So the reminder of a line is found by its own line, even if it was made, renamed or
/// completed here. Several reminders may have one title and one date of creation, so the other parts of the line, such as
/// the project, decide first.
struct ExportedLines {
    struct Entry {
        let id: ObjectID
        /// The task that an import reads from the exported line.
        let task: ImportedTask
    }

    /// The entries by the numbers of the lines in the file.
    private var found: [Int: Entry] = [:]
    /// The entries without a line in the file.
    private var free: [Entry]
    /// The number of entries with each title and date of creation.
    private let counts: [TodoTxtLine?: Int]
    /// The UIDs of all lines of the file.
    let uids: Set<String>

    /// - Parameters:
    ///   - entries: in the order of the export.
    ///   - tasks: the tasks of the file that need a reminder.
    init(_ entries: [Entry], for tasks: [ImportedTask], uids: Set<String>) {
        self.free = entries
        self.uids = uids
        self.counts = Dictionary(entries.map { ($0.task.lineTitle, 1) }, uniquingKeysWith: +)
        self.match(tasks, by: \.todoTxt)
        self.match(tasks, by: \.lineBesidesCompletion) { entry, task in
            // A line without the date of its creation means another task, unless it was completed.
            task.createdAt != nil || task.status == .completed && entry.status != .completed
        }
        // A repeating task and its completed dates have the same title.
        self.match(tasks, by: \.lineHead, isUnique: true) { $1.createdAt != nil }
        self.match(tasks, by: \.lineTitle, isUnique: true) { $1.createdAt != nil }
    }

    /// Assigns entries to the tasks without an entry that have the same key.
    ///
    /// - Parameter isUnique: whether an entry is assigned only if no other one has its key.
    private mutating func match(
        _ tasks: [ImportedTask],
        by key: (ImportedTask) -> TodoTxtLine?,
        isUnique: Bool = false,
        where isSame: (_ entry: ImportedTask, _ task: ImportedTask) -> Bool = { _, _ in true }
    ) {
        // The first entry is the last one of its group, because its removal is fast there.
        var groups = Dictionary(grouping: self.free.indices.reversed(), by: { key(self.free[$0].task) })
        if isUnique { groups = groups.filter { $0.value.count == 1 } }
        var used: Set<Int> = []
        for task in tasks where self.found[task.line] == nil {
            guard let key = key(task), let group = groups[key],
                let place = group.lastIndex(where: { isSame(self.free[$0].task, task) })
            else { continue }
            self.found[task.line] = self.free[group[place]]
            used.insert(group[place])
            groups[key]?.remove(at: place)
        }
        self.free = self.free.indices.filter { !used.contains($0) }.map { self.free[$0] }
    }

    /// The reminder of the line; `nil` if there is none.
    func entry(of task: ImportedTask) -> Entry? { self.found[task.line] }

    /// Whether several reminders have the title and the date of the line, so that these do not show which one it means.
    func isUnclear(_ task: ImportedTask) -> Bool { self.counts[task.lineTitle] ?? 0 > 1 }
}
