import RemindavICalendar
import RemindavResources
import RemindavStore
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavSync

/// A weekly series with completed occurrences in a second resource of the same UID, from another program.
private enum Weekly {
    static let place = "/list/weekly.ics"

    static func series(_ lines: String = "SUMMARY:Paper", stamp: Int = 0) -> String {
        let rule = "DTSTART:20351101T090000Z\r\nDUE:20351101T100000Z\r\nRRULE:FREQ=WEEKLY"
        return Machine.text("w", "LAST-MODIFIED:20260101T\(100_000 + stamp)Z\r\n\(rule)\r\n\(lines)")
    }

    /// Returns the text of the completed occurrence of a week.
    static func done(_ week: Int, _ lines: String = "SUMMARY:Paper", stamp: Int = 0) -> String {
        let day = "2035110\(week + 1)T090000Z"
        let state = "STATUS:COMPLETED\r\nCOMPLETED:\(day)\r\nLAST-MODIFIED:20260101T\(100_000 + stamp)Z"
        return Machine.text("w", "RECURRENCE-ID:\(day)\r\n\(state)\r\n\(lines)")
    }

    static func doneAt(_ week: Int) -> String { "/list/done-\(week).ics" }
}

extension FakeServer {
    /// The texts by address.
    fileprivate var resources: [String: String] {
        self.state.withLock { $0.items.mapValues { String(decoding: $0.text, as: UTF8.self) } }
    }
}

extension Machine {
    /// The local text of the weekly series.
    fileprivate var weekly: String {
        get throws { String(decoding: try self.objects.first { $0.uid == "w" }?.source ?? [], as: UTF8.self) }
    }

    /// Whether there is no unsent change, and a run does nothing.
    fileprivate func isQuiet() async throws -> Bool {
        let writes = self.server.writes
        let (report, error) = await self.sync()
        let isIdle = report.pulled + report.pushed + report.merged + report.deletedLocally + report.deletedRemotely == 0
        let isClean = try self.objects.allSatisfy { !$0.isDirty }
        return error == nil && report.failures.isEmpty && isIdle && isClean && self.server.writes == writes
    }

    /// Reopens the completed occurrence of a week.
    fileprivate func reopen(_ week: Int) throws {
        try self.store.write { transaction in
            guard let record = try transaction.object(in: self.list, uid: "w"),
                let object = CalendarObject(ICalendarDocument(record.source)),
                let override = object.overrides.first(where: { $0.recurrenceID?.value == "2035110\(week + 1)T090000Z" })
            else { return }
            let bytes = object.document.applying([Edit(override.range, [])]).bytes
            try transaction.update(record.id, StoredObject(source: bytes, index: record.index))
        }
    }
}

extension String {
    fileprivate var todos: Int { self.split(separator: "BEGIN:VTODO").count - 1 }
}

@Suite("sync of a list: a series in several resources")
struct SeriesResourceTests {
    /// Returns a machine and a server with the series and two completed weeks, each in its own resource.
    private func shared() async throws -> (FakeServer, Machine) {
        let server = FakeServer()
        server.put(Weekly.series(), at: Weekly.place)
        for week in 0..<2 { server.put(Weekly.done(week), at: Weekly.doneAt(week)) }
        let machine = try Machine(server)
        await machine.sync()
        return (server, machine)
    }

