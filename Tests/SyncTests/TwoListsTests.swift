import RemindavICalendar
import RemindavResources
import RemindavStore
import RemindavSync
import Testing

/// Faults found by random histories (docs/sync-model.md).
@Suite("sync of a list: items that are also in another list of the account")
struct TwoListsTests {
    @Test("an item that another client moved and that was changed in both lists here is not sent as new")
    func editedInBoth() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        try machine.add("u", "SUMMARY:a")
        await machine.sync()
        let other = try machine.addList()
        try machine.pull("u", "SUMMARY:a", into: other)
        try machine.store.write { transaction in
            let moved = try #require(try transaction.object(in: other, uid: "u"))
            let text = Machine.text("u", "SUMMARY:a\r\nPRIORITY:1")
            try transaction.update(moved.id, StoredObject(source: Array(text.utf8), index: ObjectIndex(title: "u")))
        }
        try machine.edit("u", .summary, "edited", stamp: 1)
        server.remove("/list/new-1.ics")
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pushed == 0)
        #expect(server.count == 0)
        #expect(try machine.objects.isEmpty)
        let text = try machine.source("u", in: other) ?? ""
        #expect(text.contains("SUMMARY:edited\r\n") && text.contains("PRIORITY:1\r\n"))
    }

    @Test(
        "of an occurrence that was completed in two lists, since the series was moved, there is one copy",
        arguments: [true, false]
    )
    func copies(isSeriesHere: Bool) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        let other = try machine.addList()
        func copy(_ time: String) -> String {
            "SUMMARY:a\r\nSTATUS:COMPLETED\r\nCOMPLETED:20260101T\(time)Z\r\nRELATED-TO;RELTYPE=SIBLING:series"
        }
        if isSeriesHere {
            try machine.add("series", "SUMMARY:a\r\nRRULE:FREQ=DAILY")
        } else {
            try machine.pull("series", "SUMMARY:a\r\nRRULE:FREQ=DAILY", into: other)
        }
        try machine.add("copy", copy("100000"))
        try machine.pull("copy", copy("110000"), into: other)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty)
        #expect(server.texts["copy"] == nil)
        #expect(try machine.source("copy", in: machine.list) == nil)
        #expect(try machine.source("copy", in: other)?.contains("COMPLETED:20260101T100000Z\r\n") == true)
    }

    @Test(
        "an item that an edit kept, and that another machine kept and moved, is in one list",
        arguments: [true, false]
    )
    func keptByBoth(isSynchronized: Bool) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        let other = try machine.addList()
        try machine.add("u", "SUMMARY:a")
        if isSynchronized {
            await machine.sync()
            try machine.edit("u", .summary, "mine", stamp: 99)
            server.remove("/list/new-1.ics")
            server.change { $0.refusesNew = RemoteError(.refused, Refusal()) }
            await machine.sync()
            server.change { $0.refusesNew = nil }
        }
        try machine.pull("u", "SUMMARY:a\r\nPRIORITY:5", into: other)
        try machine.recordOperation(on: "u")
        let (report, _) = await machine.sync()
        // An item that the user put into two lists is in both.
        #expect(server.count == (isSynchronized ? 0 : 1))
        #expect(try machine.objects.isEmpty == isSynchronized)
        guard isSynchronized else { return }
        #expect(try machine.source("u", in: other)?.contains("PRIORITY:5\r\n") == true)
        #expect(report.conflicts == 1, "one of the two titles is kept in a conflict")
    }

    @Test("an item that two clients moved to the same list is merged with its version in the old list")
    func movedByBoth() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        let other = try machine.addList()
        try machine.pull("u", "SUMMARY:a\r\nPRIORITY:1\r\nLOCATION:here", into: other, etag: EntityTag("\"1\""))
        try machine.store.write { transaction in
            let moved = try #require(try transaction.object(in: other, uid: "u"))
            try transaction.move(moved.id, to: machine.list, at: 0)
        }
        try machine.edit("u", .summary, "mine", stamp: 99)
        server.put(Machine.text("u", "SUMMARY:a\r\nPRIORITY:5"), at: "/list/u.ics")
        let (report, error) = await machine.sync()
        #expect(error == nil && report.conflicts == 0)
        let text = try machine.source("u", in: machine.list) ?? ""
        #expect(text.contains("SUMMARY:mine\r\n") && text.contains("PRIORITY:5\r\n") && !text.contains("LOCATION"))
    }

    @Test(
        "a change in the old list is applied after the upload of an interrupted run is known",
        arguments: ["\"1\"", nil]
    )
    func changedBeforeArrival(tag: String?) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        try machine.add("u", "SUMMARY:a")
        await machine.sync()
        let other = try machine.addList()
        let arrival = Href("/other/u.ics")
        let id = try machine.store.write { transaction in
            let id = try #require(try transaction.object(in: machine.list, uid: "u")).id
            try transaction.move(id, to: other, at: 0)
            _ = try transaction.reserveHref(arrival, for: id, in: other)
            return id
        }
        server.put(Machine.text("u", "SUMMARY:a\r\nDESCRIPTION:theirs"), at: "/list/new-1.ics")
        #expect(await machine.sync().error == nil)
        #expect(server.texts["u"]?.contains("DESCRIPTION:theirs") == true, "it is in no other list yet")
        #expect(try machine.source("u", in: other)?.contains("DESCRIPTION") == false)
        try machine.store.write { transaction in
            let moved = try #require(try transaction.object(in: other, uid: "u"))
            let read = ReadObject(id, revision: moved.revision)
            // Some servers send no entity tag for an upload.
            let version = tag.map { EntityTag($0) }
            _ = try transaction.recordPushed(read, in: other, href: arrival, etag: version, base: moved.source)
        }
        #expect(await machine.sync().error == nil)
        #expect(try machine.source("u", in: other)?.contains("DESCRIPTION:theirs\r\n") == true)
        #expect(server.count == 0)
    }

    @Test("an item that was moved here and renamed there meanwhile is in one list")
    func renamedMeanwhile() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        try machine.add("u", "SUMMARY:a")
        await machine.sync()
        let other = try machine.addList()
        try machine.store.write { transaction in
            try transaction.move(try #require(try transaction.object(in: machine.list, uid: "u")).id, to: other, at: 0)
        }
        var sync = machine.listSync()
        await sync.learn()
        server.remove("/list/new-1.ics")
        server.put(Machine.text("u", "SUMMARY:a"), at: "/list/renamed.ics")
        #expect(await sync.complete().error == nil)
        for _ in 0..<2 { await machine.sync() }
        #expect(server.count == 0)
        #expect(try machine.objects.isEmpty)
        #expect(try machine.store.read { try $0.syncState(of: machine.list) }?.tombstones.isEmpty == true)
    }

    @Test("an item without a known version that was changed here while another client moves it is in one list")
    func movedWithoutVersion() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        let other = try machine.addList()
        server.put(Machine.text("u", "SUMMARY:a"), at: "/list/u.ics")
        server.change { $0.hidesETags = true }
        await machine.sync()
        server.change { $0.hidesETags = false }
        try machine.edit("u", .summary, "mine", stamp: 99)
        var sync = machine.listSync()
        await sync.learn()
        server.remove("/list/u.ics")
        _ = await sync.complete()
        #expect(server.count == 0, "it may be in another list by now")
        try machine.pull("u", "SUMMARY:a\r\nPRIORITY:5", into: other, etag: EntityTag("\"9\""))
        for _ in 0..<2 { await machine.sync() }
        #expect(server.count == 0)
        #expect(try machine.objects.isEmpty)
        let text = try machine.source("u", in: other) ?? ""
        #expect(text.contains("SUMMARY:mine\r\n") && text.contains("PRIORITY:5\r\n"))
    }

    /// The copy moves with its series, or waits with it if another list could not be read.
    @Test(
        "the copy of an occurrence moves with its series, which was changed here and moved there",
        arguments: [true, false]
    )
    func copyOfMovedSeries(mayRecreate: Bool) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        let other = try machine.addList()
        try machine.add("series", "SUMMARY:a\r\nRRULE:FREQ=DAILY")
        await machine.sync()
        let copy = "SUMMARY:a\r\nSTATUS:COMPLETED\r\nRELATED-TO;RELTYPE=SIBLING:series"
        try machine.edit("series", .summary, "edited", stamp: 1)
        try machine.add("copy", copy)
        server.remove("/list/new-1.ics")
        if mayRecreate {
            try machine.pull("series", "SUMMARY:a\r\nRRULE:FREQ=DAILY", into: other)
            try machine.pull("copy", copy, into: other)
        }
        var sync = machine.listSync()
        await sync.learn()
        let (_, error) = await sync.complete(mayRecreate: mayRecreate)
        #expect(error == nil)
        #expect(server.count == 0)
        #expect(try machine.objects.count == (mayRecreate ? 0 : 2))
    }

    @Test("an item that a user put into two lists, with or without its series, is in both")
    func wantedTwice() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        let other = try machine.addList()
        let copy = "STATUS:COMPLETED\r\nRELATED-TO;RELTYPE=SIBLING:"
        let all = [
            ("series", "RRULE:FREQ=DAILY"), ("copy", "\(copy)series"), ("orphan", "\(copy)gone"),
            ("plain", "SUMMARY:a"),
        ]
        for (uid, lines) in all {
            try machine.add(uid, lines)
            try machine.pull(uid, lines, into: other)
        }
        await machine.sync()
        #expect(server.texts.keys.sorted() == ["copy", "orphan", "plain", "series"])
    }

    /// The user copied it here from the other list, or from here to the other list, from which the sync sent it first.
    @Test(
        "a completed occurrence that a user copied into a list without its series is in both lists",
        arguments: [true, false]
    )
    func copiedOccurrence(isCopyHere: Bool) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        let other = try machine.addList()
        let copy = "STATUS:COMPLETED\r\nRELATED-TO;RELTYPE=SIBLING:series"
        if isCopyHere {
            try machine.pull("series", "RRULE:FREQ=DAILY", into: other)
        } else {
            try machine.add("series", "RRULE:FREQ=DAILY")
        }
        try machine.pull("copy", copy, into: other)
        try machine.add("copy", copy)
        try machine.recordOperation(on: "copy", .added, in: isCopyHere ? machine.list : other)
        await machine.sync()
        #expect(server.texts.keys.sorted() == (isCopyHere ? ["copy"] : ["copy", "series"]))
        #expect(try machine.source("copy", in: machine.list) != nil && machine.source("copy", in: other) != nil)
    }

    @Test(
        "an item that was moved here, deleted there, and restored before it arrives, is in one list",
        arguments: [true, false]
    )
    func comesBack(hasArrived: Bool) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        try machine.add("u", "SUMMARY:a")
        await machine.sync()
        let other = try machine.addList()
        try machine.store.write { transaction in
            try transaction.move(try #require(try transaction.object(in: machine.list, uid: "u")).id, to: other, at: 0)
        }
        server.remove("/list/new-1.ics")
        var sync = machine.listSync()
        await sync.learn()
        await sync.acceptRemoteDeletions()
        await sync.send()
        #expect(await sync.finish(keeping: hasArrived ? [] : ["u".exact]).error == nil)
        let writes = server.writes
        #expect(writes == 1, "nothing is asked for twice that is known to be gone")
        #expect(try machine.store.read { try $0.syncState(of: machine.list) }?.tombstones.isEmpty == hasArrived)
        guard !hasArrived else { return }
        server.put(Machine.text("u", "SUMMARY:theirs"), at: "/list/back.ics")
        await machine.sync()
        #expect(try machine.objects.isEmpty)
        #expect(server.count == 0)
        #expect(try machine.source("u", in: other)?.contains("SUMMARY:theirs\r\n") == true)
    }
}
