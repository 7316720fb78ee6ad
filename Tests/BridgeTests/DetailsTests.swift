import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavBridge

@Suite("the details of a reminder")
struct DetailsTests {
    private static func todo(_ uid: String, _ lines: String...) -> String {
        "BEGIN:VTODO\r\nUID:\(uid)\r\nSUMMARY:\(uid)!\r\n" + lines.map { $0 + "\r\n" }.joined() + "END:VTODO\r\n"
    }

    private static func calendar(_ todos: String...) -> String {
        "BEGIN:VCALENDAR\r\n\(todos.joined())END:VCALENDAR\r\n"
    }

    private func details(_ useCases: UseCases, _ uid: String) throws -> ReminderDetails {
        let all = try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
        return try useCases.details(try #require(all.first { $0.uid == uid }).id)
    }

    @Test("parts, parents and dependencies are found from both ends, with number and title")
    func relations() throws {
        let useCases = try Workplace.open()
        try Workplace.load(
            Self.calendar(
                Self.todo("big", "RELATED-TO;RELTYPE=CHILD:elsewhere", "RELATED-TO;RELTYPE=CHILD:one"),
                Self.todo("one", "RELATED-TO:big", "STATUS:COMPLETED"),
                Self.todo("two", "RELATED-TO;RELTYPE=PARENT:big", "RELATED-TO;RELTYPE=DEPENDS-ON:one"),
                Self.todo("three", "RELATED-TO;RELTYPE=SIBLING:big"),
                Self.todo("small", "related-to:one"),
                Self.todo("four", "DESCRIPTION:big", "RELATED-TO:bigger")
            ),
            into: useCases
        )
        let big = try self.details(useCases, "big")
        #expect(big.subtasks.map(\.uid) == ["elsewhere", "one", "two"])
        #expect(big.subtasks.map(\.title) == [nil, "one!", "two!"])
        #expect(big.subtasks.map(\.status) == [nil, .completed, .pending])
        #expect(big.subtasks[0].id == nil)
        #expect(big.parents.isEmpty)
        let two = try self.details(useCases, "two")
        #expect(two.parents.map(\.title) == ["big!"])
        #expect(two.dependsOn.map(\.uid) == ["one"])
        #expect(try self.details(useCases, "one").neededBy.map(\.uid) == ["two"])
        #expect(try self.details(useCases, "one").subtasks.map(\.uid) == ["small"])
        #expect(try self.details(useCases, "three").related.map(\.relation) == ["SIBLING"])
        #expect(try self.details(useCases, "four").parents.map(\.title) == [nil])
    }

    @Test("a parent in another list is named, and a reminder with the same UID in another list is no part")
    func lists() async throws {
        let useCases = try Workplace.open()
        for name in ["Home", "Work"] { _ = try await useCases.addList(named: name, account: nil, color: nil) }
        try Workplace.load(Self.calendar(Self.todo("big")), into: useCases, list: "Home")
        try Workplace.load(Self.calendar(Self.todo("one", "RELATED-TO:big")), into: useCases, list: "Work")
        #expect(try self.details(useCases, "one").parents.map(\.title) == ["big!"])
        #expect(try self.details(useCases, "big").subtasks.isEmpty)
    }
}
