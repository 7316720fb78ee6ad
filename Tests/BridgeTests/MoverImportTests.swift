import ICalendar
import Movers
import Reminders
import Store
import Testing

@testable import Bridge

@Suite("import of other programs' files")
struct MoverImportTests {
    private static func load(
        _ text: String,
        into useCases: UseCases,
        _ options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        let source = Workplace.source(Array(text.utf8), pieces: 1000)
        return try useCases.importCalendar(source, list: nil, dryRun: false, options: options, progress: { _ in })
    }

    private static func task(_ title: String, modified: Int, more: String = "") -> String {
        """
        [{"uuid":"a360fc44-315c-4366-b70c-ea7e7520b749","description":"\(title)","entry":"20260101T000000Z",\
        "modified":"20260101T00000\(modified)Z","status":"pending"\(more)}]
        """
    }

    private static func export(_ useCases: UseCases, _ form: ExportForm) throws -> String {
        var bytes: [UInt8] = []
        _ = try useCases.exportReminders(as: form, list: nil, labels: [], state: .all, words: { $0 }) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func only(_ useCases: UseCases) throws -> ReminderView {
        try #require(try useCases.reminders(matching: ReminderFilter(includesCompleted: true)).first)
    }

    @Test("a newer file changes what it says, and leaves alone what it cannot say")
    func newer() throws {
        let useCases = try Workplace.open()
        #expect(try Self.load(Self.task("One", modified: 1, more: #","tags":["a"]"#), into: useCases).added == 1)
        let stored = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n"
        let richer = stored.replacing("END:VTODO", with: "X-OTHER:1\r\n\(alarm)END:VTODO")
            .replacing("LAST-MODIFIED:20260101T000001Z", with: "LAST-MODIFIED:20260101T000002Z")
        #expect(try Workplace.load(richer, into: useCases).updated == 1)

        #expect(try Self.load(Self.task("Two", modified: 2), into: useCases).unchanged == 1)
        #expect(try Self.only(useCases).title == "One")
        #expect(try Self.load(Self.task("Three", modified: 3), into: useCases).updated == 1)
        let reminder = try Self.only(useCases)
        #expect(reminder.title == "Three" && reminder.labels == [] && reminder.alarms == ["-PT5M"])
        #expect(String(decoding: try Workplace.export(useCases), as: UTF8.self).contains("X-OTHER:1\r\n\(alarm)"))
    }

    private static func item(_ due: String, updated: Int) -> String {
        """
        {"items":[{"id":"7","content":"a","checked":false,"due":\(due),\
        "updated_at":"2026-01-0\(updated)T00:00:00Z"}]}
        """
    }

    /// Adds lines to the only to-do, as a person's program does.
    private static func enrich(_ useCases: UseCases, _ lines: String) throws {
        let stored = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        let richer = stored.replacing("END:VTODO", with: "\(lines)END:VTODO")
            .replacing("-MODIFIED:20260101T000000Z", with: "-MODIFIED:20260101T000001Z")
        #expect(try Workplace.load(richer, into: useCases).updated == 1)
    }

    @Test("a newer file removes nothing that its format cannot say")
    func unsaid() throws {
        let useCases = try Workplace.open()
        _ = try Self.load(Self.item(#"{"date":"2026-12-10"}"#, updated: 1), into: useCases)
        let own = """
            DTSTART;VALUE=DATE:20261201\r\nLOCATION:Hall\r\nURL:https://example.org/\r\nPERCENT-COMPLETE:40\r\n\
            RELATED-TO;RELTYPE=DEPENDS-ON:x\r\n
            """
        try Self.enrich(useCases, own)
        #expect(try Self.load(Self.item(#"{"date":"2026-12-09"}"#, updated: 2), into: useCases).updated == 1)
        let text = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        #expect(text.contains("DUE;VALUE=DATE:20261209\r\n"))
        for line in own.split(separator: "\r\n") { #expect(text.contains("\(line)\r\n")) }
        // A start behind what is due is one that no server takes.
        #expect(try Self.load(Self.item(#"{"date":"2026-11-30"}"#, updated: 3), into: useCases).updated == 1)
        #expect(!String(decoding: try Workplace.export(useCases), as: UTF8.self).contains("DTSTART"))
        #expect(try Self.load(Self.item("null", updated: 4), into: useCases).updated == 1)
        let reminder = try Self.only(useCases)
        #expect(reminder.due == nil)
    }

    @Test("a newer file whose date or repeat cannot be read leaves those that are here")
    func unreadDates() throws {
        let useCases = try Workplace.open()
        let first = Self.item(#"{"date":"2026-12-10"}"#, updated: 1)
        _ = try Self.load(first, into: useCases)
        _ = try Self.enrich(useCases, "DTSTART;VALUE=DATE:20261210\r\nRRULE:FREQ=WEEKLY\r\n")
        let words = #"{"string":"jeden Mond","lang":"de","is_recurring":true}"#
        #expect(try Self.load(Self.item(words, updated: 2), into: useCases).updated == 1)
        var reminder = try Self.only(useCases)
        #expect(reminder.due == "2026-12-10" && reminder.repeatRule == "FREQ=WEEKLY")
        let dated = #"{"date":"2026-12-17","string":"jeden Mond","lang":"de","is_recurring":true}"#
        #expect(try Self.load(Self.item(dated, updated: 3), into: useCases).updated == 1)
        reminder = try Self.only(useCases)
        #expect(reminder.due == "2026-12-17" && reminder.repeatRule == "FREQ=WEEKLY" && reminder.start == nil)
        #expect(try Self.load(Self.item(#"{"date":"2026-12-18"}"#, updated: 4), into: useCases).updated == 1)
        reminder = try Self.only(useCases)
        #expect(reminder.due == "2026-12-18" && reminder.repeatRule == nil)
        let text = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        #expect(!text.contains("RRULE") && !text.contains("DTSTART"))
    }

    @Test("what was edited here after the file was written stays")
    func edited() throws {
        let useCases = try Workplace.open()
        _ = try Self.load(Self.task("One", modified: 1), into: useCases)
        _ = try useCases.edit(try Self.only(useCases).id, ReminderEdit(title: "Mine"))
        let report = try Self.load(Self.task("Theirs", modified: 2), into: useCases)
        #expect(report.unchanged == 1 && report.updated == 0)
        #expect(try Self.only(useCases).title == "Mine")
    }

    @Test("a file that does not say when it was changed changes nothing that is here, and says so")
    func unstamped() throws {
        let useCases = try Workplace.open()
        let table = { (notes: String) in "TYPE,CONTENT,DESCRIPTION,INDENT\ntask,One,\(notes),1\n" }
        _ = try Self.load(table("a"), into: useCases)
        #expect(try Self.load(table("a"), into: useCases).issues.isEmpty)
        let report = try Self.load(table("b"), into: useCases)
        #expect(report.unchanged == 1 && report.isWhole)
        #expect(report.issues.map(\.code) == ["differsHere"])
        #expect(try Self.only(useCases).notes == "a")
    }

    @Test("two tasks of one number are one reminder, and the second is told of")
    func twice() throws {
        let useCases = try Workplace.open()
        let task = Self.task("One", modified: 1).dropFirst().dropLast()
        let report = try Self.load("[\(task),\n\(task)]", into: useCases)
        #expect(report.added == 1 && report.skipped == 1)
        #expect(report.issues.map(\.code) == ["duplicateUID"])
    }

    @Test("a broken row is left out with its line, and the import is in part")
    func broken() throws {
        let useCases = try Workplace.open()
        let report = try Self.load("TYPE,CONTENT,INDENT\ntask,a,1\ntask,,1\ntask,\"b,1\n", into: useCases)
        #expect(report.added == 1 && report.skipped == 2 && !report.isWhole)
        #expect(report.issues.map(\.line) == [3, 4])
    }

    @Test(
        "a file that cannot be read is refused, and nothing is changed",
        arguments: [
            ("[{\"uuid\":\"1\"", nil, .fileCutShort), ("{\"a\":1}", nil, .formatUnknown),
            ("nope", .other(.taskwarrior), .notInFormat), ("a,b\n1,2\n", .other(.csv), .notInFormat),
            ("\u{FEFF}", .other(.csv), .notInFormat), ("T\0Y\0P\0E\0,\0", .other(.csv), .utf16),
            ("hello", nil, .formatUnknown), ("hello", .ics, .notCalendarData),
            ("TYPE,CONTENT,INDENT\n", .ics, .notCalendarData),
        ] as [(String, ImportFormat?, UseCaseError.Code)]
    )
    func refused(text: String, format: ImportFormat?, code: UseCaseError.Code) throws {
        let useCases = try Workplace.open()
        #expect(throws: UseCaseError(code)) { try Self.load(text, into: useCases, ImportOptions(format: format)) }
        #expect(try useCases.lists().isEmpty)
    }

    @Test("a file beyond the limits is refused")
    func tooLarge() throws {
        let useCases = try Workplace.open()
        var options = ImportOptions()
        options.limits.fileBytes = 100_000
        let long = "TYPE,CONTENT,INDENT\n" + String(repeating: "task,a,1\n", count: 20_000)
        #expect(throws: UseCaseError(.fileTooLarge)) { try Self.load(long, into: useCases, options) }
        options = ImportOptions()
        options.limits.rows = 100
        #expect(throws: UseCaseError(.beyondLimits)) { try Self.load(long, into: useCases, options) }
        #expect(try useCases.lists().isEmpty)
    }

    @Test("words that nobody understands stand in the notes")
    func words() throws {
        let useCases = try Workplace.open()
        let text = "TYPE,CONTENT,INDENT,DATE\ntask,a,1,soon\ntask,b,1,tomorrow\n"
        let day = try #require(CalendarDate(year: 2026, month: 11, day: 21))
        let options = ImportOptions { $0 == "tomorrow" ? ImportPhrase(due: .date(day), rule: nil) : nil }
        let report = try Self.load(text, into: useCases, options)
        #expect(report.issues.map { "\($0.line) \($0.code)" } == ["2 phraseNotUnderstood"])
        let reminders = try useCases.reminders(matching: ReminderFilter()).sorted { $0.title < $1.title }
        #expect(reminders.map(\.due) == [nil, "2026-11-21"])
        #expect(reminders[0].notes == "Todoist, date: soon")
    }

    // MARK: Our own formats

    private static let rich = """
        BEGIN:VTODO\r
        UID:1\r
        LAST-MODIFIED:20260101T000000Z\r
        SUMMARY:=Öl\\, "heiß" 'a\r
        DESCRIPTION:two\\nlines\r
        DTSTART;TZID=Europe/Berlin:20261201T090000\r
        DUE;TZID=Europe/Berlin:20261201T090000\r
        RRULE:FREQ=WEEKLY;BYDAY=TU\r
        CATEGORIES:a\\,b,c\r
        PRIORITY:4\r
        LOCATION:Home\r
        URL:https://example.org/\r
        X-OTHER;Y=z:1\r
        BEGIN:VALARM\r
        ACTION:DISPLAY\r
        DESCRIPTION:x\r
        TRIGGER;RELATED=END:-PT5M\r
        END:VALARM\r
        END:VTODO\r
        BEGIN:VTODO\r
        UID:2\r
        SUMMARY:part\r
        RELATED-TO:1\r
        STATUS:COMPLETED\r
        COMPLETED:20260301T000000Z\r
        END:VTODO\r\n
        """

    private static func filled() throws -> UseCases {
        let useCases = try Workplace.open()
        try Workplace.load(ImportTests.calendar(self.rich), into: useCases)
        return useCases
    }

    @Test("what is written as JSON comes back as it was stored, and a second time changes nothing")
    func jsonRoundTrip() throws {
        let useCases = try Self.filled()
        let json = try Self.export(useCases, .json)
        #expect(try Self.load(json, into: useCases).unchanged == 2)
        let other = try Workplace.open()
        let report = try Self.load(json, into: other)
        #expect(report.added == 2 && report.format == "json" && report.issues.isEmpty)
        #expect(try Workplace.export(other) == Workplace.export(useCases))
        #expect(try Self.export(other, .json) == json)
    }

    @Test("a JSON export is a whole: its lists with their colours, each reminder in its own, and the labels' colours")
    func restored() async throws {
        let useCases = try Workplace.open()
        _ = try await useCases.addList(named: "Work", account: nil, color: "#112233")
        _ = try await useCases.addList(named: "Empty", account: nil, color: nil)
        _ = try await useCases.addList(named: "Home", account: nil, color: "#445566")
        try Workplace.load(ImportTests.calendar(ImportTests.todo("1"), ImportTests.todo("2")), into: useCases)
        try Workplace.load(ImportTests.calendar(ImportTests.todo("3", "SUMMARY:c")), into: useCases, list: "Home")
        _ = try useCases.importCalendar(
            Workplace.source(Array(ImportTests.calendar(ImportTests.todo("1", "SUMMARY:copy")).utf8)),
            list: "Home",
            dryRun: false,
            options: ImportOptions(copies: true),
            progress: { _ in }
        )
        _ = try useCases.addLabel(named: "unused", color: LabelColor(rgb: 7))
        func said(_ useCases: UseCases) throws -> [String] {
            try useCases.lists().map { "\($0.name) \($0.color ?? "-") \($0.isDefault)" }
                + useCases.labels().map { "\($0.name) \($0.color.hex) \($0.id ?? "-") \($0.updatedAt as Any)" }
                + useCases.reminders(matching: ReminderFilter()).map { "\($0.uid) \($0.title) \($0.list)" }.sorted()
        }
        let json = try Self.export(useCases, .json)
        let other = try Workplace.open()
        let report = try Self.load(json, into: other)
        #expect(report.added == 4 && report.lists == ["Home", "Work"] && report.labels == 1)
        #expect(try said(other) == said(useCases))
        #expect(try Self.export(other, .json) == json)
        #expect(try Self.load(json, into: other).unchanged == 4)
        // A table says less, and the lists as well.
        let third = try Workplace.open()
        #expect(try Self.load(Self.export(useCases, .csv), into: third).added == 4)
        #expect(try third.lists().map(\.name) == ["Home", "Reminders", "Work"])
        // One list for all is the person's word.
        let fourth = try Workplace.open()
        let all = try fourth.importCalendar(
            Workplace.source(Array(json.utf8)),
            list: "All",
            dryRun: false,
            progress: { _ in }
        )
        #expect(all.lists == ["All"] && all.added == 3)
    }

    @Test("a number in two lists of a file is two reminders, whether the lists are there before or not")
    func twoLists() async throws {
        let useCases = try Workplace.open()
        for list in ["Home", "Work"] {
            _ = try useCases.importCalendar(
                Workplace.source(Array(ImportTests.calendar(ImportTests.todo("1", "SUMMARY:\(list)")).utf8)),
                list: list,
                dryRun: false,
                options: ImportOptions(copies: true),
                progress: { _ in }
            )
        }
        let json = try Self.export(useCases, .json)
        for lists in [[], ["Home"], ["Work"], ["Work", "Home"]] {
            let other = try Workplace.open()
            for list in lists { _ = try await other.addList(named: list, account: nil, color: nil) }
            let report = try Self.load(json, into: other)
            #expect((report.added, report.skipped) == (2, 0), "\(lists)")
            #expect(report.issues.isEmpty && report.elsewhere.isEmpty, "\(lists)")
            let titles = try other.reminders(matching: ReminderFilter()).map { "\($0.title) in \($0.list)" }
            #expect(titles.sorted() == ["Home in Home", "Work in Work"], "\(lists)")
            #expect(try Self.load(json, into: other).unchanged == 2)
        }
    }

    @Test("names of lists that got none are not kept, however many a file has")
    func refusedLists() throws {
        let useCases = try Workplace.open()
        let (reader, now) = (useCases.reader, Workplace.now.secondsSince1970)
        try useCases.store.write { transaction in
            for name in ["Reminders", "home", "HOME"] { _ = try transaction.insertList(named: name, at: now) }
            let lists = try transaction.lists()
            let standard = try #require(lists.first { $0.name == "Reminders" })
            var stream = StreamImport(list: standard, others: [], takesEvents: false, reader: reader, now: now)
            stream.places = ImportPlaces(standard: standard, lists: lists.reversed(), room: 2)
            func place(of name: String?) throws -> String {
                try stream.turn(to: name, in: transaction)
                return stream.list.name
            }
            #expect(try ["HOME", "Home", "New", "Other"].map(place) == ["HOME", "home", "New", "Other"])
            for number in 0..<1000 { #expect(try place(of: "None \(number)") == "Reminders") }
            #expect(try ["NEW", "other", nil].map(place) == ["New", "Other", "Reminders"])
            #expect(stream.places?.known.count == 5)
            #expect(try transaction.lists().count == 5)
        }
    }

    @Test("a table brings back titles with line ends, spaces and quotation marks, and no priority")
    func oddTitles() throws {
        let useCases = try Workplace.open()
        let titles = [#"Two\nlines, "quoted""#, "  =1+1", #"''; a\, b"#]
        let todos = titles.enumerated().map { ImportTests.todo("\($0.offset)", "SUMMARY:\($0.element)") }
        try Workplace.load("BEGIN:VCALENDAR\r\n\(todos.joined())END:VCALENDAR\r\n", into: useCases)
        let table = try Self.export(useCases, .csv)
        let other = try Workplace.open()
        let report = try Self.load(table, into: other)
        #expect(report.added == 3 && report.issues.isEmpty)
        #expect(try Self.export(other, .csv) == table)
    }

    @Test("a reminder of more than a megabyte comes back, and one beyond all limits is left out and named")
    func large() throws {
        let useCases = try Workplace.open()
        let attachments = (0..<3).map { "ATTACH:data:,\($0)\(String(repeating: "A", count: 600_000))\r\n" }.joined()
        try Workplace.load(ImportTests.calendar(ImportTests.todo("1", "\(attachments)SUMMARY:a")), into: useCases)
        let json = try Self.export(useCases, .json)
        let other = try Workplace.open()
        #expect(try Self.load(json, into: other).added == 1)
        #expect(try Workplace.export(other) == Workplace.export(useCases))
        let hostile = json.replacing(#"A\r\nATTACH"#, with: #"\#(String(repeating: "A", count: 900_000))\r\nATTACH"#)
        let third = try Workplace.open()
        let report = try Self.load(hostile, into: third)
        #expect((report.added, report.skipped) == (0, 1) && report.issues.map(\.code) == ["lineTooLong"])
        #expect(!report.isWhole)
    }

    @Test("what a read-only list has stays, and what it has not is left out and named")
    func readOnlyList() throws {
        let useCases = try Self.filled()
        let json = try Self.export(useCases, .json)
        try useCases.store.write { transaction in
            for var list in try transaction.lists() {
                list.isReadOnly = true
                try transaction.update(list)
            }
        }
        let report = try Self.load(json.replacing("UID:1\\r", with: "UID:9\\r"), into: useCases)
        #expect((report.added, report.unchanged, report.skipped) == (0, 1, 1))
        #expect(report.issues.map(\.code) == ["listReadOnly"])
    }

    @Test("without the text that was stored, the fields of JSON and those of a table come back")
    func fieldRoundTrips() throws {
        let useCases = try Self.filled()
        let before = try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
        let json = try Self.export(useCases, .json).replacing(#""icalendar": ""#, with: #""other": ""#)
        for text in [json, try Self.export(useCases, .csv)] {
            #expect(try Self.load(text, into: useCases).unchanged == 2)
            let other = try Workplace.open()
            #expect(try Self.load(text, into: other).added == 2)
            let after = try other.reminders(matching: ReminderFilter(includesCompleted: true))
            #expect(after.map(\.title) == before.map(\.title))
            #expect(after.map(\.notes) == before.map(\.notes))
            #expect(after.map(\.due) == before.map(\.due))
            #expect(after.map(\.dueZone) == before.map(\.dueZone))
            #expect(after.map(\.repeatRule) == before.map(\.repeatRule))
            #expect(after.map(\.labels) == before.map(\.labels))
            #expect(after.map(\.priority) == before.map(\.priority))
            #expect(after.map(\.status) == before.map(\.status))
            #expect(after.map(\.alarms) == before.map(\.alarms))
            #expect(after.map(\.completedAt) == before.map(\.completedAt))
            #expect(after.map(\.updatedAt) == before.map(\.updatedAt))
            let exported = String(decoding: try Workplace.export(other), as: UTF8.self)
            #expect(exported.contains("RELATED-TO;RELTYPE=PARENT:1\r\n") && exported.contains("LOCATION:Home\r\n"))
        }
    }

    @Test("an export is in one order, whatever the order in which reminders came")
    func order() throws {
        let todos = (1...9).map { ImportTests.todo("\($0)", "SUMMARY:t\($0 % 3)\r\nDUE:2026120\($0 % 4 + 1)T090000Z") }
        let texts = try [todos, todos.reversed()].map { todos in
            let useCases = try Workplace.open()
            let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n\(todos.joined())END:VCALENDAR\r\n"
            try Workplace.load(text, into: useCases)
            return try [ExportForm.json, .csv, .markdown].map { try Self.export(useCases, $0) }
        }
        #expect(texts[0] == texts[1])
    }

    @Test("a checklist has each below the one that it is a part of, also where they are parts of each other")
    func checklist() throws {
        let useCases = try Workplace.open()
        let text = ImportTests.calendar(
            ImportTests.todo("1", "SUMMARY:inner\r\nRELATED-TO:2"),
            ImportTests.todo("2", "SUMMARY:outer *x*\r\nDUE;VALUE=DATE:20261201\r\nDESCRIPTION:- a\\n1. b"),
            ImportTests.todo("3", "SUMMARY:innermost\r\nSTATUS:COMPLETED\r\nRELATED-TO;RELTYPE=PARENT:1"),
            ImportTests.todo("4", "SUMMARY:ring\r\nRELATED-TO:5"),
            ImportTests.todo("5", "SUMMARY:round\r\nRELATED-TO:4")
        )
        try Workplace.load(text, into: useCases, list: "L<1>")
        #expect(
            try Self.export(useCases, .markdown) == """
                # Reminders

                ## L\\<1\\>

                - [ ] outer \\*x\\* (due 2026-12-01)
                  > \\- a
                  > 1\\. b
                  - [ ] inner
                    - [x] innermost (done 2026-01-01 00:00 UTC)
                - [ ] ring
                  - [ ] round

                """
        )
    }

    @Test("only what is open, or done, of a list and with a label, is written")
    func selection() throws {
        let useCases = try Workplace.open()
        let todos = ["A", "B"].map { name in
            ImportTests.calendar(
                ImportTests.todo("\(name)1", "SUMMARY:\(name)1\r\nCATEGORIES:x"),
                ImportTests.todo("\(name)2", "SUMMARY:\(name)2"),
                ImportTests.todo("\(name)3", "SUMMARY:\(name)3\r\nCATEGORIES:X\r\nSTATUS:COMPLETED")
            )
        }
        try Workplace.load(todos[0], into: useCases, list: "A")
        try Workplace.load(todos[1], into: useCases, list: "B")
        let cases: [(list: String?, labels: [String], state: ExportState, titles: [String])] = [
            (nil, [], .all, ["A1", "A2", "A3", "B1", "B2", "B3"]), ("B", [], .open, ["B1", "B2"]),
            (nil, ["x"], .completed, ["A3", "B3"]), ("A", ["X"], .all, ["A1", "A3"]),
        ]
        for test in cases {
            var text: [UInt8] = []
            let count = try useCases.exportReminders(
                as: .csv,
                list: test.list,
                labels: test.labels,
                state: test.state,
                words: { $0 }
            ) { text += $0 }
            let rows = String(decoding: text, as: UTF8.self).split(separator: "\r\n").dropFirst()
            #expect(rows.map { String($0.split(separator: ",")[2]) } == test.titles)
            #expect(count == test.titles.count)
            var calendar: [UInt8] = []
            let written = try useCases.exportCalendar(
                list: test.list,
                labels: test.labels,
                state: test.state,
                style: .todo
            ) { calendar += $0 }
            #expect(written == count)
        }
        #expect(throws: UseCaseError(.listNotFound)) {
            try useCases.exportReminders(as: .csv, list: "C", labels: [], state: .all, words: { $0 }) { _ in }
        }
    }

    // MARK: Events and rules

    private static let events = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:x\r
        BEGIN:VEVENT\r
        UID:e1\r
        DTSTAMP:20260101T000000Z\r
        DTSTART:20261201T090000Z\r
        DTEND:20261201T100000Z\r
        RRULE:FREQ=WEEKLY\r
        SUMMARY:Choir\r
        CATEGORIES:music\r
        LOCATION:Hall\r
        BEGIN:VALARM\r
        ACTION:DISPLAY\r
        TRIGGER:-PT30M\r
        DESCRIPTION:x\r
        END:VALARM\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        UID:e1\r
        DTSTAMP:20260101T000000Z\r
        RECURRENCE-ID:20261208T090000Z\r
        DTSTART:20261208T100000Z\r
        SUMMARY:Choir, later\r
        END:VEVENT\r
        BEGIN:VJOURNAL\r
        UID:j1\r
        END:VJOURNAL\r
        END:VCALENDAR\r\n
        """

    @Test("events become reminders when they are asked for, and are counted otherwise")
    func eventsAsReminders() throws {
        let useCases = try Workplace.open()
        let without = try Self.load(Self.events, into: useCases)
        #expect(without.added == 0 && without.foreign == 3 && without.events == 2 && without.isWhole)
        let options = ImportOptions(takesEvents: true)
        let report = try Self.load(Self.events, into: useCases, options)
        #expect(report.added == 1 && report.foreign == 1 && report.isWhole)
        let reminder = try Self.only(useCases)
        #expect(reminder.title == "Choir" && reminder.due == "2026-12-01T09:00:00Z" && reminder.start == nil)
        #expect(reminder.repeatRule == "FREQ=WEEKLY" && reminder.labels == ["music"] && reminder.alarms == ["-PT30M"])
        let exported = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        #expect(exported.contains("LOCATION:Hall\r\n") && exported.contains("SUMMARY:Choir, later\r\n"))
        #expect(try Self.load(Self.events, into: useCases, options).unchanged == 1)
    }

    private static func event(_ uid: String, _ lines: String...) -> String {
        "BEGIN:VEVENT\r\nUID:\(uid)\r\nSUMMARY:\(uid)\r\n\(lines.map { $0 + "\r\n" }.joined())END:VEVENT\r\n"
    }

    @Test("events that are over are left out and counted, and a series begins with its next date")
    func pastEvents() throws {
        // Now is Friday, 20 November 2026, 20:00 UTC.
        let calendar = ImportTests.calendar(
            Self.event("over", "DTSTART:20260101T090000Z", "DTEND:20260101T100000Z"),
            Self.event("going on", "DTSTART:20261120T190000Z", "DURATION:PT2H"),
            Self.event("today", "DTSTART;VALUE=DATE:20261120"),
            Self.event("yesterday", "DTSTART;VALUE=DATE:20261119"),
            Self.event("ended", "DTSTART:20200101T090000Z", "RRULE:FREQ=DAILY;COUNT=3"),
            Self.event("weekly", "DTSTART:20200106T090000Z", "RRULE:FREQ=WEEKLY", "EXDATE:20261123T090000Z"),
            Self.event("weekly", "RECURRENCE-ID:20200113T090000Z", "DTSTART:20200113T100000Z"),
            Self.event("weekly", "RECURRENCE-ID:20261207T090000Z", "DTSTART:20261207T100000Z"),
            Self.event("counted", "DTSTART;VALUE=DATE:20261101", "RRULE:FREQ=DAILY;COUNT=30"),
            Self.event("added", "DTSTART:20200101T090000Z", "RDATE:20270101T090000Z")
        )
        let useCases = try Workplace.open()
        let options = ImportOptions(takesEvents: true)
        let plan = try useCases.importCalendar(
            Workplace.source(Array(calendar.utf8)),
            list: nil,
            dryRun: true,
            options: options,
            progress: { _ in }
        )
        #expect((plan.added, plan.past) == (5, 4))
        let report = try Self.load(calendar, into: useCases, options)
        #expect((report.added, report.past, report.skipped) == (5, 4, 4) && report.isWhole)
        let dates = try useCases.reminders(matching: ReminderFilter()).map { view in
            "\(view.title): \(view.due ?? "-") \(view.repeatRule ?? "")"
        }
        #expect(
            Set(dates) == [
                "going on: 2026-11-20T19:00:00Z ", "today: 2026-11-20 ", "weekly: 2026-11-30T09:00:00Z FREQ=WEEKLY",
                "counted: 2026-11-20 FREQ=DAILY;COUNT=11", "added: 2020-01-01T09:00:00Z ",
            ]
        )
        #expect(
            String(decoding: try Workplace.export(useCases), as: UTF8.self).contains("RECURRENCE-ID:20261207T090000Z")
        )
        let later = UseCases(
            configuration: Configuration(
                storeFolder: "/nonexistent",
                localZone: "UTC",
                zones: Configuration.systemZones(environment: [:]),
                now: { Workplace.now.adding(seconds: 20 * 86_400) }
            ),
            store: useCases.store
        )
        // Nothing that has come to be over since is taken away, or moved on behind the person's back.
        let again = try Self.load(calendar, into: later, options)
        #expect((again.added, again.updated, again.unchanged) == (0, 0, 5))
    }

    @Test("rules that are kept and not edited are told with the lines of their to-dos")
    func keptRules() throws {
        let useCases = try Workplace.open()
        let start = "DTSTART:20260101T000000Z\r\n"
        let text = ImportTests.calendar(
            ImportTests.todo("1", "\(start)RRULE:FREQ=DAILY"),
            ImportTests.todo("2", "\(start)RRULE:FREQ=DAILY\r\nRRULE:FREQ=YEARLY"),
            ImportTests.todo("3", "\(start)RRULE:FREQ=DAILY\r\nEXRULE:FREQ=YEARLY"),
            ImportTests.todo("4", "\(start)RRULE:RSCALE=HEBREW;FREQ=YEARLY"),
            ImportTests.todo("5")
        )
        let report = try Workplace.load(text, into: useCases)
        #expect(report.repeating == 4)
        #expect(report.keptRules == [10, 17, 24])
    }
}
