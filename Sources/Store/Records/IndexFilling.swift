import RemindavICalendar
import RemindavRecurrence
import RemindavReminders

/// Fills index columns that an older schema does not have, from the texts.
package enum IndexFilling {
    /// Fills the marks of reminders (``ReminderMarks``).
    package static func fillMarks(_ database: any Database) throws(DatabaseError) {
        try self.fill(["marks"], of: database) { reminder, zones in
            let marks = reminder.marks(zones: zones)
            return marks.isEmpty ? nil : [.integer(marks.rawValue)]
        }
    }

    /// Fills the starts of reminders.
    package static func fillStarts(_ database: any Database) throws(DatabaseError) {
        try self.fill(["start_kind", "start"], of: database) { reminder, zones in
            let moment = reminder.current(zones: zones).start.map { IndexedMoment($0, zones: zones) }
            return moment.map { [$0.columns.kind, $0.columns.value] }
        }
    }

    /// Sets columns of each object with a readable text.
    ///
    /// The zones are those of the text itself; a time in another zone counts as a floating time until the next edit.
    ///
    /// - Parameter values: the values of the columns; `nil` leaves the columns unchanged.
    private static func fill(
        _ columns: [String],
        of database: any Database,
        _ values: (Reminder, TimeZoneResolver) -> [SQLValue]?
    ) throws(DatabaseError) {
        var found: [[SQLValue]] = []
        let zones = ZoneDatabase { _ in nil }
        try database.forEach("SELECT object, source FROM calendar_text") { row in
            guard let reminder = Reminder(ICalendarDocument(row.bytes("source"))) else { return true }
            let resolver = TimeZoneResolver(database: zones, calendar: reminder.object.calendar, local: "UTC")
            let id: ObjectID = row.id("object")
            if let values = values(reminder, resolver) { found.append([.id(id)] + values) }
            return true
        }
        let update = SQL.updateByID("calendar_object", columns)
        for values in found { try database.send(update, values) }
    }
}
