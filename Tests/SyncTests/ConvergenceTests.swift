import RemindavICalendar
import RemindavResources
import RemindavStore
import RemindavSync
import RemindavTestSupport
import Synchronization
import Testing

/// Laws of a sync, tested with random histories of two machines, a server and other programs.
@Suite("sync of a list: convergence")
struct ConvergenceTests {
    @Test(
        "after syncs without edits between them all sides are equal, and nothing more is sent",
        arguments: 0..<UInt64(Cases.count(120))
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
        case 7: Self.otherClient(step, server, &random)
        default: await machine.sync()
        }
    }

    /// Another program edits an item, sorts its lines, or deletes it.
    private static func otherClient(_ step: Int, _ server: FakeServer, _ random: inout SeededGenerator) {
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
    func conflict() async throws {
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
