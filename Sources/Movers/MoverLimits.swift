/// What one file of another program may ask of us.
package struct MoverLimits: Hashable, Sendable {
    /// Bytes of a file.
    ///
    /// It is held in memory whole, unlike iCalendar, since a subtask may stand before its parent: room for some 60,000
    /// tasks.
    package var fileBytes = 32 << 20
    /// Arrays and objects inside each other in JSON.
    ///
    /// No program that is read here writes more than seven.
    package var depth = 32
    /// Values of a JSON text: thirty for each of 60,000 tasks.
    package var values = 2_000_000
    /// Rows of a table, or tasks of a JSON text.
    package var rows = 200_000
    /// Bytes of one field: no program lets a person write more than 64 KiB of notes.
    package var fieldBytes = 1 << 20
    /// Bytes of a calendar object as it was stored: as long as the file may be, since each came in by itself once, and
    /// its lines and components have limits of their own.
    package var calendarBytes = 32 << 20
    /// Lists that a file makes: nobody finds a reminder among more.
    package var lists = 1000
    /// Labels of which a file says more than the name.
    package var labels = 1000
    /// Columns of a table, or members of a task that nobody here knows: Outlook, which has the most, writes 22.
    package var columns = 256
    /// Alarms of a task, and labels, and tasks that it waits for, each.
    package var perTask = 256
    /// Bytes of one label, which may be that of every task in the file: Todoist lets a person write 120 letters.
    package var labelBytes = 1024
    /// Bytes of all texts of a task: notes with HTML in them are kept twice.
    package var taskBytes = 2 << 20
    /// Findings that are kept; a hostile file could have one for each row.
    package var findings = 10_000

    /// The limits of a real import.
    package static let standard = Self()
}
