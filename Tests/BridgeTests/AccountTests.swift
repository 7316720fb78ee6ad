import RemindavBridge
import RemindavICalendar
import RemindavResources
import RemindavStore
import Testing

@Suite("accounts")
struct AccountTests {
    /// Returns use cases on a store with one account, one list, and one reminder from the server.
    private func connected(token: SyncToken?, isDetached: Bool = false) throws -> UseCases {
        let useCases = try Workplace.open()
        let text = Array("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u\r\nEND:VTODO\r\nEND:VCALENDAR\r\n".utf8)
        try useCases.store.write { transaction in
            let account = try transaction.insertAccount(
                named: "home",
                url: "http://localhost/",
                user: "u",
                secret: SecretReference(kind: "command", reference: "true"),
                at: 0
            )
            let list = try transaction.insertList(named: "l", at: 0)
            try transaction.adoptRemote(list, RemoteList(account: account, url: "http://localhost/l/"))
            let pulled = PulledObject(
                uid: "u",
                href: "/l/u.ics",
                etag: "\"1\"",
                StoredObject(source: text, index: ObjectIndex(title: "a"))
            )
            _ = try transaction.recordPulled(pulled, in: list)
            try transaction.saveToken(token, ctag: nil, of: list)
            if isDetached { try transaction.detach(list) }
        }
        return useCases
    }

    @Test("an account is removed with its lists if the server has all of their reminders")
    func inStep() throws {
        let useCases = try self.connected(token: "t")
        _ = try useCases.removeAccount(named: nil, discardUnsent: false)
        #expect(try useCases.lists().isEmpty)
        #expect(try useCases.accounts().isEmpty)
    }

    @Test("an account with unsent changes, or with a list that the server has lost, is removed only with consent")
    func onlyCopy() throws {
        let held = try self.connected(token: nil)
        #expect(throws: UseCaseError(.unsentChanges)) { try held.removeAccount(named: nil, discardUnsent: false) }
        #expect(try held.reminderCount() == 1)
        #expect(throws: UseCaseError(.unsentChanges)) { try held.unsentChanges(ofAccount: nil, mayLoseThem: false) }
        let lost = try self.connected(token: "t", isDetached: true)
        _ = try lost.removeAccount(named: nil, discardUnsent: true)
        #expect(try lost.reminderCount() == 1)
    }
}
