import RemindavBridge
import RemindavReminders
import RemindavResources
import RemindavStore

/// A sync that is disturbed at every place: its start, and its necessary actions.
struct Scenario: Sendable {
    let name: String
    var profile = Profile()
    /// Whether the program has another way if one request fails: then no error is reported, or that of the other way.
    var hasAnotherWay = false
    /// Creates the state before the sync of machine A.
    let prepare: @Sendable (World) async -> Void
    /// Checks the end in addition to the invariants; `nil` when it holds.
    var complaint: @Sendable (World) -> String? = { _ in nil }

    static let all: [Self] = [
        Self(name: "first sync") { world in
            for number in 0..<3 { world.create("r\(number)") }
        },
        Self(name: "nothing to do") { world in await world.share(3) },
        Self(name: "create here") { world in
            await world.share(2)
            world.add(to: world.machines[0], ["n0", "n1"])
        },
        Self(name: "change here") { world in
            await world.share(2)
            world.edit(world.machines[0], 0, ReminderChange(title: "changed here"))
        },
        Self(name: "delete here") { world in
            await world.share(3)
            world.delete(world.machines[0], 0)
        },
        Self(name: "create there") { world in
            await world.share(2)
            for number in 0..<3 { world.create("r\(number)") }
        },
        Self(name: "change there") { world in
            await world.share(3)
            world.change(0) { $0.set("SUMMARY", "changed there") }
            world.change(1) { $0.set("SUMMARY", "changed there, too") }
        },
        Self(name: "delete there") { world in
            await world.share(4)
            world.write(nil, at: world.server.paths[0], by: "another program")
        },
        Self(name: "one property changed on both sides") { world in
            await world.share(2)
            world.edit(world.machines[0], 0, ReminderChange(title: "changed here"))
            world.pass(60)
            world.changeFirst { $0.set("SUMMARY", "changed there") }
        },
        Self(name: "two properties changed on both sides") { world in
            await world.share(2)
            world.edit(world.machines[0], 0, ReminderChange(title: "changed here"))
            world.changeFirst { $0.set("DESCRIPTION", "changed there") }
        },
        Self(name: "changed here, deleted there") { world in
            await world.share(3)
            world.edit(world.machines[0], 0, ReminderChange(title: "changed here"))
            world.deleteFirst()
        },
        Self(name: "deleted here, changed there") { world in
            await world.share(3)
            world.changeFirst { $0.set("SUMMARY", "changed there") }
            world.delete(world.machines[0], 0)
        },
        Self(name: "list renamed there") { world in
            await world.share(2)
            world.server.collections[0].name = "another name"
            world.edit(world.machines[0], 0, ReminderChange(title: "changed here"))
        },
        Self(name: "list deleted there", profile: .twoLists) { world in
            await world.share(4)
            let gone = world.server.collections.remove(at: 1)
            for member in gone.members.values {
                if let text = CalendarText(member.text) { world.ledger.unwatch(text.uid) }
            }
        },
        Self(name: "token forgotten") { world in
            await world.share(3)
            world.server.collections[0].epoch += 1
            world.edit(world.machines[0], 1, ReminderChange(title: "changed here"))
            world.changeFirst { $0.set("SUMMARY", "changed there") }
        },
        Self(name: "many items") { world in
            for number in 0..<Self.many { world.create("r\(number)") }
            world.add(to: world.machines[0], (0..<20).map { "n\($0)" })
        },
        Self(name: "two accounts") { world in
            world.server.makeList("x", named: "other", home: "/dav/w/")
            world.addSecondAccount()
            await world.share(2)
            world.create("r0")
            world.create("r1", in: 1)
            world.edit(world.machines[0], 0, ReminderChange(title: "changed here"))
        },
        Self(name: "read-only list", profile: .twoLists) { world in
            await world.share(4)
            world.server.collections[1].isReadOnly = true
            world.create("r0", in: 1)
            world.edit(world.machines[0], 0, ReminderChange(title: "changed here"))
        },
        Self(name: "import and sync") { world in
            await world.share(2)
            world.create("same")
            world.importSame(world.machines[0], "same")
        },
        Self(
            name: "a new item with the UID of another list's item",
            profile: .twoLists,
            prepare: { world in
                await world.share(2)
                world.create("same", in: 1)
                _ = await world.sync(world.machines[0])
                world.importSame(world.machines[0], "same", copies: true)
                world.ledger.unwatch("uid-same")
            },
            complaint: { world in
                let paths = world.server.paths.filter { path in
                    world.server.member(path).flatMap { CalendarText($0.text) }?.uid == "uid-same"
                }
                return paths.count == 2 ? nil : "I2 of two lists with one UID, \(paths.count) have the item"
            }
        ),
        Self(name: "moved here", profile: .twoLists, hasAnotherWay: true) { world in
            await world.share(4)
            world.moveFirst(world.machines[0])
        },
        Self(name: "a series in two resources, changed here") { world in
            world.createSeries("series")
            await world.share(1)
            world.edit(world.machines[0], 0, ReminderChange(title: "changed here"))
        },
        Self(name: "a series in two resources, deleted here") { world in
            world.createSeries("series")
            await world.share(1)
            world.delete(world.machines[0], 0)
        },
        Self(name: "no tags of what was sent", profile: .withoutTags) { world in
            await world.share(2)
            world.edit(world.machines[0], 0, ReminderChange(title: "changed here"))
            world.add(to: world.machines[0], ["n0"])
        },
    ]
}

