import RemindavReminders
import RemindavStore
import Testing

@testable import RemindavBridge

@Suite("the default list")
struct DefaultListTests {
    private let useCases: UseCases

    init() throws { self.useCases = try Workplace.open() }

    /// Creates a list of an account, or changes its permission to write.
    private func share(_ name: String, isReadOnly: Bool) throws {
        try self.useCases.store.write { transaction in
            let known = try transaction.accounts().first?.id
            let account =
                if let known { known } else {
                    try transaction.insertAccount(
                        named: "fam",
                        url: "http://localhost/u/",
                        user: "u",
                        homeSets: ["http://localhost/u/"],
                        secret: SecretReference(kind: "command", reference: "true"),
                        at: 0
                    )
                }
            let there = try transaction.lists().first { $0.name == name }?.id
            let list = if let there { there } else { try transaction.insertList(named: name, at: 0) }
            try transaction.adoptRemote(
                list,
                RemoteList(account: account, url: "http://localhost/u/\(name)/", isReadOnly: isReadOnly)
            )
            try transaction.settleDefaultList()
        }
    }

    private func add(_ title: String = "Buy milk") throws -> String {
        try self.useCases.add(ReminderDraft(title: title)).list
    }

    private var shown: String? { get throws { try self.useCases.lists().first(where: \.isDefault)?.name } }

    @Test("an older list that becomes writable does not become the default list")
    func staysWhenAnotherBecomesWritable() throws {
        try self.share("Groceries", isReadOnly: true)
        #expect(try self.add() == "Reminders")
        try self.share("Groceries", isReadOnly: false)
        #expect(try self.shown == "Reminders")
        #expect(try self.add("A present for mum") == "Reminders")
        #expect(try self.useCases.setDefaultList("groceries").name == "Groceries")
        #expect(try self.add() == "Groceries")
    }

    @Test(
        "a default list that became read-only, lost or deleted is reported, and no other list replaces it"
    )
    func unusable() async throws {
        #expect(try self.add() == "Reminders")
        try self.share("Shared", isReadOnly: false)
        _ = try self.useCases.setDefaultList("Shared")
        try self.share("Shared", isReadOnly: true)
        #expect(throws: UseCaseError(.defaultListReadOnly)) { try self.add() }
        #expect(try self.shown == nil)
        #expect(throws: UseCaseError(.listIsReadOnly)) { try self.useCases.setDefaultList("Shared") }
        #expect(try self.useCases.defaultListError() == UseCaseError(.defaultListReadOnly))
        try self.share("Shared", isReadOnly: false)
        #expect(try self.add() == "Shared")

        try self.useCases.store.write { transaction in
            try transaction.detach(#require(try transaction.lists().first { $0.name == "Shared" }?.id))
        }
        #expect(throws: UseCaseError(.defaultListLost)) { try self.add() }
        try await self.useCases.deleteList("Shared", localOnly: false)
        #expect(throws: UseCaseError(.defaultListDeleted)) { try self.add() }
        #expect(throws: UseCaseError(.defaultListDeleted)) {
            try Workplace.load(
                "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
                into: self.useCases
            )
        }
        #expect(try self.useCases.add(ReminderDraft(title: "Named", list: "Reminders")).list == "Reminders")
    }

    @Test("the first list of a store becomes its default list, also after all others were deleted")
    func first() async throws {
        #expect(try self.useCases.defaultListError() == nil && self.shown == nil)
        _ = try await self.useCases.addList(named: "Work", account: nil, color: nil)
        _ = try await self.useCases.addList(named: "Home", account: nil, color: nil)
        #expect(try self.shown == "Work")
        try await self.useCases.deleteList("Work", localOnly: false)
        try await self.useCases.deleteList("Home", localOnly: false)
        #expect(try self.useCases.defaultListError() == nil)
        #expect(try self.add() == "Reminders")
        #expect(try self.shown == "Reminders")
    }

    @Test("a renamed default list stays the default list, and messages have the new name")
    func renamed() async throws {
        _ = try self.add()
        _ = try await self.useCases.addList(named: "Work", account: nil, color: nil)
        _ = try await self.useCases.renameList("Reminders", to: "Private")
        #expect(try self.add() == "Private")
        try await self.useCases.deleteList("Private", localOnly: false)
        #expect(try self.useCases.defaultListError()?.subject == "Private")
    }
}
