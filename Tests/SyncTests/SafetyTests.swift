import RemindavICalendar
import RemindavResources
import RemindavStore
import RemindavSync
import RemindavTestSupport
import Synchronization
import Testing

@Suite("sync of a list: safety")
struct SafetyTests {
    @Test("a resource with a duplicate UID is read when the other resource is deleted")
    func doubleThatStays() async throws {
        let (server, machine) = try await FakeServer.filled(2)
        server.put(Machine.text("u1", "SUMMARY:moved"), at: "/list/moved.ics")
        await machine.sync()
        server.remove("/list/new-2.ics")
        for _ in 0..<2 { await machine.sync() }
        #expect(try machine.objects.map(\.uid).sorted() == ["u0", "u1"])
        #expect(
            try machine.meanings["u1"]
                == CalendarObject(
                    ICalendarDocument(Machine.text("u1", "SUMMARY:moved"))
                )?.meaning
        )
    }

    @Test("if the server's side wins in all local changes, nothing is sent")
    func overruled() async throws {
        let (server, machine) = try await FakeServer.filled(1)
        try machine.edit("u0", .summary, "mine", stamp: 1)
        server.put(Machine.text("u0", "SUMMARY:theirs\r\nLAST-MODIFIED:20990101T000000Z"), at: "/list/new-1.ics")
        let writes = server.writes
        let (report, error) = await machine.sync()
        #expect(error == nil && report.conflicts == 1 && report.pushed == 0)
        #expect(server.writes == writes)
        #expect(try machine.source("u0", in: machine.list) == server.texts["u0"])
    }

    @Test("a resource that the server lists and denies once is requested again", arguments: [1, 2])
    func denied(times: Int) async throws {
        let server = FakeServer()
        server.put(Machine.text("u", "SUMMARY:a"), at: "/list/u.ics")
        server.change { $0.denials = times }
        let machine = try Machine(server)
        let (_, error) = await machine.sync()
        #expect(error == nil)
        #expect(try machine.objects.count == 2 - times)
    }

    @Test("a server error that is not about the UID does not change the UID")
    func failing() async throws {
        let (server, machine) = try await FakeServer.filled(1)
        try machine.add("new", "SUMMARY:a")
        for refusal in [RemoteError(.unknownOutcome, Refusal()), RemoteError(.refused, Refusal())] {
            server.change { $0.refusesNew = refusal }
            let (report, error) = await machine.sync()
            #expect(error == nil && report.failures.count == 1)
            #expect(try machine.objects.map(\.uid).sorted() == ["new", "u0"])
        }
        server.change { $0.refusesNew = nil }
        await machine.sync()
        #expect(server.texts.keys.sorted() == ["new", "u0"])
    }

    @Test("an upload that the server accepted and dropped is sent again and reported", arguments: [1, 3])
    func dropped(times: Int) async throws {
        let (server, machine) = try await FakeServer.filled(3)
        try machine.edit("u1", .summary, "edited", stamp: 1)
        try machine.add("new", "SUMMARY:new")
        server.change { $0.drops = 2 * times }
        for run in 1...times + 1 {
            let (report, error) = await machine.sync()
            #expect(error == nil && report.pulled == 0 && report.pushed == 2, "run \(run)")
            #expect(report.failures.count == (run > 2 ? 2 : 0), "run \(run)")
        }
        #expect(server.texts["u1"]?.contains("SUMMARY:edited\r\n") == true)
        #expect(server.texts.keys.sorted() == ["new", "u0", "u1", "u2"])
        let writes = server.writes
        for _ in 0..<3 { #expect(await machine.sync().report.failures.isEmpty) }
        #expect(server.writes == writes)
        #expect(try machine.objects.allSatisfy { !$0.isDirty })
    }

    @Test("a later change by another client is recorded, although the server does not report it")
    func silentButChanged() async throws {
        let (server, machine) = try await FakeServer.filled(3)
        try machine.edit("u1", .summary, "edited", stamp: 1)
        await machine.sync()
        server.change { state in
            state.items["/list/new-2.ics"] = (900, Array(Machine.text("u1", "SUMMARY:theirs").utf8))
            state.history.removeAll { $0.href == "/list/new-2.ics" }
        }
        let (report, _) = await machine.sync()
        #expect(report.pulled == 1 && report.failures.isEmpty)
        #expect(try machine.objects.contains { $0.index.title == "theirs" })
    }

    @Test("a dry run writes nothing on either side and reports the same as the real run")
    func dryRun() async throws {
        let (server, machine) = try await FakeServer.filled(4)
        try machine.edit("u1", .summary, "edited", stamp: 1)
        try machine.delete("u2")
        try machine.edit("u3", .summary, "here", stamp: 1)
        try machine.edit("u3", .priority, "5", stamp: 1)
        let href = try #require(try machine.objects.first { $0.uid == "u3" }?.href?.wire)
        server.put(Machine.text("u3", "SUMMARY:there\r\nLOCATION:there"), at: href)
        server.put(Machine.text("w", "SUMMARY:w"), at: "/list/w.ics")
        let (writes, before) = (server.writes, try machine.meanings)
        let (dry, error, planned) = try await machine.dryRun()
        #expect(error == nil)
        #expect(server.writes == writes)
        #expect(try machine.meanings == before)
        let (real, _) = await machine.sync()
        #expect(dry.pushed == 2 && dry.merged == 1 && dry.conflicts == 1 && dry.deletedRemotely == 1)
        #expect(dry.pushed == real.pushed && dry.pulled == real.pulled && dry.deletedRemotely == real.deletedRemotely)
        #expect(dry.merged == real.merged && dry.conflicts == real.conflicts)
        let done = try machine.store.lastChanges
        // Uploads end in any order.
        #expect(planned.count == done.count && Set(planned) == Set(done))
        #expect(
            Set(done.map { "\($0.side) \($0.kind) \($0.uid)" }) == [
                "remote changed u1", "remote deleted u2", "local merged u3", "remote changed u3", "local added w",
            ]
        )
    }

    @Test("a resource that is no to-do, or has a duplicate UID, is ignored and stops nothing")
    func oddResources() async throws {
        let (server, machine) = try await FakeServer.filled(2)
        server.put("<html>", at: "/list/odd.ics")
        server.put(Machine.text("u1", "SUMMARY:double"), at: "/list/double.ics")
        server.put(Machine.text("w", "SUMMARY:w"), at: "/list/w.ics")
        for _ in 0..<2 {
            let (report, error) = await machine.sync()
            #expect(error == nil && report.failures.isEmpty)
        }
        #expect(try machine.objects.map(\.uid).sorted() == ["u0", "u1", "w"])
        #expect(server.count == 5)
    }

    @Test("every action is decided for every state")
    func actions() {
        #expect(action(for: .newLocal) == .push)
        #expect(action(for: .tracked(local: .modified, remote: .deleted)) == .push)
        #expect(action(for: .tracked(local: .deleted, remote: .modified)) == .pull)
        #expect(action(for: .tracked(local: .unchanged, remote: .unchanged)) == nil)
    }
}
