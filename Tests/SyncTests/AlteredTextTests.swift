import RemindavICalendar
import RemindavResources
import RemindavStore
import RemindavSync
import Synchronization
import Testing

/// Texts that a server sends truncated, alters while it stores them, or masks for readers.
@Suite("texts that a server alters")
struct AlteredTextTests {
    private static let stamp = "LAST-MODIFIED:20260101T100000Z"

    // MARK: Whole lists (A1, A4)

    /// Creates a local list with this number of items, each with a place that a whole-list request shortens.
    private func publishing(_ count: Int) throws -> (FakeServer, Machine) {
        let server = FakeServer()
        server.change { state in
            state.takesWholeLists = true
            state.damagesFills = true
        }
        let machine = try Machine(server)
        try machine.store.write { try $0.markMadeHere(machine.list) }
        for number in 0..<count {
            try machine.add("u\(number)", "SUMMARY:\(number)\r\nX-PLACE:geo:52.5,13.\(number)\r\n\(Self.stamp)")
        }
        return (server, machine)
    }

    private func check(_ server: FakeServer, _ machine: Machine, _ count: Int) throws {
        let texts = server.texts
        #expect(texts.count == count && server.count == count)
        for number in 0..<count {
            let place = "X-PLACE:geo:52.5,13.\(number)\r\n"
            #expect(texts["u\(number)"]?.contains(place) ?? false)
        }
        for object in try machine.objects {
            #expect(!object.isDirty && String(decoding: object.source, as: UTF8.self).contains(",13."))
        }
        #expect(try machine.store.read { try $0.conflicts() }.isEmpty)
    }

