import RemindavJSON

/// Limits for one file of another program; they bound the memory and the time of an import.
package struct ImportLimits: Hashable, Sendable {
    /// The maximum size of a file in bytes, enough for about 60,000 tasks.
    ///
    /// The importer holds the whole file in memory, because a subtask may precede its parent.
    package var fileBytes = 32 << 20
    /// The maximum nesting depth of JSON arrays and objects; no supported program exceeds seven levels.
    package var depth = 32
    /// The maximum number of values in a JSON text: about thirty for each of 60,000 tasks.
    package var values = 2_000_000
    /// The maximum number of rows in a table, or of tasks in a JSON text.
    package var rows = 200_000
    /// The maximum size of a field in bytes; no program allows more than 64 KiB of notes.
    package var fieldBytes = 1 << 20
    /// The maximum size of a calendar object in our own export, in bytes; it equals the limit for a file.
    ///
    /// The store accepted each object before the export, and the iCalendar parser limits its lines and components.
    package var calendarBytes = 32 << 20
    /// The maximum number of lists in our own export; more lists would be unusable.
    package var lists = 1000
    /// The maximum number of labels with a colour and an identifier in our own export.
    package var labels = 1000
    /// The maximum number of columns of a table, or of unknown members of a task; Outlook writes 22 columns.
    package var columns = 256
    /// The maximum number of alarms of a task; labels and dependencies have the same limit.
    package var perTask = 256
    /// The maximum size of a label in bytes, because every task may repeat the label; Todoist allows 120 characters.
    package var labelBytes = 1024
    /// The maximum size, in bytes, of the data of a list or section that the record of each of its tasks repeats.
    ///
    /// The data of a list of Google Tasks have about 200 bytes.
    package var repeatedBytes = 1024
    /// The maximum size of all texts of a task in bytes: two fields, because HTML notes are also stored as plain text.
    package var taskBytes = 2 << 20
    /// The maximum number of stored findings; a hostile file could cause one for each row.
    package var findings = 10_000
    package static let standard = Self()

    /// A list or section for the tasks in it; its data are measured once, because a file can have one long list.
    func group(_ name: String?, _ object: JSONObject) -> TaskGroup {
        let isShort = JSONValue.object(object).text.utf8.count <= self.repeatedBytes
        return TaskGroup(name: name, record: isShort ? [object] : [])
    }

    var json: JSONLimits {
        JSONLimits(
            depth: self.depth,
            values: self.values,
            elements: self.rows,
            stringBytes: self.fieldBytes,
            longStringBytes: self.calendarBytes,
            // A calendar object in our own export may be longer than a text field of a user.
            longNames: ["icalendar"],
            errors: self.findings
        )
    }
}

/// A list, project or section of an imported file.
struct TaskGroup {
    let name: String?
    /// Its data for the record of each of its tasks; empty if they are too long.
    let record: [JSONObject]
}
