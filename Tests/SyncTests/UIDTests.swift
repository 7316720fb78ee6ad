import RemindavICalendar
import RemindavResources
import RemindavStore
import RemindavSync
import Synchronization
import Testing

@Suite("sync of a list: a UID never changes without need, and no item is lost")
struct UIDTests {
    private func uids(_ machine: Machine) throws -> [String] { try machine.objects.map(\.uid).sorted() }

    // MARK: Failures

    @Test("a server that repeatedly fails on a new item gets it with its UID", arguments: [1, 2, 3, 5])
    func failingServer(times: Int) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        try machine.add("parent", "SUMMARY:a")
        try machine.add("child", "SUMMARY:b\r\nRELATED-TO:parent")
        server.change { $0.failures = ["parent": times] }
        for _ in 0..<3 {
            let (report, error) = await machine.sync()
            #expect(error == nil && report.newUIDs == 0)
            #expect(try self.uids(machine) == ["child", "parent"])
        }
        #expect(server.texts.keys.sorted() == ["child", "parent"])
        #expect(server.texts["child"]?.contains("RELATED-TO:parent\r\n") == true)
        #expect(server.state.withLock { Set($0.sentNew) } == ["child", "parent"])
        #expect(server.state.withLock { $0.items.keys.contains("/list/new-1.ics") }, "the name stays as well")
    }

    @Test("a new item with a name that is refused although it is unused is sent under another name")
    func refusedName() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        try machine.add("u", "SUMMARY:a")
        server.change { $0.refusesNew = RemoteError(.conflict, Refusal()) }
        await machine.sync()
        server.change { $0.refusesNew = nil }
        await machine.sync()
        #expect(server.texts.keys.sorted() == ["u"])
    }

    // MARK: The trash

    @Test(
        "an undone deletion is restored from the server's trash with its UID, without another write request"
    )
    func restored() async throws {
        let (server, machine) = try await FakeServer.filled(3)
        server.change { ($0.trash, $0.restores) = ([], true) }
        let source = try #require(try machine.source("u1", in: machine.list))
        try machine.delete("u1")
        await machine.sync()
        #expect(server.texts["u1"] == nil)
        try machine.insert("u1", source)
        let writes = server.writes
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty && report.pushed == 1 && report.newUIDs == 0)
        #expect(try self.uids(machine) == ["u0", "u1", "u2"])
        #expect(server.texts["u1"] == source)
        #expect(server.writes == writes + 1, "the one that was refused")
        let (second, _) = await machine.sync()
        #expect(second.pushed == 0 && second.pulled == 0 && server.count == 3)
    }

    @Test("an item that was edited here and deleted there is restored and overwritten", arguments: [true, false])
    func editedAndRestored(saysWhy: Bool) async throws {
        let (server, machine) = try await FakeServer.filled(2)
        server.change { ($0.trash, $0.restores, $0.saysWhy) = ([], true, saysWhy) }
        server.remove("/list/new-1.ics")
        let uid = try #require(try machine.objects.first { $0.href?.wire == "/list/new-1.ics" }?.uid)
        try machine.edit(uid, .summary, "edited", stamp: 1)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty && report.pushed == 1 && report.kept == 1)
        #expect(server.texts[uid]?.contains("SUMMARY:edited\r\n") == true)
        #expect(server.state.withLock { $0.items.keys.sorted() } == ["/list/new-1.ics", "/list/new-2.ics"])
        #expect(server.state.withLock { $0.restorations } == 1)
        let (second, _) = await machine.sync()
        #expect(second.pushed == 0 && second.pulled == 0 && second.conflicts == 0)
    }

    @Test("twenty undone deletions need one request of the trash and no second attempt")
    func manyRestored() async throws {
        let (server, machine) = try await FakeServer.filled(20)
        server.change { ($0.trash, $0.restores) = ([], true) }
        let sources = try machine.objects.map { ($0.uid, String(decoding: $0.source, as: UTF8.self)) }
        for (uid, _) in sources { try machine.delete(uid) }
        await machine.sync()
        for (uid, source) in sources { try machine.insert(uid, source) }
        let writes = server.writes
        let (report, _) = await machine.sync()
        #expect(report.pushed == 20 && report.newUIDs == 0 && server.count == 20)
        #expect(server.state.withLock { $0.restorations } == 1)
        #expect(server.writes == writes + 20)
    }

    @Test(
        "a UID that the trash keeps is replaced in the item and all references, and the report counts it"
    )
    func refusedByTrash() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        try machine.add("parent", "SUMMARY:a")
        try machine.add("child", "SUMMARY:b\r\nRELATED-TO:parent")
        try machine.add("copy", "SUMMARY:c\r\nRELATED-TO;RELTYPE=SIBLING;X-P=1:parent\r\nRELATED-TO:other")
        let other = try machine.addList()
        try machine.pull("elsewhere", "SUMMARY:d\r\nRELATED-TO:parent", into: other)
        await machine.sync()
        server.change { ($0.trash, $0.restores) = ([], false) }
        let source = try #require(try machine.source("parent", in: machine.list))
        try machine.delete("parent")
        await machine.sync()
        try machine.insert("parent", source)
        let (report, error) = await machine.sync()
        let new = SuccessorUID.make(after: "parent")
        #expect(error == nil && report.failures.isEmpty && report.newUIDs == 1)
        #expect(try self.uids(machine) == [new, "child", "copy"].sorted())
        #expect(server.texts[new]?.contains("SUMMARY:a\r\n") == true)
        #expect(server.texts["child"]?.contains("RELATED-TO:\(new)\r\n") == true)
        #expect(
            server.texts["copy"]?.contains("RELATED-TO;RELTYPE=SIBLING;X-P=1:\(new)\r\nRELATED-TO:other\r\n") == true
        )
        #expect(try machine.source("elsewhere", in: other)?.contains("RELATED-TO:\(new)\r\n") == true)
        let (second, _) = await machine.sync()
        #expect(second.pushed == 0 && second.newUIDs == 0)
    }

    @Test("the next UID of the chain is used if the list has an item with the first one")
    func takenSuccessor() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        let chain = SuccessorUID.chain(after: "parent")
        try machine.add("parent", "SUMMARY:a")
        try machine.add(chain[0], "SUMMARY:b")
        await machine.sync()
        server.change { ($0.trash, $0.restores) = ([], false) }
        let source = try #require(try machine.source("parent", in: machine.list))
        try machine.delete("parent")
        await machine.sync()
        try machine.insert("parent", source)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.failures.isEmpty && report.newUIDs == 1)
        #expect(try self.uids(machine) == [chain[0], chain[1]].sorted())
        #expect(server.texts[chain[1]]?.contains("SUMMARY:a\r\n") == true)
    }

    @Test("a list that has the old UID itself keeps its references to it")
    func twinsKeepTheirReferences() async throws {
        let (server, machine) = try await FakeServer.filled(1)
        let other = try machine.addList()
        try machine.pull("u0", "SUMMARY:another", into: other)
        try machine.pull("child", "SUMMARY:d\r\nRELATED-TO:u0", into: other)
        server.change { ($0.trash, $0.restores) = ([], false) }
        let source = try #require(try machine.source("u0", in: machine.list))
        try machine.delete("u0")
        await machine.sync()
        try machine.insert("u0", source)
        let (report, _) = await machine.sync()
        #expect(report.newUIDs == 1)
        #expect(try machine.source("child", in: other)?.contains("RELATED-TO:u0\r\n") == true)
    }

    // MARK: Removed, and there

    @Test("an item that a delta reports as removed and that exists stays here", arguments: [false, true])
    func folded(isChanged: Bool) async throws {
        let (server, machine) = try await FakeServer.filled(3)
        server.change { $0.folds = true }
        let text = try #require(server.texts["u1"])
        let href = try #require(try machine.objects.first { $0.uid == "u1" }?.href?.wire)
        server.remove(href)
        server.put(isChanged ? text.replacing("SUMMARY:", with: "SUMMARY:changed ") : text, at: href)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.deletedLocally == 0 && report.pulled == (isChanged ? 1 : 0))
        #expect(try machine.source("u1", in: machine.list) == server.texts["u1"])
        let fetches = server.state.withLock { $0.fetches }
        await machine.sync()
        // Without a change in the journal of the run before, earlier uploads are requested once more.
        if isChanged { #expect(server.state.withLock { $0.fetches } == fetches, "nothing was removed") }
        server.remove(href)
        let (third, _) = await machine.sync()
        #expect(third.deletedLocally == 1)
    }

    @Test("an item that was deleted here and restored there returns")
    func restoredThere() async throws {
        let (server, machine) = try await FakeServer.filled(2)
        server.change { $0.folds = true }
        let text = try #require(server.texts["u1"])
        let href = try #require(try machine.objects.first { $0.uid == "u1" }?.href?.wire)
        try machine.delete("u1")
        await machine.sync()
        server.put(text, at: href)
        await machine.sync()
        #expect(try self.uids(machine) == ["u0", "u1"])
    }

    @Test("an item that cannot be fetched is not deleted, and the next run asks again")
    func unconfirmedRemoval() async throws {
        let (server, machine) = try await FakeServer.filled(2)
        let href = try #require(try machine.objects.first { $0.uid == "u1" }?.href?.wire)
        server.remove(href)
        server.change { $0.failsToFetch = true }
        let (report, _) = await machine.sync()
        #expect(report.deletedLocally == 0 && report.failures.count == 1)
        #expect(try self.uids(machine) == ["u0", "u1"])
        server.change { $0.failsToFetch = false }
        let (second, _) = await machine.sync()
        #expect(second.deletedLocally == 1)
    }

    // MARK: The same UID in two lists

    @Test(
        "a new item stays in its list if another list has its UID and the server fails on it",
        arguments: [RemoteError(.unknownOutcome, Refusal(), mayConcernUID: true), RemoteError(.conflict, Refusal())]
    )
    func copy(refusal: RemoteError) async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        let other = try machine.addList()
        try machine.pull("u", "SUMMARY:in the other", into: other)
        try machine.add("u", "SUMMARY:copy\r\nLOCATION:here")
        server.change { $0.refusesNew = refusal }
        let (report, error) = await machine.sync()
        #expect(error == nil && report.deletedLocally == 0 && report.merged == 0)
        server.change { $0.refusesNew = nil }
        await machine.sync()
        #expect(server.texts["u"]?.contains("LOCATION:here") == true)
        #expect(try machine.source("u", in: other)?.contains("LOCATION") == false)
    }

    @Test("an edit of one of two items with the same UID, deleted there, stays in its list", arguments: [true, false])
    func twins(areKnown: Bool) async throws {
        let (server, machine) = try await FakeServer.filled(1)
        let other = try machine.addList()
        try machine.pull("u0", "SUMMARY:another", into: other)
        try machine.noteArrival(of: "u0", in: other)
        // A complete run that found both at the same time.
        if areKnown { try await machine.finishedSync() }
        try machine.edit("u0", .summary, "edited", stamp: 1)
        server.remove("/list/new-1.ics")
        let (report, error) = await machine.sync()
        #expect(error == nil && report.kept == (areKnown ? 1 : 0))
        #expect(try self.uids(machine) == (areKnown ? ["u0"] : []))
        #expect(server.count == (areKnown ? 1 : 0))
        if areKnown { #expect(try machine.source("u0", in: other) == Machine.text("u0", "SUMMARY:another")) }
    }

    @Test("an undone deletion of one of two items with the same UID is restored to its list")
    func undoneTwin() async throws {
        let (server, machine) = try await FakeServer.filled(1)
        let other = try machine.addList()
        try machine.pull("u0", "SUMMARY:another", into: other)
        try machine.noteArrival(of: "u0", in: other)
        let object = try #require(try machine.objects.first)
        try machine.delete("u0")
        try await machine.finishedSync()
        #expect(server.count == 0)
        try machine.insert("u0", String(decoding: object.source, as: UTF8.self), as: object.id)
        await machine.sync()
        #expect(server.count == 1)
        #expect(try self.uids(machine) == ["u0"])
        #expect(try machine.source("u0", in: other)?.contains("SUMMARY:another") == true)
    }

    @Test("deletions of items that another list has as well count if both lists had them before")
    func twinsAreGuarded() async throws {
        let (server, machine) = try await FakeServer.filled(20)
        let other = try machine.addList()
        for number in 0..<20 {
            try machine.pull("u\(number)", "SUMMARY:another", into: other)
            try machine.noteArrival(of: "u\(number)", in: other)
        }
        try await machine.finishedSync()
        for number in 1...15 { server.remove("/list/new-\(number).ics") }
        let (report, _) = await machine.sync(guard: .standard)
        #expect(report.held.local == 15 && report.deletedLocally == 0)
    }

    // MARK: The successor

    @Test("a replacement UID is derived from the old one, and the chain continues")
    func successor() {
        let first = SuccessorUID.make(after: "u")
        #expect(first != "u" && SuccessorUID.make(after: "u") == first)
        #expect(SuccessorUID.chain(after: "u").prefix(2) == [first, SuccessorUID.make(after: first)])
        #expect(Set(SuccessorUID.chain(after: "u")).count == SuccessorUID.chain(after: "u").count)
    }
}