    @Test(
        "in any order it is one reminder, and reading writes nothing",
        arguments: [[0, 1, 2], [1, 0, 2], [1, 2, 0], [2, 1, 0]],
        [true, false]
    )
    func order(order: [Int], isAtOnce: Bool) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        for number in order {
            if number == 0 { server.put(Weekly.series(), at: Weekly.place) }
            if number > 0 { server.put(Weekly.done(number - 1), at: Weekly.doneAt(number - 1)) }
            if !isAtOnce {
                let (report, error) = await machine.sync()
                #expect(error == nil && report.failures.isEmpty && report.unreadable.count == 0)
            }
        }
        await machine.sync()
        #expect(try machine.objects.count == 1)
        #expect(try machine.weekly.todos == 3)
        #expect(try machine.objects.first?.href?.wire == Weekly.place)
        server.change { $0.listsEverything = true }
        #expect(try await machine.isQuiet())
        #expect(server.writes == 0)
    }

    @Test("an edit puts the series into one resource, and then the others are deleted")
    func edited() async throws {
        let (server, machine) = try await self.shared()
        try machine.edit("w", .summary, "Paper and glass", stamp: 1)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pushed == 1 && report.failures.isEmpty)
        #expect(server.writes == 3)
        #expect(Array(server.resources.keys) == [Weekly.place])
        let text = try #require(server.resources[Weekly.place])
        #expect(text.todos == 3 && text.contains("SUMMARY:Paper and glass"))
        #expect(try await machine.isQuiet())
    }

    @Test("a run that is interrupted at any write is completed by the next", arguments: 1...3, [true, false])
    func brokenOff(writes: Int, isUnknown: Bool) async throws {
        let (server, machine) = try await self.shared()
        let other = try Machine(server)
        await other.sync()
        try machine.edit("w", .summary, "Paper and glass", stamp: 1)
        // Writes with an odd number are executed before the connection breaks.
        server.change {
            $0.writes = isUnknown ? writes % 2 : 1 - writes % 2
            $0.breaksAfter = $0.writes + writes
        }
        await machine.sync()
        #expect(server.texts["w"] != nil)
        server.change { $0.breaksAfter = nil }
        await other.sync()
        #expect(try other.weekly.todos == 3)
        await machine.sync()
        #expect(try machine.weekly.todos == 3)
        await other.sync()
        for one in [machine, other] { #expect(try await one.isQuiet()) }
        #expect(try machine.meanings == other.meanings)
        #expect(Array(server.resources.keys) == [Weekly.place])
        #expect(server.resources[Weekly.place]?.contains("SUMMARY:Paper and glass") == true)
    }

    @Test("a change in a second resource is merged, also with an edit here", arguments: [true, false])
    func changedThere(isEdited: Bool) async throws {
        let (server, machine) = try await self.shared()
        if isEdited { try machine.edit("w", .priority, "3", stamp: 1) }
        server.put(Weekly.done(1, "SUMMARY:Paper, late", stamp: 2), at: Weekly.doneAt(1))
        await machine.sync()
        let text = try machine.weekly
        #expect(text.todos == 3 && text.contains("SUMMARY:Paper, late"))
        #expect(text.contains("PRIORITY:3") == isEdited)
        #expect(server.count == (isEdited ? 1 : 3))
        #expect(server.writes == (isEdited ? 3 : 0))
        #expect(try await machine.isQuiet())
    }

    @Test("a second resource that is changed between our PUT and our DELETE stays, and is read")
    func changedBetween() async throws {
        let (server, machine) = try await self.shared()
        try machine.edit("w", .summary, "Paper and glass", stamp: 1)
        var sync = machine.listSync()
        await sync.learn()
        await sync.acceptRemoteDeletions()
        await sync.send()
        server.put(Weekly.done(1, "SUMMARY:Paper, late", stamp: 5), at: Weekly.doneAt(1))
        _ = await sync.finish()
        #expect(server.resources.keys.sorted() == [Weekly.doneAt(1), Weekly.place])
        await machine.sync()
        #expect(try machine.weekly.contains("SUMMARY:Paper, late"))
        #expect(try machine.weekly.todos == 3)
        #expect(try await machine.isQuiet())
    }

    @Test(
        "an occurrence that another client removes with a second resource is removed here, unless it was changed here"
    )
    func deletedThere() async throws {
        let (server, machine) = try await self.shared()
        server.remove(Weekly.doneAt(0))
        await machine.sync()
        #expect(try machine.weekly.todos == 2)
        #expect(try await machine.isQuiet())
        let text = try machine.weekly.replacing("COMPLETED:20351102", with: "COMPLETED:20351105")
        try machine.store.write { transaction in
            guard let record = try transaction.object(in: machine.list, uid: "w") else { return }
            try transaction.update(record.id, StoredObject(source: Array(text.utf8), index: record.index))
        }
        server.remove(Weekly.doneAt(1))
        await machine.sync()
        #expect(server.resources == [Weekly.place: try machine.weekly])
        #expect(try machine.weekly.contains("COMPLETED:20351105"))
    }

    @Test("completed occurrences of a deleted series stay, with an edit made here", arguments: [true, false])
    func seriesDeletedThere(isEdited: Bool) async throws {
        let (server, machine) = try await self.shared()
        if isEdited { try machine.edit("w", .summary, "Paper and glass", stamp: 1) }
        server.remove(Weekly.place)
        for _ in 0..<2 {
            let (report, error) = await machine.sync()
            #expect(error == nil && report.failures.isEmpty)
        }
        #expect(try machine.objects.count == 1)
        #expect(try machine.weekly.todos == (isEdited ? 3 : 2))
        #expect(try machine.weekly.contains("SUMMARY:Paper and glass") == isEdited)
        #expect(server.count == (isEdited ? 1 : 2))
        #expect(try await machine.isQuiet())
        // The journal has the former text.
        let ids = try machine.store.read { try $0.changes(.newest(100)) }.map(\.id)
        let changes = try machine.store.read { snapshot in try ids.compactMap { try snapshot.change($0) } }
        #expect(changes.contains { String(decoding: $0.note.before ?? [], as: UTF8.self).contains("RRULE") })
    }

    @Test("a series that is deleted completely there is deleted here")
    func allDeletedThere() async throws {
        let (server, machine) = try await self.shared()
        for href in server.resources.keys { server.remove(href) }
        await machine.sync()
        #expect(try machine.objects.isEmpty)
        #expect(try await machine.isQuiet())
        #expect(try machine.store.read { try $0.syncState(of: machine.list)?.overrides } == [])
    }

    @Test("two resources with a series stay two, and completed occurrences belong to the known one")
    func doubled() async throws {
        let (server, machine) = try await self.shared()
        server.put(Weekly.series("SUMMARY:Double"), at: "/list/double.ics")
        let (report, _) = await machine.sync()
        #expect(report.unreadable.count == 1)
        #expect(try machine.weekly.todos == 3)
        try machine.edit("w", .summary, "Paper and glass", stamp: 1)
        await machine.sync()
        #expect(server.resources.keys.sorted() == ["/list/double.ics", Weekly.place])
        #expect(server.resources["/list/double.ics"] == Weekly.series("SUMMARY:Double"))
        #expect(try await machine.isQuiet())
    }

    @Test(
        "a series that is deleted here is deleted there with all its resources, also after an interrupted run",
        arguments: 0...4
    )
    func deletedHere(writes: Int) async throws {
        let (server, machine) = try await self.shared()
        try machine.delete("w")
        if writes > 0 {
            server.change { $0.breaksAfter = writes }
            await machine.sync()
            server.change { $0.breaksAfter = nil }
        }
        await machine.sync()
        #expect(server.count == 0)
        #expect(try await machine.isQuiet())
        #expect(try machine.objects.isEmpty)
    }

    @Test("a series that is deleted here while another client completes an occurrence returns with all its parts")
    func deletedHereAndCompletedThere() async throws {
        let (server, machine) = try await self.shared()
        try machine.delete("w")
        server.put(Weekly.done(2), at: Weekly.doneAt(2))
        await machine.sync()
        #expect(try machine.weekly.todos == 4)
        #expect(server.count == 4)
        #expect(try await machine.isQuiet())
    }

    @Test("a series that is deleted here is deleted there if its second resource only has another entity tag")
    func deletedHereAndTouchedThere() async throws {
        let (server, machine) = try await self.shared()
        try machine.delete("w")
        server.put(Weekly.done(1), at: Weekly.doneAt(1))
        for _ in 0..<2 { await machine.sync() }
        #expect(server.count == 0)
        #expect(try machine.objects.isEmpty)
    }

    @Test("an occurrence that is reopened here is open everywhere", arguments: [0, 1, 2])
    func reopened(writes: Int) async throws {
        let (server, machine) = try await self.shared()
        let other = try Machine(server)
        await other.sync()
        try machine.reopen(0)
        if writes > 0 {
            server.change { $0.breaksAfter = writes }
            await machine.sync()
            server.change { $0.breaksAfter = nil }
        }
        for one in [machine, other, machine, other] { await one.sync() }
        for one in [machine, other] {
            #expect(try one.weekly.todos == 2)
            #expect(try await one.isQuiet())
        }
        #expect(Array(server.resources.keys) == [Weekly.place])
    }

    @Test("a second resource that gets other content removes its override")
    func becomesSomethingElse() async throws {
        for text in ["BEGIN:VCARD", Machine.text("x", "SUMMARY:x")] {
            let (server, machine) = try await self.shared()
            server.put(text, at: Weekly.doneAt(1))
            for _ in 0..<2 { await machine.sync() }
            #expect(try machine.weekly.todos == 2)
            #expect(try machine.objects.contains { $0.uid == "x" } == text.contains("UID:x"))
            #expect(try await machine.isQuiet())
            #expect(server.writes == 0)
        }
    }

    @Test("parts over the read limit are set aside, and read when there is room")
    func tooMuch() async throws {
        let (server, machine) = try await self.shared()
        let notes = String(repeating: "x", count: SeriesResources.maximumOverrideBytes)
        server.put(Weekly.done(2, "DESCRIPTION:\(notes)"), at: Weekly.doneAt(2))
        server.put(Weekly.done(3), at: Weekly.doneAt(3))
        let (report, error) = await machine.sync()
        #expect(error == nil && report.unreadable.count == 2)
        #expect(try machine.weekly.todos == 3)
        server.put(Weekly.done(2), at: Weekly.doneAt(2))
        try machine.edit("w", .summary, "Paper and glass", stamp: 1)
        for _ in 0..<3 { await machine.sync() }
        #expect(try machine.weekly.todos == 5)
    }

    @Test("a series and its completed occurrences may be read in separate parts")
    func inParts() async throws {
        let server = FakeServer()
        for number in 0..<LearningPhase.textsAtOnce + 10 {
            server.put(Machine.text("u\(number)", "SUMMARY:\(number)"), at: "/list/\(number).ics")
        }
        server.put(Weekly.series(), at: Weekly.place)
        for week in 0..<8 { server.put(Weekly.done(week), at: Weekly.doneAt(week)) }
        let machine = try Machine(server)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.unreadable.count == 0)
        #expect(try machine.objects.count == LearningPhase.textsAtOnce + 11)
        #expect(try machine.weekly.todos == 9)
        #expect(try await machine.isQuiet())
    }
}

