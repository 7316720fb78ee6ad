import RemindavICalendar
import RemindavResources
import RemindavStore
import Synchronization
import Testing

@testable import RemindavSync

@Suite("the requests of a sync, and their sizes")
struct TransferTests {
    private func filled(_ count: Int) throws -> (FakeServer, Machine) {
        let server = FakeServer()
        for number in 0..<count {
            server.put(Machine.text("u\(number)", "SUMMARY:\(number)"), at: "/list/\(number).ics")
        }
        return (server, try Machine(server))
    }

    @Test("texts that are part of the listing are not requested", arguments: [true, false])
    func texts(bringsTexts: Bool) async throws {
        let (server, machine) = try self.filled(30)
        server.change { $0.bringsTexts = bringsTexts }
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pulled == 30)
        #expect(server.state.withLock { $0.fetches } == (bringsTexts ? 0 : 1))
    }

    @Test("an interrupted first run keeps its records, and the next one requests only the rest")
    func resumed() async throws {
        let count = LearningPhase.textsAtOnce + 10
        let (server, machine) = try self.filled(count)
        var sync = machine.listSync(reader: Cut(server, after: 1))
        _ = await sync.run()
        #expect(try machine.objects.count == LearningPhase.textsAtOnce)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pulled == 10)
        #expect(try machine.objects.count == count)
    }

    @Test("two sides with equal contents agree without a write, in parts")
    func pairing() async throws {
        let count = LearningPhase.textsAtOnce + 10
        let (server, machine) = try self.filled(count)
        for number in 0..<count { try machine.add("u\(number)", "SUMMARY:\(number)") }
        let (report, error) = await machine.sync()
        #expect(error == nil && server.writes == 0 && report.conflicts == 0)
        #expect(try machine.objects.allSatisfy { !$0.isDirty })
    }

    @Test("an own empty list is filled with one request; other items follow one by one")
    func filling() async throws {
        let server = FakeServer()
        server.change { $0.takesWholeLists = true }
        let machine = try Machine(server)
        try machine.store.write { try $0.markMadeHere(machine.list) }
        for number in 0..<40 { try machine.add("u\(number)", "SUMMARY:\(number)\r\nX-ODD:\(number)") }
        // A custom time zone cannot be sent in this request.
        try machine.store.write { transaction in
            let zone = "BEGIN:VTIMEZONE\r\nTZID:Mine\r\nEND:VTIMEZONE\r\n"
            let text = Machine.text("zoned", "SUMMARY:z").replacing("BEGIN:VTODO", with: "\(zone)BEGIN:VTODO")
            _ = try transaction.insert(
                into: machine.list,
                uid: "zoned",
                StoredObject(source: Array(text.utf8), index: ObjectIndex(title: "z"))
            )
        }
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pushed == 41 && report.conflicts == 0)
        #expect(server.state.withLock { $0.fills } == 1 && server.writes == 1 && server.count == 41)
        #expect(try machine.objects.allSatisfy { !$0.isDirty })
        #expect(Set(try machine.store.lastChanges.map { "\($0.side) \($0.kind)" }) == ["remote added"])
        #expect(try machine.store.lastChanges.count == 41)
        let (again, _) = await machine.sync()
        #expect(again.pulled + again.pushed + again.merged == 0)
    }

    @Test("a list of another client, or one that is not empty, is filled item by item")
    func noFilling() async throws {
        for isMadeHere in [true, false] {
            let server = FakeServer()
            server.change { $0.takesWholeLists = true }
            if isMadeHere { server.put(Machine.text("theirs", "SUMMARY:t"), at: "/list/theirs.ics") }
            let machine = try Machine(server)
            if isMadeHere { try machine.store.write { try $0.markMadeHere(machine.list) } }
            for number in 0..<25 { try machine.add("u\(number)", "SUMMARY:\(number)") }
            let (report, error) = await machine.sync()
            #expect(error == nil && report.pushed == 25)
            #expect(server.state.withLock { $0.fills } == 0)
        }
    }

    @Test("changes that the server never reported are found by a full listing: on request, and after a week")
    func verified() async throws {
        for (now, verifies) in [(Int64(1), true), (SyncContext.secondsBetweenListings, false)] {
            let (server, machine) = try self.filled(5)
            await machine.sync()
            // The history behind the tokens has neither change.
            server.change { state in
                state.items["/list/0.ics"] = nil
                state.items["/list/1.ics"] = (999, Array(Machine.text("u1", "SUMMARY:new").utf8))
            }
            await machine.sync()
            #expect(try machine.objects.count == 5)
            var sync = machine.listSync(now: now, verifies: verifies)
            let (report, error) = await sync.run()
            #expect(error == nil && report.repaired == 2)
            #expect(try machine.objects.count == 4)
            #expect(try machine.objects.contains { $0.index.title == "new" })
        }
    }

    @Test("a full listing without items, where the server had reported no deletion, empties no list without consent")
    func emptyListing() async throws {
        let (server, machine) = try self.filled(5)
        await machine.sync()
        server.change { $0.items = [:] }
        var sync = machine.listSync(guard: .standard, verifies: true)
        let (report, error) = await sync.run()
        #expect(error == nil && report.held.count == 5)
        #expect(try machine.objects.count == 5)
    }
}

/// A server with a connection that breaks at one of the fetches.
private struct Cut: RemoteReading {
    let real: FakeServer
    let fetches: Int

    init(_ real: FakeServer, after fetches: Int) {
        self.real = real
        self.fetches = fetches
    }

    func key(of href: Href) -> String { self.real.key(of: href) }
    func newHref() -> Href { self.real.newHref() }
    func href(movedFrom href: Href) -> Href { self.real.href(movedFrom: href) }
    func listing() async throws(RemoteError) -> ResourceChanges { try await self.real.listing() }

    func changes(since token: SyncToken?, wantsTexts: Bool) async throws(RemoteError) -> ResourceChanges {
        try await self.real.changes(since: token, wantsTexts: wantsTexts)
    }

    func everything() async throws(RemoteError) -> ResourceChanges { try await self.real.everything() }

    func fetch(_ hrefs: [Href], _ reason: FetchReason) async throws(RemoteError) -> FetchResult<RemoteError> {
        guard self.real.state.withLock({ $0.fetches }) < self.fetches else { throw RemoteError(.stopped, Refusal()) }
        return try await self.real.fetch(hrefs, reason)
    }
}
