import RemindavICalendar
import RemindavSync
import Testing

@Suite("merge of three texts, property by property")
struct MergeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let base: [String]?
        let local: [String]
        let remote: [String]
        let merged: Set<String>
        var conflicts: [String] = []
        var testDescription: String { self.name }
    }

    static let alarm = ["BEGIN:VALARM", "UID:a", "TRIGGER:-PT5M", "END:VALARM"]

    static let heard = ["BEGIN:VALARM", "UID:a", "TRIGGER:-PT5M", "ACKNOWLEDGED:20260101T000000Z", "END:VALARM"]
    static let nameless = ["BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM"]

    static func absolute(_ trigger: String) -> [String] {
        ["BEGIN:VALARM", "UID:a", "TRIGGER;VALUE=DATE-TIME:\(trigger)", "END:VALARM"]
    }

    static let cases = [
        Case(
            name: "the change of one side is used",
            base: ["SUMMARY:a", "PRIORITY:1"],
            local: ["SUMMARY:b", "PRIORITY:1"],
            remote: ["SUMMARY:a", "PRIORITY:1"],
            merged: ["SUMMARY:b", "PRIORITY:1"]
        ),
        Case(
            name: "another program advances a series that counts from the completion: its text is used",
            base: ["DUE;VALUE=DATE:20260101", "RRULE:FREQ=DAILY", "X-REMINDAV-REPEAT-FROM:COMPLETION"],
            local: ["SUMMARY:b", "DUE;VALUE=DATE:20260101", "RRULE:FREQ=DAILY", "X-REMINDAV-REPEAT-FROM:COMPLETION"],
            remote: ["DUE;VALUE=DATE:20260102", "RRULE:FREQ=DAILY", "X-REMINDAV-REPEAT-FROM:COMPLETION"],
            merged: [
                "SUMMARY:b", "DUE;VALUE=DATE:20260102", "RRULE:FREQ=DAILY", "X-REMINDAV-REPEAT-FROM:COMPLETION",
            ]
        ),
        Case(
            name: "both sides complete: the later date wins",
            base: ["DUE;VALUE=DATE:20260101", "RRULE:FREQ=DAILY;COUNT=9", "X-REMINDAV-REPEAT-FROM:COMPLETION"],
            local: [
                "DUE;VALUE=DATE:20260109", "RRULE:FREQ=DAILY;COUNT=8", "X-REMINDAV-REPEAT-FROM:COMPLETION",
                "LAST-MODIFIED:20260108T000000Z",
            ],
            remote: [
                "DUE;VALUE=DATE:20260102", "RRULE:FREQ=DAILY;COUNT=7", "X-REMINDAV-REPEAT-FROM:COMPLETION",
                "LAST-MODIFIED:20260109T000000Z",
            ],
            merged: [
                "DUE;VALUE=DATE:20260109", "RRULE:FREQ=DAILY;COUNT=8", "X-REMINDAV-REPEAT-FROM:COMPLETION",
                "LAST-MODIFIED:20260109T000000Z",
            ],
            conflicts: ["DUE", "RRULE"]
        ),
        Case(
            name: "a rule and the moment from which it counts come from one side",
            base: ["DUE;VALUE=DATE:20260101", "RRULE:FREQ=WEEKLY", "LAST-MODIFIED:20260101T000000Z"],
            local: [
                "DUE;VALUE=DATE:20260101", "RRULE:FREQ=DAILY", "X-REMINDAV-REPEAT-FROM:COMPLETION",
                "LAST-MODIFIED:20260102T000000Z",
            ],
            remote: ["DUE;VALUE=DATE:20260101", "RRULE:FREQ=MONTHLY", "LAST-MODIFIED:20260103T000000Z"],
            merged: ["DUE;VALUE=DATE:20260101", "RRULE:FREQ=MONTHLY", "LAST-MODIFIED:20260103T000000Z"],
            conflicts: ["RRULE"]
        ),
        Case(
            name: "only one side decides that the rule counts from the completion",
            base: ["DUE;VALUE=DATE:20260101", "RRULE:FREQ=WEEKLY"],
            local: ["DUE;VALUE=DATE:20260101", "RRULE:FREQ=WEEKLY", "X-REMINDAV-REPEAT-FROM:COMPLETION"],
            remote: ["SUMMARY:b", "DUE;VALUE=DATE:20260101", "RRULE:FREQ=WEEKLY"],
            merged: [
                "SUMMARY:b", "DUE;VALUE=DATE:20260101", "RRULE:FREQ=WEEKLY", "X-REMINDAV-REPEAT-FROM:COMPLETION",
            ]
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
            name: "a parent of both sides is a conflict, and other relations are a set",
            base: ["RELATED-TO:a", "LAST-MODIFIED:20260101T000000Z"],
            local: [
                "RELATED-TO;RELTYPE=PARENT:b", "RELATED-TO;RELTYPE=DEPENDS-ON:d", "LAST-MODIFIED:20260103T000000Z",
            ],
            remote: ["RELATED-TO:c", "RELATED-TO;RELTYPE=SIBLING:s", "LAST-MODIFIED:20260102T000000Z"],
            merged: [
                "RELATED-TO;RELTYPE=PARENT:b", "RELATED-TO;RELTYPE=DEPENDS-ON:d", "RELATED-TO;RELTYPE=SIBLING:s",
                "LAST-MODIFIED:20260103T000000Z",
            ],
            conflicts: ["RELATED-TO"]
        ),
        Case(
            name: "the later parent of the server wins",
            base: ["SUMMARY:a", "LAST-MODIFIED:20260101T000000Z"],
            local: ["SUMMARY:a", "RELATED-TO;RELTYPE=PARENT:b", "LAST-MODIFIED:20260102T000000Z"],
            remote: ["SUMMARY:a", "RELATED-TO:c", "LAST-MODIFIED:20260103T000000Z"],
            merged: ["SUMMARY:a", "RELATED-TO:c", "LAST-MODIFIED:20260103T000000Z"],
            conflicts: ["RELATED-TO"]
        ),
        Case(
            name: "the same parent from both sides is no conflict",
            base: ["SUMMARY:a"],
            local: ["SUMMARY:a", "RELATED-TO;RELTYPE=PARENT:b"],
            remote: ["SUMMARY:a", "RELATED-TO:b"],
            merged: ["SUMMARY:a", "RELATED-TO:b"]
        ),
        Case(
            name: "another form of the server for the same value is no change",
            base: ["SUMMARY:a", "DURATION:PT90M", "X-A;B=1;C=2:v"],
            local: ["SUMMARY:b", "DURATION:PT90M", "X-A;B=1;C=2:v"],
            remote: ["X-A;C=2;B=1:v", "DURATION:PT1H30M", "SUMMARY:a"],
            merged: ["X-A;C=2;B=1:v", "DURATION:PT1H30M", "SUMMARY:b"]
        ),
        Case(
            name: "another form of a duration does not conflict with an edit",
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
            name: "an alarm that was removed here is removed, although the server rewrote it",
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
            conflicts: ["DUE"]
        ),
        Case(
            name: "of two sides that advanced a series the further one wins, although it was earlier",
            base: ["DTSTART:20260101T000000Z", "DUE:20260102T000000Z", "RRULE:FREQ=DAILY;COUNT=9"],
            local: [
                "DTSTART:20260103T000000Z", "DUE:20260104T000000Z", "RRULE:FREQ=DAILY;COUNT=7",
                "LAST-MODIFIED:20260101T000000Z",
            ],
            remote: [
                "DTSTART:20260102T000000Z", "DUE:20260103T000000Z", "RRULE:COUNT=8;FREQ=DAILY",
                "LAST-MODIFIED:20260102T000000Z",
            ],
            merged: [
                "DTSTART:20260103T000000Z", "DUE:20260104T000000Z", "RRULE:FREQ=DAILY;COUNT=7",
                "LAST-MODIFIED:20260102T000000Z",
            ],
            conflicts: ["DUE", "RRULE"]
        ),
        Case(
            name: "a series that the server advanced further wins too, with its alarm",
            base: ["DUE;VALUE=DATE:20260101", "RRULE:FREQ=DAILY"] + absolute("20260101T080000Z"),
            local: ["DUE;VALUE=DATE:20260102", "RRULE:FREQ=DAILY", "LAST-MODIFIED:20260109T000000Z"]
                + absolute("20260102T080000Z"),
            remote: ["DUE;VALUE=DATE:20260105", "RRULE:FREQ=DAILY", "LAST-MODIFIED:20260106T000000Z"]
                + absolute("20260105T080000Z"),
            merged: Set(
                ["DUE;VALUE=DATE:20260105", "RRULE:FREQ=DAILY", "LAST-MODIFIED:20260109T000000Z"]
                    + absolute("20260105T080000Z")
            ),
            conflicts: ["DUE", "TRIGGER"]
        ),
        Case(
            name: "the alarm at the due time follows the winning due time, in one conflict",
            base: ["DUE:20260105T090000Z", "X-REMINDAV-DUE-ALARM:20260105T090000Z"] + absolute("20260105T090000Z"),
            local: ["X-REMINDAV-DUE-ALARM:20260106T090000Z", "DUE:20260106T090000Z", "LAST-MODIFIED:20260109T000000Z"]
                + absolute("20260106T090000Z"),
            remote: ["X-REMINDAV-DUE-ALARM:20260107T090000Z", "DUE:20260107T090000Z", "LAST-MODIFIED:20260108T000000Z"]
                + absolute("20260107T090000Z"),
            merged: Set(
                ["X-REMINDAV-DUE-ALARM:20260106T090000Z", "DUE:20260106T090000Z", "LAST-MODIFIED:20260109T000000Z"]
                    + absolute("20260106T090000Z")
            ),
            conflicts: ["DUE"]
        ),
        Case(
            name: "an alarm at another time than the due time has a conflict of its own",
            base: ["DUE:20260105T090000Z", "X-REMINDAV-DUE-ALARM:20260105T090000Z"] + absolute("20260105T090000Z"),
            local: ["DUE:20260105T090000Z", "X-REMINDAV-DUE-ALARM:20260105T090000Z"] + absolute("20260105T080000Z"),
            remote: ["DUE:20260105T090000Z", "X-REMINDAV-DUE-ALARM:20260105T090000Z"] + absolute("20260105T070000Z"),
            merged: Set(
                ["DUE:20260105T090000Z", "X-REMINDAV-DUE-ALARM:20260105T090000Z"] + absolute("20260105T070000Z")
            ),
            conflicts: ["TRIGGER"]
        ),
        Case(
            name: "an edited rule, and an earlier date, are no advance of the series",
            base: ["DUE:20260105T000000Z", "RRULE:FREQ=DAILY"],
            local: ["DUE:20260109T000000Z", "RRULE:FREQ=WEEKLY", "LAST-MODIFIED:20260101T000000Z"],
            remote: ["DUE:20260104T000000Z", "RRULE:FREQ=MONTHLY", "LAST-MODIFIED:20260102T000000Z"],
            merged: ["DUE:20260104T000000Z", "RRULE:FREQ=MONTHLY", "LAST-MODIFIED:20260102T000000Z"],
            conflicts: ["DUE", "RRULE"]
        ),
        Case(
            name: "the later side wins a conflict",
            base: ["SUMMARY:a"],
            local: ["SUMMARY:b", "LAST-MODIFIED:20260102T000000Z"],
            remote: ["SUMMARY:c", "LAST-MODIFIED:20260101T000000Z"],
            merged: ["SUMMARY:b", "LAST-MODIFIED:20260102T000000Z"],
            conflicts: ["SUMMARY"]
        ),
        Case(
            name: "an unknown property that both changed is one property",
            base: ["X-SORT:1"],
            local: ["X-SORT:2"],
            remote: ["X-SORT:3"],
            merged: ["X-SORT:3"],
            conflicts: ["X-SORT"]
        ),
        Case(
            name: "the same change on both sides is no conflict",
            base: ["STATUS:NEEDS-ACTION"],
            local: ["STATUS:COMPLETED", "COMPLETED:20260101T000000Z"],
            remote: ["COMPLETED:20260101T000000Z", "STATUS:COMPLETED"],
            merged: ["COMPLETED:20260101T000000Z", "STATUS:COMPLETED"]
        ),
        Case(
            name: "two completions are no conflict, and the first completion time counts",
            base: ["STATUS:NEEDS-ACTION", "PERCENT-COMPLETE:50"],
            local: ["STATUS:COMPLETED", "COMPLETED:20260101T000000Z", "PERCENT-COMPLETE:100"],
            remote: ["COMPLETED:20260101T000007Z", "STATUS:COMPLETED", "LAST-MODIFIED:20260101T000007Z"],
            merged: [
                "STATUS:COMPLETED", "COMPLETED:20260101T000000Z", "PERCENT-COMPLETE:100",
                "LAST-MODIFIED:20260101T000007Z",
            ]
        ),
        Case(
            name: "two equal completed copies are no conflict; the server's is the first",
            base: nil,
            local: ["STATUS:COMPLETED", "COMPLETED:20260101T000007Z"],
            remote: ["COMPLETED:20260101T000000Z", "STATUS:COMPLETED"],
            merged: ["COMPLETED:20260101T000000Z", "STATUS:COMPLETED"]
        ),
        Case(
            name: "a completion with a time is used instead of one without",
            base: ["SUMMARY:a"],
            local: ["SUMMARY:a", "STATUS:COMPLETED", "COMPLETED:20260101T000007Z"],
            remote: ["SUMMARY:a", "PERCENT-COMPLETE:100"],
            merged: ["SUMMARY:a", "STATUS:COMPLETED", "COMPLETED:20260101T000007Z"]
        ),
        Case(
            name: "completed and cancelled are a conflict",
            base: ["SUMMARY:a"],
            local: ["SUMMARY:a", "STATUS:COMPLETED", "COMPLETED:20260101T000007Z"],
            remote: ["SUMMARY:a", "STATUS:CANCELLED"],
            merged: ["SUMMARY:a", "STATUS:CANCELLED"],
            conflicts: ["STATUS"]
        ),
        Case(
            name: "without a base the properties of one side are kept",
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
            name: "an alarm that one side removed is removed, although the other side acknowledged it",
            base: ["SUMMARY:a"] + alarm,
            local: ["SUMMARY:a"] + heard,
            remote: ["SUMMARY:a"],
            merged: ["SUMMARY:a"]
        ),
        Case(
            name: "the same with exchanged sides",
            base: ["SUMMARY:a"] + alarm,
            local: ["SUMMARY:a"],
            remote: ["SUMMARY:a"] + heard,
            merged: ["SUMMARY:a"]
        ),
        Case(
            name: "an alarm that one side removed is removed",
            base: ["SUMMARY:a"] + alarm,
            local: ["SUMMARY:a"],
            remote: ["SUMMARY:b"] + alarm,
            merged: ["SUMMARY:b"]
        ),
        Case(
            name: "the new alarms of both sides stay",
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

    @Test("each property gets the change of the side that made one", arguments: cases)
    func merge(_ test: Case) throws {
        let local = try #require(Self.object(test.local))
        let remote = try #require(Self.object(test.remote))
        let result = ThreeWayMerge.merge(base: test.base.flatMap(Self.object), local: local, remote: remote)
        let lines = String(decoding: result.document.bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
        #expect(Set(lines.dropFirst(3).dropLast(2)) == test.merged)
        #expect(result.conflicts.map(\.property) == test.conflicts)
    }

    @Test("added lines get the line ends of the other side", arguments: ["\r", "\n", "\r\n"], ["\r", "\n", "\r\n"])
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

    @Test("an alarm that only one side has given a UID is the same alarm", arguments: [true, false])
    func alarmWithoutUID(isKnownHere: Bool) throws {
        func object(_ lines: String...) -> CalendarObject? {
            let alarms = lines.map { "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:a\r\n\($0)END:VALARM\r\n" }.joined()
            return CalendarObject(
                ICalendarDocument("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u\r\n\(alarms)END:VTODO\r\nEND:VCALENDAR\r\n")
            )
        }
        func alarms(_ local: CalendarObject?, _ remote: CalendarObject?) throws -> [Component] {
            let (local, remote) = (try #require(local), try #require(remote))
            // An interrupted run has sent the text without a record.
            let result = ThreeWayMerge.merge(base: nil, local: local, remote: remote)
            return try #require(CalendarObject(result.document)).main.components(.valarm)
        }
        let plain = "TRIGGER:-PT5M\r\n"
        let snoozed = "\(plain)UID:x\r\nACKNOWLEDGED:20260101T000000Z\r\n"
        let (local, remote) = isKnownHere ? (snoozed, plain) : (plain, snoozed)
        let one = try alarms(object(local), object(remote))
        #expect(one.count == 1)
        #expect(one[0].first(.uid)?.text == "x" && one[0].first(.acknowledged) != nil)
        // Two alarms with the same content are not both paired with one.
        #expect(try alarms(object(local), object(remote, plain)).count == 2)
        #expect(try alarms(object("\(plain)UID:y\r\n"), object(snoozed)).count == 2)
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

    @Test(
        "an occurrence is the same in UTC and in a zone that the calendar describes; in one that it does not, it is not",
        arguments: [true, false],
        [true, false]
    )
    func formsOfOneMoment(isDescribed: Bool, isRespelledThere: Bool) throws {
        let rules =
            "BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n"
        let zone = "BEGIN:VTIMEZONE\r\nTZID:A/B\r\n\(isDescribed ? rules : "")END:VTIMEZONE\r\n"
        let master = "BEGIN:VTODO\r\nUID:u\r\nRRULE:FREQ=DAILY\r\nDTSTART;TZID=A/B:20260101T010000\r\nEND:VTODO\r\n"
        let forms = ["RECURRENCE-ID:20260102T000000Z", "RECURRENCE-ID;TZID=A/B:20260102T010000"]
        func object(_ form: String, _ lines: String) -> CalendarObject? {
            let override = "BEGIN:VTODO\r\nUID:u\r\n\(form)\r\n\(lines)\r\nEND:VTODO\r\n"
            return CalendarObject(
                ICalendarDocument("BEGIN:VCALENDAR\r\n" + zone + master + override + "END:VCALENDAR\r\n")
            )
        }
        let base = try #require(object(forms[0], "SUMMARY:a"))
        let local = try #require(object(forms[isRespelledThere ? 0 : 1], "SUMMARY:b"))
        let remote = try #require(object(forms[isRespelledThere ? 1 : 0], "SUMMARY:a\r\nPRIORITY:1"))
        let result = ThreeWayMerge.merge(base: base, local: local, remote: remote)
        let merged = try #require(CalendarObject(result.document))
        #expect(result.conflicts.isEmpty)
        #expect(merged.overrides.count == (isDescribed ? 1 : 2))
        guard isDescribed else { return }
        let text = String(decoding: merged.overrides[0].bytes, as: UTF8.self)
        #expect(text.contains(forms[isRespelledThere ? 1 : 0]))
        #expect(text.contains("SUMMARY:b") && text.contains("PRIORITY:1"))
        // An occurrence that one side removed and the other one only rewrote is removed.
        let without = try #require(
            CalendarObject(ICalendarDocument("BEGIN:VCALENDAR\r\n" + zone + master + "END:VCALENDAR\r\n"))
        )
        let respelled = try #require(object(forms[1], "SUMMARY:a"))
        for (here, there) in [(without, respelled), (respelled, without)] {
            let gone = ThreeWayMerge.merge(base: base, local: here, remote: there).document
            #expect(CalendarObject(gone)?.overrides.isEmpty == true)
        }
    }
}

extension String {
    /// Returns the text with the first match replaced.
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
