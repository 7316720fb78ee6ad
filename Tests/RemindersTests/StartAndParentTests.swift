import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport
import Testing

@testable import RemindavReminders

@Suite("start, link and parent of a reminder")
struct StartAndParentTests {
    private func edited(_ lines: [String], _ change: ReminderChange) throws -> [String] {
        let old = try #require(reminder((["X-FIRST:1"] + lines).joined(separator: "\r\n")))
        let new = old.applying(change, in: context, zones: zones(old))
        return new.lines.filter { !stamps.contains($0) && $0 != "X-FIRST:1" }
    }

    struct StartCase: Sendable, CustomTestStringConvertible {
        let name: String
        let before: [String]
        var due = FieldChange<CalendarDateOrDateTime>.keep
        var start = FieldChange<CalendarDateOrDateTime>.keep
        let after: Set<String>
        var testDescription: String { self.name }
    }

    private static func at(_ wire: String) -> FieldChange<CalendarDateOrDateTime> {
        moment(wire).map { .set($0) } ?? .keep
    }

    static let starts = [
        StartCase(name: "alone", before: [], start: at("20261201"), after: ["DTSTART;VALUE=DATE:20261201"]),
        StartCase(
            name: "a date beside a time is the beginning of the day in the zone of the due time",
            before: ["DUE:20261205T090000Z"],
            start: at("20261201"),
            after: ["DUE:20261205T090000Z", "DTSTART:20261201T000000Z"]
        ),
        StartCase(
            name: "a time beside a date is its date",
            before: ["DUE;VALUE=DATE:20261205"],
            start: at("20261201T100000Z"),
            after: ["DUE;VALUE=DATE:20261205", "DTSTART;VALUE=DATE:20261201"]
        ),
        StartCase(
            name: "both change",
            before: ["DTSTART:20261101T090000Z", "DUE:20261105T090000Z"],
            due: at("20261209T090000Z"),
            start: at("20261208T090000Z"),
            after: ["DTSTART:20261208T090000Z", "DUE:20261209T090000Z"]
        ),
        StartCase(
            name: "the start keeps its distance if only the due time changes",
            before: ["DTSTART:20261101T090000Z", "DUE:20261105T090000Z"],
            due: at("20261109T090000Z"),
            after: ["DTSTART:20261105T090000Z", "DUE:20261109T090000Z"]
        ),
        StartCase(
            name: "the first due time leaves the start",
            before: ["DTSTART;VALUE=DATE:20261201"],
            due: at("20261205T090000Z"),
            after: ["DTSTART:20261201T000000Z", "DUE:20261205T090000Z"]
        ),
        StartCase(
            name: "cleared",
            before: ["DTSTART:20261101T090000Z", "DUE:20261105T090000Z"],
            start: .clear,
            after: ["DUE:20261105T090000Z"]
        ),
        StartCase(
            name: "a DTSTART that equals DUE is no start, so clearing it changes nothing",
            before: ["DTSTART:20261105T090000Z", "DUE:20261105T090000Z"],
            start: .clear,
            after: ["DTSTART:20261105T090000Z", "DUE:20261105T090000Z"]
        ),
        StartCase(
            name: "the due time is removed, the start stays",
            before: ["DTSTART:20261101T090000Z", "DUE:20261105T090000Z"],
            due: .clear,
            after: ["DTSTART:20261101T090000Z"]
        ),
        StartCase(
            name: "the dates of a rule stay",
            before: ["DTSTART:20261105T090000Z", "DUE:20261105T090000Z", "RRULE:FREQ=WEEKLY"],
            start: at("20261101T090000Z"),
            after: ["DTSTART:20261105T090000Z", "DUE:20261105T090000Z", "RRULE:FREQ=WEEKLY"]
        ),
    ]

    @Test("a start agrees with the due time, and no other line changes", arguments: starts)
    func start(_ test: StartCase) throws {
        var change = ReminderChange(due: test.due)
        change.start = test.start
        let foreign = ["X-OTHER;P=\"a\":1", "COMMENT:c"]
        #expect(try Set(self.edited(test.before + foreign, change)) == test.after.union(foreign))
    }

    @Test("a start after the due time, and a start of a series, are found before the edit")
    func rules() throws {
        let old = try #require(reminder("DUE:20261205T090000Z"))
        var change = ReminderChange()
        change.start = Self.at("20261206")
        #expect(change.startAfterDue(of: old, zones: zones(old)) != nil)
        change.start = Self.at("20261205")
        #expect(change.startAfterDue(of: old, zones: zones(old)) == nil)
        let undated = try #require(reminder("DTSTART:20261205T090000Z"))
        let due = ReminderChange(due: Self.at("20261201T090000Z"))
        #expect(due.startAfterDue(of: undated, zones: zones(undated)) != nil)
        let series = try #require(reminder("DTSTART:20261205T090000Z", "DUE:20261205T090000Z", "RRULE:FREQ=DAILY"))
        #expect(change.startsSeries(series) && !change.startsSeries(old))
        change.recurrenceRule = .clear
        #expect(!change.startsSeries(series))
    }

    @Test(
        "a parent replaces the former parents, and all other relations keep their bytes",
        arguments: [
            ([], ["RELATED-TO;RELTYPE=PARENT:p"]),
            (["RELATED-TO:a"], ["RELATED-TO;RELTYPE=PARENT:p"]),
            (["RELATED-TO;RELTYPE=parent:p"], ["RELATED-TO;RELTYPE=parent:p"]),
            (
                ["RELATED-TO;RELTYPE=DEPENDS-ON:d", "RELATED-TO;X=1;RELTYPE=PARENT:a", "RELATED-TO:b"],
                ["RELATED-TO;RELTYPE=DEPENDS-ON:d", "RELATED-TO;RELTYPE=PARENT:p"]
            ),
        ] as [([String], [String])]
    )
    func parent(before: [String], after: [String]) throws {
        var change = ReminderChange()
        change.parent = .set(.uid("p"))
        let lines = try self.edited(["SUMMARY:x"] + before, change)
        #expect(lines == ["SUMMARY:x"] + after)
        change.parent = .clear
        let cleared = try self.edited(lines, change)
        #expect(cleared == ["SUMMARY:x"] + after.filter { $0.contains("DEPENDS") })
    }

    @Test(
        "a link is an absolute address",
        arguments: [
            ("https://example.org/a?b=c,d;e#f", nil), (" mailto:a@example.org ", nil), ("obsidian://open?x=1", nil),
            ("message:%3Cid@example.org%3E", nil), ("example.org/plan", LinkError.noScheme), ("https:", .noScheme),
            ("example.org:8080/x", .noScheme), (":x", .noScheme), ("https://a b", .hasSpaces),
            ("https://a\u{7}", .hasSpaces), ("JavaScript:alert(1)", .refusedScheme),
            ("data:text/html,x", .refusedScheme),
            ("https://" + String(repeating: "a", count: 2041), .tooLong),
        ] as [(String, LinkError?)]
    )
    func link(text: String, error: LinkError?) {
        guard let error else { return #expect((try? Link.checked(text)) == text.trimmingWhiteSpace) }
        #expect(throws: error) { try Link.checked(text) }
    }

    @Test("a link has no escapes and no language")
    func linkLine() throws {
        var change = ReminderChange()
        change[ReminderField.lines.first { $0.name == "link" } ?? .title] = .set(.text("https://e.org/a,b;c"))
        #expect(try self.edited(["URL:https://old.org"], change) == ["URL:https://e.org/a,b;c"])
    }
}
