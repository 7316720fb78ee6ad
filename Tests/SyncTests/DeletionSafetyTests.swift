import RemindavICalendar
import RemindavResources
import RemindavStore
import RemindavSync
import RemindavTestSupport
import Synchronization
import Testing

@Suite("sync of a list: deletions that are allowed")
struct DeletionSafetyTests {
    @Test("more than 10 and 25 % deleted there are not deleted here without consent", arguments: [10, 11, 20])
    func massDeletionThere(count: Int) async throws {
        let (server, machine) = try await FakeServer.filled(40)
        for number in 1...count { server.remove("/list/new-\(number).ics") }
        let (report, error) = await machine.sync(guard: .standard)
        #expect(error == nil)
        #expect(report.held.count == (count > 10 ? count : 0))
        #expect(try machine.objects.count == (count > 10 ? 40 : 40 - count))
        // A list with held deletions is recorded as not in sync.
        let token = try machine.store.read { try $0.list(machine.list)?.syncToken }
        #expect((token == nil) == (report.held.count > 0))
        // The deletions are held until the user decides.
        let (again, _) = await machine.sync(guard: .standard)
        #expect(again.held.count == report.held.count)
        await machine.sync(guard: .off)
        #expect(try machine.objects.count == 40 - count)
    }

    @Test("more than 10 and 25 % deleted here are not deleted there without consent")
    func massDeletionHere() async throws {
        let (server, machine) = try await FakeServer.filled(40)
        for number in 0..<20 { try machine.delete("u\(number)") }
        let (report, _) = await machine.sync(guard: .standard)
        #expect(report.held.count == 20)
        #expect(server.count == 40)
        let (second, _) = await machine.sync(guard: .off)
        #expect(second.deletedRemotely == 20)
        #expect(server.count == 20)
    }

    @Test("confirmed deletions are carried out, unless another one has come since")
    func confirmed() async throws {
        let (server, machine) = try await FakeServer.filled(40)
        for number in 1...15 { server.remove("/list/new-\(number).ics") }
        for number in 20..<34 { try machine.delete("u\(number)") }
        let held = await machine.sync(guard: .standard).report.held
        var confirmation = DeletionGuard.standard
        confirmation.confirmed = Set(held.localObjects + held.remoteObjects.map(\.object))
        #expect(confirmation.confirmed.count == 29)
        server.remove("/list/new-16.ics")
        #expect(await machine.sync(guard: confirmation).report.held.count == 30)
        #expect(try machine.objects.count == 26 && server.count == 24)
        server.put(Machine.text("u15", "SUMMARY:15"), at: "/list/new-16.ics")
        await machine.sync(guard: .standard)
        #expect(await machine.sync(guard: confirmation).report.held.count == 0)
        #expect(try machine.objects.count == 11 && server.count == 11)
    }

    @Test("a listing that is suddenly empty deletes nothing")
    func emptyListing() async throws {
        let (server, machine) = try await FakeServer.filled(3)
        try machine.edit("u1", .summary, "edited", stamp: 1)
        server.change { $0.answersEmpty = true }
        let (report, _) = await machine.sync(guard: .standard)
        #expect(report.held.count == 3)
        #expect(try machine.objects.count == 3)
        server.change { $0.answersEmpty = false }
        await machine.sync(guard: .standard)
        #expect(server.count == 3)
        #expect(server.texts["u1"]?.contains("SUMMARY:edited") == true)
    }

    @Test(
        "held deletions are carried out when few remain, but not when the list has grown",
        arguments: [(restored: 5, added: 0, held: 0), (1, 0, 14), (0, 40, 15), (0, 0, 15)]
    )
    func fewRemain(restored: Int, added: Int, held: Int) async throws {
        let (server, machine) = try await FakeServer.filled(40)
        for number in 1...15 { server.remove("/list/new-\(number).ics") }
        #expect(await machine.sync(guard: .standard).report.held.localObjects.count == 15)
        for number in 0..<restored {
            server.put(Machine.text("u\(number)", "SUMMARY:\(number)"), at: "/list/new-\(number + 1).ics")
        }
        for number in 0..<added { try machine.add("more-\(number)", "SUMMARY:a") }
        await machine.sync(guard: .standard)
        let (report, error) = await machine.sync(guard: .standard)
        #expect(error == nil && report.held.count == held)
        #expect(try machine.objects.count == (held == 0 ? 30 : 40 + added))
    }

