import RemindavICalendar
import Testing

@testable import RemindavTaskFormats

@Suite("series of Taskwarrior")
struct TaskwarriorSeriesTests {
    private static func todos(_ tasks: [String]) throws -> [ImportedTask] {
        let text = "[\(tasks.joined(separator: ","))]"
        return try ParsedTasks(Array(text.utf8), format: .taskwarrior, in: FormatTests.context).todos
    }

    private static func template(_ recur: String, _ due: String, _ mask: String) -> String {
        #"{"uuid":"t","description":"a","status":"recurring","recur":"\#(recur)","due":"\#(due)","mask":"\#(mask)"}"#
    }

    @Test(
        "a series without an open occurrence begins with the place after the last one",
        arguments: [
            ("weekly", "20261102T090000Z", "+++", "20261123T090000Z"), ("daily", "20261102T000000Z", "+X", "20261104"),
            ("monthly", "20260131T090000Z", "+", "20260228T090000Z"),
            ("weekdays", "20261120T090000Z", "++", "20261124T090000Z"),
            ("weekdays", "20261121T090000Z", "+", "20261123T090000Z"), ("yearly", "20240229T000000Z", "+", "20250228"),
            ("PT12H", "20261102T090000Z", "+++", "20261103T210000Z"),
            ("weekly", "20261102T090000Z", "+-", "20261109T090000Z"),
            ("weekly", "20261102T090000Z", "", "20261102T090000Z"),
        ]
    )
    func next(recur: String, due: String, mask: String, expected: String) throws {
        let todo = try #require(try Self.todos([Self.template(recur, due, mask)]).first)
        #expect(todo.due?.wire == expected)
    }

    @Test(
        "only an occurrence that the user moved is separate from its series",
        arguments: [
            ("weekly", "20261102T090000Z", "20261116T090000Z", false),
            ("weekly", "20261102T090000Z", "20261117T090000Z", true),
            ("weekly", "20261102T090000Z", "20261116T100000Z", true),
            ("monthly", "20261001T000000Z", "20261203T090000Z", true),
            ("monthly", "20270131T000000Z", "20270228T000000Z", false),
            ("monthly", "20270131T000000Z", "20270328T000000Z", false),
            ("monthly", "20270131T000000Z", "20270327T000000Z", true),
            ("quarterly", "20270101T090000Z", "20270201T090000Z", true),
            ("weekdays", "20261120T090000Z", "20261123T090000Z", false),
            ("weekdays", "20261120T090000Z", "20261121T090000Z", true),
            ("3days", "20261120T090000Z", "20261126T090000Z", false),
            ("3days", "20261120T090000Z", "20261127T090000Z", true),
            ("P1Y2M", "20261120T090000Z", "20261127T090000Z", false),
        ]
    )
    func moved(recur: String, due: String, occurrence: String, isSeparate: Bool) throws {
        let open = """
            {"uuid":"o","description":"a","parent":"t","status":"pending","recur":"\(recur)","imask":2,"due":"\(occurrence)"}
            """
        let todos = try Self.todos([Self.template(recur, due, "++-"), open])
        #expect(todos.count == (isSeparate ? 2 : 1))
    }

    @Test(
        "a moved occurrence takes its place in the series, also in the form after an import into Taskwarrior",
        arguments: ["0", "0.000000", "\"0\""]
    )
    func place(imask: String) throws {
        let moved = """
            {"uuid":"o","description":"a","parent":"t","status":"pending","recur":"weekly","imask":\(imask),\
            "due":"20261103T090000Z"}
            """
        let todos = try Self.todos([Self.template("weekly", "20261102T090000Z", "--"), moved])
        #expect(todos.map(\.due?.wire) == ["20261109T090000Z", "20261103T090000Z"])
    }

    @Test("Taskwarrior copies the UID of a template to its occurrences, and each reminder still has its own UID")
    func copiedUID() throws {
        let common = #""description":"a","recur":"weekly","remindavuid":"u1""#
        let todos = try Self.todos([
            #"{"uuid":"t","status":"recurring","due":"20261201T090000Z","mask":"+-",\#(common)}"#,
            #"{"uuid":"1","parent":"t","status":"completed","due":"20261201T090000Z","imask":0,\#(common)}"#,
            #"{"uuid":"2","parent":"t","status":"pending","due":"20261208T090000Z","imask":1,\#(common)}"#,
        ])
        #expect(todos.count == 2 && todos[0].uid == "u1" && todos[1].uid != "u1")
        #expect(todos[0].due?.wire == "20261208T090000Z")
    }

    @Test("a deleted task has no findings about data that are not imported")
    func deletedData() throws {
        let members = #""description":"a","recur":"blue","due":"soon","until":"never","status":"#
        for (status, count) in [("deleted", 0), ("recurring", 3)] {
            let text = #"[{"uuid":"t",\#(members)"\#(status)"}]"#
            let tasks = try ParsedTasks(Array(text.utf8), format: .taskwarrior, in: FormatTests.context)
            #expect(tasks.findingCount == count && tasks.deleted.count == (count == 0 ? 1 : 0))
        }
    }
}
