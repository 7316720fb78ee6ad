import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavTestSupport

/// Returns the reminder of a VCALENDAR with one to-do with these lines.
func reminder(_ lines: String...) -> Reminder? {
    let body = lines.map { $0 + "\r\n" }.joined()
    return Reminder(
        ICalendarDocument(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:u\r\n\(body)END:VTODO\r\nEND:VCALENDAR\r\n"
        )
    )
}

extension Reminder {
    /// The physical lines of the to-do between UID and END.
    var lines: [String] {
        let text = String(decoding: self.object.main.bytes, as: UTF8.self)
        return text.split(separator: "\r\n").map(String.init).dropFirst(2).dropLast().map { $0 }
    }
}

/// Friday, 20 November 2026, 20:00 UTC.
let now = Instant(secondsSince1970: 1_795_204_800)
let context = EditingContext(now: now) { name in
    name == "Europe/Berlin" ? ["BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "END:VTIMEZONE"] : nil
}
let stamps = ["DTSTAMP:20261120T200000Z", "LAST-MODIFIED:20261120T200000Z"]

/// The time zones of the fixtures: the tests do not depend on the zones of this machine.
let database = ZoneDatabase { name in try? Fixture.bytes("tz/\(name)") }

func zones(_ reminder: Reminder) -> TimeZoneResolver {
    TimeZoneResolver(database: database, calendar: reminder.object.calendar, local: "Europe/Berlin")
}

func moment(_ wire: String, _ zone: String? = nil) -> CalendarDateOrDateTime? {
    CalendarDateOrDateTime(wire: wire, tzid: zone)
}
