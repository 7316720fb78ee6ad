import RemindavICalendar
import RemindavReminders
import RemindavStore
import RemindavTaskFormats
import Testing

@testable import RemindavBridge

@Suite("import of other programs' files")
struct TaskFormatImportTests {
    private static func task(_ title: String, modified: Int, more: String = "") -> String {
        """
        [{"uuid":"a360fc44-315c-4366-b70c-ea7e7520b749","description":"\(title)","entry":"20260101T000000Z",\
        "modified":"20260101T00000\(modified)Z","status":"pending"\(more)}]
        """
    }

    @Test("a newer file changes its fields, and leaves the fields that its format lacks")
    func newer() throws {
        let useCases = try Workplace.open()
        #expect(try Workplace.take(Self.task("One", modified: 1, more: #","tags":["a"]"#), into: useCases).added == 1)
        let stored = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n"
        let richer = stored.replacing("END:VTODO", with: "X-OTHER:1\r\n\(alarm)END:VTODO")
            .replacing("LAST-MODIFIED:20260101T000001Z", with: "LAST-MODIFIED:20260101T000002Z")
        #expect(try Workplace.load(richer, into: useCases).updated == 1)

        // The title changed only in the file, so the time of the change here does not matter.
        #expect(try Workplace.take(Self.task("Two", modified: 2), into: useCases).updated == 1)
        #expect(try Workplace.only(useCases).title == "Two")
        #expect(try Workplace.take(Self.task("Three", modified: 3), into: useCases).updated == 1)
        let reminder = try Workplace.only(useCases)
        #expect(reminder.title == "Three" && reminder.labels == [] && reminder.alarms == ["-PT5M"])
        let text = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        #expect(text.contains("X-OTHER:1\r\n") && text.contains(alarm))
    }

    private static func item(_ due: String, updated: Int) -> String {
        """
        {"items":[{"id":"7","content":"a","checked":false,"due":\(due),\
        "updated_at":"2026-01-0\(updated)T00:00:00Z"}]}
        """
    }

    /// Adds lines to the only to-do, as another program does.
    private static func enrich(_ useCases: UseCases, _ lines: String) throws {
        let stored = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        let richer = stored.replacing("END:VTODO", with: "\(lines)END:VTODO")
            .replacing("-MODIFIED:20260101T000000Z", with: "-MODIFIED:20260101T000001Z")
        #expect(try Workplace.load(richer, into: useCases).updated == 1)
    }

