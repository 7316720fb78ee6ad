import RemindavBridge
import RemindavHTTP
import RemindavHTTPServer
import RemindavICalendar
import RemindavResources
import RemindavStore
import RemindavTestSupport
import Testing

@testable import RemindavPlatform

@Suite("health checks")
struct HealthCheckTests {
    /// A machine with an account, a missing password file, and a list of the account.
    private func machine(_ kind: String, _ reference: String) throws -> (
        useCases: UseCases, account: AccountID, list: ListID
    ) {
        let useCases = try Workplace.open()
        let (account, list) = try useCases.store.write { transaction in
            let account = try transaction.insertAccount(
                named: "cloud",
                url: "http://localhost/u/",
                user: "u",
                homeSets: ["http://localhost/u/"],
                secret: SecretReference(kind: kind, reference: reference),
                at: 0
            )
            let list = try transaction.insertList(named: "Work", at: 0)
            try transaction.adoptRemote(list, RemoteList(account: account, url: "http://localhost/l/"))
            return (account, list)
        }
        return (useCases, account, list)
    }

    @Test("the contents of a store are counted")
    func store() throws {
        let (useCases, _, list) = try self.machine("file", "none")
        var check = try useCases.checkStore()
        #expect(check.damage.isEmpty)
        #expect(check.format > 0)
        #expect((check.reminders, check.lists, check.feeds, check.conflicts) == (0, 1, 0, 0))
        #expect(check.lost.isEmpty)
        #expect(check.lastRun == nil)
        _ = try useCases.createFeed(list: nil, labels: [])
        let id = try useCases.createFeed(list: nil, labels: []).id
        _ = try useCases.revokeFeed(String(id))
        try useCases.store.write { transaction in
            let run = try transaction.beginRun(of: "cloud", at: 77)
            try transaction.endRun(run, requests: 1, error: nil, at: 78)
            try transaction.detach(list)
        }
        check = try useCases.checkStore()
        #expect(check.feeds == 1)
        #expect(check.lost == ["Work"])
        #expect(check.lastRun == Instant(secondsSince1970: 77))
    }

    @Test("a missing password is reported, and a password command runs only with the option to contact the server")
    func passwords() async throws {
        let kept = try self.machine("file", "none").useCases
        guard case .missing(let error) = try await kept.checkAccounts(asksServers: false)[0].password else {
            Issue.record("a file that is not there gave a password")
            return
        }
        #expect(error as? UseCaseError == UseCaseError(.passwordMissing))
        let command = try self.machine("command", "false").useCases
        guard case .commandNotRun = try await command.checkAccounts(asksServers: false)[0].password else {
            Issue.record("the command was run")
            return
        }
        guard case .fails(let failure) = try await command.checkAccounts(asksServers: true)[0].server else {
            Issue.record("the command was not run")
            return
        }
        #expect(failure as? UseCaseError == UseCaseError(.passwordCommandFailed))
    }

    @Test("unsent changes are counted: deletions from before the last sync, edits, unreadable files")
    func waiting() async throws {
        let (useCases, _, list) = try self.machine("command", "true")
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:a\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        try Workplace.load(text, into: useCases, list: "Work")
        try useCases.store.write { transaction in
            try transaction.setUnreadable(UnreadableItem(href: "/l/x.ics", etag: nil, reason: "x"), in: list)
        }
        var check = try await useCases.checkAccounts(asksServers: false)[0]
        #expect((check.unsent, check.unreadable, check.waitingDeletions) == (1, 1, 0))
        #expect(check.lastSync == nil)
        #expect(check.holdingLists.isEmpty)
        try useCases.store.write { try $0.saveToken(nil, ctag: nil, hold: .limit, of: list) }
        #expect(try await useCases.checkAccounts(asksServers: false)[0].holdingLists == ["Work"])
        try useCases.store.write { transaction in
            let pulled = PulledObject(
                uid: "b",
                href: "/l/b.ics",
                etag: "\"1\"",
                StoredObject(
                    source: Array(text.replacing("UID:a", with: "UID:b").utf8),
                    index: try transaction.rows(in: list)[0].index
                )
            )
            _ = try transaction.recordPulled(pulled, in: list)
        }
        let synced = try useCases.reminders(matching: ReminderFilter()).first { $0.uid == "b" }
        try useCases.delete(#require(synced).id)
        #expect(try await useCases.checkAccounts(asksServers: false)[0].waitingDeletions == 0, "no sync came later")
        let later = Workplace.now.secondsSince1970 + 60
        try useCases.store.write { transaction in
            let run = try transaction.beginRun(of: "cloud", at: later)
            try transaction.endRun(run, requests: 1, error: "busy", at: later)
        }
        check = try await useCases.checkAccounts(asksServers: false)[0]
        #expect(check.waitingDeletions == 1)
        #expect(check.error == "busy")
        #expect(check.lastSync == Instant(secondsSince1970: later))
    }

    @Test("a port counts as answering while a process listens on it")
    func port() async throws {
        let server = try Server(.port(0), hosts: []) { _ in Response(status: 404) }
        let port = server.port
        #expect(LocalPort.isAnswered(port))
        await server.stop()
        #expect(!LocalPort.isAnswered(port))
    }

    @Test("a connection to a port that accepts no data times out")
    func deafPort() throws {
        let deaf = try DeafPort()
        let start = ContinuousClock.now
        #expect(!LocalPort.isAnswered(deaf.number))
        #expect(ContinuousClock.now - start < .seconds(10))
    }
}
