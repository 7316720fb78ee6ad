import RemindavICalendar
import RemindavResources
import RemindavStore
import RemindavSync
import Testing

/// Faults found by random histories (docs/sync-model.md), each in its smallest form.
@Suite("sync of a list: cases that the model found")
struct BrokenOffTests {
    private func filled() async throws -> (FakeServer, Machine) {
        let server = FakeServer()
        let machine = try Machine(server)
        for number in 0..<3 { try machine.add("u\(number)", "SUMMARY:\(number)") }
        await machine.sync()
        return (server, machine)
    }

    private func href(_ uid: String, _ machine: Machine) throws -> String {
        try #require(try machine.objects.first { $0.uid == uid }?.href?.wire)
    }

    @Test("an item that was sent without a record and then deleted does not come back")
    func sentAndDeleted() async throws {
        let (server, machine) = try await self.filled()
        try machine.edit("u1", .summary, "edited", stamp: 1)
        // One run is interrupted before the write, the other one after it.
        server.change { $0.breaksAfter = 0 }
        for _ in 0..<2 where server.texts["u1"]?.contains("SUMMARY:edited") != true { await machine.sync() }
        #expect(server.texts["u1"]?.contains("SUMMARY:edited") == true)
        server.change { $0.breaksAfter = nil }
        try machine.delete("u1")
        for _ in 0..<2 { await machine.sync() }
        #expect(server.texts.keys.sorted() == ["u0", "u2"])
        #expect(try machine.objects.map(\.uid).sorted() == ["u0", "u2"])
    }

