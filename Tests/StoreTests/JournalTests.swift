import RemindavResources
import RemindavSQLiteStore
import RemindavStoreSupport
import Testing

@testable import RemindavStore

@Suite("the journal")
struct JournalTests {
    private let store: ReminderStore
    private let list: ListID

    init() throws {
        self.store = try TestStores.make()
        self.list = try self.store.makeSyncedList()
    }

    private func note(_ uid: String, _ kind: ChangeKind, _ side: SyncSide = .local, before: String? = nil) -> ChangeNote
    {
        ChangeNote(
            object: ObjectID(1),
            uid: uid,
            title: uid,
            side: side,
            kind: kind,
            before: before.map { Sample.source(uid, $0) }
        )
    }

    @discardableResult
    private func sync(at now: Int64 = Sample.now, _ notes: ChangeNote...) throws -> RunID {
        try self.store.write { transaction in
            let run = try transaction.beginRun(of: "work", at: now)
            for note in notes { try transaction.recordChange(note, in: self.list, of: run, at: now) }
            try transaction.endRun(run, requests: 1, error: nil, at: now)
            return run
        }
    }

    @discardableResult
    private func operation(_ note: ChangeNote, reversing change: ChangeID? = nil, at now: Int64 = Sample.now) throws
        -> RunID
    {
        try self.store.write { transaction in
            let run = try transaction.beginOperation(at: now)
            try transaction.recordChange(note, in: self.list, of: run, reversing: change, at: now)
            return run
        }
    }

    private func trash(since: Int64 = 0) throws -> [ChangeRecord] {
        try self.store.read { snapshot in try snapshot.changes(.trash(since: since)) }
    }

    private func changes(_ run: RunID) throws -> [ChangeRecord] {
        try self.store.read { snapshot in try snapshot.changes(.run(run)) }
    }

    @Test("the reminders that were changed after a change are found, with the newest change")
    func changedObjects() throws {
        func changed(after change: Int64) throws -> (objects: Set<ObjectID>, last: Int64) {
            try self.store.read { snapshot throws(DatabaseError) in try snapshot.changedObjects(after: change) }
        }
        #expect(try changed(after: 0) == ([], 0))
        try self.sync(self.note("a", .added), self.note("a", .changed))
        let first = try changed(after: 0)
        #expect(first == ([ObjectID(1)], 2))
        #expect(try changed(after: first.last) == ([], first.last))
        try self.operation(self.note("a", .changed))
        #expect(try changed(after: first.last) == ([ObjectID(1)], 3))
    }

    @Test("a user's operations are runs without an account")
    func operations() throws {
        let sync = try self.sync(self.note("a", .changed))
        let operation = try self.operation(self.note("b", .deleted))
        let runs = try self.store.read { try $0.runs(limit: 9) }
        #expect(runs.map(\.id) == [operation, sync])
        #expect(runs.map(\.isOperation) == [true, false])
        #expect(runs.first?.finishedAt == Sample.now)
        #expect(try self.store.read { try $0.lastRun(of: "work")?.id } == sync)
        #expect(try self.store.read { try $0.lastRun(of: "home") } == nil)
    }

    @Test("the last run to undo is not undone, no undo itself, and does not only send an undo to the server")
    func lastRun() throws {
        func last(before run: RunID? = nil) throws -> RunID? {
            try self.store.read { try $0.lastRunToUndo(before: run) }
        }
        #expect(try last() == nil)
        let first = try self.sync(self.note("b", .changed))
        let sync = try self.sync(self.note("a", .changed))
        try self.sync()
        #expect(try last() == sync && last(before: sync) == first && last(before: first) == nil)
        let change = try #require(try self.changes(sync).first?.id)
        try self.store.write { try $0.markUndone(change, at: 7) }
        let operation = try self.operation(self.note("a", .changed), reversing: change)
        #expect(try last() == first)
        try self.sync(self.note("a", .changed, .remote))
        #expect(try last() == first)
        let undoing = try #require(try self.changes(operation).first?.id)
        try self.store.write { try $0.markUndone(undoing, at: 8) }
        #expect(try last() == sync)
    }

    @Test(
        "a run that only sent an operation to the server cannot be undone, and one that received changes can"
    )
    func carried() throws {
        func last() throws -> RunID? { try self.store.read { try $0.lastRunToUndo() } }
        let operation = try self.operation(self.note("a", .changed))
        try self.sync(self.note("a", .changed, .remote))
        #expect(try last() == operation)
        let received = try self.sync(self.note("a", .changed, .remote), self.note("b", .added))
        #expect(try last() == received)
    }

