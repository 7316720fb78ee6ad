import RemindavICalendar
import RemindavReminders
import RemindavStore
import RemindavSync
import RemindavTestSupport
import Testing

/// Laws of undo, tested with random histories of two machines, a server and another client.
@Suite("undo of a run: laws")
struct UndoLawTests {
    typealias Meanings = [String: [ComponentMeaning: Int]]

    @Test(
        "undoing a run restores each side that it changed, and undoing that restores the run",
        arguments: 0..<UInt64(Cases.count(80))
    )
    func undoing(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        let (machine, server) = try await Self.history(&random)
        let (here, there) = (try machine.unstamped, Self.meanings(of: server))
        await machine.sync()
        let synced = try machine.unstamped
        let run = try #require(try machine.lastRun)
        let touched = Self.touched(try machine.store.lastChanges)
        let report = try machine.undo(run)
        #expect(report.allSatisfy { $0.isUndone })
        let afterUndo = try machine.unstamped
        var undone = afterUndo
        for (uid, side) in touched {
            #expect(undone[uid] == (side == .local ? here[uid] : there[uid]), "\(uid)")
            undone[uid] = synced[uid]
        }
        #expect(undone == synced, "nothing else is touched")
        #expect(try machine.undo(run).allSatisfy { !$0.isUndone }, "twice is nothing")
        if !touched.isEmpty {
            let undo = try #require(try machine.lastRun)
            #expect(undo != run)
            #expect(try machine.undo(undo).allSatisfy { $0.isUndone })
            #expect(try machine.unstamped == synced, "the undoing is undone")
            try machine.undo(run)
            for (uid, _) in touched { #expect(try machine.unstamped[uid] == afterUndo[uid], "done anew: \(uid)") }
        }
        try await Self.settles(machine, server)
    }

    @Test(
        "later edits stay when a run is undone, and all sides become equal",
        arguments: 100..<UInt64(100 + Cases.count(80))
    )
    func editsSurvive(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        let (machine, server) = try await Self.history(&random)
        await machine.sync()
        let run = try #require(try machine.lastRun)
        var edited: [String] = []
        for object in try machine.objects where Bool.random(using: &random) {
            try machine.edit(object.uid, Name("X-SINCE") ?? .comment, "kept", stamp: 99_000)
            edited.append(object.uid)
        }
        if Bool.random(using: &random) { await machine.sync() }
        try machine.undo(run)
        for uid in edited {
            let text = try machine.objects.first { $0.uid == uid }.map { String(decoding: $0.source, as: UTF8.self) }
            #expect(text?.contains("X-SINCE:kept") == true, "\(uid)")
        }
        try await Self.settles(machine, server)
    }

    /// Returns a machine before a sync, with changes on both sides.
    private static func history(_ random: inout SeededGenerator) async throws -> (Machine, FakeServer) {
        let server = FakeServer()
        server.change { $0.listsEverything = Bool.random(using: &random) }
        let machines = [try Machine(server), try Machine(server)]
        var uids: [String] = []
        for step in 0..<40 {
            guard let machine = machines.randomElement(using: &random) else { continue }
            let uid = uids.randomElement(using: &random) ?? "none"
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1:
                uids.append("uid-\(step)")
                try machine.add("uid-\(step)", "SUMMARY:\(step)\r\nCATEGORIES:a\r\nDUE:20260101T000000Z")
            case 2: try machine.edit(uid, .summary, "title \(step)", stamp: step)
            case 3: try machine.edit(uid, .priority, String(step % 9 + 1), stamp: step)
            case 4: try machine.edit(uid, .categories, "a,label \(step)", stamp: step)
            case 5: try machine.delete(uid)
            default: await machine.sync()
            }
        }
        await machines[1].sync()
        return (machines[0], server)
    }

    /// Returns the sides with a version that undo of the run restores, by UID.
    ///
    /// If the run changed both, it is the local side.
    private static func touched(_ changes: [ChangeNote]) -> [String: SyncSide] {
        changes.reduce(into: [:]) { sides, note in
            if sides[note.uid] != .local { sides[note.uid] = note.side }
        }
    }

    private static func meanings(of server: FakeServer) -> Meanings {
        server.texts.compactMapValues { CalendarObject(ICalendarDocument(Array($0.utf8)))?.unstampedMeaning }
    }

    private static func settles(_ machine: Machine, _ server: FakeServer) async throws {
        let before = try machine.unstamped
        for _ in 0..<2 {
            let (report, error) = await machine.sync()
            #expect(error == nil && report.failures.isEmpty && report.conflicts == 0)
        }
        #expect(try machine.unstamped == before, "the next sync carries it to the server and changes nothing here")
        #expect(Self.meanings(of: server) == before)
    }
}

extension UndoResult {
    fileprivate var isUndone: Bool {
        switch self.outcome {
        case .undone, .alreadyApplied: true
        case .undoneBefore, .impossible: false
        }
    }
}

extension Machine {
    fileprivate var unstamped: UndoLawTests.Meanings {
        get throws {
            var result: UndoLawTests.Meanings = [:]
            for object in try self.objects {
                result[object.uid] = CalendarObject(ICalendarDocument(object.source))?.unstampedMeaning
            }
            return result
        }
    }

    fileprivate var lastRun: RunID? { get throws { try self.store.read { try $0.runs(limit: 1).first?.id } } }

    @discardableResult
    fileprivate func undo(_ run: RunID) throws -> [UndoResult] {
        let undo = UndoExecutor(
            stored: {
                StoredObject(source: $0.document.bytes, index: ObjectIndex(title: $0.main.first(.summary)?.text ?? ""))
            },
            context: EditingContext(now: Instant(secondsSince1970: 10)) { _ in nil }
        )
        return try self.store.write { transaction in
            let changes = try transaction.changes(.run(run)).map(\.id)
            return try undo.undo(changes, in: transaction).results
        }
    }
}