extension Machine {
    /// Inserts an object as the undo of a deletion does.
    fileprivate func insert(_ uid: String, _ source: String, as id: ObjectID? = nil) throws {
        try self.store.write { transaction in
            let (bytes, index) = (Array(source.utf8), ObjectIndex(title: uid))
            if let id {
                _ = try transaction.restore(
                    id,
                    into: self.list,
                    uid: uid,
                    StoredObject(source: bytes, index: index),
                    at: 0
                )
            } else {
                _ = try transaction.insert(into: self.list, uid: uid, StoredObject(source: bytes, index: index))
            }
        }
    }

    /// Records in the journal that an earlier run added an object to a list.
    fileprivate func noteArrival(of uid: String, in list: ListID) throws {
        try self.store.write { transaction in
            let run = try transaction.beginRun(of: "a", at: 0)
            guard let object = try transaction.object(in: list, uid: uid) else { throw Refusal() }
            let note = ChangeNote(object: object.id, uid: uid, title: uid, side: .local, kind: .added)
            try transaction.recordChange(note, in: list, of: run, at: 0)
            try transaction.endRun(run, requests: 1, error: nil, at: 0)
        }
    }

    /// Runs a sync that the journal records as complete.
    fileprivate func finishedSync() async throws {
        let run = try self.store.write { try $0.beginRun(of: "a", at: 0) }
        var sync = self.listSync(run: run)
        let (_, error) = await sync.run()
        guard error == nil else { throw Refusal() }
        try self.store.write { try $0.endRun(run, requests: 1, error: nil, at: 0) }
    }
}
