import RemindavICalendar
import Testing

@testable import RemindavSync

@Suite("values that a server shortens")
struct OwnValuesTests {
    private func object(_ lines: String) throws -> CalendarObject {
        try #require(CalendarObject(ICalendarDocument(Array(Machine.text("u", lines).utf8))))
    }

    @Test(
        "only a text with the same value counts as a shortened one",
        arguments: [
            ("GEO:10.50;20.0", "GEO:10.5;20", true), ("GEO:10.5;20.5", "GEO:1.5;2.5", false),
            ("GEO:1.5;2.5", "GEO:x;y", false), ("X-PLACE:geo:1,2.5", "X-PLACE:geo:1", true),
            ("X-PLACE:geo:1", "X-PLACE:geo:1,2.5", false), ("SUMMARY:abc", "SUMMARY:ab", false),
        ]
    )
    func shortened(sent: String, stored: String, isShortened: Bool) throws {
        let kept = OwnValues.put(from: try self.object(sent), into: try self.object(stored))
        #expect((kept != nil) == isShortened)
    }
}
