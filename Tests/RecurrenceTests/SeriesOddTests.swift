import ICalendar
import Recurrence
import Testing

// What other programs and strangers write into a series.
extension SeriesTests {
    @Test("a start counts where DUE is not before it: by the moment on two clocks, by the day where one is a day")
    func startBesideDue() throws {
        func todo(_ lines: String) throws -> [String] {
            try self.shown("BEGIN:VTODO\nUID:1\n\(lines)\nEND:VTODO")
        }
        // Ten o'clock in Tokyo is an hour before two o'clock in UTC.
        #expect(
            try todo("DTSTART;TZID=Asia/Tokyo:20260101T100000\nDUE:20260101T020000Z")
                == ["- 20260101T100000/20260101T020000Z "]
        )
        #expect(try todo("DTSTART:20260105T090000\nDUE;VALUE=DATE:20260105") == ["- 20260105T090000/20260105 "])
        #expect(
            try todo("DTSTART;TZID=Asia/Tokyo:20260101T113000\nDUE:20260101T020000Z") == ["- -/20260101T020000Z "]
        )
        #expect(try todo("DTSTART:20260106T090000\nDUE;VALUE=DATE:20260105") == ["- -/20260105 "])
    }
}
