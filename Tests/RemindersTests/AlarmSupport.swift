import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport

@testable import RemindavReminders

/// Returns the moment of an iCalendar form such as `20261120T200000Z`.
func at(_ wire: String) -> Instant { Instant(wire: wire) ?? Instant(secondsSince1970: 0) }

extension Reminder {
    /// Returns the alarm plan with floating times in the zone `local`.
    func plan(local: String = "Europe/Berlin", _ settings: AlarmSettings = AlarmSettings()) -> AlarmPlan {
        let zones = TimeZoneResolver(database: database, calendar: self.object.calendar, local: local)
        return AlarmPlan(self, zones: zones, settings: settings)
    }
}

extension AlarmPlan {
    /// All alarms from 2020 to 2030, each as its moment and its cause: `20261120T200000Z due`.
    var rings: [String] { self.rings(from: "20200101T000000Z", to: "20300101T000000Z") }

    func rings(from: String, to: String) -> [String] {
        self.alarms(after: at(from), upTo: at(to)).map { "\($0.fires.wire) \($0.cause)" }
    }

    /// Returns the pending alarm at the moment `now`.
    func pending(_ now: String) -> String? {
        self.next(after: at(now)).map { "\($0.fires.wire) \($0.cause)" }
    }
}

/// Returns a DISPLAY alarm with these lines.
func alarm(_ trigger: String, _ lines: String...) -> String {
    (["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", trigger] + lines + ["END:VALARM"]).joined(separator: "\r\n")
}

/// Reads one file of `Fixtures/ics`.
func fixtureReminder(_ name: String) throws -> Reminder? {
    Reminder(ICalendarDocument(try Fixture.bytes("ics/\(name).ics")))
}