    @Test("a local operation does not change the record of the last sent text")
    func sentLast() throws {
        try self.sync(self.note("a", .changed, .remote), self.note("b", .added, .remote))
        try self.operation(self.note("a", .changed))
        #expect(try self.store.read { try $0.sentLast(in: self.list) } == 2)
    }

    @Test("a run has its kind, the first title and the number of reminders")
    func subjects() throws {
        let run = try self.store.write { transaction in
            let run = try transaction.beginOperation(.complete, at: Sample.now)
            for (number, kind) in [(1, ChangeKind.changed), (2, .changed), (3, .added)] {
                var note = self.note("\(number)", kind)
                note.object = ObjectID(Int64(number))
                try transaction.recordChange(note, in: self.list, of: run, at: Sample.now)
            }
            return run
        }
        let (operation, subject) = try self.store.read { (try $0.run(run)?.operation, try $0.subject(of: run)) }
        #expect(operation == .complete && subject?.title == "1" && subject?.count == 2)
        let sync = try self.sync()
        #expect(try self.store.read { try $0.run(sync)?.operation } == nil)
        #expect(try self.store.read { try $0.subject(of: sync)?.count } == nil)
    }

    @Test("an undo to the server's version leaves no unsent change: a text, a move, a deletion; any other undo does")
    func clean() throws {
        guard case .recorded(let id) = try self.store.pull("a", "/a.ics", into: self.list) else { return }
        let other = try self.store.makeList("Other")
        let before = try self.store.object(id)
        func settle(isClean: Bool = true) throws {
            #expect(try self.store.object(id).isDirty)
            try self.store.write { try $0.markSentIfReverted(id) }
            let object = try self.store.object(id)
            #expect(object.isDirty != isClean)
            guard isClean else { return }
            #expect(object.href == before.href && object.etag == before.etag && object.source == before.source)
            #expect(try object.list == self.list && self.store.state(of: self.list).tombstones.isEmpty)
        }
        try self.store.edit(id, uid: "a", "Edited")
        try settle(isClean: false)
        try self.store.write { try $0.update(id, StoredObject(source: before.source, index: before.index)) }
        try settle()
        #expect(try self.store.object(id).revision > before.revision)
        try self.store.write { try $0.move(id, to: other, at: 1) }
        try settle(isClean: false)
        try self.store.write { try $0.move(id, to: self.list, at: 2) }
        try settle()
        for (source, isClean) in [(before.source, true), (Sample.source("a", "Edited"), false)] {
            try self.store.write { transaction in
                try transaction.delete(id, at: 3)
                _ = try transaction.restore(
                    id,
                    into: self.list,
                    uid: "a",
                    StoredObject(source: source, index: before.index),
                    at: 4
                )
            }
            try settle(isClean: isClean)
        }
    }

    @Test("undo deletes a list that the run created if it is empty and unchanged, and restores it with its number")
    func lists() throws {
        let made = try self.store.write { transaction in
            let id = try transaction.insertList(named: "Garden", color: "#112233", at: 0)
            let list = try #require(try transaction.list(id))
            let run = try transaction.beginOperation(at: 0)
            let change = StateChange(before: nil, after: ListAppearance(list))
            try transaction.recordChange(change, of: run, at: 0)
            return change
        }
        let appearance = try #require(made.after)
        func deleteIfUnchanged() throws -> Bool {
            try self.store.write { try $0.deleteIfUnchanged(appearance) }
        }
        let id = try self.store.add("a", to: appearance.list)
        #expect(try !deleteIfUnchanged(), "something is in it")
        try self.store.write { try $0.delete(id, at: 1) }
        var list = try #require(try self.store.read { try $0.list(appearance.list) })
        list.color = nil
        try self.store.write { try $0.update(list) }
        #expect(try !deleteIfUnchanged(), "it has another colour")
        list.color = "#112233"
        try self.store.write { try $0.update(list) }
        let feed = try self.store.write {
            try $0.insertFeed(named: "f", tokenHash: [1], list: appearance.list, labels: [], at: 0)
        }
        #expect(try !deleteIfUnchanged(), "a feed publishes it")
        try self.store.write { try $0.revokeFeed(feed, at: 1) }
        #expect(try deleteIfUnchanged() && self.store.read { try $0.list(appearance.list) } == nil)
        #expect(try !deleteIfUnchanged())
        try self.store.write { try $0.restore(appearance, at: 2) }
        let back = try #require(try self.store.read { try $0.list(appearance.list) })
        #expect(back.name == "Garden" && back.color == "#112233" && back.state == .local)
        let run = try #require(try self.store.read { try $0.lastRunToUndo() })
        let notes = try self.store.read { try $0.stateChanges(of: run, ListAppearance.self) }
        #expect(notes.map(\.change) == [made])
        try self.store.write { try $0.markUndone(notes[0].id, at: 3) }
        #expect(try self.store.read { try $0.lastRunToUndo() } == nil)
    }

