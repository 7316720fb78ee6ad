import RemindavICalendar
import RemindavNotifications
import RemindavRecurrence
import RemindavReminders
import RemindavResources
import RemindavStore
import Synchronization
import Testing

@testable import RemindavBridge

@Suite("undo: deletions on a server")
struct UndoTests {
    private let useCases: UseCases
    private let list: ListID

    init() throws {
        let useCases = try Workplace.open()
        self.useCases = useCases
        self.list = try useCases.store.write { transaction in
            let account = try transaction.insertAccount(
                named: "a",
                url: "http://localhost/",
                user: "u",
                secret: SecretReference(kind: "file", reference: "x"),
                at: 0
            )
            let list = try transaction.insertList(named: "Home", at: 0)
            try transaction.adoptRemote(
                list,
                RemoteList(account: account, url: "http://localhost/list/", supportsSyncCollection: true)
            )
            return list
        }
    }

    /// Records a run that receives a reminder.
    private func receive(_ uid: String, isFirst: Bool = false) throws {
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:\(uid)\r\nSUMMARY:\(uid)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        try self.useCases.store.write { transaction in
            let run = try transaction.beginRun(of: "a", at: self.useCases.seconds)
            let pulled = PulledObject(
                uid: uid,
                href: Href("/list/\(uid).ics"),
                etag: EntityTag("\"1\""),
                StoredObject(source: Array(text.utf8), index: ObjectIndex(title: uid))
            )
            guard case .recorded(let id) = try transaction.recordPulled(pulled, in: self.list) else { return }
            var note = ChangeNote(object: id, uid: uid, title: uid, side: .local, kind: .added)
            if isFirst { note.origin = self.list }
            try transaction.recordChange(note, in: self.list, of: run, at: self.useCases.seconds)
            try transaction.endRun(run, requests: 1, error: nil, at: self.useCases.seconds)
        }
    }

    private var titles: [String] {
        get throws { try self.useCases.reminders(matching: ReminderFilter()).map(\.title).sorted() }
    }

    @Test("undo of a deletion ignores a deletion of another reminder with the same UID")
    func deletionsOfNamesakes() throws {
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:a\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        func numbers() throws -> [Int64] { try self.useCases.reminders(matching: ReminderFilter()).map(\.id) }
        for _ in 1...2 {
            _ = try Workplace.load(text, into: self.useCases)
            try self.useCases.delete(try #require(numbers().first))
        }
        // The last run first, each time with all reminders of that time.
        for (run, held) in [(4, [2]), (3, []), (2, [1]), (1, [])] as [(Int64, [Int64])] {
            #expect(try self.useCases.undo(.last, mayEmpty: true).undone == run)
            #expect(try numbers() == held)
        }
        #expect(try self.useCases.undo(.last).undone == nil)
    }

    @Test("undo may empty a list only with permission, and a dry run reports this")
    func emptying() throws {
        try self.receive("a")
        let plan = try self.useCases.undo(.last, isDryRun: true)
        #expect(plan.deletesOnServer == 1 && plan.emptied == ["Home"])
        #expect(throws: UseCaseError(.undoEmptiesList)) { try self.useCases.undo(.last) }
        #expect(try self.titles == ["a"])
        try self.receive("b")
        let last = try self.useCases.undo(.last)
        #expect(last.deletesOnServer == 1 && last.emptied.isEmpty)
        #expect(try self.titles == ["a"])
        _ = try self.useCases.undo(.last, mayEmpty: true)
        #expect(try self.titles.isEmpty)
    }

    @Test("reminders of the first sync stay, with one reason for all of them")
    func firstSync() throws {
        try self.receive("a", isFirst: true)
        let summary = try self.useCases.undo(.last, mayEmpty: true)
        guard case .impossible(let error) = try #require(summary.changes.first).outcome else {
            Issue.record("it is gone")
            return
        }
        #expect(error == UseCaseError(.thereBefore) && error.subject == "Home")
        #expect(try self.titles == ["a"])
    }

    private func object() throws -> ObjectRecord {
        try #require(try self.useCases.store.read { try $0.objects().first })
    }

