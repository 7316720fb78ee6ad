import ICalendar
import Store
import Sync
import Synchronization
import TestSupport
import Testing

/// Laws of a sync, driven with random histories of two machines, a server and somebody else.
@Suite("sync of a list: convergence")
struct ConvergenceTests {
    @Test(
        "after syncs without edits between them all sides hold the same, and nothing more is sent",
        arguments: 0..<120
    )
    func convergence(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        let server = FakeServer()
        server.change {
            $0.listsEverything = Bool.random(using: &random)
            $0.keepsETags = seed % 5 == 4
        }
        let machines = [try Machine(server), try Machine(server)]
        var uids: [String] = []
        for step in 0..<60 {
            try await Self.step(step, machines, server, &uids, &random)
        }
        server.change { $0.breaksAfter = nil }
        for _ in 0..<4 { for machine in machines { await machine.sync() } }
        let writes = server.writes
        for machine in machines {
            let (report, error) = await machine.sync()
            #expect(error == nil)
            #expect(report.failures.isEmpty)
            #expect(report.pushed == 0 && report.pulled == 0 && report.deletedLocally == 0)
        }
        #expect(server.writes == writes, "nothing was left to send")
        let remote = server.texts.mapValues { CalendarObject(ICalendarDocument($0))?.meaning }
        for machine in machines {
            let local = try machine.meanings
            #expect(local.keys.sorted() == remote.keys.sorted())
            for (uid, meaning) in local { #expect(remote[uid] == meaning, "\(uid)") }
        }
        #expect(server.count == remote.count, "no UID stands twice")
    }

    private static func step(
        _ step: Int,
        _ machines: [Machine],
        _ server: FakeServer,
        _ uids: inout [String],
        _ random: inout SeededGenerator
    ) async throws {
        guard let machine = machines.randomElement(using: &random) else { return }
        let uid = uids.randomElement(using: &random) ?? "none"
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1:
            uids.append("uid-\(step)")
            try machine.add("uid-\(step)", "SUMMARY:\(step)\r\nCATEGORIES:a")
        case 2: try machine.edit(uid, .summary, "title \(step)", stamp: step)
        case 3: try machine.edit(uid, .priority, String(step % 9 + 1), stamp: step)
        case 4: try machine.edit(uid, .categories, "a,label \(step)", stamp: step)
        case 5: try machine.delete(uid)
        case 6:
            server.change { $0.breaksAfter = $0.writes + Int.random(in: 1...3, using: &random) }
            await machine.sync()
            server.change { $0.breaksAfter = nil }
        case 7: Self.somebodyElse(step, server, &random)
        default: await machine.sync()
        }
    }

    /// Another program edits, sorts the lines, or deletes.
    private static func somebodyElse(_ step: Int, _ server: FakeServer, _ random: inout SeededGenerator) {
        let items = server.state.withLock { state in state.items.mapValues(\.text) }
        guard let (href, text) = items.min(by: { $0.key < $1.key }) else { return }
        if Int.random(in: 0..<4, using: &random) == 0 { return server.remove(href) }
        guard let object = CalendarObject(ICalendarDocument(text)) else { return }
        var editor = ComponentEditor(object.main)
        editor.set(ContentLine(.description, value: "note \(step)"))
        server.put(String(decoding: object.document.applying(editor.edits).bytes, as: UTF8.self), at: href)
    }

