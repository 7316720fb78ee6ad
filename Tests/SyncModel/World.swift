import RemindavBridge
import RemindavHosting
import RemindavResources
import RemindavSQLiteStore
import RemindavStore
import RemindavStoreSupport
import RemindavSync
import Synchronization

/// A server, two machines, other programs, a clock, and a ledger of all written values.
///
/// Everything runs on one thread (``SingleThread``), which makes this class Sendable.
final class World: @unchecked Sendable {
    let server: MemoryServer
    private(set) var machines: [Machine] = []
    var ledger = Ledger(machines: Set(World.names))
    /// Seconds since 1970: Friday, 20 November 2026, 20:00 UTC.
    private(set) var time: Int64 = 1_795_204_800
    /// Called for each step.
    let log: (String) -> Void
    /// The violated invariants.
    var failures: [String] = []
    /// Texts of the server that another program still has open in an editor.
    var stale: [(path: String, text: [UInt8])] = []
    /// UIDs that a user or the server removed from one of their lists.
    var disturbed: Set<String> = []
    /// Backups of the server, by collection.
    var backups: [String: MemoryServer.Collection] = [:]

    /// Stores of finished histories: emptying one takes a tenth of the time of creating one.
    private static let used = Mutex<[ReminderStore]>([])
    private static let usedByWorkers = Mutex<[SharedStore]>([])
    private static let names = ["A", "B"]
    /// The greatest error of a clock, in seconds.
    static let worstClock: Int64 = 100_000
    private let folder: String
    private let isOnDisk: Bool
    /// Whether workers of a host sync the stores.
    let hasWorkers: Bool
    private let seed: UInt64

    /// - Parameter folder: contains the password, and the stores that are files.
    init(
        _ profile: Profile,
        seed: UInt64,
        folder: String,
        isOnDisk: Bool = false,
        hasWorkers: Bool = false,
        log: @escaping (String) -> Void
    ) throws {
        self.server = MemoryServer(profile, seed: seed)
        self.log = log
        self.folder = folder
        self.isOnDisk = isOnDisk
        self.hasWorkers = hasWorkers
        self.seed = seed
        for name in Self.names { self.machines.append(try self.machine(name, isNew: true)) }
        self.server.rewritten = { [unowned self] sent, stored in
            guard let text = CalendarText(sent) else { return }
            self.ledger.observe(text.uid, before: text, after: CalendarText(stored), by: "the server's rewriting")
        }
        // An edit of a property that the server drops is an edit: it keeps an item that was deleted elsewhere.
        self.server.lost = { [unowned self] uid in self.ledger.touch(uid) }
        self.server.deleted = { [unowned self] text in self.ledger.destroy(around: text) }
    }

    private func machine(_ name: String, isNew: Bool) throws -> Machine {
        let folder = self.isOnDisk && name == "A" ? "\(self.folder)/A" : nil
        let shared = self.hasWorkers ? try Self.emptySharedStore() : nil
        let store = try shared?.users ?? folder.map { try ReminderStore.open(folder: $0) } ?? Self.emptyStore()
        let machine = try Machine(
            name,
            self.server,
            folder: self.folder,
            store: store,
            shared: shared,
            isNew: isNew,
            seed: self.seed
        ) { [unowned self] in self.time }
        machine.wire.log = self.log
        return machine
    }

    private static func emptyStore() throws -> ReminderStore {
        guard let store = self.used.withLock({ $0.popLast() }) else { return try TestStores.make() }
        try store.removeEverything()
        return store
    }

    private static func emptySharedStore() throws -> SharedStore {
        guard let store = self.usedByWorkers.withLock({ $0.popLast() }) else { return try SharedStore() }
        try store.removeEverything()
        return store
    }

    /// Releases this world.
    func end() {
        for machine in self.machines {
            if let shared = machine.shared {
                Self.usedByWorkers.withLock { $0.append(shared) }
            } else if machine.store.folder == nil {
                Self.used.withLock { $0.append(machine.store) }
            }
        }
        self.machines = []
    }

    /// A new process on the file of a killed one.
    func reopen(_ place: Int) throws {
        self.machines[place] = try self.machine(self.machines[place].name, isNew: false)
    }

    func removeStores() {
        self.machines = []
        Scratch.empty("\(self.folder)/A")
    }

    func addSecondAccount() {
        for machine in self.machines {
            do {
                try machine.store.write { transaction in
                    _ = try transaction.insertAccount(
                        named: "second",
                        url: "\(MemoryServer.origin)/dav/w/",
                        user: "w",
                        homeSets: ["\(MemoryServer.origin)/dav/w/"],
                        secret: SecretReference(kind: "file", reference: "password"),
                        at: 0
                    )
                }
            } catch {
                self.failures.append("I1 \(error)")
            }
        }
    }

