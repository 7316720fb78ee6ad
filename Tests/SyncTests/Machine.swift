import RemindavICalendar
import RemindavResources
import RemindavSQLiteStore
import RemindavStore
import RemindavStoreSupport
import RemindavSync

/// A machine with its own store.
final class Machine {
    let store: ReminderStore
    let list: ListID
    let server: FakeServer

    init(_ server: FakeServer, supportsSyncCollection: Bool = true) throws {
        self.store = try TestStores.make()
        self.server = server
        self.list = try self.store.write { transaction in
            let account = try transaction.insertAccount(
                named: "a",
                url: "http://localhost/",
                user: "u",
                secret: SecretReference(kind: "file", reference: "x"),
                at: 0
            )
            let list = try transaction.insertList(named: "l", at: 0)
            try transaction.adoptRemote(
                list,
                RemoteList(
                    account: account,
                    url: "http://localhost/list/",
                    supportsSyncCollection: supportsSyncCollection
                )
            )
            return list
        }
    }

    @discardableResult
    func sync(
        guard deletionGuard: DeletionGuard = .off
    ) async -> (report: SyncReport, error: (any Error)?) {
        var sync = self.listSync(guard: deletionGuard)
        return await sync.run()
    }

    /// The result of a dry run.
    func dryRun(
        guard deletionGuard: DeletionGuard = .off
    ) async throws -> (report: SyncReport, error: (any Error)?, changes: [ChangeNote]) {
        let copy = try self.store.inMemoryCopy()
        var sync = self.listSync(guard: deletionGuard, store: copy, writer: NullWriter.accepting)
        let (report, error) = await sync.run()
        return (report, error, try copy.lastChanges)
    }

    func listSync(
        guard deletionGuard: DeletionGuard = .off,
        policy: ConflictPolicy = .lastModifiedWins,
        store: ReminderStore? = nil,
        reader: (any RemoteReading)? = nil,
        writer: (any RemoteWriting)? = nil,
        now: Int64 = 0,
        ctag: String? = nil,
        verifies: Bool = false,
        run: RunID? = nil
    ) -> ListSync {
        let store = store ?? self.store
        // A sync without a journal works too; then the tests of the journal fail.
        let run = run ?? (try? store.write { try $0.beginRun(of: "a", at: 0) })
        var context = SyncContext(
            store: store,
            list: self.list,
            reader: reader ?? self.server,
            writer: writer ?? self.server,
            now: now,
            stored: {
                StoredObject(source: $0.document.bytes, index: ObjectIndex(title: $0.main.first(.summary)?.text ?? ""))
            }
        )
        context.deletionGuard = deletionGuard
        context.policy = policy
        context.ctag = ctag
        context.run = run
        context.verifies = verifies
        return ListSync(context)
    }

    var objects: [ObjectRecord] { get throws { try self.store.read { try $0.objects(in: self.list) } } }

    /// The meaning of each reminder's text, by UID.
    var meanings: [String: [ComponentMeaning: Int]] {
        get throws {
            var result: [String: [ComponentMeaning: Int]] = [:]
            for object in try self.objects {
                result[object.uid] = CalendarObject(ICalendarDocument(object.source))?.meaning
            }
            return result
        }
    }

    func add(_ uid: String, _ lines: String) throws {
        let text = Self.text(uid, lines)
        try self.store.write { transaction in
            _ = try transaction.insert(
                into: self.list,
                uid: uid,
                StoredObject(source: Array(text.utf8), index: ObjectIndex(title: uid))
            )
        }
    }

    func edit(_ uid: String, _ name: Name, _ value: String, stamp: Int) throws {
        try self.store.write { transaction in
            guard let record = try transaction.object(in: self.list, uid: uid),
                let object = CalendarObject(ICalendarDocument(record.source))
            else { return }
            var editor = ComponentEditor(object.main)
            editor.set(ContentLine(name, value: value))
            editor.set(ContentLine(.lastModified, value: "20260101T\(100_000 + stamp)Z"))
            let bytes = object.document.applying(editor.edits).bytes
            guard bytes != record.source else { return }
            try transaction.update(record.id, StoredObject(source: bytes, index: ObjectIndex(title: uid)))
        }
    }

    func delete(_ uid: String) throws {
        try self.store.write { transaction in
            guard let record = try transaction.object(in: self.list, uid: uid) else { return }
            try transaction.delete(record.id, at: 0)
        }
    }

    /// Another list of the account, without a server.
    func addList() throws -> ListID {
        try self.store.write { transaction in
            guard let account = try transaction.list(self.list)?.account else { throw Refusal() }
            let list = try transaction.insertList(named: "other", at: 0)
            try transaction.adoptRemote(list, RemoteList(account: account, url: "http://localhost/other/"))
            return list
        }
    }

    /// Records an item from the server of a list, with or without an entity tag.
    func pull(_ uid: String, _ lines: String, into list: ListID, etag: EntityTag? = nil) throws {
        let pulled = PulledObject(
            uid: uid,
            href: Href("/other/\(uid).ics"),
            etag: etag,
            StoredObject(source: Array(Self.text(uid, lines).utf8), index: ObjectIndex(title: uid))
        )
        _ = try self.store.write { try $0.recordPulled(pulled, in: list) }
    }

    /// Records a user's change of a reminder in the journal, as renaming a label does.
    ///
    /// - Parameter list: the list of the reminder; `nil` for the list of the machine.
    func recordOperation(on uid: String, _ kind: ChangeKind = .changed, in list: ListID? = nil) throws {
        try self.store.write { transaction in
            guard let object = try transaction.object(in: list ?? self.list, uid: uid) else { throw Refusal() }
            let run = try transaction.beginOperation(at: 0)
            let note = ChangeNote(object: object.id, uid: uid, title: uid, side: .local, kind: kind)
            try transaction.recordChange(note, in: list ?? self.list, of: run, at: 0)
        }
    }

    /// The text of a reminder in a list.
    func source(_ uid: String, in list: ListID) throws -> String? {
        try self.store.read { try $0.object(in: list, uid: uid) }.map { String(decoding: $0.source, as: UTF8.self) }
    }

    static func text(_ uid: String, _ lines: String) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:\(uid)\r\n\(lines)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    }
}

extension ReminderStore {
    /// The entries of the last run in the journal.
    var lastChanges: [ChangeNote] {
        get throws {
            try self.read { snapshot in
                guard let run = try snapshot.runs(limit: 1).first else { return [] }
                return try snapshot.changes(.run(run.id)).map(\.note)
            }
        }
    }
}

extension FakeServer {
    /// Returns a server with this number of reminders, and the machine that has sent them.
    static func filled(_ count: Int) async throws -> (FakeServer, Machine) {
        let server = FakeServer()
        let machine = try Machine(server)
        for number in 0..<count { try machine.add("u\(number)", "SUMMARY:\(number)") }
        await machine.sync()
        return (server, machine)
    }
}
