import ICalendar
import Sync
import Testing

@Suite("merge of three texts, property by property")
struct MergeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let base: [String]?
        let local: [String]
        let remote: [String]
        let merged: Set<String>
        var clashes: [String] = []
        var testDescription: String { self.name }
    }

    static let alarm = ["BEGIN:VALARM", "UID:a", "TRIGGER:-PT5M", "END:VALARM"]

    static let cases = [
        Case(
            name: "one side's change is taken",
            base: ["SUMMARY:a", "PRIORITY:1"],
            local: ["SUMMARY:b", "PRIORITY:1"],
            remote: ["SUMMARY:a", "PRIORITY:1"],
            merged: ["SUMMARY:b", "PRIORITY:1"]
        ),
        Case(
            name: "a removal is a change",
            base: ["SUMMARY:a", "DUE:20260101T000000Z"],
            local: ["SUMMARY:a", "DUE:20260101T000000Z"],
            remote: ["SUMMARY:a"],
            merged: ["SUMMARY:a"]
        ),
        Case(
            name: "a local removal is a change too",
            base: ["SUMMARY:a", "DUE:20260101T000000Z"],
            local: ["SUMMARY:a"],
            remote: ["SUMMARY:b", "DUE:20260101T000000Z"],
            merged: ["SUMMARY:b"]
        ),
        Case(
            name: "labels are a set",
            base: ["CATEGORIES:a,b"],
            local: ["CATEGORIES:b,c"],
            remote: ["CATEGORIES:a,b,d"],
            merged: ["CATEGORIES:b,d", "CATEGORIES:c"]
        ),
        Case(
            name: "what a server only writes in another way is no change",
            base: ["SUMMARY:a", "DURATION:PT90M", "X-A;B=1;C=2:v"],
            local: ["SUMMARY:b", "DURATION:PT90M", "X-A;B=1;C=2:v"],
            remote: ["X-A;C=2;B=1:v", "DURATION:PT1H30M", "SUMMARY:a"],
            merged: ["X-A;C=2;B=1:v", "DURATION:PT1H30M", "SUMMARY:b"]
        ),
        Case(
            name: "a duration in the server's spelling does not stand against an edit",
            base: ["SUMMARY:a", "DURATION:PT24H"],
            local: ["SUMMARY:a", "DURATION:PT12H"],
            remote: ["SUMMARY:b", "DURATION:P1D"],
            merged: ["SUMMARY:b", "DURATION:PT12H"]
        ),
        Case(
            name: "a day is not 24 hours",
            base: ["SUMMARY:a", "DURATION:PT24H"],
            local: ["SUMMARY:a", "DURATION:P1D"],
            remote: ["SUMMARY:b", "DURATION:PT24H"],
            merged: ["SUMMARY:b", "DURATION:P1D"]
        ),
        Case(
            name: "an alarm that was removed here goes though the server wrote it anew",
            base: ["SUMMARY:a", "BEGIN:VALARM", "TRIGGER:-PT24H", "END:VALARM"],
            local: ["SUMMARY:a"],
            remote: ["SUMMARY:b", "BEGIN:VALARM", "TRIGGER:-P1D", "END:VALARM"],
            merged: ["SUMMARY:b"]
        ),
        Case(
            name: "the dates come from one side",
            base: ["DTSTART:20260101T000000Z", "DUE:20260102T000000Z"],
            local: ["DTSTART:20260103T000000Z", "DUE:20260104T000000Z"],
            remote: ["DTSTART:20260101T000000Z", "DUE:20260109T000000Z", "LAST-MODIFIED:20260101T000000Z"],
            merged: ["DTSTART:20260101T000000Z", "DUE:20260109T000000Z", "LAST-MODIFIED:20260101T000000Z"],
            clashes: ["DUE"]
        ),
        Case(
            name: "the later side wins a clash",
            base: ["SUMMARY:a"],
            local: ["SUMMARY:b", "LAST-MODIFIED:20260102T000000Z"],
            remote: ["SUMMARY:c", "LAST-MODIFIED:20260101T000000Z"],
            merged: ["SUMMARY:b", "LAST-MODIFIED:20260102T000000Z"],
            clashes: ["SUMMARY"]
        ),
        Case(
            name: "an unknown property that both changed is one property",
            base: ["X-SORT:1"],
            local: ["X-SORT:2"],
            remote: ["X-SORT:3"],
            merged: ["X-SORT:3"],
            clashes: ["X-SORT"]
        ),
        Case(
            name: "the same change on both sides is no clash",
            base: ["STATUS:NEEDS-ACTION"],
            local: ["STATUS:COMPLETED", "COMPLETED:20260101T000000Z"],
            remote: ["COMPLETED:20260101T000000Z", "STATUS:COMPLETED"],
            merged: ["COMPLETED:20260101T000000Z", "STATUS:COMPLETED"]
        ),
        Case(
            name: "without a base what only one side has is kept",
            base: nil,
            local: ["SUMMARY:a", "PRIORITY:1"],
            remote: ["SUMMARY:a", "CATEGORIES:x"],
            merged: ["SUMMARY:a", "CATEGORIES:x", "PRIORITY:1"]
        ),
        Case(
            name: "an alarm that one side changed and the other removed stays",
            base: ["SUMMARY:a"] + alarm,
            local: ["SUMMARY:a"],
            remote: ["SUMMARY:a", "BEGIN:VALARM", "UID:a", "TRIGGER:-PT10M", "END:VALARM"],
            merged: ["SUMMARY:a", "BEGIN:VALARM", "UID:a", "TRIGGER:-PT10M", "END:VALARM"]
        ),
        Case(
            name: "an alarm that one side removed goes",
            base: ["SUMMARY:a"] + alarm,
            local: ["SUMMARY:a"],
            remote: ["SUMMARY:b"] + alarm,
            merged: ["SUMMARY:b"]
        ),
        Case(
            name: "both sides' new alarms stay",
            base: ["SUMMARY:a"],
            local: ["SUMMARY:a"] + alarm,
            remote: ["SUMMARY:a", "BEGIN:VALARM", "UID:b", "TRIGGER:PT0S", "END:VALARM"],
            merged: ["SUMMARY:a", "BEGIN:VALARM", "UID:b", "TRIGGER:PT0S", "END:VALARM", "UID:a", "TRIGGER:-PT5M"]
        ),
    ]

    private static func object(_ lines: [String]) -> CalendarObject? {
        let body = lines.map { $0 + "\r\n" }.joined()
        return CalendarObject(
            ICalendarDocument("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u\r\n\(body)END:VTODO\r\nEND:VCALENDAR\r\n")
        )
    }

    @Test("each property takes the change of the side that made one", arguments: cases)
    func merge(_ test: Case) throws {
        let local = try #require(Self.object(test.local))
        let remote = try #require(Self.object(test.remote))
        let result = ThreeWayMerge.merge(base: test.base.flatMap(Self.object), local: local, remote: remote)
        let lines = String(decoding: result.document.bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
        #expect(Set(lines.dropFirst(3).dropLast(2)) == test.merged)
        #expect(result.clashes.map(\.property) == test.clashes)
    }

    @Test("what one side added gets the other's line ends", arguments: ["\r", "\n", "\r\n"], ["\r", "\n", "\r\n"])
    func lineEnds(_ here: String, _ there: String) throws {
        func object(_ override: String, _ lineEnd: String) -> CalendarObject? {
            let text =
                "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:u\nRRULE:FREQ=DAILY\nDUE:20260101T000000Z\nEND:VTODO\n\(override)"
                + "END:VCALENDAR\n"
            return CalendarObject(ICalendarDocument(String(text.flatMap { $0 == "\n" ? lineEnd : String($0) })))
        }
        let override = "BEGIN:VTODO\nUID:u\nRECURRENCE-ID:20260102T000000Z\nSUMMARY:x\nEND:VTODO\n"
        let base = try #require(object("", there))
        let local = try #require(object(override, here))
        let result = ThreeWayMerge.merge(base: base, local: local, remote: base).document
        #expect(result.issues.isEmpty)
        #expect(CalendarObject(result)?.meaning == local.meaning)
    }

    @Test("an occurrence that one side added is kept, with the zone that it needs")
    func overrides() throws {
        let zone = "BEGIN:VTIMEZONE\r\nTZID:A/B\r\nEND:VTIMEZONE\r\n"
        let master = "BEGIN:VTODO\r\nUID:u\r\nRRULE:FREQ=DAILY\r\nDUE:20260101T000000Z\r\nEND:VTODO\r\n"
        let override = "BEGIN:VTODO\r\nUID:u\r\nRECURRENCE-ID;TZID=A/B:20260102T000000\r\nSUMMARY:x\r\nEND:VTODO\r\n"
        func object(_ parts: String...) -> CalendarObject? {
            CalendarObject(ICalendarDocument("BEGIN:VCALENDAR\r\n" + parts.joined() + "END:VCALENDAR\r\n"))
        }
        let base = try #require(object(master))
        let local = try #require(object(zone, master, override))
        let remote = try #require(object(master.replacing("DUE:20260101", "DUE:20260103")))
        let text = String(
            decoding: ThreeWayMerge.merge(base: base, local: local, remote: remote).document.bytes,
            as: UTF8.self
        )
        #expect(text.contains(override) && text.contains(zone) && text.contains("DUE:20260103"))
    }
}

extension String {
    /// With the first occurrence of a text replaced.
    fileprivate func replacing(_ old: String, _ new: String) -> String {
        guard let start = self.firstRange(of: old) else { return self }
        return self.replacingCharacters(in: start, with: new)
    }

    private func firstRange(of text: String) -> Range<Index>? {
        self.indices.first { self[$0...].hasPrefix(text) }.map { $0..<self.index($0, offsetBy: text.count) }
    }

    private func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
