import RemindavStore
import RemindavTaskFormats
import Testing

@testable import RemindavBridge

@Suite("import of several files")
struct SeveralFilesTests {
    private static func source(_ name: String, _ text: String) -> ImportSource {
        ImportSource(name: name, isStream: false) {
            let rest = Workplace.source(Array(text.utf8))
            return ByteSource(name: name, fileName: name.lastPathPart, read: rest.read)
        }
    }

    private static func calendar(_ uid: String, _ title: String) -> String {
        """
        BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:\(uid)\r\nDTSTAMP:20260101T000000Z\r\n\
        SUMMARY:\(title)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n
        """
    }

    private static func add(
        _ sources: [ImportSource],
        to useCases: UseCases,
        dryRun: Bool = false,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> [ImportedFile] {
        var options = ImportOptions()
        change(&options)
        return try useCases.importFiles(sources, list: nil, dryRun: dryRun, options: options, progress: { _ in })
    }

    private static func titles(_ useCases: UseCases) throws -> [String] {
        try useCases.reminders(matching: ReminderFilter(includesCompleted: true)).map(\.title).sorted()
    }

    @Test("files of several formats are one run, and undoing it removes all of them")
    func oneRun() throws {
        let useCases = try Workplace.open()
        let sources = [
            Self.source("a.ics", Self.calendar("1", "One")), Self.source("b/todo.txt", "(A) Two +Home\n"),
            Self.source("c.csv", "title,due\nThree,2026-12-01\n"),
        ]
        let plan = try Self.add(sources, to: useCases, dryRun: true)
        #expect(try plan.map { try $0.result.get().added } == [1, 1, 1])
        #expect(try Self.titles(useCases).isEmpty)
        let files = try Self.add(sources, to: useCases)
        #expect(files.map(\.name) == ["a.ics", "b/todo.txt", "c.csv"])
        #expect(try files.map { try $0.result.get().run } == [1, 1, 1])
        #expect(try Self.titles(useCases) == ["One", "Three", "Two"])
        _ = try useCases.undo(.run(1))
        #expect(try Self.titles(useCases).isEmpty)
    }

    @Test("a file that fails in its middle changes nothing, and the others are imported")
    func oneBad() throws {
        let useCases = try Workplace.open()
        let half = String(Self.calendar("2", "Half").dropLast(16))
        let files = try Self.add(
            [
                Self.source("a.ics", Self.calendar("1", "One")), Self.source("half.ics", half),
                Self.source("none", "hello"), Self.source("c.ics", Self.calendar("3", "Three")),
            ],
            to: useCases
        )
        #expect(files.map { (try? $0.result.get()) != nil } == [true, false, false, true])
        #expect(try Self.titles(useCases) == ["One", "Three"])
        _ = try useCases.undo(.run(1))
        #expect(try Self.titles(useCases).isEmpty)
    }

    @Test("a reminder that two files change has one entry in the journal, and undo restores the text before both")
    func changedTwice() throws {
        let useCases = try Workplace.open()
        _ = try Workplace.load(Self.calendar("1", "One"), into: useCases)
        let newer = { (title: String, day: Int) in
            Self.calendar("1", title).replacing("20260101", with: "2026010\(day)")
        }
        let files = try Self.add(
            [Self.source("a", newer("Two", 2)), Self.source("b", newer("Three", 3))],
            to: useCases
        )
        #expect(try files.map { try $0.result.get().updated } == [1, 1])
        #expect(try Self.titles(useCases) == ["Three"])
        _ = try useCases.undo(.run(2))
        #expect(try Self.titles(useCases) == ["One"])
    }

    @Test("projects become labels, or lists on request")
    func lists() throws {
        let sources = [
            Self.source("Work [12].csv", "TYPE,CONTENT,INDENT\nsection,Later,\ntask,Report,1\n"),
            Self.source("todo.txt", "Rake +Garden @home\n"),
        ]
        let labelled = try Workplace.open()
        _ = try Self.add(sources, to: labelled)
        let all = ReminderFilter()
        #expect(try labelled.lists().map(\.name) == ["Reminders"])
        #expect(
            try labelled.reminders(matching: all).flatMap(\.labels).sorted() == ["Garden", "Later", "Work", "home"]
        )
        let listed = try Workplace.open()
        _ = try Self.add(sources, to: listed) { $0.makesLists = true }
        #expect(try listed.reminders(matching: all).map(\.list).sorted() == ["Garden", "Work"])
        #expect(try listed.reminders(matching: all).flatMap(\.labels).sorted() == ["Later", "home"])
    }

    @Test("a date with two meanings refuses the file with its line, and the stated order resolves it")
    func dateOrder() throws {
        let useCases = try Workplace.open()
        let table = Self.source("a.csv", "title,due\nOne,3/3/2027\nTwo,3/4/2027\n")
        let error = #expect(throws: UseCaseError.self) { try Self.add([table], to: useCases) }
        #expect(error?.code == .datesAmbiguous && error?.subject == "a.csv, line 3")
        _ = try Self.add([table], to: useCases) { $0.dateOrder = DateOrder(word: "dmy") }
        #expect(try useCases.reminders(matching: ReminderFilter()).map(\.due).contains("2027-04-03"))
    }

    @Test("a table without a title column is refused with its column names")
    func noTitle() throws {
        let useCases = try Workplace.open()
        let error = #expect(throws: UseCaseError.self) {
            try Self.add([Self.source("a.csv", "Aufgabe,due\nx,\n")], to: useCases)
        }
        #expect(error?.code == .titleColumnMissing && error?.subject == "a.csv, line 1: Aufgabe, due")
    }
}