    @Test("an item that a whole-list request damages is sent by itself: no merge, no conflict")
    func damagedFilling() async throws {
        let (server, machine) = try self.publishing(30)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty)
        #expect(report.pushed == 30 && report.merged == 0 && report.conflicts == 0)
        #expect(server.state.withLock { $0.fills } == 1)
        try self.check(server, machine, 30)
        #expect(Set(try machine.store.lastChanges.map { "\($0.side) \($0.kind)" }) == ["remote added"])
        let (again, _) = await machine.sync()
        #expect(again.pulled + again.pushed + again.merged == 0)
    }

    @Test("an item that another client changed after a whole-list request is merged")
    func changedAfterFilling() async throws {
        let (server, machine) = try self.publishing(30)
        server.change { $0.fillsAfter = 1 }
        _ = await machine.sync()
        _ = try await server.listing()
        server.put(Machine.text("u3", "SUMMARY:theirs\r\nLAST-MODIFIED:20260301T100000Z"), at: "/list/u3.ics")
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty && report.merged == 1)
        #expect(server.texts["u3"]?.contains("SUMMARY:theirs") ?? false)
    }

    /// - Parameters:
    ///   - after: the number of the next request before which the server completes the whole-list request.
    /// - takesMore: whether it accepts another one; otherwise the items are sent one by one, and the first may be a
    /// duplicate.
    @Test(
        "a whole-list request that the server completes after the run is recovered without an error",
        arguments: [(1, true), (2, true), (1, false), (2, false), (3, false), (5, false)]
    )
    func interruptedFilling(after: Int, takesMore: Bool) async throws {
        let (server, machine) = try self.publishing(30)
        server.change { $0.fillsAfter = after }
        let (_, broken) = await machine.sync()
        #expect(broken != nil)
        server.change { $0.takesWholeLists = takesMore }
        let (next, failure) = await machine.sync()
        #expect(failure == nil && next.failures.isEmpty && next.conflicts == 0 && next.pushed == 30)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty && report.conflicts == 0)
        try self.check(server, machine, 30)
    }

    @Test("a UID that the server has and did not list is compared in the same run, and is no failure")
    func duplicate() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        try machine.add("first", "SUMMARY:f\r\n\(Self.stamp)")
        await machine.sync()
        try machine.add("twice", "SUMMARY:t\r\n\(Self.stamp)")
        try machine.add("other", "SUMMARY:o\r\n\(Self.stamp)")
        // The history of the server has no entry about it.
        let text = Array(Machine.text("twice", "SUMMARY:t\r\n\(Self.stamp)").utf8)
        server.change { $0.items["/list/elsewhere.ics"] = (999, text) }
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty && report.conflicts == 0)
        #expect(server.count == 3)
        #expect(try machine.objects.allSatisfy { !$0.isDirty })
    }

    // MARK: Cut texts (D6)

    @Test("a truncated text is read again at once")
    func cutOnce() async throws {
        let server = FakeServer()
        server.put(Machine.text("u", "SUMMARY:whole"), at: "/list/u.ics")
        server.change { $0.cuts = 1 }
        let machine = try Machine(server)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty && report.unreadable.isEmpty)
        #expect(try machine.objects.map(\.index.title) == ["whole"])
    }

    @Test("a text that is truncated twice is a failure, and the next run requests it again", arguments: [true, false])
    func cutTwice(isKnown: Bool) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        server.put(Machine.text("other", "SUMMARY:other"), at: "/list/other.ics")
        if isKnown { server.put(Machine.text("u", "SUMMARY:old"), at: "/list/u.ics") }
        await machine.sync()
        server.put(Machine.text("u", "SUMMARY:whole"), at: "/list/u.ics")
        server.change { $0.cuts = 2 }
        try machine.add("new", "SUMMARY:new")
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.count == 1 && report.unreadable.isEmpty)
        guard case ItemError.cutShort? = report.failures.first?.error.underlying else {
            Issue.record("the text is not reported as cut short")
            return
        }
        // An unavailable text does not prevent other uploads.
        #expect(server.texts["new"] != nil)
        let (next, _) = await machine.sync()
        #expect(next.failures.isEmpty)
        #expect(try machine.objects.contains { $0.index.title == "whole" })
    }

    @Test("an edit is not sent over a truncated text, and is kept")
    func cutWhileEdited() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        server.put(Machine.text("u", "SUMMARY:old\r\n\(Self.stamp)"), at: "/list/u.ics")
        await machine.sync()
        server.put(Machine.text("u", "SUMMARY:old\r\nLOCATION:there\r\n\(Self.stamp)"), at: "/list/u.ics")
        try machine.edit("u", .summary, "new", stamp: 500)
        server.change { $0.cuts = 6 }
        _ = await machine.sync()
        server.change { $0.cuts = 0 }
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty)
        #expect(server.texts["u"]?.contains("SUMMARY:new") ?? false)
        #expect(server.texts["u"]?.contains("LOCATION:there") ?? false)
        #expect(server.count == 1)
    }

    @Test("a to-do with a UID longer than the limit is set aside, and the longest permitted one is read")
    func longUID() async throws {
        let server = FakeServer()
        let longest = String(repeating: "u", count: KeyLimits.maximumBytes)
        server.put(Machine.text(longest, "SUMMARY:a"), at: "/list/a.ics")
        server.put(Machine.text(longest + "u", "SUMMARY:b"), at: "/list/b.ics")
        server.put(Machine.text(Self.digits(3000), "SUMMARY:c"), at: "/list/c.ics")
        let (report, error) = await (try Machine(server)).sync()
        #expect(error == nil && report.pulled == 1)
        let reason = "its UID or its address is longer than 1024 bytes"
        #expect(report.unreadable.map(\.reason) == [reason, reason])
    }

    @Test("a reminder with a longer UID that the store already has stays in sync")
    func storedLongUID() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        let uid = String(repeating: "u", count: KeyLimits.maximumBytes + 1)
        try machine.add(uid, "SUMMARY:a")
        await machine.sync()
        let href = try #require(try machine.objects.first?.href)
        server.put(Machine.text(uid, "SUMMARY:b"), at: href.wire)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pulled == 1 && report.unreadable.isEmpty)
        #expect(try machine.objects.map(\.index.title) == ["b"])
    }

    @Test("a change by another program brings back a deleted reminder with a longer UID")
    func deletedLongUID() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        let uid = String(repeating: "u", count: KeyLimits.maximumBytes + 1)
        try machine.add(uid, "SUMMARY:a")
        await machine.sync()
        let href = try #require(try machine.objects.first?.href)
        try machine.delete(uid)
        server.put(Machine.text(uid, "SUMMARY:b"), at: href.wire)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.unreadable.isEmpty)
        #expect(try machine.objects.map(\.index.title) == ["b"])
        #expect(server.count == 1)
    }

    /// A text that a database cannot compress below the size of a key.
    private static func digits(_ count: Int) -> String {
        var number: UInt64 = 1
        var text = ""
        while text.utf8.count < count {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            text += String(number, radix: 36)
        }
        return String(text.prefix(count))
    }

    @Test("an address longer than the limit is set aside, even with a UID that the store has", arguments: [1024, 3000])
    func longAddress(bytes: Int) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        server.put(Machine.text("u", "SUMMARY:a"), at: "/list/u.ics")
        await machine.sync()
        let name = Self.digits(bytes)
        server.put(Machine.text("u", "SUMMARY:b"), at: "/list/\(name).ics")
        server.put(Machine.text("v", "SUMMARY:c"), at: "/list/v.ics")
        let (report, error) = await machine.sync()
        #expect(error == nil && report.unreadable.count == 1 && report.pulled == 1)
        #expect(try machine.objects.map(\.index.title).sorted() == ["a", "c"])
        let (next, _) = await machine.sync()
        #expect(next.pulled == 0 && next.failures.isEmpty)
    }

    @Test("a verification reads set-aside resources again", arguments: [true, false])
    func setAside(verifies: Bool) async throws {
        let server = FakeServer()
        server.put("<html>Sign in</html>", at: "/list/u.ics")
        let machine = try Machine(server)
        let (first, _) = await machine.sync()
        #expect(first.unreadable.count == 1)
        // The entity tag is the same: only the answer was wrong.
        server.change { state in
            guard let etag = state.items["/list/u.ics"]?.etag else { return }
            state.items["/list/u.ics"] = (etag, Array(Machine.text("u", "SUMMARY:there").utf8))
        }
        await machine.sync()
        #expect(try machine.objects.isEmpty)
        let now = verifies ? 1 : SyncContext.secondsBetweenListings
        var sync = machine.listSync(now: now, verifies: verifies)
        let (report, error) = await sync.run()
        #expect(error == nil && report.pulled == 1)
        #expect(try machine.objects.map(\.index.title) == ["there"])
    }

    @Test(
        "a text is truncated if its calendar has no end",
        arguments: [
            ("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", false), ("begin:vcalendar\nend:vcalendar", false),
            ("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n \r\n\t", false), ("<html>", false), ("BEGIN:VCARD", false),
            ("", true), ("\r\n", true), ("BEGIN:VCA", true), ("BEGIN:VCALENDAR\r\n", true),
            ("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u\r\nEND:VTODO\r\n", true),
            ("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u\r\nSUMM", true), ("BEGIN:VCALENDAR\r\nEND:VCAL", true),
        ] as [(String, Bool)]
    )
    func cut(text: String, isCut: Bool) {
        let item = ResourceText(href: Href("/u.ics"), etag: nil, text: Array(text.utf8))
        #expect(item.isCutShort == isCut)
    }

    // MARK: Masked texts (D8)

    @Test("a list that becomes writable is read again before anything is overwritten", arguments: [true, false])
    func masked(deletes: Bool) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        try self.setReadOnly(true, machine)
        server.put(Machine.text("u", "SUMMARY:Busy\r\n\(Self.stamp)"), at: "/list/u.ics")
        await machine.sync()
        // A user with write access sees the whole text, with the same entity tag.
        server.change { state in
            guard let etag = state.items["/list/u.ics"]?.etag else { return }
            let text = Machine.text("u", "SUMMARY:Doctor\r\nDESCRIPTION:secret\r\n\(Self.stamp)")
            state.items["/list/u.ics"] = (etag, Array(text.utf8))
        }
        try self.setReadOnly(false, machine)
        if deletes { try machine.delete("u") } else { try machine.edit("u", .priority, "1", stamp: 500) }
        let (_, error) = await machine.sync()
        #expect(error == nil)
        let text = server.texts["u"] ?? ""
        // A deletion without knowledge of the text deletes nothing.
        #expect(text.contains("SUMMARY:Doctor") && text.contains("DESCRIPTION:secret"))
        #expect(deletes || text.contains("PRIORITY:1"))
    }

    private func setReadOnly(_ isReadOnly: Bool, _ machine: Machine) throws {
        try machine.store.write { transaction in
            guard let list = try transaction.list(machine.list), let account = list.account, let url = list.url else {
                throw Refusal()
            }
            let remote = RemoteList(account: account, url: url, isReadOnly: isReadOnly, supportsSyncCollection: true)
            try transaction.adoptRemote(machine.list, remote)
        }
    }

    // MARK: Dropped properties (D9)

    @Test(
        "a property that the server drops from an own text is a conflict and is named, once",
        arguments: [true, false]
    )
    func dropped(isEditedAgain: Bool) async throws {
        let server = FakeServer()
        server.change { state in
            state.keepsETags = true
            state.forgets = ["CATEGORIES", "X-OTHER"]
        }
        let machine = try Machine(server)
        try machine.add("u", "SUMMARY:s\r\nCATEGORIES:precious\r\nX-OTHER:o\r\nPRIORITY:0\r\n\(Self.stamp)")
        await machine.sync()
        if isEditedAgain { try machine.edit("u", .summary, "new", stamp: 500) }
        let (report, error) = await machine.sync()
        #expect(error == nil && report.notKept == ["CATEGORIES", "X-OTHER"])
        let conflicts = try machine.store.read { try $0.conflicts() }.map(\.note)
        #expect(conflicts.map(\.property).sorted() == ["CATEGORIES", "X-OTHER"])
        #expect(conflicts.first { $0.property == "CATEGORIES" }?.losingText == "precious")
        #expect(conflicts.allSatisfy { $0.losingSide == .local })
        let writes = server.writes
        for _ in 0..<3 {
            let (next, _) = await machine.sync()
            #expect(next.conflicts == 0)
            // An edit that was made meanwhile is sent, and read back, once.
            #expect(next.pushed == 0)
        }
        #expect(server.writes == writes)
    }

    @Test("a value that the server shortens in every write stays whole here, and is sent with edits only")
    func shortened() async throws {
        let server = FakeServer()
        server.change { state in
            state.keepsETags = true
            state.shortens = true
        }
        let machine = try Machine(server)
        try machine.add("u", "SUMMARY:s\r\nX-PLACE:geo:52.5,13.4\r\n\(Self.stamp)")
        for _ in 0..<3 {
            let (report, error) = await machine.sync()
            #expect(error == nil && report.conflicts == 0)
        }
        let place = "X-PLACE:geo:52.5,13.4\r\n"
        func here() throws -> String { String(decoding: try machine.objects[0].source, as: UTF8.self) }
        #expect(try here().contains(place) && server.writes == 1)
        #expect(try !machine.objects[0].isDirty)
        // An edit by another program is recorded, and the shortened value alone causes no upload.
        guard let href = server.state.withLock({ $0.items.keys.first }) else { throw Refusal() }
        server.put(Machine.text("u", "SUMMARY:t\r\nX-PLACE:geo:52.5\r\nLAST-MODIFIED:20260301T100000Z"), at: href)
        for _ in 0..<2 { await machine.sync() }
        #expect(try here().contains(place) && here().contains("SUMMARY:t\r\n") && server.writes == 1)
        // An edit here is sent with the whole value.
        try machine.edit("u", .summary, "v", stamp: 500)
        for _ in 0..<3 { await machine.sync() }
        #expect(try here().contains(place) && here().contains("SUMMARY:v\r\n") && server.writes == 2)
        // Another value by another program stays.
        server.put(Machine.text("u", "SUMMARY:v\r\nX-PLACE:geo:1\r\nLAST-MODIFIED:20270301T100000Z"), at: href)
        for _ in 0..<2 { await machine.sync() }
        #expect(try here().contains("X-PLACE:geo:1\r\n") && server.writes == 2)
    }

    @Test("a property that another client removes from an own text is not dropped by the server")
    func takenAway() async throws {
        let server = FakeServer()
        server.change { $0.keepsETags = true }
        let machine = try Machine(server)
        try machine.add("u", "SUMMARY:s\r\nCATEGORIES:precious\r\n\(Self.stamp)")
        await machine.sync()
        guard let place = server.state.withLock({ $0.items.keys.first }) else { throw Refusal() }
        server.put(Machine.text("u", "SUMMARY:s\r\nLAST-MODIFIED:20260301T100000Z"), at: place)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pulled == 1 && report.conflicts == 0 && report.notKept.isEmpty)
    }
}