    @Test("different fields edited on two machines are both kept")
    func bothEdits() async throws {
        let server = FakeServer()
        let (one, other) = (try Machine(server), try Machine(server))
        try one.add("u", "SUMMARY:a\r\nPRIORITY:5\r\nX-FOREIGN;X-P=1:kept")
        await one.sync()
        await other.sync()
        try one.edit("u", .summary, "b", stamp: 1)
        try other.edit("u", .priority, "1", stamp: 2)
        await one.sync()
        let (report, _) = await other.sync()
        await one.sync()
        #expect(report.merged == 1)
        #expect(report.conflicts == 0)
        let text = server.texts["u"] ?? ""
        #expect(
            text.contains("SUMMARY:b\r\n") && text.contains("PRIORITY:1\r\n")
                && text.contains("X-FOREIGN;X-P=1:kept\r\n")
        )
        #expect(try one.meanings == other.meanings)
    }

    @Test("of two titles the later stays and the other is remembered")
    func clash() async throws {
        let server = FakeServer()
        let (one, other) = (try Machine(server), try Machine(server))
        try one.add("u", "SUMMARY:a")
        await one.sync()
        await other.sync()
        try one.edit("u", .summary, "earlier", stamp: 1)
        try other.edit("u", .summary, "later", stamp: 2)
        await other.sync()
        let (report, _) = await one.sync()
        #expect(report.conflicts == 1)
        #expect(server.texts["u"]?.contains("SUMMARY:later\r\n") == true)
        let conflict = try one.store.read { try $0.conflicts() }.first
        #expect(conflict?.note.losingText == "earlier")
        #expect(conflict?.note.losingSide == .local)
    }

    @Test("an edit beats a deletion, on either side")
    func editBeatsDeletion() async throws {
        let server = FakeServer()
        let (one, other) = (try Machine(server), try Machine(server))
        try one.add("u", "SUMMARY:a")
        try one.add("v", "SUMMARY:a")
        await one.sync()
        await other.sync()
        try one.delete("u")
        try other.edit("u", .summary, "b", stamp: 1)
        try one.edit("v", .summary, "b", stamp: 1)
        try other.delete("v")
        for _ in 0..<3 {
            await one.sync()
            await other.sync()
        }
        #expect(server.texts.keys.sorted() == ["u", "v"])
        #expect(try one.meanings == other.meanings)
    }
}

@Suite("sync of a list: what looks the same and is not")
struct LookalikeTests {
    /// The letter as one scalar, and as an e with an accent behind it: equal to Swift, and to nobody else.
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    @Test("UIDs that differ in how their letters are put together are two reminders")
    func uids() async throws {
        let server = FakeServer()
        server.put(Machine.text(Self.composed, "SUMMARY:one"), at: "/list/1.ics")
        server.put(Machine.text(Self.decomposed, "SUMMARY:other"), at: "/list/2.ics")
        let machine = try Machine(server)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pulled == 2 && report.unreadable.count == 0)
        try machine.edit(Self.composed, .summary, "edited", stamp: 1)
        try machine.delete(Self.decomposed)
        for _ in 0..<2 { await machine.sync() }
        #expect(server.state.withLock { $0.items.keys.sorted() } == ["/list/1.ics"])
        #expect(server.texts[Self.composed]?.contains("SUMMARY:edited") == true)
    }

    @Test("hrefs that differ so are two resources, and entity tags two versions")
    func names() throws {
        let (composed, decomposed) = (Href("/list/\(Self.composed)"), Href("/list/\(Self.decomposed)"))
        #expect(Set([composed, decomposed]).count == 2)
        #expect(EntityTag(Self.composed) != EntityTag(Self.decomposed))
        #expect(SyncToken(Self.composed) != SyncToken(Self.decomposed))
    }
}

@Suite("sync of a list: safety")
struct SafetyTests {
    private func filled(_ count: Int) async throws -> (FakeServer, Machine) {
        let server = FakeServer()
        let machine = try Machine(server)
        for number in 0..<count { try machine.add("u\(number)", "SUMMARY:\(number)") }
        await machine.sync()
        return (server, machine)
    }

    @Test("more than 10 and 25 % deleted there are not deleted here unasked", arguments: [10, 11, 20])
    func massDeletionThere(count: Int) async throws {
        let (server, machine) = try await self.filled(40)
        for number in 1...count { server.remove("/list/new-\(number).ics") }
        let (report, error) = await machine.sync(guard: .standard)
        #expect(error == nil)
        #expect(report.held.count == (count > 10 ? count : 0))
        #expect(try machine.objects.count == (count > 10 ? 40 : 40 - count))
        // A store whose question is open knows that it is not in step.
        let token = try machine.store.read { try $0.list(machine.list)?.syncToken }
        #expect((token == nil) == (report.held.count > 0))
        // The question stays until it is answered.
        let (again, _) = await machine.sync(guard: .standard)
        #expect(again.held.count == report.held.count)
        await machine.sync(guard: .off)
        #expect(try machine.objects.count == 40 - count)
    }

