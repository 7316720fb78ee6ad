import RemindavICalendar
import RemindavStore
import Synchronization
import Testing

@testable import RemindavSync

@Suite("texts that the server refuses")
struct RefusalTests {
    private struct Reason: Error {}

    private static let refusal: RemoteError = {
        var error = RemoteError(.refused, Reason())
        error.concernsText = true
        return error
    }()

    @Test("a refused text is not sent again unchanged, until a week has passed or the server can do something else")
    func once() async throws {
        let (server, machine) = try await FakeServer.filled(1)
        try machine.add("new", "SUMMARY:a")
        server.change { $0.refusesNew = Self.refusal }
        #expect(await machine.sync().report.failures.count == 1)
        for _ in 0..<3 {
            let (report, error) = await machine.sync()
            #expect(error == nil)
            #expect(report.failures.isEmpty && report.refusedEarlier.map(\.reason) == ["Reason()"])
        }
        let refusal = try #require(try machine.refusals.first)
        let rule = RefusalRule.standard
        let week = RefusalRule.secondsBetweenAttempts
        #expect(rule.stillHolds(refusal, at: refusal.at + week - 1))
        #expect(!rule.stillHolds(refusal, at: refusal.at + week))
        #expect(rule.stillHolds(refusal, at: refusal.at - 1), "a clock that was put back")
        #expect(!rule.stillHolds(refusal, at: refusal.at - week), "a clock that was wrong")
        let other = RefusalRule(abilities: "more", sendsAgain: false) { _ in "" }
        #expect(!other.stillHolds(refusal, at: refusal.at))
        let now = RefusalRule(abilities: "", sendsAgain: true) { _ in "" }
        #expect(!now.stillHolds(refusal, at: refusal.at))
    }

    @Test("an edit sends it again, and an accepted text counts as refused no more")
    func edit() async throws {
        let (server, machine) = try await FakeServer.filled(1)
        try machine.add("new", "SUMMARY:a")
        server.change { $0.refusesNew = Self.refusal }
        await machine.sync()
        try machine.edit("new", .summary, "b", stamp: 1)
        #expect(try machine.refusals.isEmpty)
        #expect(await machine.sync().report.failures.count == 1)
        server.change { $0.refusesNew = nil }
        try machine.edit("new", .summary, "c", stamp: 2)
        #expect(await machine.sync().report.pushed == 1)
        #expect(try machine.refusals.isEmpty)
        #expect(server.texts.keys.sorted() == ["new", "u0"])
    }

    @Test("a refused text is reported once, although a duplicate UID makes the run send twice")
    func reportedOnce() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        try machine.add("first", "SUMMARY:f")
        await machine.sync()
        try machine.add("refused", "SUMMARY:a")
        server.change { $0.refusesNew = Self.refusal }
        await machine.sync()
        server.change { state in
            state.refusesNew = nil
            state.items["/list/elsewhere.ics"] = (999, Array(Machine.text("twice", "SUMMARY:t").utf8))
        }
        try machine.add("twice", "SUMMARY:t")
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty)
        #expect(report.refusedEarlier.count == 1)
        #expect(server.texts["refused"] == nil)
    }

    @Test("a failure without a statement about the text is no refusal")
    func other() async throws {
        let (server, machine) = try await FakeServer.filled(1)
        try machine.add("new", "SUMMARY:a")
        server.change { $0.refusesNew = RemoteError(.refused, Reason()) }
        await machine.sync()
        #expect(await machine.sync().report.failures.count == 1)
    }

    @Test("a write that failed in all attempts is checked once, and not sent again in this run")
    func givenUp() async throws {
        let (server, machine) = try await FakeServer.filled(1)
        try machine.add("new", "SUMMARY:a")
        var error = RemoteError(.unknownOutcome, Reason(), mayConcernUID: true)
        error.isGivenUp = true
        let refusal = error
        server.change { $0.refusesNew = refusal }
        let fetches = server.state.withLock { $0.fetches }
        let report = await machine.sync().report
        #expect(report.failures.count == 1)
        #expect(server.state.withLock { $0.fetches } == fetches + 1)
        #expect(try machine.objects.map(\.uid).sorted() == ["new", "u0"])
    }
}

extension Machine {
    /// The recorded refusals.
    fileprivate var refusals: [RefusalRecord] {
        get throws {
            try self.store.read { snapshot throws(DatabaseError) in Array(try snapshot.refusals(in: self.list).values) }
        }
    }
}