    func pass(_ seconds: Int64) { self.time += seconds }

    // MARK: Writes of other programs

    /// A user's action on a machine: the values before it are known, the values after it are written.
    func act(on machine: Machine, by origin: String, _ body: () throws -> Void) {
        do {
            let before = try machine.objects()
            // A run that still goes on may have given an item another UID.
            self.notice(before, machine)
            do { try body() } catch { self.log("    refused: \(error)") }
            let after = try machine.objects()
            var old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
            for object in after {
                let past = old.removeValue(forKey: object.id)
                machine.known[object.id] = object.uid
                if let past, past.list != object.list {
                    self.ledger.touch(object.uid)
                    self.disturbed.insert(object.uid)
                }
                guard past?.source != object.source else { continue }
                self.ledger.observe(
                    object.uid,
                    before: past.flatMap { CalendarText($0.source) },
                    after: CalendarText(object.source),
                    by: origin,
                    on: machine.name
                )
            }
            for object in old.values.sorted(by: { $0.id < $1.id }) {
                self.disturbed.insert(object.uid)
                // The other one of two items with one UID is still there.
                guard !after.contains(where: { $0.uid == object.uid }) else {
                    self.ledger.unwatch(object.uid)
                    continue
                }
                let before = CalendarText(object.source)
                self.ledger.observe(object.uid, before: before, after: nil, by: origin, on: machine.name)
            }
        } catch {
            self.failures.append("I1 the store of \(machine.name) cannot be read: \(error)")
        }
    }

    /// Another program writes to the server directly.
    func write(_ written: [UInt8]?, at path: String, by origin: String) {
        let text = written.map(self.server.stored)
        let before = self.server.member(path).flatMap { CalendarText($0.text) }
        let after = text.flatMap { CalendarText($0) }
        if let text { self.server.put(text, at: path) } else { self.server.throwAway(path) }
        if let before, let after, before.uid == after.uid {
            return self.ledger.observe(after.uid, before: before, after: after, by: origin)
        }
        if let before { self.ledger.observe(before.uid, before: before, after: nil, by: origin) }
        if let after { self.ledger.observe(after.uid, before: nil, after: after, by: origin) }
    }

    // MARK: Syncs

    /// A sync of one machine, with the invariants of every sync.
    func sync(
        _ machine: Machine,
        _ trouble: Disturbance = Disturbance(),
        allowMassDelete: Bool = false,
        dryRun: Bool = false,
        isNow: Bool = false,
        meanwhile: @escaping () async -> Void = {}
    ) async -> Machine.Run {
        do {
            if machine.hasLeftLease {
                self.pass(Int64(LeaseTerms.seconds))
                try machine.shared?.endLease()
                machine.hasLeftLease = false
            }
            let before = try machine.objects()
            let deletions = self.server.deletions
            let writes = self.server.writes
            let isResting = try machine.isResting()
            let sender = MemoryServer.Sender(name: machine.name, time: self.time, isNow: isNow)
            let outer = self.server.begin(sender)
            let wasDisturbed = self.server.isDisturbed
            self.server.isDisturbed = wasDisturbed || !trouble.isNone
            defer { self.server.isDisturbed = wasDisturbed }
            let run = await machine.sync(
                trouble,
                allowMassDelete: allowMassDelete,
                dryRun: dryRun,
                isNow: isNow,
                meanwhile: meanwhile
            ) { [unowned self] wire, leaseEnd, arrive in
                guard let freeze = trouble.freeze else { return }
                self.takeOver(machine, wire, freeze, leaseEnd: leaseEnd, arrive: arrive)
            }
            self.checkLease(run, machine)
            if !run.wasTakenOver { self.checkPace(run, machine, trouble, isResting: isResting, isNow: isNow) }
            for uid in self.server.end(goingOnWith: outer, isHeard: trouble.isNone && !dryRun) {
                self.failures.append("I7 \(machine.name) sent \(uid) again, which the server had refused")
            }
            let after = try machine.objects()
            self.log("    \(run.errors.isEmpty ? "whole" : run.words)")
            self.notice(after, machine)
            // An unrecorded write may be treated as still unsent.
            if run.wasKilled || run.wasTakenOver || !trouble.faults.isEmpty {
                for uid in run.written.union(self.server.restoredUIDs) { self.ledger.lose(uid) }
            }
            if !dryRun, trouble.isNone, run.errors.isEmpty { self.ledger.meet(machine.name) }
            if dryRun {
                if before != after { self.failures.append("dry: a dry run changed the store of \(machine.name)") }
                if self.server.writes != writes { self.failures.append("dry: a dry run wrote to the server") }
            }
            if !allowMassDelete, trouble.meanwhile == nil, !run.wasTakenOver {
                self.checkGuard(before, after, deletions, machine)
            }
            self.checkTwins(before, after, machine)
            for object in after where !machine.holdsReadable(object) {
                self.failures.append("I1 \(machine.name) holds a text that is no to-do: \(object.uid)")
            }
            return run
        } catch {
            self.failures.append("I1 the store of \(machine.name) cannot be read: \(error)")
            return Machine.Run()
        }
    }