    /// Records a run that sends the first reminder; with `receiving`, the run also deletes that reminder here.
    private func send(receiving deleted: String? = nil) throws {
        let object = try self.object()
        try self.useCases.store.write { transaction in
            let run = try transaction.beginRun(of: "a", at: self.useCases.seconds)
            if let deleted, let other = try transaction.object(in: self.list, uid: deleted) {
                var note = ChangeNote(object: other.id, uid: deleted, title: deleted, side: .local, kind: .deleted)
                note.before = other.source
                _ = try transaction.recordRemoteDeletion(ReadObject(other.id, revision: other.revision), in: self.list)
                try transaction.recordChange(note, in: self.list, of: run, at: self.useCases.seconds)
            }
            let read = ReadObject(object.id, revision: object.revision)
            let (href, etag) = (Href("/list/a.ics"), EntityTag("\"2\""))
            _ = try transaction.recordPushed(read, in: self.list, href: href, etag: etag, base: object.source)
            var note = ChangeNote(object: object.id, uid: object.uid, title: "a", side: .remote, kind: .changed)
            note.after = object.source
            try transaction.recordChange(note, in: self.list, of: run, at: self.useCases.seconds)
            try transaction.endRun(run, requests: 1, error: nil, at: self.useCases.seconds)
        }
    }