    @Test("a newer file does not remove fields that its format lacks")
    func unsupportedFields() throws {
        let useCases = try Workplace.open()
        _ = try Workplace.take(Self.item(#"{"date":"2026-12-10"}"#, updated: 1), into: useCases)
        let own = """
            DTSTART;VALUE=DATE:20261201\r\nLOCATION:Hall\r\nURL:https://example.org/\r\nPERCENT-COMPLETE:40\r\n\
            RELATED-TO;RELTYPE=DEPENDS-ON:x\r\n
            """
        try Self.enrich(useCases, own)
        #expect(try Workplace.take(Self.item(#"{"date":"2026-12-09"}"#, updated: 2), into: useCases).updated == 1)
        let text = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        #expect(text.contains("DUE;VALUE=DATE:20261209\r\n"))
        for line in own.split(separator: "\r\n") { #expect(text.contains("\(line)\r\n")) }
        // No server accepts a start after the due time.
        #expect(try Workplace.take(Self.item(#"{"date":"2026-11-30"}"#, updated: 3), into: useCases).updated == 1)
        #expect(!String(decoding: try Workplace.export(useCases), as: UTF8.self).contains("DTSTART"))
        #expect(try Workplace.take(Self.item("null", updated: 4), into: useCases).updated == 1)
        let reminder = try Workplace.only(useCases)
        #expect(reminder.due == nil)
    }

    @Test("a newer file with an unreadable date or repeat leaves the stored ones")
    func unreadDates() throws {
        let useCases = try Workplace.open()
        let first = Self.item(#"{"date":"2026-12-10"}"#, updated: 1)
        _ = try Workplace.take(first, into: useCases)
        _ = try Self.enrich(useCases, "DTSTART;VALUE=DATE:20261210\r\nRRULE:FREQ=WEEKLY\r\n")
        let words = #"{"string":"jeden Mond","lang":"de","is_recurring":true}"#
        #expect(try Workplace.take(Self.item(words, updated: 2), into: useCases).updated == 1)
        var reminder = try Workplace.only(useCases)
        #expect(reminder.due == "2026-12-10" && reminder.repeatRule == "FREQ=WEEKLY")
        let dated = #"{"date":"2026-12-17","string":"jeden Mond","lang":"de","is_recurring":true}"#
        #expect(try Workplace.take(Self.item(dated, updated: 3), into: useCases).updated == 1)
        reminder = try Workplace.only(useCases)
        #expect(reminder.due == "2026-12-17" && reminder.repeatRule == "FREQ=WEEKLY" && reminder.start == nil)
        #expect(try Workplace.take(Self.item(#"{"date":"2026-12-18"}"#, updated: 4), into: useCases).updated == 1)
        reminder = try Workplace.only(useCases)
        #expect(reminder.due == "2026-12-18" && reminder.repeatRule == nil)
        let text = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        #expect(!text.contains("RRULE") && !text.contains("DTSTART"))
    }

    @Test("a title that was edited here and in the file stays, and this is reported")
    func edited() throws {
        let useCases = try Workplace.open()
        _ = try Workplace.take(Self.task("One", modified: 1), into: useCases)
        _ = try useCases.edit(try Workplace.only(useCases).id, ReminderChange(title: "Mine"))
        let report = try Workplace.take(Self.task("Theirs", modified: 2), into: useCases)
        #expect(report.issues.map(\.code) == ["changedTwice"])
        #expect(try Workplace.only(useCases).title == "Mine")
    }

    @Test("a table without modification times and without records changes no reminder, and this is reported")
    func unstamped() throws {
        let useCases = try Workplace.open()
        let table = { (notes: String) in "title,notes,priority\nOne,\(notes),high\n" }
        _ = try Workplace.take(table("a"), into: useCases)
        #expect(try Workplace.take(table("a"), into: useCases).issues.isEmpty)
        let report = try Workplace.take(table("b"), into: useCases)
        #expect(report.unchanged == 1 && report.isWhole)
        #expect(report.issues.map(\.code) == ["differsHere"])
        #expect(try Workplace.only(useCases).notes == "a")
    }

    @Test("two tasks with one number are one reminder, and the second is reported")
    func twice() throws {
        let useCases = try Workplace.open()
        let task = Self.task("One", modified: 1).dropFirst().dropLast()
        let report = try Workplace.take("[\(task),\n\(task)]", into: useCases)
        #expect(report.added == 1 && report.skipped == 1)
        #expect(report.issues.map(\.code) == ["duplicateUID"])
    }

    @Test("a broken row is left out and reported with its line, and the import is partial")
    func broken() throws {
        let useCases = try Workplace.open()
        let report = try Workplace.take("TYPE,CONTENT,INDENT\ntask,a,1\ntask,,1\ntask,\"b,1\n", into: useCases)
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
        #expect(throws: UseCaseError(code)) { try Workplace.take(text, into: useCases, ImportOptions(format: format)) }
        #expect(try useCases.lists().isEmpty)
    }

    @Test("a file beyond the limits is refused")
    func tooLarge() throws {
        let useCases = try Workplace.open()
        var options = ImportOptions()
        options.limits.fileBytes = 100_000
        let long = "TYPE,CONTENT,INDENT\n" + String(repeating: "task,a,1\n", count: 20_000)
        #expect(throws: UseCaseError(.fileTooLarge)) { try Workplace.take(long, into: useCases, options) }
        options = ImportOptions()
        options.limits.rows = 100
        #expect(throws: UseCaseError(.beyondLimits)) { try Workplace.take(long, into: useCases, options) }
        #expect(try useCases.lists().isEmpty)
    }

    @Test("an unknown date phrase is copied to the notes")
    func unknownPhrase() throws {
        let useCases = try Workplace.open()
        let text = "TYPE,CONTENT,INDENT,DATE\ntask,a,1,soon\ntask,b,1,tomorrow\n"
        let report = try Workplace.take(text, into: useCases)
        #expect(report.issues.map { "\($0.line) \($0.code)" } == ["2 phraseNotUnderstood"])
        let reminders = try useCases.reminders(matching: ReminderFilter()).sorted { $0.title < $1.title }
        #expect(reminders.map(\.due) == [nil, "2026-11-21"])
        #expect(reminders[0].notes == "Todoist, date: soon")
    }
}