    /// I7: a server under load gets a pause; one that requested a pause gets a request only if the user asks for it; a
    /// refused text is not sent again unchanged.
    private func checkPace(
        _ run: Machine.Run,
        _ machine: Machine,
        _ trouble: Disturbance,
        isResting: Bool,
        isNow: Bool
    ) {
        let name = machine.name
        // The other accounts are synced.
        let isAlone = ((try? machine.store.read { try $0.accounts() })?.count ?? 0) == 1
        if isResting, isAlone, isNow != (run.requests > 0) {
            self.failures.append("I7 \(name) sent \(run.requests) requests while the server rests")
        }
        if run.hastyRequests > 0 { self.failures.append("I7 \(name) gave the server no pause after a failure") }
        // Without a tag for a condition a write is sent once.
        let isConditional = self.server.profile.tags != .weak
        // A server that fails for unknown tokens fails more often than a request is repeated.
        let isRecoverable = isConditional && self.server.profile.refusal != .failure
        if trouble.isBurst, isRecoverable, !isResting || isNow,
            let error = run.errors.first(where: { ErrorCategory.isOfServer($0) })
        {
            self.failures.append("I7 \(name) gave up on a server that was under load: \(error)")
        }
    }

    /// I4: at most 10 items, or a quarter of the list, are deleted without consent.
    private func checkGuard(
        _ before: [ObjectRecord],
        _ after: [ObjectRecord],
        _ deletions: [String: Int],
        _ machine: Machine
    ) {
        let present = Set(after.map(\.uid))
        for (list, objects) in Dictionary(grouping: before, by: \.list) {
            let gone = objects.filter { !present.contains($0.uid) }.count
            if gone > 10, gone * 4 > objects.count {
                self.failures.append("I4 \(machine.name) lost \(gone) of \(objects.count) in list \(list) unasked")
            }
        }
        for (path, count) in self.server.deletions {
            let gone = count - deletions[path, default: 0]
            let left = self.server.collections.first { $0.path == path }?.members.count ?? 0
            if gone > 10, gone * 4 > left + gone {
                self.failures.append("I4 \(machine.name) deleted \(gone) of \(left + gone) on the server unasked")
            }
        }
    }

    /// I8: no item leaves its list because another list has its UID.
    private func checkTwins(_ before: [ObjectRecord], _ after: [ObjectRecord], _ machine: Machine) {
        let left = Dictionary(grouping: after, by: \.uid)
        for (uid, objects) in Dictionary(grouping: before, by: \.uid) where objects.count > 1 {
            guard !self.disturbed.contains(uid), !self.server.removedUIDs.contains(uid) else { continue }
            let count = left[uid]?.count ?? 0
            guard count < objects.count, left[SuccessorUID.make(after: uid)] == nil else { continue }
            self.failures.append("I8 \(machine.name) had \(uid) in \(objects.count) lists, and has it in \(count)")
        }
    }

    /// I9: an item gets a new UID only after the server has proved that it cannot store the old one.
    private func notice(_ objects: [ObjectRecord], _ machine: Machine) {
        for object in objects {
            if let old = machine.known[object.id], old != object.uid {
                if !self.server.provenUIDs.contains(old) {
                    self.failures.append("I9 \(machine.name) gave \(old) another UID, and the server takes the old one")
                }
                self.ledger.rename(old, to: object.uid)
            }
            machine.known[object.id] = object.uid
        }
    }

    // MARK: The end