    @Test("an upload without a record is in the journal of the run that finds it", arguments: [true, false])
    func sentAndFound(isNew: Bool) async throws {
        let (server, machine) = try await self.filled()
        if isNew {
            try machine.add("new", "SUMMARY:new")
        } else {
            try machine.edit("u1", .summary, "new", stamp: 1)
        }
        server.change { $0.breaksAfter = 0 }
        for _ in 0..<2 where !server.texts.values.contains(where: { $0.contains("SUMMARY:new") }) {
            await machine.sync()
        }
        server.change { $0.breaksAfter = nil }
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pushed == 1 && report.pulled == 0 && report.merged == 0)
        let changes = try machine.store.lastChanges
        #expect(changes.map { "\($0.side) \($0.kind)" } == [isNew ? "remote added" : "remote changed"])
        let (again, _) = await machine.sync()
        #expect(try again.pushed == 0 && machine.store.lastChanges.isEmpty)
    }

    @Test("equal imports on two machines are sent by the first one only")
    func importedTwice() async throws {
        let server = FakeServer()
        for isFirst in [true, false] {
            let machine = try Machine(server)
            try machine.add("u", "SUMMARY:u")
            let (report, error) = await machine.sync()
            #expect(error == nil && report.pushed == (isFirst ? 1 : 0))
            #expect(try machine.store.lastChanges.count == (isFirst ? 1 : 0))
        }
        #expect(server.writes == 1)
    }

    @Test("a new version with the same meaning, as after a move, is no change")
    func echo() async throws {
        let (server, machine) = try await self.filled()
        server.put(try #require(server.texts["u1"]), at: try self.href("u1", machine))
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pulled == 0)
        #expect(try machine.store.lastChanges.isEmpty)
        try machine.edit("u1", .summary, "ours", stamp: 1)
        let writes = server.writes
        await machine.sync()
        #expect(server.writes == writes + 1 && server.texts["u1"]?.contains("SUMMARY:ours") == true)
    }

    @Test("a deletion of a resource that another client has overwritten is complete")
    func deletedAndOverwritten() async throws {
        let (server, machine) = try await self.filled()
        let href = try self.href("u1", machine)
        try machine.delete("u1")
        server.put("BEGIN:VCARD", at: href)
        for _ in 0..<2 {
            let (report, error) = await machine.sync()
            #expect(error == nil && report.failures.isEmpty)
        }
        #expect(server.count == 3)
    }

    @Test("two machines that both recreate an item agree on one")
    func recreatedTwice() async throws {
        let (server, one) = try await self.filled()
        let other = try Machine(server)
        await other.sync()
        let href = try self.href("u1", one)
        try one.edit("u1", .summary, "one", stamp: 1)
        try other.edit("u1", .priority, "3", stamp: 2)
        server.put("BEGIN:VCARD", at: href)
        for _ in 0..<3 {
            await one.sync()
            await other.sync()
        }
        let (report, error) = await other.sync()
        #expect(error == nil && report.failures.isEmpty && report.pushed == 0)
        let text = try #require(server.texts["u1"])
        // A recreated item has no agreed text; the overruled title is kept.
        let kept = try other.store.read { try $0.conflicts() }.map(\.note.losingText)
        #expect(text.contains("PRIORITY:3") && (text.contains("SUMMARY:one") || kept.contains("one")))
        #expect(try one.meanings == other.meanings)
    }

    @Test("changes outside the to-do are recorded with the unrecorded version of its own")
    func aroundTheTodo() async throws {
        let (server, machine) = try await self.filled()
        let href = try self.href("u1", machine)
        try machine.edit("u1", .summary, "edited", stamp: 1)
        let sent = try #require(try machine.objects.first { $0.uid == "u1" }?.source)
        let text = String(decoding: sent, as: UTF8.self)
        let head = "BEGIN:VCALENDAR\r\n"
        server.put(head + "X-WR-CALNAME:theirs\r\n" + text.dropFirst(head.utf8.count), at: href)
        await machine.sync()
        try machine.edit("u1", .priority, "3", stamp: 2)
        await machine.sync()
        let now = try #require(server.texts["u1"])
        #expect(now.contains("X-WR-CALNAME:theirs\r\n") && now.contains("PRIORITY:3\r\n"))
    }

    @Test("an item that another client changed is not deleted with items that were deleted during the comparison")
    func deletedMeanwhile() async throws {
        let (server, machine) = try await self.filled()
        // The answer to a write has no version, as with every second server.
        server.change { $0.keepsETags = true }
        try machine.edit("u1", .summary, "edited", stamp: 1)
        await machine.sync()
        server.put(Machine.text("u1", "SUMMARY:theirs"), at: try self.href("u1", machine))
        try machine.edit("u1", .priority, "3", stamp: 2)
        let (store, list) = (machine.store, machine.list)
        server.change { state in
            state.meanwhile = {
                try? store.write { transaction in
                    guard let object = try transaction.object(in: list, uid: "u1") else { return }
                    try transaction.delete(object.id, at: 0)
                }
            }
        }
        for _ in 0..<3 { await machine.sync() }
        #expect(try machine.objects.map(\.uid).sorted() == ["u0", "u1", "u2"])
        #expect(server.texts["u1"]?.contains("SUMMARY:theirs\r\n") == true)
    }

    @Test("an item that another machine recreated at another address is the same item")
    func recreatedElsewhere() async throws {
        for comesTogether in [true, false] {
            let (server, machine) = try await self.filled()
            try machine.edit("u1", .categories, "a,b", stamp: 1)
            await machine.sync()
            server.put("BEGIN:VCARD", at: try self.href("u1", machine))
            if !comesTogether { await machine.sync() }
            let anew = Machine.text("u1", "SUMMARY:theirs\r\nCATEGORIES:a,b")
            server.put(anew, at: "/list/anew.ics")
            // The agreed text still counts: a removed label stays removed.
            try machine.edit("u1", .categories, "a", stamp: 2)
            for _ in 0..<2 {
                let (report, error) = await machine.sync()
                #expect(error == nil && report.failures.isEmpty)
            }
            #expect(try self.href("u1", machine) == "/list/anew.ics")
            let text = try #require(server.texts["u1"])
            #expect(text.contains("SUMMARY:theirs\r\n") && text.contains("CATEGORIES:a\r\n"))
            try machine.delete("u1")
            for _ in 0..<2 { await machine.sync() }
            #expect(server.texts.keys.sorted() == ["u0", "u2"])
        }
    }

    @Test("when the one of two with the same UID is deleted here, the other one is read", arguments: [true, false])
    func doubleOfDeleted(listsEverything: Bool) async throws {
        let (server, machine) = try await self.filled()
        server.change { $0.listsEverything = listsEverything }
        server.put(Machine.text("u1", "SUMMARY:double"), at: "/list/double.ics")
        await machine.sync()
        #expect(try machine.objects.count == 3)
        try machine.delete("u1")
        for _ in 0..<2 { await machine.sync() }
        #expect(try machine.objects.first { $0.uid == "u1" }?.index.title == "double")
    }

    @Test("an item that another client changed and that could not be read is not deleted", arguments: [true, false])
    func deletedUnread(keepsETags: Bool) async throws {
        let (server, machine) = try await self.filled()
        server.change { $0.keepsETags = keepsETags }
        try machine.edit("u1", .summary, "edited", stamp: 1)
        await machine.sync()
        server.put(Machine.text("u1", "SUMMARY:theirs"), at: try self.href("u1", machine))
        try machine.delete("u1")
        server.change { $0.failsToFetch = true }
        await machine.sync()
        #expect(server.texts["u1"]?.contains("SUMMARY:theirs\r\n") == true)
        server.change { $0.failsToFetch = false }
        for _ in 0..<2 { await machine.sync() }
        #expect(try machine.objects.map(\.uid).sorted() == ["u0", "u1", "u2"])
    }

    @Test(
        "an item that is gone when it is sent waits for a run if it may have been moved to another list",
        arguments: [1, 2]
    )
    func goneWhileSending(lists: Int) async throws {
        let (server, machine) = try await self.filled()
        if lists == 2 {
            try machine.store.write { transaction in
                let account = try transaction.list(machine.list)?.account
                let other = try transaction.insertList(named: "other", at: 0)
                let remote = RemoteList(account: try #require(account), url: "http://localhost/other/")
                try transaction.adoptRemote(other, remote)
            }
        }
        let href = try self.href("u1", machine)
        try machine.edit("u1", .summary, "edited", stamp: 1)
        // The resource is deleted after the listing.
        server.put(Machine.text("u0", "SUMMARY:theirs"), at: try self.href("u0", machine))
        server.change { state in state.meanwhile = { server.remove(href) } }
        let (first, _) = await machine.sync()
        #expect(first.failures.count == lists - 1 && server.count == (lists == 1 ? 3 : 2))
        let (second, _) = await machine.sync()
        #expect(second.failures.isEmpty && server.texts["u1"]?.contains("SUMMARY:edited\r\n") == true)
        #expect(server.count == 3)
        #expect(try machine.objects.allSatisfy { !$0.isDirty })
    }
}
