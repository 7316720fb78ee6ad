import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport
import Testing

/// The time zones in `Fixtures/tz`; those of this machine are not used.
let fixtureZones = ZoneDatabase { try? Fixture.bytes("tz/\($0)") }

/// A resolver without VTIMEZONEs.
func resolver(local: String = "Europe/Berlin") -> TimeZoneResolver {
    TimeZoneResolver(database: fixtureZones, calendar: nil, local: local)
}

/// A resolver with the VTIMEZONEs of a calendar.
func resolver(_ calendar: String) -> TimeZoneResolver {
    let document = ICalendarDocument(Array(calendar.utf8))
    return TimeZoneResolver(database: fixtureZones, calendar: document.components.first, local: "Europe/Berlin")
}

/// Returns the date or date-time of `wire` in a zone.
func moment(_ wire: String, _ tzid: String? = nil) throws -> CalendarDateOrDateTime {
    try #require(CalendarDateOrDateTime(wire: wire, tzid: tzid))
}

/// Returns the date-time of `wire` in a zone.
func time(_ wire: String, _ tzid: String? = nil) throws -> CalendarDateTime {
    try #require(CalendarDateTime(wire: wire, tzid: tzid))
}

/// Returns a series with one rule.
func series(_ start: String, _ rule: String, tzid: String? = nil) throws -> RecurrenceSet {
    RecurrenceSet(start: try moment(start, tzid), rules: [try RecurrenceRule(wire: rule)], resolver: resolver())
}
