import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport
import Testing

@Suite("RFC 5545 3.6.5: the examples of VTIMEZONE")
struct ZoneExampleTests {
    /// The index of the example, a local time, and its moment.
    struct Case: CustomTestStringConvertible, Sendable {
        let example: Int
        let local: String
        let utc: String
        var testDescription: String { "\(self.example) \(self.local)" }

        init(_ example: Int, _ local: String, _ utc: String) {
            self.example = example
            self.local = local
            self.utc = utc
        }
    }

    // The onsets in the table of the RFC, some with the hour before.
    // swift-format-ignore
    static let cases = [
        // All rules for New York since April 30, 1967 at 03:00:00 EDT
        Case(0, "19670430T030000", "19670430T070000Z"),
        Case(0, "19671029T003000", "19671029T043000Z"), Case(0, "19671029T020000", "19671029T070000Z"),
        Case(0, "19730429T013000", "19730429T063000Z"), Case(0, "19730429T030000", "19730429T070000Z"),
        Case(0, "19740106T013000", "19740106T063000Z"), Case(0, "19740106T030000", "19740106T070000Z"),
        Case(0, "19740701T120000", "19740701T160000Z"), Case(0, "19741027T020000", "19741027T070000Z"),
        Case(0, "19750223T013000", "19750223T063000Z"), Case(0, "19750223T030000", "19750223T070000Z"),
        Case(0, "19760425T013000", "19760425T063000Z"), Case(0, "19760425T030000", "19760425T070000Z"),
        Case(0, "19860427T030000", "19860427T070000Z"),
        Case(0, "19870405T013000", "19870405T063000Z"), Case(0, "19870405T030000", "19870405T070000Z"),
        Case(0, "20060402T030000", "20060402T070000Z"),
        Case(0, "20061029T003000", "20061029T043000Z"), Case(0, "20061029T020000", "20061029T070000Z"),
        Case(0, "20070311T013000", "20070311T063000Z"), Case(0, "20070311T030000", "20070311T070000Z"),
        Case(0, "20071028T120000", "20071028T160000Z"),
        Case(0, "20071104T003000", "20071104T043000Z"), Case(0, "20071104T020000", "20071104T070000Z"),
        Case(0, "21070313T030000", "21070313T070000Z"), Case(0, "21071106T020000", "21071106T070000Z"),
        // Only DTSTART: from March 11, 2007 at 03:00:00 EDT to March 9, 2008 at 01:59:59 EST
        Case(1, "20070311T030000", "20070311T070000Z"), Case(1, "20070601T080000", "20070601T120000Z"),
        Case(1, "20071104T020000", "20071104T070000Z"), Case(1, "20071231T080000", "20071231T130000Z"),
        Case(1, "20080309T015959", "20080309T065959Z"),
        // Rules without an end
        Case(2, "20070311T030000", "20070311T070000Z"), Case(2, "20071104T020000", "20071104T070000Z"),
        Case(2, "20260308T030000", "20260308T070000Z"), Case(2, "20261101T020000", "20261101T070000Z"),
        // Daylight time with an end, after which it is no longer observed
        Case(3, "19870405T030000", "19870405T070000Z"), Case(3, "19970701T120000", "19970701T160000Z"),
        Case(3, "19971026T020000", "19971026T070000Z"), Case(3, "19980701T120000", "19980701T170000Z"),
        Case(3, "20260701T120000", "20260701T170000Z"),
        // A second rule for daylight time
        Case(4, "19970701T120000", "19970701T160000Z"), Case(4, "19980701T120000", "19980701T170000Z"),
        Case(4, "19990423T120000", "19990423T170000Z"), Case(4, "19990701T120000", "19990701T160000Z"),
        Case(4, "20000430T030000", "20000430T070000Z"), Case(4, "20001029T020000", "20001029T070000Z"),
        Case(4, "20260701T120000", "20260701T160000Z"),
    ]

    /// The examples with a name that no database contains.
    static let calendars = ((try? RFCText.all("rfc5545")) ?? []).filter { $0.section == "3.6.5" }.map { text in
        var isNamed = false
        let lines = text.lines.map { line in
            guard line.hasPrefix("TZID:"), !isNamed else { return line }
            isNamed = true
            return "TZID:A"
        }
        return (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    @Test("a local time is that moment", arguments: cases)
    func localToUTC(_ test: Case) throws {
        let calendar = try #require(Self.calendars.count == 5 ? Self.calendars[test.example] : nil)
        #expect(resolver(calendar).instant(of: try time(test.local, "A"))?.wire == test.utc)
    }
}