extension Profile {
    static var twoLists: Self {
        var profile = Self()
        profile.lists = 2
        return profile
    }

    static var withoutTags: Self {
        var profile = Self()
        profile.tellsTagOfPut = false
        return profile
    }
}

extension Scenario {
    /// More than one request fetches, so that a fault may come between two of them.
    fileprivate static let many = value("--many").flatMap { Int($0) } ?? 120
}

// The parts of scenarios.
extension World {
    /// Creates that many reminders on both machines and the server.
    func share(_ count: Int) async {
        for machine in self.machines { _ = await self.sync(machine) }
        for number in 0..<count {
            let lists = (try? self.machines[0].store.read { try $0.lists() })?.filter { $0.state == .synced } ?? []
            guard !lists.isEmpty else { return self.failures.append("I6 no list after a first sync") }
            self.add(to: self.machines[0], ["s\(number)"], list: lists[number % lists.count].name)
        }
        for machine in self.machines + self.machines.prefix(1) { _ = await self.sync(machine) }
    }

    func add(to machine: Machine, _ titles: [String], list: String? = nil) {
        self.act(on: machine, by: "\(machine.name)") {
            for title in titles {
                var new = ReminderDraft(title: title)
                new.labels = ["l\(title)"]
                new.list = list
                _ = try machine.useCases.add(new)
            }
        }
    }

    func edit(_ machine: Machine, _ place: Int, _ edit: ReminderChange) {
        self.pass(10)
        self.act(on: machine, by: "\(machine.name)") {
            _ = try machine.useCases.edit(try machine.objects()[place].id.rawValue, edit)
        }
    }

    func delete(_ machine: Machine, _ place: Int) {
        self.act(on: machine, by: "\(machine.name)") {
            try machine.useCases.delete(try machine.objects()[place].id.rawValue)
        }
    }

    func moveFirst(_ machine: Machine) {
        self.act(on: machine, by: "\(machine.name)") {
            let object = try machine.objects()[0]
            let lists = try machine.store.read { try $0.lists() }
            guard let other = lists.first(where: { $0.id != object.list && $0.state == .synced }) else { return }
            var edit = ReminderChange(title: "moved")
            edit.list = other.name
            _ = try machine.useCases.edit(object.id.rawValue, edit)
        }
    }

