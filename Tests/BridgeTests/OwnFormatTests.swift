import RemindavICalendar
import RemindavReminders
import RemindavStore
import RemindavTaskFormats
import RemindavTestSupport
import Testing

@testable import RemindavBridge

@Suite("export and import of our own formats")
struct OwnFormatTests {
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
        CREATED:20250101T080000Z\r
        X-MOZ-SNOOZE-TIME:20261202T090000Z\r
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

    @Test("a JSON export is imported as it was stored, and a second import changes nothing")
    func jsonRoundTrip() throws {
        let useCases = try Self.filled()
        let json = try Workplace.export(useCases, .json)
        #expect(try Workplace.take(json, into: useCases).unchanged == 2)
        let other = try Workplace.open()
        let report = try Workplace.take(json, into: other)
        #expect(report.added == 2 && report.format == "json" && report.issues.isEmpty)
        #expect(try Workplace.export(other) == Workplace.export(useCases))
        #expect(try Workplace.export(other, .json) == json)
    }

    @Test("a JSON export is complete: lists with their colours, each reminder in its list, and the labels' colours")
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
        let json = try Workplace.export(useCases, .json)
        let other = try Workplace.open()
        let report = try Workplace.take(json, into: other)
        #expect(report.added == 4 && report.lists == ["Home", "Work"] && report.labels == 1)
        #expect(try said(other) == said(useCases))
        #expect(try Workplace.export(other, .json) == json)
        #expect(try Workplace.take(json, into: other).unchanged == 4)
        // A table has fewer fields, but also the lists.
        let third = try Workplace.open()
        #expect(try Workplace.take(Workplace.export(useCases, .csv), into: third).added == 4)
        #expect(try third.lists().map(\.name) == ["Home", "Reminders", "Work"])
        // The user can select one list for all reminders.
        let fourth = try Workplace.open()
        let all = try fourth.importCalendar(
            Workplace.source(Array(json.utf8)),
            list: "All",
            dryRun: false,
            progress: { _ in }
        )
        #expect(all.lists == ["All"] && all.added == 3)
    }

    @Test("one number in two lists of a file is two reminders, whether the lists exist or not")
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
        let json = try Workplace.export(useCases, .json)
        for lists in [[], ["Home"], ["Work"], ["Work", "Home"]] {
            let other = try Workplace.open()
            for list in lists { _ = try await other.addList(named: list, account: nil, color: nil) }
            let report = try Workplace.take(json, into: other)
            #expect((report.added, report.skipped) == (2, 0), "\(lists)")
            #expect(report.issues.isEmpty && report.elsewhere.isEmpty, "\(lists)")
            let titles = try other.reminders(matching: ReminderFilter()).map { "\($0.title) in \($0.list)" }
            #expect(titles.sorted() == ["Home in Home", "Work in Work"], "\(lists)")
            #expect(try Workplace.take(json, into: other).unchanged == 2)
        }
    }

    @Test("names of lists that were not created are not stored, for any number of them")
    func refusedLists() throws {
        let useCases = try Workplace.open()
        let now = Workplace.now.secondsSince1970
        try useCases.store.write { transaction in
            for name in ["Reminders", "home", "HOME"] { _ = try transaction.insertList(named: name, at: now) }
            let lists = try transaction.lists()
            let standard = try #require(lists.first { $0.name == "Reminders" })
            var stream = StreamImport(
                transaction: transaction,
                reader: useCases.reader,
                editing: useCases.editing,
                others: [],
                importsEvents: false,
                list: standard,
                report: ImportReport(list: standard.name)
            )
            stream.lists = TargetLists(standard: standard, lists: lists.reversed(), room: 2)
            func place(of name: String?) throws -> String {
                try stream.selectList(named: name)
                return stream.list.name
            }
            #expect(try ["HOME", "Home", "New", "Other"].map(place) == ["HOME", "home", "New", "Other"])
            for number in 0..<1000 { #expect(try place(of: "None \(number)") == "Reminders") }
            #expect(try ["NEW", "other", nil].map(place) == ["New", "Other", "Reminders"])
            #expect(stream.lists?.known.count == 5)
            #expect(try transaction.lists().count == 5)
        }
    }

    @Test("a table preserves titles with line ends, spaces and quotation marks, and a missing priority")
    func oddTitles() throws {
        let useCases = try Workplace.open()
        let titles = [#"Two\nlines, "quoted""#, "  =1+1", #"''; a\, b"#]
        let todos = titles.enumerated().map { ImportTests.todo("\($0.offset)", "SUMMARY:\($0.element)") }
        try Workplace.load("BEGIN:VCALENDAR\r\n\(todos.joined())END:VCALENDAR\r\n", into: useCases)
        let table = try Workplace.export(useCases, .csv)
        let other = try Workplace.open()
        let report = try Workplace.take(table, into: other)
        #expect(report.added == 3 && report.issues.isEmpty)
        #expect(try Workplace.export(other, .csv) == table)
    }

    @Test("a reminder of more than a megabyte is imported, and one over the limits is left out and named")
    func large() throws {
        let useCases = try Workplace.open()
        let attachments = (0..<3).map { "ATTACH:data:,\($0)\(String(repeating: "A", count: 600_000))\r\n" }.joined()
        try Workplace.load(ImportTests.calendar(ImportTests.todo("1", "\(attachments)SUMMARY:a")), into: useCases)
        let json = try Workplace.export(useCases, .json)
        let other = try Workplace.open()
        #expect(try Workplace.take(json, into: other).added == 1)
        #expect(try Workplace.export(other) == Workplace.export(useCases))
        let hostile = json.replacing(#"A\r\nATTACH"#, with: #"\#(String(repeating: "A", count: 900_000))\r\nATTACH"#)
        let third = try Workplace.open()
        let report = try Workplace.take(hostile, into: third)
        #expect((report.added, report.skipped) == (0, 1) && report.issues.map(\.code) == ["lineTooLong"])
        #expect(!report.isWhole)
    }

    @Test("reminders of a read-only list stay, and its missing reminders are left out and named")
    func readOnlyList() throws {
        let useCases = try Self.filled()
        let json = try Workplace.export(useCases, .json)
        try useCases.store.write { transaction in
            for var list in try transaction.lists() {
                list.isReadOnly = true
                try transaction.update(list)
            }
        }
        let report = try Workplace.take(json.replacing("UID:1\\r", with: "UID:9\\r"), into: useCases)
        #expect((report.added, report.unchanged, report.skipped) == (0, 1, 1))
        #expect(report.issues.map(\.code) == ["listReadOnly"])
    }

    @Test("without the stored text, the fields of JSON and those of a table are imported")
    func fieldRoundTrips() throws {
        let useCases = try Self.filled()
        let before = try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
        let json = try Workplace.export(useCases, .json).replacing(#""icalendar": ""#, with: #""other": ""#)
        for text in [json, try Workplace.export(useCases, .csv)] {
            #expect(try Workplace.take(text, into: useCases).unchanged == 2)
            let other = try Workplace.open()
            #expect(try Workplace.take(text, into: other).added == 2)
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
            #expect(after.map(\.createdAt) == before.map(\.createdAt) && before[0].createdAt != nil)
            #expect(after.map(\.snoozedUntil) == before.map(\.snoozedUntil) && before[0].snoozedUntil != nil)
            #expect(after.map(\.start) == before.map(\.start) && after.map(\.uid) == before.map(\.uid))
            #expect(after.map(\.allDay) == before.map(\.allDay) && after.map(\.list) == before.map(\.list))
            let exported = String(decoding: try Workplace.export(other), as: UTF8.self)
            #expect(exported.contains("RELATED-TO;RELTYPE=PARENT:1\r\n") && exported.contains("LOCATION:Home\r\n"))
        }
    }

    @Test("an export has one order for any order of the reminders")
    func order() throws {
        let todos = (1...9).map { ImportTests.todo("\($0)", "SUMMARY:t\($0 % 3)\r\nDUE:2026120\($0 % 4 + 1)T090000Z") }
        let texts = try [todos, todos.reversed()].map { todos in
            let useCases = try Workplace.open()
            let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n\(todos.joined())END:VCALENDAR\r\n"
            try Workplace.load(text, into: useCases)
            return try [ExportForm.json, .csv, .markdown].map { try Workplace.export(useCases, $0) }
        }
        #expect(texts[0] == texts[1])
    }

    @Test("a checklist has each part below its parent, also if two are parts of each other")
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
            try Workplace.export(useCases, .markdown) == """
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

    @Test("an export is limited by state, list and label")
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
        let cases: [(filter: ReminderFilter, titles: [String])] = [
            (ReminderFilter(includesCompleted: true), ["A1", "A2", "A3", "B1", "B2", "B3"]),
            (ReminderFilter(lists: ["B"]), ["B1", "B2"]),
            (ReminderFilter(labels: ["x"], section: .completed), ["A3", "B3"]),
            (ReminderFilter(lists: ["A"], labels: ["X"], includesCompleted: true), ["A1", "A3"]),
        ]
        for test in cases {
            var text: [UInt8] = []
            let count = try useCases.exportReminders(
                as: .csv,
                matching: test.filter,
                words: { $0 }
            ) { text += $0 }.count
            let rows = String(decoding: text, as: UTF8.self).split(separator: "\r\n").dropFirst()
            #expect(rows.map { String($0.split(separator: ",")[2]) } == test.titles)
            #expect(count == test.titles.count)
            var calendar: [UInt8] = []
            let written = try useCases.exportCalendar(matching: test.filter, style: .todo) { calendar += $0 }
            #expect(written == count)
        }
        #expect(throws: UseCaseError(.listNotFound)) {
            try useCases.exportReminders(as: .csv, matching: ReminderFilter(lists: ["C"]), words: { $0 }) { _ in }
        }
    }

    @Test("an exported, edited and imported table changes the edited fields and no others")
    func editedTable() throws {
        let useCases = try Workplace.open()
        let rich = """
            BEGIN:VCALENDAR
            BEGIN:VTODO
            UID:a
            LAST-MODIFIED:20260101T000000Z
            SUMMARY:Rent
            DESCRIPTION:x
            DTSTART;VALUE=DATE:20261201
            DUE;VALUE=DATE:20261201
            RRULE:FREQ=MONTHLY
            ATTACH:https://example.org/plan.png
            RELATED-TO;RELTYPE=SIBLING:b
            X-OTHER:1
            BEGIN:VALARM
            ACTION:AUDIO
            TRIGGER:-PT5M
            END:VALARM
            END:VTODO
            BEGIN:VTODO
            UID:b
            LAST-MODIFIED:20260101T000000Z
            SUMMARY:Untouched
            CATEGORIES:one
            CATEGORIES:two
            PERCENT-COMPLETE:30
            ATTACH:https://example.org/plan.png
            END:VTODO
            END:VCALENDAR
            """
        #expect(try Workplace.load(rich, into: useCases).added == 2)
        let table = try Workplace.export(useCases, .csv)
        #expect(try Workplace.load(table, into: useCases).unchanged == 2)
        let before = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        let edited = table.replacing("Rent", with: "Rent and heat").replacing(",x,", with: ",,")
        let report = try Workplace.load(edited, into: useCases)
        #expect(report.updated == 1 && report.unchanged == 1)
        func lines(_ text: String) -> [String] {
            text.split(whereSeparator: \.isNewline).map(String.init).filter {
                !$0.hasPrefix("DTSTAMP") && !$0.hasPrefix("LAST-MODIFIED")
            }
        }
        let after = lines(String(decoding: try Workplace.export(useCases), as: UTF8.self))
        let expected = lines(before).filter { $0 != "DESCRIPTION:x" }
        #expect(after == expected.map { $0 == "SUMMARY:Rent" ? "SUMMARY:Rent and heat" : $0 })
        // The second import has only unchanged reminders, and differences of an older table are reported.
        #expect(try Workplace.load(edited, into: useCases).unchanged == 2)
        let older = try Workplace.load(table, into: useCases)
        #expect((older.unchanged, older.skipped) == (1, 1) && older.issues.map(\.code) == ["olderThanStored"])
        #expect(try Workplace.export(useCases, .csv).contains("Rent and heat"))
    }

    @Test("for reminders without a stamp a row counts as unchanged, and its edits are applied")
    func editedWithoutStamp() throws {
        let useCases = try Workplace.open()
        let rest = "DTSTAMP:20260101T000000Z\nCATEGORIES:one\nCATEGORIES:two\nATTACH:https://example.org/a\nX-OTHER:1\n"
        let todos = ["a", "b"].map { uid in
            "BEGIN:VTODO\nUID:\(uid)\nSUMMARY:Title\nDESCRIPTION:note \(uid)\n\(rest)END:VTODO\n"
        }
        let text = "BEGIN:VCALENDAR\n\(todos.joined())END:VCALENDAR\n"
        #expect(try Workplace.load(text, into: useCases).added == 2)
        let table = try Workplace.export(useCases, .csv)
        let again = try Workplace.load(table, into: useCases)
        #expect(again.unchanged == 2 && again.issues.isEmpty)
        let edited = table.replacing("note a", with: "another note")
        let report = try Workplace.load(edited, into: useCases)
        #expect((report.updated, report.unchanged) == (1, 1) && report.issues.isEmpty)
        let after = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        #expect(after.contains("DESCRIPTION:another note") && after.contains("DESCRIPTION:note b"))
        #expect(after.split(separator: "X-OTHER:1").count == 3)
    }

    @Test("a removed column has no effect, in an edited row and in a newer one")
    func columnsTakenOut() throws {
        let rich = """
            DESCRIPTION:x
            DTSTART;TZID=Europe/Berlin:20261201T090000
            DUE;TZID=Europe/Berlin:20261201T100000
            RRULE:FREQ=MONTHLY
            PRIORITY:1
            RELATED-TO:b
            LOCATION:here
            URL:https://example.org/
            BEGIN:VALARM
            ACTION:DISPLAY
            TRIGGER:-PT5M
            END:VALARM
            """
        let done = "STATUS:COMPLETED\nCOMPLETED:20260101T000000Z\nPERCENT-COMPLETE:100"
        let todos = [("a", rich), ("b", done)].map { uid, rest in
            "BEGIN:VTODO\nUID:\(uid)\nSUMMARY:Rent\nLAST-MODIFIED:20260102T000000Z\n\(rest)\nEND:VTODO\n"
        }
        for kept in [["due"], ["repeat"], ["due", "repeat", "alarms"], ["completedAt", "notes"], []] {
            for stamp in ["2026-01-02T", "2026-01-03T"] {
                let useCases = try Workplace.open()
                let text = "BEGIN:VCALENDAR\n\(todos.joined())END:VCALENDAR\n"
                #expect(try Workplace.load(text, into: useCases).added == 2)
                let before = String(decoding: try Workplace.export(useCases), as: UTF8.self)
                let fewer = try Self.columns(
                    ["uid", "title", "status", "labels", "updatedAt"] + kept,
                    of: try Workplace.export(useCases, .csv)
                )
                let same = try Workplace.load(fewer.replacing("2026-01-02T", with: stamp), into: useCases)
                #expect((same.unchanged, same.issueCount) == (2, 0), "\(kept): \(same.issues)")
                #expect(String(decoding: try Workplace.export(useCases), as: UTF8.self) == before, "\(kept)")
                let edited = fewer.replacing("Rent", with: "Heat").replacing("2026-01-02T", with: stamp)
                let report = try Workplace.load(edited, into: useCases)
                #expect((report.updated, report.issueCount) == (2, 0), "\(kept): \(report.issues)")
                let after = String(decoding: try Workplace.export(useCases), as: UTF8.self)
                #expect(Self.unstamped(after) == Self.unstamped(before.replacing("SUMMARY:Rent", with: "SUMMARY:Heat")))
            }
        }
    }

    /// Returns some columns of a table without quoted fields.
    private static func columns(_ names: [String], of table: String) throws -> String {
        let rows = table.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let places = try names.map { name in try #require(rows[0].firstIndex { $0 == name }) }
        return rows.map { row in places.map { row[$0] }.joined(separator: ",") + "\r\n" }.joined()
    }

    private static func todo(_ title: String, _ day: Int) -> String {
        ImportTests.calendar(ImportTests.todo("a", "SUMMARY:\(title)", modified: day))
    }

    private static func unstamped(_ text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("DTSTAMP") && !$0.hasPrefix("LAST-MODIFIED") }
    }

    @Test("an edited row of a reminder that was also changed here is left out and reported")
    func changedHereSince() throws {
        let useCases = try Workplace.open()
        #expect(try Workplace.load(Self.todo("Rent", 1), into: useCases).added == 1)
        let table = try Workplace.export(useCases, .csv)
        #expect(try Workplace.load(Self.todo("Rent here", 2), into: useCases).updated == 1)
        let before = try Workplace.export(useCases)
        let report = try Workplace.load(table.replacing("Rent", with: "Rent there"), into: useCases)
        #expect((report.updated, report.unchanged, report.skipped) == (0, 0, 1) && !report.isWhole)
        #expect(report.issues.map(\.code) == ["olderThanStored"] && report.issues.first?.title == "Rent there")
        #expect(try Workplace.export(useCases) == before)
    }

    @Test("without the column of the change time, no row replaces a reminder, which may be newer")
    func missingTimes() throws {
        let useCases = try Workplace.open()
        #expect(try Workplace.load(Self.todo("Rent", 1), into: useCases).added == 1)
        let table = try Self.columns(["uid", "title", "status", "labels"], of: try Workplace.export(useCases, .csv))
        let same = try Workplace.load(table, into: useCases)
        #expect((same.unchanged, same.issueCount) == (1, 0))
        #expect(try Workplace.load(Self.todo("Rent here", 2), into: useCases).updated == 1)
        let before = try Workplace.export(useCases)
        let report = try Workplace.load(table, into: useCases)
        #expect((report.updated, report.unchanged) == (0, 1))
        #expect(report.issues.map(\.code) == ["differsHere"])
        #expect(try Workplace.export(useCases) == before)
    }

    @Test("an edited due date in a table also moves an equal start", arguments: [true, false])
    func editedDate(hasAll: Bool) throws {
        let useCases = try Workplace.open()
        let dates = "DTSTART;VALUE=DATE:20261201\nDUE;VALUE=DATE:20261201\nRRULE:FREQ=MONTHLY\n"
        let todo = "BEGIN:VTODO\nUID:a\nLAST-MODIFIED:20260101T000000Z\nSUMMARY:A\n\(dates)X-OTHER:1\nEND:VTODO\n"
        #expect(try Workplace.load("BEGIN:VCALENDAR\n\(todo)END:VCALENDAR\n", into: useCases).added == 1)
        let all = try Workplace.export(useCases, .csv)
        let table = hasAll ? all : try Self.columns(["uid", "title", "status", "labels", "updatedAt", "due"], of: all)
        var cells = table.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let due = try #require(cells[0].firstIndex(of: "due"))
        cells[1][due] = "2026-12-05"
        let edited = cells.map { $0.joined(separator: ",") }.joined(separator: "\r\n") + "\r\n"
        #expect(try Workplace.load(edited, into: useCases).updated == 1)
        let after = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        #expect(after.contains("DUE;VALUE=DATE:20261205") && after.contains("DTSTART;VALUE=DATE:20261205"))
        #expect(after.contains("RRULE:FREQ=MONTHLY") && after.contains("X-OTHER:1"))
    }

    @Test("our own table of all fixtures, imported again, changes nothing")
    func tableOfFixtures() throws {
        let useCases = try Workplace.open()
        for name in try Fixture.names(in: "ics", endingWith: ".ics") {
            let source = Workplace.source(try Fixture.bytes("ics/\(name)"))
            _ = try? useCases.importCalendar(source, list: nil, dryRun: false, progress: { _ in })
        }
        #expect(try useCases.reminderCount() > 20)
        let report = try Workplace.load(Workplace.export(useCases, .csv), into: useCases)
        #expect(report.unchanged > 20 && report.updated == 0)
    }
}
