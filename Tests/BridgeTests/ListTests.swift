import RemindavCurlTransport
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavStore
import RemindavWebDAV
import Testing

@testable import RemindavBridge
@testable import RemindavCalDAV

/// A store with an account; the tests create its lists.
private struct Place {
    let useCases: UseCases
    let account: AccountRecord

    static let home = "https://dav.example.org/home/"

    init() throws {
        let useCases = try Workplace.open()
        self.useCases = useCases
        try useCases.store.write { transaction in
            _ = try transaction.insertAccount(
                named: "acc",
                url: Self.home,
                user: "u",
                homeSets: [Self.home],
                secret: SecretReference(kind: "command", reference: "true"),
                at: 0
            )
        }
        self.account = try useCases.account(named: "acc")
    }

    static func collection(_ path: String, _ name: String?, color: String? = nil, id: String? = nil) throws
        -> CalendarCollection
    {
        var collection = CalendarCollection(url: try #require(URL("\(Self.home)\(path)/")), resourceID: id)
        collection.displayName = name
        collection.color = color
        collection.components = ["VTODO"]
        return collection
    }

    /// Pairs the lists, as a sync does before it reads them.
    func pair(_ collections: CalendarCollection...) throws {
        let sync = AccountSync(
            useCases: self.useCases,
            account: self.account,
            client: try CalDAVClient(
                address: Self.home,
                credentials: Credentials(user: "u", password: Secret("p")),
                transport: CurlSession()
            ),
            request: SyncRequest(),
            run: RunID(1),
            progress: { _ in }
        )
        _ = try sync.pair(collections, unknown: [])
    }

    func list(_ name: String) throws -> ListRecord {
        let lists = try self.useCases.store.read { snapshot in try snapshot.lists() }
        return try #require(lists.first { $0.name == name }, "\(name) among \(lists.map(\.name))")
    }

    var names: [String] {
        get throws { try self.useCases.lists().map(\.name) }
    }

    /// Adds a reminder to a list, and marks it as sent to the server.
    @discardableResult
    func pull(_ uid: String, into list: String, title: String = "Theirs") throws -> Int64 {
        let id = try self.list(list).id
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:\(uid)\r\nSUMMARY:\(title)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        return try self.useCases.store.write { transaction in
            let pulled = PulledObject(
                uid: uid,
                href: Href("/home/a/\(uid).ics"),
                etag: "\"1\"",
                StoredObject(source: Array(text.utf8), index: ObjectIndex(title: title))
            )
            _ = try transaction.recordPulled(pulled, in: id)
            try transaction.saveToken("t", ctag: nil, of: id)
            return try transaction.object(in: id, uid: uid)?.id.rawValue ?? 0
        }
    }

    /// Makes the list read-only on the server.
    func lock(_ path: String, _ name: String) throws {
        var collection = try Self.collection(path, name)
        collection.isWritable = false
        try self.pair(collection)
    }
}

@Suite("pairing of lists with those of their server")
struct ListPairingTests {
    @Test("a local name stays until the server reports another name than before")
    func names() throws {
        let place = try Place()
        try place.pair(Place.collection("a", "Work"))
        try place.useCases.store.write { transaction in
            var list = try #require(try transaction.lists().first)
            list.name = "Works of mine"
            list.color = "#111111"
            try transaction.update(list)
        }
        try place.pair(Place.collection("a", "Work"))
        #expect(try place.names == ["Works of mine"])
        #expect(try place.list("Works of mine").color == "#111111")
        try place.pair(Place.collection("a", "Wor", color: "#222222"))
        #expect(try place.names == ["Wor"])
        #expect(try place.list("Wor").color == "#222222")
        try place.pair(Place.collection("a", nil))
        #expect(try place.names == ["Wor"])
        #expect(try place.list("Wor").color == nil)
    }

    @Test("a name in use gets the account's name as a suffix, and two lists may exchange their names")
    func nameInUse() throws {
        let place = try Place()
        _ = try place.useCases.store.write { transaction in try transaction.insertList(named: "Work", at: 0) }
        try place.pair(Place.collection("a", "Work"), Place.collection("b", "Home"))
        #expect(try place.names == ["Work", "Home", "Work (acc)"])
        try place.pair(Place.collection("a", "Work"), Place.collection("b", "Work"))
        #expect(try place.names == ["Work", "Work (acc 2)", "Work (acc)"])
        try place.pair(Place.collection("a", "One"), Place.collection("b", "Two"))
        try place.pair(Place.collection("a", "Two"), Place.collection("b", "One"))
        #expect(try place.list("Two").url == "\(Place.home)a/" && place.list("One").url == "\(Place.home)b/")
    }

