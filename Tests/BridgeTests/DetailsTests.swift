import ICalendar
import Reminders
import Testing

@testable import Bridge

@Suite("all about a reminder")
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

    @Test("parts, what they are a part of, and what waits for what are found from both sides, with number and title")
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

    @Test("a parent in another list is named, and a namesake in another list is no part")
    func lists() async throws {
        let useCases = try Workplace.open()
        for name in ["Home", "Work"] { _ = try await useCases.addList(named: name, account: nil, color: nil) }
        try Workplace.load(Self.calendar(Self.todo("big")), into: useCases, list: "Home")
        try Workplace.load(Self.calendar(Self.todo("one", "RELATED-TO:big")), into: useCases, list: "Work")
        #expect(try self.details(useCases, "one").parents.map(\.title) == ["big!"])
        #expect(try self.details(useCases, "big").subtasks.isEmpty)
    }

    @Test(
        "parts are found whatever the UID looks like, and wherever the line that names it is folded",
        arguments: [
            "1", "a", "big-1@example.org", "a,b;c\\d", ",;", "größe-ß", "üü", String(repeating: "long-uid/", count: 30),
            "3F2504E0-4F89-11D3-9A0C-0305E82C3301",
        ]
    )
    func pieces(uid: String) throws {
        let written = uid.map { [",", ";", "\\"].contains($0) ? "\\\($0)" : String($0) }.joined()
        let line = Array("RELATED-TO;RELTYPE=PARENT:\(written)".utf8)
        for width in [45, 60, 72, 74, 75] {
            // The first fold wherever it may be behind the name, the others as far apart as they are.
            for first in 12...width {
                var rest = line[...]
                var folded: [UInt8] = Array(rest.prefix(first))
                rest = rest.dropFirst(first)
                while !rest.isEmpty {
                    folded += Array("\r\n ".utf8) + rest.prefix(width - 1)
                    rest = rest.dropFirst(width - 1)
                }
                #expect(UIDPieces(uid).mayStand(in: folded), "\(width), \(first)")
            }
        }
    }

    @Test("a text is not read in which no half of the UID stands; where it may be written otherwise, each is")
    func otherTexts() {
        let text = Array("RELATED-TO:3F2504E0-4F89\r\n".utf8)
        #expect(!UIDPieces("0305E82C-3301-11D3").mayStand(in: text))
        #expect(UIDPieces("3F2504E0-4F89").mayStand(in: text))
        #expect(UIDPieces("ü,").mayStand(in: []))
        #expect(!UIDPieces("a").mayStand(in: []))
    }
}