    @Test("more than 10 and 25 % deleted here are not deleted there unasked")
    func massDeletionHere() async throws {
        let (server, machine) = try await self.filled(40)
        for number in 0..<20 { try machine.delete("u\(number)") }
        let (report, _) = await machine.sync(guard: .standard)
        #expect(report.held.count == 20)
        #expect(server.count == 40)
        let (second, _) = await machine.sync(guard: .off)
        #expect(second.deletedRemotely == 20)
        #expect(server.count == 20)
    }

    @Test("a listing that is suddenly empty deletes nothing")
    func emptyListing() async throws {
        let (server, machine) = try await self.filled(3)
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

    @Test("a list that was made anew with something else in it deletes nothing")
    func replacedList() async throws {
        let (server, machine) = try await self.filled(5)
        for number in 1...5 { server.remove("/list/new-\(number).ics") }
        server.put(Machine.text("w", "SUMMARY:w"), at: "/list/w.ics")
        server.change { $0.listsEverything = true }
        let (report, _) = await machine.sync(guard: .standard)
        #expect(report.held.count == 5)
        #expect(try machine.objects.count == 6)
    }

    @Test(
        "a list without tokens that was made anew deletes nothing, and one of which all is deleted follows",
        arguments: [("3", 5), ("8", 0), ("another", 0)]
    )
    func replacedListWithoutTokens(ctag: String, held: Int) async throws {
        let server = FakeServer()
        server.change { $0.listsEverything = true }
        let machine = try Machine(server, supportsSyncCollection: false)
        for number in 1...5 { server.put(Machine.text("u\(number)", "SUMMARY:u"), at: "/list/\(number).ics") }
        var first = machine.executor(guard: .standard, ctag: "7")
        _ = await first.run()
        #expect(try machine.objects.count == 5)
        for number in 1...5 { server.remove("/list/\(number).ics") }
        server.put(Machine.text("w", "SUMMARY:w"), at: "/list/w.ics")
        // The question stays, also when the list has more changes again than before.
        for ctag in [ctag, "9"] {
            var executor = machine.executor(guard: .standard, ctag: ctag)
            #expect(await executor.run().report.held.count == held)
            #expect(try machine.objects.count == held + 1)
        }
    }

    @Test("a deletion holds although the server never told the entity tag of what was sent")
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
        "a deletion that has to wait is done although the server has given the items other versions since",
        arguments: [true, false]
    )
    func deletionOfAnotherVersion(tellsVersions: Bool) async throws {
        let (server, machine) = try await self.filled(40)
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

    @Test("a deletion of a version that the server has not named is done when it has")
    func deletionOfUnnamedVersion() async throws {
        let (server, machine) = try await self.filled(2)
        try machine.delete("u1")
        server.put(Machine.text("u1", "SUMMARY:1"), at: "/list/new-2.ics")
        server.change { $0.hidesETags = true }
        #expect(await machine.sync().report.failures.count == 1)
        #expect(server.count == 2, "it may be another than the one that was told of")
        server.change { $0.hidesETags = false }
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty)
        #expect(server.texts.keys.sorted() == ["u0"])
    }

    @Test("what comes back with somebody's edit and is deleted again in the same moment is deleted")
    func deletedTwice() async throws {
        let (server, machine) = try await self.filled(2)
        server.put(Machine.text("u1", "SUMMARY:theirs"), at: "/list/new-2.ics")
        try machine.delete("u1")
        var executor = machine.executor()
        await executor.begin()
        #expect(try machine.objects.count == 2, "an edit beats a deletion")
        try machine.delete("u1")
        _ = await executor.complete()
        await machine.sync()
        #expect(try machine.objects.map(\.uid) == ["u0"])
        #expect(server.count == 1)
    }