    @Test("another spelling of the address is the same list, and its sync state stays")
    func spelling() throws {
        let place = try Place()
        try place.pair(Place.collection("a%40b", "Work"))
        try place.pull("u", into: "Work")
        try place.pair(Place.collection("a@b", "Office"))
        #expect(try place.list("Office").syncToken == "t")
        #expect(try place.useCases.lists().map(\.unsent) == [0])
    }

    @Test("a list at another address is recognised by its resource-id, never by its name")
    func identity() throws {
        let place = try Place()
        try place.pair(Place.collection("a", "Work", id: "urn:1"))
        try place.pull("u", into: "Work")
        try place.pair(Place.collection("z", "Renamed", id: "urn:1"))
        #expect(try place.names == ["Renamed"])
        #expect(try place.list("Renamed").url == "\(Place.home)z/")
        try place.pair(Place.collection("y", "Renamed", id: "urn:2"))
        #expect(try place.names == ["Renamed", "Renamed (acc)"])
        #expect(try place.list("Renamed").state == .detached)
        #expect(try place.list("Renamed (acc)").state == .synced)
    }

    @Test("a list that the server has lost is kept, and is paired again when it reappears")
    func comesBack() throws {
        let place = try Place()
        try place.pair(Place.collection("a", "Work"))
        try place.pull("u", into: "Work")
        try place.pair()
        let lost = try place.useCases.lists()
        #expect(lost.map(\.state) == [.detached] && lost.map(\.open) == [1])
        try place.pair(Place.collection("a", "Work"))
        let back = try place.useCases.lists()
        #expect(back.map(\.state) == [.synced] && back.map(\.unsent) == [0])
    }

    @Test("a list that was left on the server stays hidden until the server has deleted it")
    func ignored() async throws {
        let place = try Place()
        try place.pair(Place.collection("a", "Work"), Place.collection("b", "Home"))
        try await place.useCases.deleteList("Work", localOnly: true)
        #expect(try place.useCases.ignoredLists().map(\.name) == ["Work"])
        try place.pair(Place.collection("a", "Work"), Place.collection("b", "Home"))
        #expect(try place.names == ["Home"])
        try place.pair(Place.collection("b", "Home"))
        #expect(try place.useCases.ignoredLists().isEmpty)
    }

    @Test("a list during its deletion on the server does not count as new; later it does")
    func deletedSlowly() throws {
        let place = try Place()
        for (until, names) in [(Workplace.now.secondsSince1970 + 1, []), (Workplace.now.secondsSince1970, ["Work"])] {
            try place.pair(Place.collection("a", "Work"))
            let id = try place.list("Work").id
            try place.useCases.store.write { transaction in try transaction.deleteList(id, ignoringUntil: until) }
            try place.pair(Place.collection("a", "Work"))
            #expect(try place.names == names)
            try place.pair()
        }
    }
}

@Suite("operations on lists")
struct ListUseCaseTests {
    @Test("a name selects the list with exactly this name, else the one that differs in case only, else none")
    func meanings() throws {
        let useCases = try Workplace.open()
        for name in ["Work", "work", "Home"] {
            _ = try useCases.store.write { transaction in try transaction.insertList(named: name, at: 0) }
        }
        func meant(_ name: String) throws -> String? {
            try useCases.store.read { snapshot in try snapshot.lists().named(name)?.name }
        }
        #expect(try meant("Work") == "Work" && meant("work") == "work" && meant("HOME") == "Home")
        #expect(try meant("Hom") == nil)
        let error = #expect(throws: UseCaseError(.listNameUnclear)) { try meant("WORK") }
        #expect(error?.subject == "Work', 'work")
        #expect(throws: UseCaseError(.listNameUnclear)) {
            try useCases.reminders(matching: ReminderFilter(lists: ["WORK"]))
        }
        try Workplace.load(
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nEND:VTODO\nEND:VCALENDAR\n",
            into: useCases,
            list: "HOME"
        )
        #expect(try useCases.lists().count == 3)
    }

    @Test("a new name must differ from all other lists in any case, and may be the list's current name")
    func rename() async throws {
        let useCases = try Workplace.open()
        _ = try await useCases.addList(named: "Work", account: nil, color: nil)
        _ = try await useCases.addList(named: "Home", account: nil, color: nil)
        await #expect(throws: UseCaseError(.listExists)) { try await useCases.renameList("Home", to: "work") }
        #expect(try await useCases.renameList("Home", to: "HOME").list.name == "HOME")
        await #expect(throws: UseCaseError(.listNotFound)) { try await useCases.renameList("Garden", to: "x") }
    }