    /// The invariants after the last edit, when everything works.
    ///
    /// - Parameter rounds: one for each side, and one more if a run learns the target of a move only at its end.
    func settle(rounds: Int = 3) async {
        for machine in self.machines { machine.clockError = 0 }
        // Longer than the longest pause of a server, by any wrong clock.
        self.pass(7200 + Self.worstClock)
        self.server.profile.oddity = 0
        // Refused texts are sent again after a week.
        if self.server.profile.refusesSome {
            self.server.profile.refusesSome = false
            self.pass(8 * 86_400)
        }
        if self.server.profile.alteration == .masks { await self.toggleMask(false) }
        self.log("the end: everything works, without edits")
        for round in 0...rounds {
            let writes = self.server.writes
            var moved = 0
            for machine in self.machines {
                let run = await self.sync(machine, allowMassDelete: true)
                moved += run.summary.lists.map { $0.sync.pulled + $0.sync.merged + $0.sync.deletedLocally }.reduce(0, +)
                guard round == rounds else { continue }
                for error in run.errors where !"\(error)".hasPrefix("the list is not on the server") {
                    self.failures.append("I6 \(machine.name) does not come to an end: \(error)")
                }
            }
            let sent = self.server.writes - writes
            if sent == 0, moved == 0, round > 0 { break }
            guard round == rounds else { continue }
            if moved > 0 { self.failures.append("I6 \(moved) are still taken over after \(rounds) runs") }
            if sent > 0 { self.failures.append("I6 \(sent) writes after \(rounds) runs, without edits") }
        }
        do { try self.checkEnd() } catch { self.failures.append("I1 a store cannot be read: \(error)") }
    }

    private func checkEnd() throws {
        var texts: [String: [CalendarText]] = [:]
        for collection in self.server.collections {
            for member in collection.members.values {
                if let text = CalendarText(member.text) { texts[text.uid, default: []].append(text) }
            }
        }
        for machine in self.machines {
            let lists = try machine.store.read { try $0.lists() }
            for list in lists {
                let objects = try machine.store.read { try $0.objects(in: list.id) }
                guard list.state == .synced, let url = list.url, let path = MemoryServer.path(url),
                    let collection = self.server.collections.first(where: { $0.path == path })
                else {
                    // Kept here, because the server no longer has the list.
                    for object in objects {
                        if let text = CalendarText(object.source) { texts[object.uid, default: []].append(text) }
                    }
                    continue
                }
                self.compare(machine, objects, collection)
            }
            for collection in self.server.collections
            where !lists.contains(where: { $0.url.flatMap(MemoryServer.path) == collection.path }) {
                self.failures.append("I6 \(machine.name) does not have the list \(collection.name)")
            }
        }
        for (uid, copies) in texts where copies.count > 1 {
            let name = self.ledger.name(uid)
            guard !self.ledger.unwatched.contains(name), !self.ledger.unrecorded.contains(name) else { continue }
            self.failures.append("I3 \(uid) is there \(copies.count) times")
        }
        for (uid, copies) in texts where !self.ledger.unwatched.contains(self.ledger.name(uid)) {
            for copy in copies { self.checkAlarms(copy.main, uid) }
        }
        let notes = try self.machines.flatMap { try $0.notes() }
        self.failures += self.ledger.losses(texts: texts, notes: notes)
    }

    /// I6: both sides have the same content.
    private func compare(_ machine: Machine, _ objects: [ObjectRecord], _ collection: MemoryServer.Collection) {
        var members = collection.members
        for object in objects {
            guard let href = object.href, let path = MemoryServer.path(href.wire),
                let member = members.removeValue(forKey: path)
            else {
                self.failures.append("I6 \(machine.name) has \(object.uid), and the server has not")
                continue
            }
            guard object.source != member.text, let here = CalendarText(object.source),
                let there = CalendarText(member.text)
            else { continue }
            if here.canonical != there.canonical {
                self.failures.append(
                    "I6 \(object.uid) is not the same:\n  \(machine.name): \(here.canonical)\n  server: \(there.canonical)"
                )
            }
        }
        let uids = Set(objects.map(\.uid))
        for (path, member) in members {
            guard let uid = member.uid, !uids.contains(uid),
                !self.ledger.unwatched.contains(self.ledger.name(uid))
            else { continue }
            self.failures.append("I6 the server has \(uid) at \(path), and \(machine.name) has not")
        }
    }

    /// I3: no alarm fires twice.
    private func checkAlarms(_ todo: CalendarText.Node, _ uid: String) {
        var seen: Set<String> = []
        for alarm in todo.children where alarm.name == "VALARM" {
            let uidOfAlarm = alarm.value("UID")
            if let uidOfAlarm, !seen.insert("UID:\(uidOfAlarm)").inserted {
                self.failures.append("I3 \(uid) has two alarms of the UID \(uidOfAlarm)")
            }
            guard alarm.value("RELATED-TO") == nil else { continue }
            let what =
                "\(alarm.first("TRIGGER")?.canonical ?? "") \(alarm.value("ACTION") ?? "") \(alarm.value("DESCRIPTION") ?? "")"
            if !seen.insert(what).inserted {
                self.failures.append("I3 \(uid) has two alarms that sound alike: \(what)")
            }
        }
    }
}