    func create(_ title: String, in list: Int = 0) {
        var todo = CalendarText.Node(name: "VTODO")
        todo.set("UID", "uid-\(title)")
        todo.set("DTSTAMP", self.utc(self.time))
        todo.set("SUMMARY", title)
        todo.set("X-FOREIGN", title, parameters: ["X-P=1"])
        var root = CalendarText.Node(name: "VCALENDAR")
        root.set("VERSION", "2.0")
        root.set("PRODID", "-//other//")
        root.children = [todo]
        let path = "\(self.server.collections[list].path)\(title).ics"
        self.write(CalendarText(root: root).bytes(), at: path, by: "another program")
    }

    /// A weekly series, with a completed first week.
    func createSeries(_ title: String) {
        self.create(title)
        self.change(at: "\(self.server.collections[0].path)\(title).ics") { todo in
            todo.set("DTSTART", "20351101T090000Z")
            todo.set("RRULE", "FREQ=WEEKLY")
        }
        self.completeBeside(title)
    }

    /// Puts the completed occurrence into a second resource of the same UID, as Nextcloud Tasks does.
    private func completeBeside(_ title: String) {
        var todo = CalendarText.Node(name: "VTODO")
        todo.set("UID", "uid-\(title)")
        todo.set("RECURRENCE-ID", "20351101T090000Z")
        todo.set("DTSTAMP", self.utc(self.time))
        todo.set("SUMMARY", "done of \(title)")
        todo.set("STATUS", "COMPLETED")
        todo.set("COMPLETED", "20351101T093000Z")
        var root = CalendarText.Node(name: "VCALENDAR")
        root.set("VERSION", "2.0")
        root.set("PRODID", "-//other//")
        root.children = [todo]
        let path = "\(self.server.collections[0].path)\(title)-done.ics"
        self.write(CalendarText(root: root).bytes(), at: path, by: "another program")
    }

    func change(_ place: Int, _ body: (inout CalendarText.Node) -> Void) {
        self.change(at: self.server.paths[place], body)
    }

    /// Changes the first reminder of machine A.
    func changeFirst(_ body: (inout CalendarText.Node) -> Void) {
        guard let path = self.firstPath else { return }
        self.change(at: path, body)
    }

    func deleteFirst() {
        guard let path = self.firstPath else { return }
        self.write(nil, at: path, by: "another program")
    }

    private var firstPath: String? {
        (try? self.machines[0].objects())?.first?.href.flatMap { MemoryServer.path($0.wire) }
    }

    private func change(at path: String, _ body: (inout CalendarText.Node) -> Void) {
        guard let member = self.server.member(path), var text = CalendarText(member.text) else { return }
        var todo = text.main
        body(&todo)
        todo.set("LAST-MODIFIED", self.utc(self.time))
        text.main = todo
        self.write(text.bytes(), at: path, by: "another program")
    }

    /// Imports the to-do of the server from a file.
    ///
    /// - Parameter copies: whether it goes into the first list although another list has it.
    func importSame(_ machine: Machine, _ title: String, copies: Bool = false) {
        guard let path = self.server.paths.first(where: { $0.hasSuffix("\(title).ics") }),
            let bytes = self.server.member(path)?.text
        else { return }
        self.act(on: machine, by: "\(machine.name)") {
            let rest = Rest(bytes)
            let source = ByteSource(name: "file.ics") { _ in rest.take() }
            let lists = try machine.store.read { try $0.lists() }.filter { $0.state == .synced }.map(\.name).sorted()
            _ = try machine.useCases.importCalendar(
                source,
                list: copies ? lists.first : nil,
                dryRun: false,
                options: ImportOptions(copies: copies),
                progress: { _ in }
            )
        }
    }
}

/// The bytes of a file, once.
///
/// Everything runs on one thread (``SingleThread``).
final class Rest: @unchecked Sendable {
    private var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func take() -> [UInt8] {
        defer { self.bytes = [] }
        return self.bytes
    }
}