    @Test("undo of an undo restores the undone changes, and so on")
    func undone() throws {
        let first = try #require(try self.changes(self.sync(self.note("a", .changed))).first)
        let second = try #require(try self.changes(self.operation(self.note("a", .changed), reversing: first.id)).first)
        let third = try #require(try self.changes(self.operation(self.note("a", .changed), reversing: second.id)).first)
        #expect(second.reverses == first.id && first.reverses == nil)
        func marks() throws -> [Bool] {
            try self.store.read { snapshot in
                try [first, second, third].map { try snapshot.change($0.id)?.undoneAt != nil }
            }
        }
        for (change, expected) in [
            (first, [true, false, false]), (second, [false, true, false]), (third, [true, false, true]),
        ] {
            try self.store.write { try $0.markUndone(change.id, at: 7) }
            #expect(try marks() == expected)
        }
        let counts = try self.store.read { try $0.changeCounts(of: first.run) }
        #expect(counts.map(\.side) == [.local] && counts.map(\.kind) == [.changed])
        #expect(counts.map(\.count) == [1] && counts.map(\.undone) == [1])
    }

    @Test("the trash contains each reminder once, only deletions by the user, and nothing that the store contains")
    func trashContent() throws {
        try self.operation(self.note("a", .deleted, before: "edited here"))
        try self.sync(self.note("a", .deleted, .remote, before: "as the server had it"))
        try self.sync(self.note("b", .deleted, before: "old"))
        try self.sync(self.note("b", .deleted, before: "new"))
        try self.sync(self.note("c", .deleted), self.note("d", .changed))
        try self.store.add("c", to: self.list)
        let found = try self.trash()
        #expect(found.map(\.note.uid) == ["b", "a"])
        let texts = try self.store.read { snapshot in
            try found.map { try snapshot.change($0.id)?.note.before }
        }
        #expect(texts == [Sample.source("b", "new"), Sample.source("a", "edited here")])
        try self.store.write { transaction in
            let object = self.note("a", .deleted).object
            #expect(try transaction.deletions(of: ObjectID(object.rawValue + 1), in: self.list, uid: "a").isEmpty)
            for id in try transaction.deletions(of: object, in: self.list, uid: "a") {
                try transaction.markUndone(id, at: 8)
            }
        }
        #expect(try self.trash().map(\.note.uid) == ["b"])
    }

    @Test("a deleted reminder is in the trash although another list has its UID, and a moved one is not")
    func trashTwins() throws {
        let other = try self.store.write { try $0.insertList(named: "Other", at: 0) }
        let copy = try self.store.add("a", to: other)
        func note(_ uid: String, _ object: ObjectID, _ kind: ChangeKind, _ side: SyncSide = .local) -> ChangeNote {
            ChangeNote(object: object, uid: uid, title: uid, side: side, kind: kind)
        }
        let deleted = ObjectID(90)
        // By the user here, and by another client on the server.
        try self.operation(note("a", deleted, .deleted))
        #expect(try self.trash().map(\.note.uid) == ["a"])
        try self.sync(note("a", deleted, .deleted, .remote))
        #expect(try self.trash().map(\.note.side) == [.local])
        _ = try self.store.add("b", to: other)
        try self.sync(note("b", ObjectID(91), .deleted))
        #expect(try self.trash().map(\.note.uid) == ["b", "a"])
        // Moved here: the reminder keeps its number, and the server is informed of its removal from the old list.
        let moved = try self.store.add("c", to: other)
        var move = note("c", moved, .moved)
        move.origin = self.list
        try self.store.write { [move] transaction in
            let run = try transaction.beginOperation(at: Sample.now)
            try transaction.recordChange(move, in: other, of: run, at: Sample.now)
        }
        try self.sync(note("c", moved, .deleted, .remote))
        #expect(try self.trash().map(\.note.uid) == ["b", "a"])
        // Moved on the server: one sync removes the reminder from one list and adds it to another.
        let (came, went) = (note("d", try self.store.add("d", to: other), .added), note("d", ObjectID(92), .deleted))
        try self.store.write { transaction in
            let run = try transaction.beginRun(of: "work", at: Sample.now)
            try transaction.recordChange(came, in: other, of: run, at: Sample.now)
            try transaction.recordChange(went, in: self.list, of: run, at: Sample.now)
        }
        #expect(try self.trash().map(\.note.uid) == ["b", "a"])
        // Restored into another list before the deletion was sent.
        try self.operation(note("e", ObjectID(94), .deleted))
        try self.store.write { transaction in
            for id in try transaction.deletions(of: ObjectID(94), in: self.list, uid: "e") {
                try transaction.markUndone(id, at: 8)
            }
        }
        try self.sync(note("e", ObjectID(94), .deleted, .remote))
        // Reminders that are deleted with their list are not in the trash.
        try self.store.write { transaction in
            for id in [copy, moved] { try transaction.remove(id) }
        }
        #expect(try self.trash().map(\.note.uid) == ["b", "a"])
    }