    @Test("a list that the server has lost can be renamed, kept and deleted here")
    func lost() async throws {
        let place = try Place()
        try place.pair(Place.collection("a", "Work"), Place.collection("b", "Home"))
        try place.pull("u", into: "Work")
        #expect(throws: UseCaseError(.listNotLost)) { try place.useCases.keepList("Work") }
        try place.pair()
        #expect(try await place.useCases.renameList("Work", to: "Old work").serverValue == nil)
        let kept = try place.useCases.keepList("Old work")
        #expect(kept.state == .local && kept.account == nil && kept.open == 1)
        try await place.useCases.deleteList("Home", localOnly: false)
        try place.pair(Place.collection("a", "Work"))
        #expect(try place.names == ["Old work", "Work"])
    }

    @Test("the effects of a deletion are reported: the number of reminders, unsent changes, and a shared list")
    func deletion() throws {
        let place = try Place()
        try place.pair(Place.collection("a", "Work"), Place.collection("x/b", "Shared"))
        let id = try place.pull("u", into: "Work")
        try place.pull("v", into: "Work")
        _ = try place.useCases.edit(id, ReminderChange(title: "Mine"))
        let here = try place.useCases.listDeletion(of: "Work", localOnly: true)
        #expect(here.reminders == 2 && here.unsent == ["Mine"] && !here.goesFromServer && !here.isForeign)
        let shared = try place.useCases.listDeletion(of: "shared", localOnly: false)
        #expect(shared.isForeign && shared.goesFromServer && shared.account == "acc")
    }

    @Test("an unknown version counts as missed; versions of this machine, in any spelling, do not")
    func misses() throws {
        let place = try Place()
        try place.pair(Place.collection("a", "Work"))
        try place.pull("u", into: "Work")
        let deleted = try place.pull("w x", into: "Work")
        try place.useCases.delete(deleted)
        let id = try place.list("Work").id
        let state = try #require(try place.useCases.store.read { snapshot in try snapshot.syncState(of: id) })
        func misses(_ href: String, _ etag: String?) -> Bool {
            let member = ResourceVersion(href: .init(href), etag: etag.map { .init($0) })
            return state.misses(ResourceChanges(changed: [member], removed: [], token: nil, isComplete: false))
        }
        #expect(
            !misses("/home/a/u.ics", "\"1\"") && !misses("/home/a/u.ics", "W/\"1\"") && !misses("/home/a/u.ics", nil)
        )
        #expect(!misses("/home/a/w%20x.ics", "\"1\""))
        #expect(
            misses("/home/a/u.ics", "\"2\"") && misses("/home/a/new.ics", "\"1\"") && misses("/home/a/new.ics", nil)
        )
    }
}

@Suite("read-only lists of a server")
struct ReadOnlyListTests {
    private let place: Place
    private let id: Int64

    init() throws {
        self.place = try Place()
        try self.place.pair(Place.collection("a", "Work"))
        _ = try self.place.useCases.store.write { transaction in try transaction.insertList(named: "Mine", at: 0) }
        self.id = try self.place.pull("u", into: "Work")
    }

    private func lock() throws { try self.place.lock("a", "Work") }

