import JSON

/// Limits on one file of another program.
package struct ImportLimits: Hashable, Sendable {
    /// Bytes of a file.
    ///
    /// Unlike iCalendar, the file is held in memory as a whole, since a subtask may come before its parent: enough for
    /// some 60,000 tasks.
    package var fileBytes = 32 << 20
    /// Nesting depth of arrays and objects in JSON.
    ///
    /// No supported program writes more than seven levels.
    package var depth = 32
    /// Values of a JSON text: thirty for each of 60,000 tasks.
    package var values = 2_000_000
    /// Rows of a table, or tasks of a JSON text.
    package var rows = 200_000
    /// Bytes of one field: no program allows more than 64 KiB of notes.
    package var fieldBytes = 1 << 20
    /// Bytes of a stored calendar object: as long as the file may be.
    ///
    /// Each object was accepted once before, and its lines and components have separate limits.
    package var calendarBytes = 32 << 20
    /// Lists that a file creates: more would not be usable.
    package var lists = 1000
    /// Labels with more data than the name in a file.
    package var labels = 1000
    /// Columns of a table, or unknown members of a task: Outlook, which has the most, writes 22.
    package var columns = 256
    /// Alarms of a task; also its labels; also its dependencies.
    package var perTask = 256
    /// Bytes of one label, which every task in the file may have: Todoist allows 120 letters.
    package var labelBytes = 1024
    /// Bytes of all texts of a task: notes with HTML are kept twice.
    package var taskBytes = 2 << 20
    /// Stored findings; a hostile file could have one for each row.
    package var findings = 10_000
    package static let standard = Self()

    var json: JSONLimits {
        JSONLimits(
            depth: self.depth,
            values: self.values,
            elements: self.rows,
            stringBytes: self.fieldBytes,
            longStringBytes: self.calendarBytes,
            // Data from our own export may be longer than user-written text.
            longNames: ["icalendar"],
            errors: self.findings
        )
    }
}
