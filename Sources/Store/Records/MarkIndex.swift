import ICalendar
import Recurrence
import Reminders

/// The index of the marks of reminders (``ReminderMarks``).
package enum MarkIndex {
    /// Builds the index for a store whose schema had no index before.
    package static func fill(_ database: any Database) throws(DatabaseError) {
        var found: [(object: ObjectID, marks: ReminderMarks)] = []
        let zones = ZoneDatabase { _ in nil }
        try database.forEach("SELECT object, source FROM calendar_text") { row in
            guard let reminder = Reminder(ICalendarDocument(row.bytes("source"))) else { return true }
            // The text contains the zone of its due time.
            let resolver = TimeZoneResolver(database: zones, calendar: reminder.object.calendar, local: "UTC")
            let marks = reminder.marks(zones: resolver)
            if !marks.isEmpty { found.append((row.id("object"), marks)) }
            return true
        }
        for (object, marks) in found {
            try database.run(
                "UPDATE calendar_object SET marks = ?2 WHERE id = ?1",
                [.id(object), .integer(marks.rawValue)]
            )
        }
    }
}