    @Test("undo of an unsent edit leaves nothing to send, and undo of a sent one is sent")
    func sentOrNot() throws {
        try self.receive("a")
        let before = try self.object()
        _ = try self.useCases.edit(before.id.rawValue, ReminderChange(title: "b"))
        #expect(try self.object().isDirty)
        _ = try self.useCases.undo(.last)
        #expect(try self.object().source == before.source && !self.object().isDirty)

        _ = try self.useCases.edit(before.id.rawValue, ReminderChange(title: "b"))
        let operation = try #require(try self.useCases.log(limit: 1).first?.id)
        try self.send()
        #expect(try !self.object().isDirty)
        // The run that sent the operation is not an operation of the user.
        let undone = try self.useCases.undo(.last)
        #expect(undone.undone == operation && undone.skippedRuns.isEmpty)
        let after = try self.object()
        #expect(after.isDirty && after.index.title == "a" && after.source != before.source)
        let stamps = [after.source, before.source].map { source in
            CalendarObject(ICalendarDocument(source))?.main.lastChange
        }
        #expect(stamps == [Workplace.now, nil])
        // Undo of the undo restores it unchanged.
        _ = try self.useCases.undo(.run(try #require(undone.run)))
        #expect(try self.object().index.title == "b" && !self.object().isDirty)
    }

    @Test("undo of a sync reverts the changes that it received, and leaves the edits that it sent")
    func receivedAndSent() throws {
        try self.receive("a")
        try self.receive("b")
        _ = try self.useCases.edit(try self.object().id.rawValue, ReminderChange(title: "Edited"))
        try self.send(receiving: "b")
        #expect(try self.titles == ["Edited"])
        let undone = try self.useCases.undo(.last)
        #expect(undone.undone == 4 && undone.sentChanges == 1 && undone.changes.count == 1)
        #expect(try self.titles == ["Edited", "b"])
        // The next undo reverts the edit itself.
        #expect(try self.useCases.undo(.last).undone == 3)
        #expect(try self.titles == ["a", "b"])
    }

    @Test("undo of a sync that only sent changes is refused, and one of its changes can be undone by its number")
    func onlySent() throws {
        try self.receive("a")
        _ = try self.useCases.edit(try self.object().id.rawValue, ReminderChange(title: "Edited"))
        try self.send()
        let refused = try self.useCases.undo(.run(3))
        #expect(refused.missing == [UseCaseError(.runOnlySent)] && refused.changes.isEmpty)
        #expect(try self.titles == ["Edited"])
        let sent = try #require(try self.useCases.log(run: 3).changes.first?.id)
        #expect(try self.useCases.undo(.changes([sent])).missing.isEmpty)
    }

    @Test("a dismissed notification is no step of undo, and the log shows it only on request")
    func dismissed() throws {
        let useCases = try Workplace.open()
        let due = Workplace.now.adding(seconds: -60).wire
        let text = "BEGIN:VTODO\r\nUID:a\r\nSUMMARY:a\r\nDUE:\(due)\r\nEND:VTODO\r\n"
        _ = try Workplace.load("BEGIN:VCALENDAR\r\n\(text)END:VCALENDAR\r\n", into: useCases)
        try useCases.perform(
            PendingAction(ReminderID(1), occurrence: nil, .acknowledge(upTo: Workplace.now))
        )
        #expect(try useCases.log(limit: 9).map(\.operation) == ["dismiss", nil])
        #expect(try useCases.log(limit: 9, includingDismissals: false).map(\.operation) == [nil])
        let undone = try useCases.undo(.last)
        #expect(undone.undone == 1 && undone.changes.count == 1)
        #expect(try useCases.reminders(matching: ReminderFilter()).isEmpty)
    }

    @Test("the log names the first three reminders of a sync, those that it received before those that it sent")
    func titlesOfSync() throws {
        try self.receive("a")
        #expect(try self.useCases.log(limit: 1).map(\.titles) == [["a"]])
        try self.useCases.store.write { transaction in
            let run = try transaction.beginRun(of: "a", at: self.useCases.seconds)
            for (id, side) in [(1, SyncSide.remote), (2, .local), (3, .local), (4, .local)] {
                let uid = "r\(id)"
                let note = ChangeNote(object: ObjectID(Int64(id)), uid: uid, title: uid, side: side, kind: .changed)
                try transaction.recordChange(note, in: self.list, of: run, at: self.useCases.seconds)
            }
            try transaction.endRun(run, requests: 1, error: nil, at: self.useCases.seconds)
        }
        let run = try #require(try self.useCases.log(limit: 1).first)
        #expect(run.titles == ["r2", "r3", "r4"] && run.hasMoreTitles)
        _ = try self.useCases.add(ReminderDraft(title: "mine"))
        #expect(try self.useCases.log(limit: 1).map(\.titles) == [[]])
    }

    @Test("a click on 'Snooze all' is one run, which one undo reverts")
    func snoozedTogether() throws {
        let useCases = try Workplace.open()
        let due = Workplace.now.adding(seconds: -60).wire
        for uid in ["a", "b"] {
            let text = "BEGIN:VTODO\r\nUID:\(uid)\r\nSUMMARY:\(uid)\r\nDUE:\(due)\r\nEND:VTODO\r\n"
            _ = try Workplace.load("BEGIN:VCALENDAR\r\n\(text)END:VCALENDAR\r\n", into: useCases)
        }
        var runs = ActionRuns()
        func snooze(_ id: Int64, seconds: Int) throws {
            let until = Workplace.now.adding(seconds: seconds)
            let effect = PendingAction.Effect.snooze(at: Workplace.now, until: until)
            try useCases.perform(
                PendingAction(ReminderID(id), occurrence: nil, effect),
                AlarmSettings(),
                in: &runs
            )
        }
        for id: Int64 in [1, 2] { try snooze(id, seconds: 3600) }
        let last = try #require(try useCases.log(limit: 1).first)
        #expect(last.operation == "snooze" && last.reminders == 2)
        try snooze(1, seconds: 7200)
        #expect(try useCases.log(limit: 9).count == 4)
        _ = try useCases.undo(.last)
        #expect(try useCases.undo(.last).changes.count == 2)
        #expect(try useCases.reminders(matching: ReminderFilter()).allSatisfy { !$0.isSnoozed })
    }

    @Test("one command is one run, also when the first of its reminders cannot be changed")
    func oneRun() throws {
        try self.receive("a")
        try self.receive("b")
        let ids = try self.useCases.reminders(matching: ReminderFilter()).map(\.id)
        let results = try self.useCases.perform(.delete, on: [99] + ids)
        #expect(results.map(\.id) == [99] + ids)
        #expect(throws: UseCaseError(.reminderNotFound)) { try results[0].outcome.get() }
        let last = try #require(try self.useCases.log(limit: 1).first)
        #expect(last.operation == "delete" && last.reminders == 2 && last.counts.deletedHere == 2)
        #expect(try self.useCases.undo(.last).changes.count == 2)
        #expect(try self.titles == ["a", "b"])
        #expect(try self.useCases.store.read { try $0.objects().allSatisfy { !$0.isDirty } })
    }

    @Test("an operation is one write, with all of its entries in the journal")
    func oneWrite() throws {
        let useCases = try Workplace.open()
        let first = try useCases.add(ReminderDraft(title: "first")).id
        try useCases.store.write { _ = try $0.insertList(named: "Other", at: 0) }
        let writes = Mutex(0)
        useCases.store.observeWrites { writes.withLock { $0 += 1 } }
        func count(_ operation: () throws -> Void) throws -> Int {
            writes.withLock { $0 = 0 }
            try operation()
            return writes.withLock { $0 }
        }
        let due = CalendarDateOrDateTime.exact(Workplace.now.adding(seconds: 60))
        let daily = try RecurrenceRule(wire: "FREQ=DAILY")
        let counts = [
            try count { _ = try useCases.add(ReminderDraft(title: "second")) },
            try count {
                let edit = ReminderChange(title: "a", due: .set(due), recurrenceRule: .set(daily), list: "Other")
                _ = try useCases.edit(first, edit)
            },
            try count { _ = try useCases.snooze(first, seconds: 60) },
            try count { _ = try useCases.complete(first) },
            try count { try useCases.delete(first) },
            try count { _ = try useCases.undo(.last) },
        ]
        #expect(counts == [1, 1, 1, 1, 1, 1])
        #expect(
            try useCases.log(limit: 9).map(\.operation) == [nil, "delete", "complete", "snooze", "edit", "add", "add"]
        )
    }

    @Test("undo of an import keeps a reminder that was changed later, and the next undo goes further back")
    func importChangedSince() throws {
        let useCases = try Workplace.open()
        let first = try useCases.add(ReminderDraft(title: "first"))
        let todos = ["x", "y"].map { "BEGIN:VTODO\r\nUID:\($0)\r\nSUMMARY:\($0)\r\nEND:VTODO\r\n" }
        let text = "BEGIN:VCALENDAR\r\n\(todos.joined())END:VCALENDAR\r\n"
        let report = try Workplace.load(text, into: useCases)
        try useCases.store.write { transaction in
            let object = try #require(try transaction.objects().first { $0.uid == "x" })
            let edited = Array(
                String(decoding: object.source, as: UTF8.self).replacing("SUMMARY:x", with: "SUMMARY:z").utf8
            )
            try transaction.update(object.id, StoredObject(source: edited, index: ObjectIndex(title: "z")))
        }
        let run = try #require(report.run)
        #expect(try useCases.undo(.last).undone == run)
        func titles() throws -> [String] { try useCases.reminders(matching: ReminderFilter()).map(\.title).sorted() }
        #expect(try titles() == ["first", "z"])
        let second = try useCases.undo(.last)
        #expect(second.skippedRuns.map(\.run.id) == [run] && second.changes.map(\.reminder) == [first.id])
        #expect(second.skippedRuns.first?.error == UseCaseError(.changedSince))
        #expect(try titles() == ["z"])
        // No other run remains: the message has the reason, and no run is skipped.
        let third = try useCases.undo(.last)
        #expect(third.undone == run && third.skippedRuns.isEmpty && third.run == nil)
    }

    @Test("a reminder deleted from a list that became read-only is not restored, and this is reported")
    func takenOut() throws {
        try self.receive("a")
        let id = try self.object().id.rawValue
        _ = try self.useCases.edit(id, ReminderChange(title: "mine"))
        try self.useCases.store.write { transaction in
            _ = try transaction.insertList(named: "Other", at: 0)
            var list = try #require(try transaction.list(self.list))
            list.isReadOnly = true
            try transaction.update(list)
        }
        let copy = try self.useCases.edit(id, ReminderChange(list: "Other"))
        #expect(copy.title == "mine" && copy.id != id)
        let run = try #require(try self.useCases.log(limit: 1).first)
        #expect(run.operation == "move" && run.counts.moved == 1)
        let refused = try self.useCases.undo(.run(run.id))
        guard case .impossible(let error)? = refused.changes.first?.outcome else {
            Issue.record("it is moved back")
            return
        }
        #expect(error == UseCaseError(.listIsReadOnly))
        #expect(try self.titles == ["a", "mine"])
    }

    @Test("the end of a server's back-off is shown in local time, rounded up to the minute")
    func wallClock() throws {
        let berlin = try Workplace.open(localZone: "Europe/Berlin")
        #expect(berlin.reader.wallClock(at: Instant(secondsSince1970: 1_795_204_801)) == "2026-11-20 21:01")
    }
}
