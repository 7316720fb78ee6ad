import RemindavBridge
import RemindavICalendar
import RemindavReminders
import Testing

@Suite("import")
struct ImportTests {
    static func calendar(_ todos: String...) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n" + todos.joined() + "END:VCALENDAR\r\n"
    }

    static func todo(_ uid: String, _ lines: String = "SUMMARY:a", modified: Int = 1) -> String {
        "BEGIN:VTODO\r\nUID:\(uid)\r\nLAST-MODIFIED:20260101T00000\(modified)Z\r\n\(lines)\r\nEND:VTODO\r\n"
    }

    @Test("a newer to-do replaces the stored one, an older or equal one does not")
    func newerAndOlder() throws {
        let useCases = try Workplace.open()
        #expect(try Workplace.load(Self.calendar(Self.todo("1", modified: 5)), into: useCases).added == 1)
        #expect(try Workplace.load(Self.calendar(Self.todo("1", modified: 5)), into: useCases).unchanged == 1)
        let newer = try Workplace.load(Self.calendar(Self.todo("1", "SUMMARY:b", modified: 6)), into: useCases)
        #expect(newer.updated == 1)
        let older = try Workplace.load(Self.calendar(Self.todo("1", "SUMMARY:c", modified: 4)), into: useCases)
        #expect(older.unchanged == 1 && older.isWhole)
        #expect(older.issues.map(\.code) == ["olderThanStored"])
        #expect(try useCases.reminders(matching: ReminderFilter()).map(\.title) == ["b"])
    }

    // Reading, indexing and writing the series for each override would take minutes.
    @Test(
        "thousands of overrides of one series are imported, also alternating with another series",
        .timeLimit(.minutes(1))
    )
    func manyOverrides() throws {
        let rule = "DUE:20260101T000000Z\r\nRRULE:FREQ=MINUTELY"
        for uids in [["1"], ["1", "2"]] {
            let useCases = try Workplace.open()
            var todos = uids.map { Self.todo($0, rule) }
            for number in 0..<4000 {
                let (day, hour, minute) = (10 + number / 1440, 10 + number / 60 % 14, 10 + number % 50)
                let id = "RECURRENCE-ID:202601\(day)T\(hour)\(minute)\(10 + number / 840)Z"
                todos += uids.map { Self.todo($0, "\(id)\r\nSUMMARY:n\(number)") }
            }
            let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n\(todos.joined())END:VCALENDAR\r\n"
            #expect(try Workplace.load(text, into: useCases).added == uids.count)
            let export = try Workplace.export(useCases)
            #expect(String(decoding: export, as: UTF8.self).split(separator: "RECURRENCE-ID").count > 1000 * uids.count)
            // A second import changes nothing.
            #expect(try Workplace.load(text, into: useCases).unchanged == uids.count)
            #expect(try Workplace.export(useCases) == export)
        }
    }

    @Test("to-dos that are stored together keep their time zone, for each place of the zone in the file")
    func zoneBehindOverrides() throws {
        let useCases = try Workplace.open()
        let zone =
            "BEGIN:VTIMEZONE\r\nTZID:Nowhere\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
            + "TZOFFSETFROM:+0300\r\nTZOFFSETTO:+0300\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
        let rule = "DUE;TZID=Nowhere:20260101T000000\r\nRRULE:FREQ=DAILY"
        let override = "RECURRENCE-ID;TZID=Nowhere:20260102T000000\r\nSUMMARY:b"
        for calendar in [
            Self.calendar(Self.todo("1", rule), Self.todo("1", override), zone),
            Self.calendar(Self.todo("2", rule), zone, Self.todo("2", override)),
        ] {
            let report = try Workplace.load(calendar, into: useCases)
            #expect(report.added == 1)
            #expect(report.issues.isEmpty)
        }
        let text = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        #expect(text.split(separator: "BEGIN:VTIMEZONE").count == 2)
    }

    @Test("an import is one run: undo removes its additions and restores its changes")
    func undone() throws {
        let useCases = try Workplace.open()
        let label = "X-REMINDAV-LABEL;X-COLOR=#4CAF50;X-UPDATED=20260101T000000Z:Work\r\n"
        let first = try Workplace.load(Self.calendar(Self.todo("1"), Self.todo("2"), Self.todo("3")), into: useCases)
        #expect(first.run == 1)
        let before = try Workplace.export(useCases)
        let rule = "RECURRENCE-ID:20260102T090000Z\r\nSUMMARY:moved"
        let calendar = Self.calendar(
            label,
            Self.todo("2", "SUMMARY:b", modified: 2),
            Self.todo("2", rule, modified: 2),
            Self.todo("4"),
            Self.todo("3")
        )
        #expect(
            try useCases.importCalendar(
                Workplace.source(Array(calendar.utf8)),
                list: nil,
                dryRun: true,
                progress: { _ in }
            ).run == nil
        )
        let report = try Workplace.load(calendar, into: useCases)
        #expect((report.added, report.updated, report.unchanged, report.run) == (1, 1, 1, 2))
        #expect(try useCases.log(limit: 9).map(\.id) == [2, 1])
        let counts = try useCases.log(run: 2).run.counts
        #expect((counts.addedHere, counts.received, counts.labels) == (1, 2, 1))
        let after = try Workplace.export(useCases)
        let undone = try useCases.undo(.last)
        #expect(undone.undone == 2 && undone.changes.count == 2 && undone.labels.count == 1)
        func meanings(_ bytes: [UInt8]) -> Set<ComponentMeaning> {
            Set(
                ICalendarDocument(bytes).all(.vtodo).map { $0.meaning(ignoring: [.dtstamp, .lastModified, .sequence]) }
            )
        }
        #expect(try meanings(Workplace.export(useCases)) == meanings(before))
        #expect(try useCases.labels().isEmpty)
        // The undo can be undone too.
        _ = try useCases.undo(.run(try #require(undone.run)))
        #expect(try meanings(Workplace.export(useCases)) == meanings(after))
        #expect(try useCases.labels().map(\.name) == ["Work"])
    }

    @Test("a reminder that was edited after an import stays when the import is undone, and is named")
    func editedSinceImport() throws {
        let useCases = try Workplace.open()
        let report = try Workplace.load(Self.calendar(Self.todo("1"), Self.todo("2")), into: useCases)
        _ = try useCases.edit(1, ReminderChange(title: "mine"))
        let summary = try useCases.undo(.run(try #require(report.run)))
        let impossible = summary.changes.filter { if case .impossible = $0.outcome { true } else { false } }
        #expect(impossible.map(\.reminder) == [1])
        #expect(try useCases.reminders(matching: ReminderFilter()).map(\.title) == ["mine"])
    }

    @Test("a reminder that another list has is recognised there, and is added to a second list only on request")
    func otherList() throws {
        let useCases = try Workplace.open()
        let calendar = Self.calendar(Self.todo("1"), Self.todo("2"))
        #expect(try Workplace.load(calendar, into: useCases, list: "Work").elsewhere.isEmpty)
        // The list of a file does not become the default list.
        #expect(try useCases.lists().filter(\.isDefault).map(\.name) == ["Reminders"])
        let more = Self.calendar(
            Self.todo("1"),
            Self.todo("1"),
            Self.todo("2", "SUMMARY:b", modified: 2),
            Self.todo("3")
        )
        let report = try Workplace.load(more, into: useCases, list: "Home")
        #expect((report.added, report.updated, report.unchanged) == (1, 1, 1) && report.elsewhere == ["Work": 2])
        let places = try useCases.reminders(matching: ReminderFilter()).map { "\($0.title) \($0.list)" }.sorted()
        #expect(places == ["a Home", "a Work", "b Work"])
        let copy = try useCases.importCalendar(
            Workplace.source(Array(calendar.utf8)),
            list: "Home",
            dryRun: false,
            options: ImportOptions(copies: true),
            progress: { _ in }
        )
        #expect((copy.added, copy.unchanged) == (2, 0) && copy.elsewhere.isEmpty)
    }

    @Test("an import without changes is no run")
    func withoutRun() throws {
        let useCases = try Workplace.open()
        try Workplace.load(Self.calendar(Self.todo("1")), into: useCases)
        #expect(try Workplace.load(Self.calendar(Self.todo("1")), into: useCases).run == nil)
        #expect(try useCases.log(limit: 9).count == 1)
    }

    @Test("UIDs that only look equal are two reminders")
    func lookalikes() throws {
        let useCases = try Workplace.open()
        let calendar = Self.calendar(Self.todo("caf\u{E9}"), Self.todo("cafe\u{301}", "SUMMARY:b"))
        #expect(try Workplace.load(calendar, into: useCases).added == 2)
        #expect(try Workplace.load(calendar, into: useCases).unchanged == 2)
    }

    @Test("a to-do with a UID longer than the limit is left out", arguments: [1025, 3000])
    func longUID(bytes: Int) throws {
        let useCases = try Workplace.open()
        let report = try Workplace.load(
            Self.calendar(
                Self.todo(String((0..<bytes).flatMap { String($0, radix: 36) }.prefix(bytes))),
                Self.todo("b")
            ),
            into: useCases
        )
        #expect(report.added == 1 && report.skipped == 1 && report.issues.contains { $0.code == "uidTooLong" })
    }

    @Test("a to-do without any stamp does not replace one that has a stamp")
    func withoutStamps() throws {
        let useCases = try Workplace.open()
        try Workplace.load(Self.calendar(Self.todo("1", "SUMMARY:mine")), into: useCases)
        let plain = "BEGIN:VTODO\r\nUID:1\r\nSUMMARY:theirs\r\nEND:VTODO\r\n"
        #expect(try Workplace.load(Self.calendar(plain), into: useCases).unchanged == 1)
        #expect(try useCases.reminders(matching: ReminderFilter()).map(\.title) == ["mine"])
    }

    @Test("a series is updated also if an override stands before it")
    func overrideFirst() throws {
        let useCases = try Workplace.open()
        let rule = "DTSTART:20260101T090000Z\r\nRRULE:FREQ=DAILY\r\nSUMMARY:"
        let override = Self.todo("1", "RECURRENCE-ID:20260102T090000Z\r\nSUMMARY:moved")
        try Workplace.load(Self.calendar(override, Self.todo("1", rule + "a")), into: useCases)
        let report = try Workplace.load(
            Self.calendar(override, Self.todo("1", rule + "b", modified: 2)),
            into: useCases
        )
        #expect(report.updated == 1 && report.issues.isEmpty)
        #expect(try useCases.reminders(matching: ReminderFilter()).map(\.title) == ["b"])
    }

    @Test("a bare to-do without a final line end is separate from the following text")
    func bareTodo() throws {
        let useCases = try Workplace.open()
        let todo = String(Self.todo("1").dropLast())
        try Workplace.load(todo, into: useCases)
        try Workplace.load(String(Self.todo("1", "SUMMARY:b", modified: 2).dropLast()), into: useCases)
        let exported = try Workplace.export(useCases)
        #expect(ICalendarDocument(exported).issues.isEmpty)
    }

    @Test("two time zones with one name stay with their to-dos")
    func zonesOfOneName() throws {
        func zone(_ offset: String) -> String {
            "BEGIN:VTIMEZONE\r\nTZID:Customized Time Zone\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
                + "TZOFFSETFROM:\(offset)\r\nTZOFFSETTO:\(offset)\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
        }
        func todo(_ uid: String) -> String { Self.todo(uid, "DUE;TZID=Customized Time Zone:20260101T090000") }
        let useCases = try Workplace.open()
        try Workplace.load(
            Self.calendar(zone("+0300"), todo("1")) + Self.calendar(zone("-0500"), todo("2")),
            into: useCases
        )
        let again = try Workplace.open()
        try Workplace.load(String(decoding: try Workplace.export(useCases), as: UTF8.self), into: again)
        for store in [useCases, again] {
            let dues = try store.reminders(matching: ReminderFilter()).sorted { $0.uid < $1.uid }.map(\.due)
            #expect(dues == ["2026-01-01T09:00:00+03:00", "2026-01-01T09:00:00-05:00"])
        }
    }

    @Test("a truncated stream changes nothing", arguments: [100, 150, 200])
    func cutShort(length: Int) throws {
        let useCases = try Workplace.open()
        let text = Self.calendar(Self.todo("1"), Self.todo("2"), Self.todo("3"))
        #expect(throws: UseCaseError(.fileCutShort)) { try Workplace.load(String(text.prefix(length)), into: useCases) }
        #expect(try useCases.reminderCount() == 0)
        #expect(try useCases.lists().isEmpty)
    }

    @Test(
        "a file that is not iCalendar or of an unknown format is refused",
        arguments: [
            ("", .notCalendarData), ("hello\nworld\n", .formatUnknown), ("<html></html>", .notCalendarData),
            ("\0\0\0", .formatUnknown),
        ] as [(String, UseCaseError.Code)]
    )
    func notICalendar(text: String, code: UseCaseError.Code) throws {
        let useCases = try Workplace.open()
        #expect(throws: UseCaseError(code)) { try Workplace.load(text, into: useCases) }
        #expect(try useCases.lists().isEmpty)
    }

    @Test("a file with a line of ten megabytes, folded or not, is refused", arguments: ["x", "xxxxxxxxx\r\n "])
    func longLine(piece: String) throws {
        let useCases = try Workplace.open()
        let long = Self.todo("1", "SUMMARY:" + String(repeating: piece, count: 10_000_000 / piece.utf8.count) + "x")
        #expect(throws: UseCaseError(.beyondLimits)) {
            try Workplace.load(Self.calendar(Self.todo("2"), long), into: useCases)
        }
        #expect(try useCases.lists().isEmpty)
    }

    @Test("occurrences of one UID become one reminder, for any place in the file")
    func overrides() throws {
        let override = Self.todo("1", "RECURRENCE-ID:20260102T090000Z\r\nSUMMARY:moved")
        let text = Self.calendar(
            Self.todo("1", "DTSTART:20260101T090000Z\r\nRRULE:FREQ=DAILY\r\nSUMMARY:a"),
            Self.todo("2"),
            override
        )
        let useCases = try Workplace.open()
        #expect(try Workplace.load(text, into: useCases).added == 2)
        #expect(try Workplace.load(text, into: useCases).unchanged == 2)
        let exported = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        #expect(exported.contains(override))
    }

    @Test("a time zone that stands after the to-dos is stored with them")
    func lateZone() throws {
        let zone =
            "BEGIN:VTIMEZONE\r\nTZID:My/Zone\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
            + "TZOFFSETFROM:+0300\r\nTZOFFSETTO:+0300\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
        let useCases = try Workplace.open()
        try Workplace.load(Self.calendar(Self.todo("1", "DUE;TZID=My/Zone:20260101T090000"), zone), into: useCases)
        #expect(try useCases.reminders(matching: ReminderFilter()).first?.due == "2026-01-01T09:00:00+03:00")
        #expect(String(decoding: try Workplace.export(useCases), as: UTF8.self).contains(zone))
    }

    @Test("a dry run reports the changes and makes none")
    func dryRun() throws {
        let useCases = try Workplace.open()
        let bytes = Array(Self.calendar(Self.todo("1")).utf8)
        let report = try useCases.importCalendar(Workplace.source(bytes), list: "New", dryRun: true, progress: { _ in })
        #expect(report.added == 1)
        #expect(try useCases.reminderCount() == 0)
        #expect(try useCases.lists().isEmpty)
    }
}
