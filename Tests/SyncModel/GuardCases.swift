import RemindavBridge
import RemindavReminders
import RemindavStore
import RemindavSync

/// Rule R7: an event that resembles the deletion of many reminders.
struct GuardCase: Sendable {
    enum Event: String, CaseIterable, Sendable {
        case emptied = "the server's list is empty"
        case vanished = "the list is gone from the server"
        case replaced = "another, empty list is at the address"
        case swapped = "the account shows other lists"
        case halved = "every second one is deleted there"
        case filtered = "the listing shows three of them"
        case few = "ten are deleted there"
        case here = "every second one is deleted here"
        case allHere = "all are deleted here"
        case moved = "all are moved to another list here"
        case refilled = "the server's list holds others"
    }

    let event: Event
    let count: Int

    static let all = Event.allCases.flatMap { event in [4, 10, 11, 24, 40, 100].map { Self(event: event, count: $0) } }

    var name: String { "\(self.count) reminders, \(self.event.rawValue)" }

    /// - Returns: the violated invariants.
    func run(folder: String) async -> [String] {
        do {
            var profile = Profile()
            if self.event == .moved { profile.lists = 2 }
            let world = try World(profile, seed: 1, folder: folder, log: { _ in })
            defer { world.end() }
            let machine = world.machines[0]
            _ = await world.sync(machine)
            world.add(to: machine, (0..<self.count).map { "s\($0)" }, list: "list 0")
            _ = await world.sync(machine)
            let expected = self.happen(world)
            let before = try machine.objects().count
            let there = world.server.paths.count
            let isHeld = expected.isWhole || expected.gone > 10 && expected.gone * 4 > self.count
            let run = await world.sync(machine)
            let held = run.summary.lists.map(\.sync.held.count).reduce(0, +)
            var failures = world.failures
            func expect(_ condition: Bool, _ words: String) { if !condition { failures.append("I4 \(words)") } }
            let here = try machine.objects().count
            let isLocal = [.here, .allHere, .moved].contains(self.event)
            if isHeld {
                expect(held == expected.gone, "\(held) are held, not \(expected.gone)")
                expect(isLocal || here >= before, "\(before - here) were deleted here")
                expect(!isLocal || world.server.paths.count == there, "some were deleted there")
                _ = await world.sync(machine, allowMassDelete: true)
            } else {
                expect(held == 0, "\(held) are held")
            }
            let left = self.count - expected.gone
            let foreign = expected.added
            expect(
                try machine.objects().count == left + foreign,
                "\(try machine.objects().count) are left here, not \(left + foreign)"
            )
            if isLocal { expect(world.server.paths.count == left, "\(world.server.paths.count) are left there") }
            return failures
        } catch {
            return ["I1 \(error)"]
        }
    }

    /// - Returns: the number of deletions that a sync would make, whether these are all items, and the number of new
    ///   items.
    private func happen(_ world: World) -> (gone: Int, isWhole: Bool, added: Int) {
        let paths = world.server.paths
        func remove(_ paths: some Sequence<String>) -> Int {
            var count = 0
            for path in paths {
                world.server.remove(path)
                count += 1
            }
            return count
        }
        func delete(every step: Int) -> Int {
            var count = 0
            for (place, object) in ((try? world.machines[0].objects()) ?? []).enumerated()
            where place.isMultiple(of: step) {
                try? world.machines[0].useCases.delete(object.id.rawValue)
                count += 1
            }
            return count
        }
        switch self.event {
        case .emptied:
            // As after a restore: not reported one by one, but missing in a full listing.
            let gone = remove(paths)
            world.server.collections[0].epoch += 1
            return (gone, true, 0)
        case .vanished:
            world.server.collections = []
            return (0, false, 0)
        case .replaced:
            let path = world.server.collections[0].path
            world.server.collections = []
            world.server.makeList(String(path.split(separator: "/").last ?? "l0"), named: "list 0")
            return (0, false, 0)
        case .swapped:
            world.server.collections = []
            world.server.makeList("other", named: "other")
            return (0, false, 0)
        case .halved:
            return (remove(paths.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)), false, 0)
        case .filtered:
            let gone = remove(paths.dropFirst(3))
            world.server.collections[0].epoch += 1
            return (gone, false, 0)
        case .few: return (remove(paths.prefix(10)), false, 0)
        case .here: return (delete(every: 2), false, 0)
        case .allHere: return (delete(every: 1), false, 0)
        case .moved:
            for object in (try? world.machines[0].objects()) ?? [] {
                var edit = ReminderChange()
                edit.list = "list 1"
                _ = try? world.machines[0].useCases.edit(object.id.rawValue, edit)
            }
            return (0, false, 0)
        case .refilled:
            let gone = remove(paths)
            world.server.collections[0].epoch += 1
            for number in 0..<3 { world.create("r\(number)") }
            return (gone, true, 3)
        }
    }
}

func guardCases(in folder: String) -> Bool {
    report(
        GuardCase.all,
        "cases of the guard",
        named: \.name,
        of: { item, folder in waiting { await item.run(folder: folder) } },
        in: folder
    )
}