    @Test("a few deletions after a reset of the server wait, also when the list has grown")
    func resetAndGrown() async throws {
        let (server, machine) = try await FakeServer.filled(3)
        server.change { $0.answersEmpty = true }
        #expect(await machine.sync(guard: .standard).report.held.count == 3)
        server.change { $0.answersEmpty = false }
        for number in 1...3 { server.remove("/list/new-\(number).ics") }
        for number in 0..<5 { try machine.add("more-\(number)", "SUMMARY:a") }
        for _ in 0..<3 { #expect(await machine.sync(guard: .standard).report.held.count == 3) }
        #expect(try machine.objects.count == 8)
    }

    @Test("a recreated list with other contents deletes nothing")
    func replacedList() async throws {
        let (server, machine) = try await FakeServer.filled(5)
        for number in 1...5 { server.remove("/list/new-\(number).ics") }
        server.put(Machine.text("w", "SUMMARY:w"), at: "/list/w.ics")
        server.change { $0.listsEverything = true }
        let (report, _) = await machine.sync(guard: .standard)
        #expect(report.held.count == 5)
        #expect(try machine.objects.count == 6)
    }

    @Test(
        "a recreated list without tokens deletes nothing, and an emptied list deletes its items here",
        arguments: [("3", 5), ("8", 0), ("another", 0)]
    )
    func replacedListWithoutTokens(ctag: String, held: Int) async throws {
        let server = FakeServer()
        server.change { $0.listsEverything = true }
        let machine = try Machine(server, supportsSyncCollection: false)
        for number in 1...5 { server.put(Machine.text("u\(number)", "SUMMARY:u"), at: "/list/\(number).ics") }
        var first = machine.listSync(guard: .standard, ctag: "7")
        _ = await first.run()
        #expect(try machine.objects.count == 5)
        for number in 1...5 { server.remove("/list/\(number).ics") }
        server.put(Machine.text("w", "SUMMARY:w"), at: "/list/w.ics")
        // The deletions are held, also after more changes of the list.
        for ctag in [ctag, "9"] {
            var sync = machine.listSync(guard: .standard, ctag: ctag)
            #expect(await sync.run().report.held.count == held)
            #expect(try machine.objects.count == held + 1)
        }
    }

    @Test("a deletion is executed although the server never sent the entity tag of the item")
    func deletionWithoutETag() async throws {
        let server = FakeServer()
        server.change { $0.keepsETags = true }
        let machine = try Machine(server)
        try machine.add("u", "SUMMARY:a")
        await machine.sync()
        try machine.delete("u")
        for _ in 0..<2 { await machine.sync() }
        #expect(try machine.objects.isEmpty)
        #expect(server.count == 0)
    }

    @Test(
        "a delayed deletion is executed although the server has given the items other versions since",
        arguments: [true, false]
    )
    func deletionOfAnotherVersion(tellsVersions: Bool) async throws {
        let (server, machine) = try await FakeServer.filled(40)
        for number in 0..<20 { try machine.delete("u\(number)") }
        for (href, item) in server.state.withLock({ $0.items }) {
            server.put(String(decoding: item.text, as: UTF8.self), at: href)
        }
        server.change { $0.hidesETags = !tellsVersions }
        let (report, _) = await machine.sync(guard: .standard)
        #expect(report.held.count == 20)
        server.change { $0.hidesETags = false }
        let (second, error) = await machine.sync(guard: .off)
        #expect(error == nil && second.failures.isEmpty && second.deletedRemotely == 20)
        #expect(server.count == 20)
    }

    @Test("a deletion of a version without an entity tag is executed when the server sends one")
    func deletionOfUnnamedVersion() async throws {
        let (server, machine) = try await FakeServer.filled(2)
        try machine.delete("u1")
        server.put(Machine.text("u1", "SUMMARY:1"), at: "/list/new-2.ics")
        server.change { $0.hidesETags = true }
        #expect(await machine.sync().report.failures.count == 1)
        #expect(server.count == 2, "the item may differ from the reported one")
        server.change { $0.hidesETags = false }
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty)
        #expect(server.texts.keys.sorted() == ["u0"])
    }