    @Test(
        "each change of a read-only list is refused with the reason, and nothing is changed",
        arguments: ["add", "edit", "done", "undone", "snooze", "delete", "import", "move into", "move out of"]
    )
    func refused(verb: String) throws {
        try self.lock()
        let useCases = self.place.useCases
        let other = try useCases.add(ReminderDraft(title: "x", labels: [], priority: .undefined, list: "Mine")).id
        let before = try Workplace.export(useCases)
        let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nEND:VTODO\nEND:VCALENDAR\n"
        let error = #expect(throws: UseCaseError(.listIsReadOnly)) {
            switch verb {
            case "add": _ = try useCases.add(ReminderDraft(title: "x", labels: [], priority: .undefined, list: "Work"))
            case "edit": _ = try useCases.edit(self.id, ReminderChange(title: "x"))
            case "done": _ = try useCases.complete(self.id)
            case "undone": _ = try useCases.reopen(self.id)
            case "snooze": _ = try useCases.snooze(self.id, seconds: 300)
            case "delete": try useCases.delete(self.id)
            case "import": try Workplace.load(text, into: useCases, list: "Work")
            case "move into": _ = try useCases.edit(other, ReminderChange(list: "Work"))
            default: _ = try useCases.edit(self.id, ReminderChange(list: "Mine"))
            }
        }
        #expect(error?.subject == "Work")
        #expect(try Workplace.export(useCases) == before)
    }

    @Test("an import without a list name does not use it, and uses another list only if that was chosen")
    func importElsewhere() throws {
        try self.lock()
        let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:u\nSUMMARY:Mine\nEND:VTODO\nEND:VCALENDAR\n"
        #expect(throws: UseCaseError(.defaultListReadOnly)) { try Workplace.load(text, into: self.place.useCases) }
        _ = try self.place.useCases.setDefaultList("Mine")
        #expect(try Workplace.load(text, into: self.place.useCases).list == "Mine")
        #expect(try self.place.useCases.reminder(self.id).title == "Theirs")
    }

    @Test("an unsent change moves to another list as a reminder of its own, and the list equals the server's")
    func takenOut() throws {
        let useCases = self.place.useCases
        _ = try useCases.edit(self.id, ReminderChange(title: "Changed here"))
        try self.lock()
        let moved = try useCases.edit(self.id, ReminderChange(notes: .set("and more"), list: "Mine"))
        #expect(moved.title == "Changed here" && moved.notes == "and more" && moved.list == "Mine" && moved.uid != "u")
        let left = try useCases.reminder(self.id)
        #expect(left.title == "Theirs" && left.list == "Work")
        #expect(try useCases.lists().first { $0.name == "Work" }?.unsent == 0)
    }

    @Test("a reminder that was never sent moves unchanged")
    func newOne() throws {
        let useCases = self.place.useCases
        let new = try useCases.add(ReminderDraft(title: "x", labels: [], priority: .undefined, list: "Work"))
        try self.lock()
        let moved = try useCases.edit(new.id, ReminderChange(list: "Mine"))
        #expect(moved.id == new.id && moved.uid == new.uid && moved.list == "Mine")
        #expect(try useCases.lists().first { $0.name == "Work" }?.unsent == 0)
    }

    @Test("unsent changes can be discarded: edits, new reminders and deletions")
    func discarded() throws {
        let useCases = self.place.useCases
        let deleted = try self.place.pull("v", into: "Work", title: "Deleted here")
        _ = try useCases.edit(self.id, ReminderChange(title: "Changed here"))
        _ = try useCases.add(ReminderDraft(title: "New here", labels: [], priority: .undefined, list: "Work"))
        try useCases.delete(deleted)
        try self.lock()
        let waiting = try useCases.listDeletion(of: "Work", localOnly: true)
        #expect(waiting.unsent == ["Changed here", "New here"] && waiting.unsentDeletions == 1)
        #expect(try useCases.discardEdits(in: "Work") == 3)
        let left = try useCases.reminders(matching: ReminderFilter(lists: ["Work"]))
        #expect(Set(left.map(\.title)) == ["Theirs", "Deleted here"] && Set(left.map(\.id)) == [self.id, deleted])
        #expect(try useCases.lists().first { $0.name == "Work" }?.unsent == 0)
        #expect(try useCases.discardEdits(in: "Work") == 0)
        #expect(throws: UseCaseError(.listHasNoServer)) { try useCases.discardEdits(in: "Mine") }
    }

    @Test(
        "a reminder that was moved into the list returns to its list on the server, or goes to the trash if no list has it",
        arguments: [true, false]
    )
    func movedIn(isDiscarded: Bool) async throws {
        let useCases = self.place.useCases
        try self.place.pair(Place.collection("a", "Work"), Place.collection("b", "Home"))
        _ = try useCases.edit(self.id, ReminderChange(title: "Changed here", list: "Home"))
        _ = try useCases.add(ReminderDraft(title: "New here", labels: [], priority: .undefined, list: "Home"))
        #expect(try useCases.listDeletion(of: "Home", localOnly: true).nowhereElse == 1)
        if isDiscarded {
            #expect(try useCases.discardEdits(in: "Home") == 2)
        } else {
            try await useCases.deleteList("Home", localOnly: true)
        }
        let back = try useCases.reminder(self.id)
        #expect(back.title == "Theirs" && back.list == "Work")
        #expect(try useCases.lists().first { $0.name == "Work" }?.unsent == 0)
        let trash = try useCases.trash()
        #expect(trash.map(\.title) == ["New here"])
        _ = try useCases.restore(trash.map(\.id), list: "Work")
        let work = try useCases.reminders(matching: ReminderFilter(lists: ["Work"]))
        #expect(Set(work.map(\.title)) == ["Theirs", "New here"])
    }

    @Test("the reminders of a deleted list are in the trash, and can be restored into another list")
    func trashed() async throws {
        let useCases = self.place.useCases
        _ = try useCases.add(ReminderDraft(title: "Local", labels: [], priority: .undefined, list: "Mine"))
        try await useCases.deleteList("Mine", localOnly: false)
        let trash = try useCases.trash()
        #expect(trash.map(\.title) == ["Local"] && trash.first?.list == nil)
        _ = try useCases.restore(trash.map(\.id), list: "Work")
        let work = try useCases.reminders(matching: ReminderFilter(lists: ["Work"]))
        #expect(Set(work.map(\.title)) == ["Theirs", "Local"])
    }
}