    @Test("after 30 days the trash is empty, and the next entry deletes the old ones")
    func expiry() throws {
        let old = try self.operation(self.note("a", .deleted, before: "old"))
        let later = Sample.now + journalSeconds + 1
        #expect(try self.trash(since: later - journalSeconds).isEmpty)
        #expect(try self.trash(since: later - journalSeconds - 1).count == 1)
        try self.operation(self.note("b", .deleted, before: "new"), at: later)
        #expect(try self.changes(old).isEmpty)
        #expect(try self.store.read { try $0.run(old) } == nil)
    }

    @Test("a restored reminder has its number again and waits for the next sync")
    func restored() throws {
        let id = try self.store.add("a", to: self.list)
        try self.store.write { try $0.delete(id, at: 1) }
        func restore(_ uid: String) throws -> ObjectID {
            try self.store.write { transaction in
                try transaction.restore(
                    id,
                    into: self.list,
                    uid: uid,
                    StoredObject(source: Sample.source(uid), index: Sample.index()),
                    at: Sample.now
                )
            }
        }
        #expect(try restore("a") == id)
        let object = try self.store.object(id)
        #expect(object.isDirty && object.href == nil && object.revision == Sample.now)
        #expect(try restore("b") != id, "the number is another reminder's now")
    }

    /// Adds a reminder from the server.
    private func pulled() throws -> ObjectID {
        let outcome = try self.store.pull("a", "/a.ics", into: self.list)
        let id: ObjectID? = if case .recorded(let id) = outcome { id } else { nil }
        return try #require(id)
    }

    @Test("restoring a reminder that the server still has becomes a change on the server")
    func restoredOverTombstone() throws {
        let id = try self.pulled()
        try self.store.write { transaction in
            try transaction.delete(id, at: 1)
            _ = try transaction.restore(
                id,
                into: self.list,
                uid: "a",
                StoredObject(source: Sample.source("a", "Back"), index: Sample.index("Back")),
                at: Sample.now
            )
        }
        let object = try self.store.object(id)
        #expect(object.href == "/a.ics" && object.etag == "\"1\"" && object.revision == 2)
        #expect(try self.store.state(of: self.list).tombstones.isEmpty)
    }

    @Test("the text of an addition is known from its first change, or else from the base")
    func textAsAdded() throws {
        let id = try self.pulled()
        var added = self.note("a", .added)
        added.object = id
        let record = try #require(try self.changes(self.sync(added)).first)
        func text() throws -> [UInt8]? { try self.store.read { try $0.textAsAdded(record) } }
        #expect(try text() == Sample.source("a", "Pulled"))
        try self.sync(self.note("a", .changed, before: "first"))
        try self.sync(self.note("a", .changed, before: "second"))
        #expect(try text() == Sample.source("a", "first"))
    }

    @Test("later operations do not hide the text of an addition")
    func textAsAddedBehindOperations() throws {
        guard case .recorded(let id) = try self.store.pull("a", "/a.ics", into: self.list) else { return }
        var added = self.note("a", .added)
        added.object = id
        let record = try #require(try self.changes(self.sync(added)).first)
        try self.operation(self.note("a", .changed, before: "of some time"))
        #expect(try self.store.read { try $0.textAsAdded(record) } == Sample.source("a", "Pulled"))
        #expect(try self.store.read { try !$0.wasDeletedThere(record) })
        try self.sync(self.note("a", .deleted, .remote))
        #expect(try self.store.read { try $0.wasDeletedThere(record) })
    }

    @Test("a merge or a user's operation does not contain the text of an addition")
    func textAsAddedUnknown() throws {
        for (uid, kind) in [("a", ChangeKind.merged), ("b", .deleted)] {
            let record = try #require(try self.changes(self.sync(self.note(uid, .added))).first)
            try self.sync(self.note(uid, kind, before: "edited"))
            #expect(try self.store.read { try $0.textAsAdded(record) } == nil)
        }
        let record = try #require(try self.changes(self.sync(self.note("c", .added))).first)
        try self.operation(self.note("c", .deleted, before: "as added"), reversing: record.id)
        #expect(try self.store.read { try $0.textAsAdded(record) } == Sample.source("c", "as added"))
    }
}
