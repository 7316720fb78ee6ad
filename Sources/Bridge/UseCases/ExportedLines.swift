import Reminders
import Store
import TaskFormats

/// The reminders of the store by the lines that an export to todo.txt writes for them now.
///
/// A line has no identifier. So the reminder of a line is found by the title and the dates of its own line, even if it
/// was made, renamed or completed here.
struct ExportedLines {
    struct Entry {
        let id: ObjectID
        /// The task that an import reads from the exported line.
        let task: ImportedTask
    }

    private let entries: [String: Entry]
    /// The entries by the UIDs of their lines before a completion.
    private let open: [String: Entry]

    /// The UIDs of the lines of the file.
    let uids: Set<String>

    /// - Parameters:
    ///   - entries: in the order of the export.
    ///   - tasks: the content of the file.
    init(_ entries: [Entry], for tasks: ParsedTasks) {
        self.uids = Set(tasks.todos.map(\.uid))
        self.entries = Dictionary(entries.map { ($0.task.uid, $0) }, uniquingKeysWith: { first, _ in first })
        // A task that repeats has a line for each completed date.
        let single = entries.filter { $0.task.rule == nil }
        self.open = Dictionary(
            single.map { ($0.task.uidWhenOpen ?? $0.task.uid, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The reminder with this line, or with this line before or after a completion; `nil` if there is none.
    ///
    /// A line without the date of its creation means another task, unless it is equal.
    func entry(of task: ImportedTask) -> Entry? {
        if let entry = self.entries[task.uid], entry.task.createdAt != nil || entry.task.isSameLine(as: task) {
            return entry
        }
        guard task.createdAt != nil, let uid = self.uidWhenOpen(task) else { return nil }
        return self.open[uid]
    }

    /// The UID of the line before its completion; `nil` if the file has that line too, or for a task that repeats.
    func uidWhenOpen(_ task: ImportedTask) -> String? {
        guard task.rule == nil else { return nil }
        guard let uid = task.uidWhenOpen else { return task.uid }
        return self.uids.contains(uid) ? nil : uid
    }
}