    @Test("an item that returns with another client's edit and is deleted again at once is deleted")
    func deletedTwice() async throws {
        let (server, machine) = try await FakeServer.filled(2)
        server.put(Machine.text("u1", "SUMMARY:theirs"), at: "/list/new-2.ics")
        try machine.delete("u1")
        var sync = machine.listSync()
        await sync.learn()
        #expect(try machine.objects.count == 2, "an edit beats a deletion")
        try machine.delete("u1")
        _ = await sync.complete()
        await machine.sync()
        #expect(try machine.objects.map(\.uid) == ["u0"])
        #expect(server.count == 1)
    }

    @Test(
        "an item without a known version is fetched before its deletion: another client may have changed it",
        arguments: [true, false]
    )
    func deletionOfUnknownVersion(isChanged: Bool) async throws {
        let server = FakeServer()
        server.put(Machine.text("u", "SUMMARY:a"), at: "/list/u.ics")
        server.change { $0.hidesETags = true }
        let machine = try Machine(server)
        await machine.sync()
        server.change { $0.hidesETags = false }
        try machine.delete("u")
        var sync = machine.listSync()
        await sync.learn()
        if isChanged { server.put(Machine.text("u", "SUMMARY:theirs"), at: "/list/u.ics") }
        #expect(await sync.complete().error == nil)
        #expect(server.count == (isChanged ? 1 : 0))
        await machine.sync()
        #expect(try machine.objects.map(\.uid) == (isChanged ? ["u"] : []))
    }

    @Test("an item that the server never accepted is deleted without a request to delete it")
    func deletionOfRefusedItem() async throws {
        let (server, machine) = try await FakeServer.filled(1)
        var refusal = RemoteError(.refused, CancellationError())
        refusal.concernsText = true
        server.change { $0.refusesNew = refusal }
        try machine.add("new", "SUMMARY:new")
        #expect(await machine.sync().report.failures.count == 1)
        try machine.delete("new")
        let writes = server.writes
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty && report.deletedRemotely == 0)
        #expect(server.writes == writes, "without an entity tag it could remove the item of another client")
        #expect(try machine.objects.map(\.uid) == ["u0"])
        #expect(try machine.store.read { try $0.syncState(of: machine.list) }?.tombstones.isEmpty == true)
    }

    @Test("a new item that another client then deleted is deleted, although the server does not report it")
    func thrownAway() async throws {
        let (server, machine) = try await FakeServer.filled(2)
        try machine.add("new", "SUMMARY:new")
        await machine.sync()
        // A tag that is derived from the content of the list is the same as before.
        server.change { state in
            for (href, item) in state.items where String(decoding: item.text, as: UTF8.self).contains("UID:new\r\n") {
                state.items[href] = nil
                state.history.removeAll { $0.href == href }
            }
        }
        let (report, error) = await machine.sync()
        #expect(error == nil && report.deletedLocally == 1 && report.pushed == 0)
        #expect(server.texts.keys.sorted() == ["u0", "u1"])
    }

    @Test("an edit of an item in the server's trash arrives under another UID")
    func trash() async throws {
        let (server, machine) = try await FakeServer.filled(2)
        server.change { $0.trash = [] }
        server.remove("/list/new-1.ics")
        let uid = try #require(try machine.objects.first { $0.href?.wire == "/list/new-1.ics" }?.uid)
        try machine.edit(uid, .summary, "edited", stamp: 1)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty)
        #expect(server.texts.values.contains { $0.contains("SUMMARY:edited") })
        #expect(server.texts[uid] == nil)
        let (second, _) = await machine.sync()
        #expect(second.pushed == 0)
        #expect(try machine.objects.count == 2)
    }

    @Test("if another list could not be read, no missing item is sent as new, and the next run checks it again")
    func noRevivalOnPartialKnowledge() async throws {
        let (server, machine) = try await FakeServer.filled(2)
        let uid = try #require(try machine.objects.first { $0.href?.wire == "/list/new-1.ics" }?.uid)
        server.remove("/list/new-1.ics")
        try machine.edit(uid, .summary, "edited", stamp: 1)
        var sync = machine.listSync()
        await sync.learn()
        let (report, error) = await sync.complete(mayRecreate: false)
        #expect(error == nil && report.pushed == 0)
        #expect(server.count == 1)
        await machine.sync()
        #expect(server.texts[uid]?.contains("SUMMARY:edited") == true)
    }
}