@Suite("sync of a list: a series in several resources, in any order of events")
struct SeriesResourceLawTests {
    @Test(
        "all sides are equal in the end, and no completion is lost",
        arguments: 0..<UInt64(Cases.count(150))
    )
    func convergence(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        let server = FakeServer()
        server.change { $0.listsEverything = seed.isMultiple(of: 3) }
        server.put(Weekly.series(), at: Weekly.place)
        let machines = [try Machine(server), try Machine(server)]
        var done: Set<Int> = []
        for step in 1...40 {
            guard let machine = machines.randomElement(using: &random) else { return }
            let week = Int.random(in: 0..<6, using: &random)
            let there = server.resources
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1:
                // No program writes an existing override.
                guard !there.values.contains(where: { $0.contains("RECURRENCE-ID:2035110\(week + 1)") }) else { break }
                done.insert(week)
                server.put(Weekly.done(week, stamp: step), at: Weekly.doneAt(week))
            case 2:
                guard there[Weekly.doneAt(week)] != nil else { break }
                server.put(Weekly.done(week, "SUMMARY:\(step)", stamp: step), at: Weekly.doneAt(week))
            case 3:
                guard let text = there[Weekly.place] else { break }
                server.put(text.replacing("RRULE:", with: "X-STEP\(step):1\r\nRRULE:"), at: Weekly.place)
            case 4, 5: try machine.edit("w", .summary, "title \(step)", stamp: step)
            case 6:
                server.change { $0.breaksAfter = $0.writes + Int.random(in: 1...3, using: &random) }
                await machine.sync()
                server.change { $0.breaksAfter = nil }
            default: await machine.sync()
            }
        }
        for _ in 0..<4 { for machine in machines { await machine.sync() } }
        for machine in machines { #expect(try await machine.isQuiet()) }
        #expect(try machines[0].meanings == machines[1].meanings)
        let text = try machines[0].weekly
        #expect(text.todos == done.count + 1)
        for week in done { #expect(text.contains("RECURRENCE-ID:2035110\(week + 1)"), "week \(week)") }
        // After one more edit, the server has the series in one resource.
        try machines[0].edit("w", .summary, "last", stamp: 99)
        await machines[0].sync()
        #expect(Array(server.resources.keys) == [Weekly.place])
        #expect(
            CalendarObject(ICalendarDocument(Array(server.resources[Weekly.place, default: ""].utf8)))?.meaning
                == (try machines[0].meanings["w"])
        )
        await machines[1].sync()
        #expect(try machines[0].meanings == machines[1].meanings)
    }
}