    @Test("a resource that doubled a UID is taken when the other one is gone")
    func doubleThatStays() async throws {
        let (server, machine) = try await self.filled(2)
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

    @Test(
        "what is deleted without a known version is looked at first: somebody may have changed it",
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
        var executor = machine.executor()
        await executor.begin()
        if isChanged { server.put(Machine.text("u", "SUMMARY:theirs"), at: "/list/u.ics") }
        #expect(await executor.complete().error == nil)
        #expect(server.count == (isChanged ? 1 : 0))
        await machine.sync()
        #expect(try machine.objects.map(\.uid) == (isChanged ? ["u"] : []))
    }

    @Test("where the server's side wins in all that was changed here, nothing is sent")
    func overruled() async throws {
        let (server, machine) = try await self.filled(1)
        try machine.edit("u0", .summary, "mine", stamp: 1)
        server.put(Machine.text("u0", "SUMMARY:theirs\r\nLAST-MODIFIED:20990101T000000Z"), at: "/list/new-1.ics")
        let writes = server.writes
        let (report, error) = await machine.sync()
        #expect(error == nil && report.conflicts == 1 && report.pushed == 0)
        #expect(server.writes == writes)
        #expect(try machine.source("u0", in: machine.list) == server.texts["u0"])
    }

    @Test("what the server lists, and denies once, is asked for again", arguments: [1, 2])
    func denied(times: Int) async throws {
        let server = FakeServer()
        server.put(Machine.text("u", "SUMMARY:a"), at: "/list/u.ics")
        server.change { $0.denials = times }
        let machine = try Machine(server)
        let (_, error) = await machine.sync()
        #expect(error == nil)
        #expect(try machine.objects.count == 2 - times)
    }

    @Test("a server that fails for a reason of its own does not give a reminder another UID")
    func failing() async throws {
        let (server, machine) = try await self.filled(1)
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

    @Test("what the server says to have taken, and has dropped, is sent again and told", arguments: [1, 3])
    func dropped(times: Int) async throws {
        let (server, machine) = try await self.filled(3)
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

    @Test("what is new here and was thrown away by somebody since is deleted, though the server does not tell of it")
    func thrownAway() async throws {
        let (server, machine) = try await self.filled(2)
        try machine.add("new", "SUMMARY:new")
        await machine.sync()
        // A state that is made of what the list holds is the same as before.
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

    @Test("what somebody else has written since is taken, though the server does not tell of it")
    func silentButChanged() async throws {
        let (server, machine) = try await self.filled(3)
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

    @Test("an edit of what lies in the server's trash arrives under another UID")
    func trash() async throws {
        let (server, machine) = try await self.filled(2)
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

    @Test("where another list could not be read, nothing that is gone is sent anew, and the next run sees it again")
    func noRevivalOnPartialKnowledge() async throws {
        let (server, machine) = try await self.filled(2)
        let uid = try #require(try machine.objects.first { $0.href?.wire == "/list/new-1.ics" }?.uid)
        server.remove("/list/new-1.ics")
        try machine.edit(uid, .summary, "edited", stamp: 1)
        var executor = machine.executor()
        await executor.begin()
        let (report, error) = await executor.complete(mayRevive: false)
        #expect(error == nil && report.pushed == 0)
        #expect(server.count == 1)
        await machine.sync()
        #expect(server.texts[uid]?.contains("SUMMARY:edited") == true)
    }

    @Test("a rehearsal writes nothing on either side and reports what the real run does")
    func rehearsal() async throws {
        let (server, machine) = try await self.filled(4)
        try machine.edit("u1", .summary, "edited", stamp: 1)
        try machine.delete("u2")
        try machine.edit("u3", .summary, "here", stamp: 1)
        try machine.edit("u3", .priority, "5", stamp: 1)
        let href = try #require(try machine.objects.first { $0.uid == "u3" }?.href?.wire)
        server.put(Machine.text("u3", "SUMMARY:there\r\nLOCATION:there"), at: href)
        server.put(Machine.text("w", "SUMMARY:w"), at: "/list/w.ics")
        let (writes, before) = (server.writes, try machine.meanings)
        let (dry, error, planned) = try await machine.rehearse()
        #expect(error == nil)
        #expect(server.writes == writes)
        #expect(try machine.meanings == before)
        let (real, _) = await machine.sync()
        #expect(dry.pushed == 2 && dry.merged == 1 && dry.conflicts == 1 && dry.deletedRemotely == 1)
        #expect(dry.pushed == real.pushed && dry.pulled == real.pulled && dry.deletedRemotely == real.deletedRemotely)
        #expect(dry.merged == real.merged && dry.conflicts == real.conflicts)
        let done = try machine.store.lastChanges
        #expect(planned == done)
        #expect(
            Set(done.map { "\($0.side) \($0.kind) \($0.uid)" }) == [
                "remote changed u1", "remote deleted u2", "local merged u3", "remote changed u3", "local added w",
            ]
        )
    }

    @Test("a resource that is no to-do, or doubles a UID, is left alone and stops nothing")
    func oddResources() async throws {
        let (server, machine) = try await self.filled(2)
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
