/// One step of a history.
struct Step: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case person, otherProgram, sync, troubledSync, offline, dryRun, clock, server
    }

    let number: Int
    let kind: Kind
    let seed: UInt64
    /// Whether the step is undisturbed, although its draw had a disturbance.
    var isCalm = false
}

/// A random history: the properties of the server, and the steps of all participants.
struct History: Sendable {
    let seed: UInt64
    let index: Int
    var profile: Profile
    var steps: [Step]
    /// Whether workers of a host sync the stores, and are frozen.
    let hasWorkers: Bool

    /// More steps are seldom needed to show a fault, and take longer.
    static let longest = 80

    init(seed: UInt64, index: Int, hasWorkers: Bool = false) {
        self.hasWorkers = hasWorkers
        self.seed = seed
        self.index = index
        var random = SeededGenerator(seed, UInt64(index) &+ 1000)
        self.profile = Profile(&random)
        // One of four servers alters texts; the numbers of the others are as before.
        var other = SeededGenerator(seed, UInt64(index) &+ 5_000_000_000)
        if other.oneIn(4), let alteration = other.pick(Alteration.allCases) {
            self.profile = self.profile.altering(alteration)
        }
        var later = SeededGenerator(seed, ~UInt64(index))
        self.profile.drawTrash(&later)
        let weights: [(Step.Kind, Int)] = [
            (.person, 42), (.otherProgram, 16), (.sync, 22), (.troubledSync, 12), (.offline, 2), (.dryRun, 1),
            (.clock, 2),
            (.server, 3),
        ]
        let kinds = weights.flatMap { Array(repeating: $0.0, count: $0.1) }
        // Most faults need few steps; each fiftieth history has the greatest length.
        let length = random.oneIn(50) ? Self.longest : 5 + random.below(14)
        self.steps = (0..<length).map { number in
            Step(number: number, kind: random.pick(kinds) ?? .sync, seed: random.next())
        }
    }

    /// - Returns: the violated invariants; empty when all hold.
    func run(folder: String, log: @escaping (String) -> Void = { _ in }) async -> [String] {
        let world: World
        do {
            let seed = self.seed &+ UInt64(self.index)
            world = try World(self.profile, seed: seed, folder: folder, hasWorkers: self.hasWorkers, log: log)
        } catch {
            return ["I1 no store can be made: \(error)"]
        }
        defer { world.end() }
        log("server: \(self.profile)")
        for machine in world.machines { _ = await world.sync(machine) }
        if self.profile.alteration == .damagesWholeLists {
            var random = SeededGenerator(self.seed, UInt64(self.index) &+ 6_000_000_000)
            await world.publish(&random)
            if !world.failures.isEmpty { return world.failures }
        }
        for step in self.steps {
            await world.perform(step)
            // Later failures may follow from the first.
            if !world.failures.isEmpty { return world.failures }
        }
        await world.settle()
        return world.failures
    }
}

extension World {
    func perform(_ step: Step) async {
        var random = SeededGenerator(step.seed)
        let machine = random.oneIn(2) ? self.machines[0] : self.machines[1]
        self.pass(Int64(1 + random.below(90)))
        let value = "v\(String(1000 + step.number).dropFirst())"
        if self.server.profile.alteration == .masks {
            var other = SeededGenerator(step.seed, 7)
            if other.oneIn(4) { await self.toggleMask(!self.server.collections[0].isReadOnly) }
        }
        switch step.kind {
        case .person: self.person(machine, value, &random)
        case .otherProgram: self.otherProgram(value, &random)
        case .sync:
            let isNow = random.oneIn(4)
            var trouble = Disturbance()
            var other = SeededGenerator(step.seed, 9)
            if self.hasWorkers, !step.isCalm, other.oneIn(2) { trouble.freeze = Freeze(&other, value) }
            let words = trouble.isNone ? "" : ", \(trouble.words)"
            self.log("\(step.number) \(machine.name) syncs\(isNow ? " now" : "")\(words)")
            _ = await self.sync(machine, trouble, isNow: isNow)
        case .dryRun:
            self.log("\(step.number) \(machine.name) syncs, dry")
            _ = await self.sync(machine, dryRun: true)
        case .offline:
            self.log("\(step.number) \(machine.name) syncs without a network")
            var trouble = Disturbance()
            trouble.always = .refused
            _ = await self.sync(machine, trouble)
        case .troubledSync:
            var trouble = step.isCalm ? Disturbance() : self.trouble(&random, step)
            if !step.isCalm, self.server.profile.alteration == .cutsTexts {
                // A text is read again at once, so that several requests have to be answered incompletely.
                var other = SeededGenerator(step.seed, 8)
                let first = other.below(6)
                for place in first...(first + 1 + other.below(4)) { trouble.faults[place] = .cutTexts }
            }
            self.log("\(step.number) \(machine.name) syncs, \(trouble.words)")
            let inner = random
            _ = await self.sync(machine, trouble) { [unowned self] in
                await self.meanwhile(machine, value, inner)
            }
        case .clock:
            machine.clockError = Int64(random.below(2 * Int(Self.worstClock))) - Self.worstClock
            self.log("\(step.number) the clock of \(machine.name) is wrong by \(machine.clockError) s")
        case .server: self.upset(value, &random)
        }
    }

    private func trouble(_ random: inout SeededGenerator, _ step: Step) -> Disturbance {
        let (seed, number) = (step.seed, step.number)
        // A lock makes the program wait for real time.
        let faults = Fault.allCases.filter { $0 != .status423 && $0 != .cutTexts }
        var trouble = Disturbance()
        switch random.below(8) {
        case 7:
            // At most as many as the attempts of a request.
            let first = random.below(8)
            for place in first...first + random.below(3) { trouble.faults[place] = random.pick(Fault.burst) }
            trouble.isBurst = true
        case 0, 1:
            for _ in 0...random.below(2) { trouble.faults[random.below(8)] = random.pick(faults) }
        case 2: trouble.killBefore = random.below(8)
        case 3: trouble.killAfter = random.below(8)
        case 4: trouble.killAtWrite = random.below(10)
        default: trouble.meanwhile = random.below(8)
        }
        var later = SeededGenerator(seed, 7)
        // More failures than the attempts of a request end a sync.
        if later.oneIn(4), !trouble.isBurst { trouble.failingPuts = 1 + later.below(7) }
        var other = SeededGenerator(seed, 9)
        // A request that waits for an event would arrive later than any request of a worker.
        if self.hasWorkers, !trouble.isBurst, trouble.meanwhile == nil, other.oneIn(4) {
            trouble.freeze = Freeze(&other, "v\(String(1000 + number).dropFirst())")
        }
        return trouble
    }

    /// An edit in the middle of a sync of that machine.
    func meanwhile(_ machine: Machine, _ value: String, _ inner: SeededGenerator) async {
        var random = inner
        self.log("    meanwhile:")
        // With weak tags no client can close the gap between its read and its write.
        switch self.server.profile.tags == .weak ? 0 : random.below(3) {
        case 0: self.person(machine, "\(value)m", &random)
        case 1: self.otherProgram("\(value)m", &random)
        default:
            guard let other = self.machines.first(where: { $0 !== machine }) else { return }
            self.person(other, "\(value)m", &random)
            self.log("    \(other.name) syncs")
            _ = await self.sync(other)
        }
    }

    /// An event of the whole server.
    private func upset(_ value: String, _ random: inout SeededGenerator) {
        let index = random.below(self.server.collections.count)
        let list = self.server.collections[index]
        switch random.below(6) {
        case 0, 1:
            self.log("\(value) the server forgets the tokens of \(list.name)")
            self.server.collections[index].epoch += 1
        case 2:
            self.log("\(value) the server gives every member of \(list.name) another entity tag")
            self.server.retag(index)
        case 3:
            self.log("\(value) another program renames \(list.name)")
            self.server.collections[index].name = "list \(value)"
        case 4: self.restore(value, index)
        default: self.log("\(value) nothing")
        }
    }

    /// The server is restored to its state of half its events ago, with lower tokens.
    private func restore(_ value: String, _ index: Int) {
        guard let backup = self.backups[self.server.collections[index].path] else {
            self.backups[self.server.collections[index].path] = self.server.collections[index]
            return self.log("\(value) a backup is made of \(self.server.collections[index].name)")
        }
        self.log("\(value) the server's \(backup.name) is restored from a backup")
        let old = self.server.collections[index]
        var new = backup
        new.epoch = old.epoch + 1
        new.name = old.name
        new.isReadOnly = old.isReadOnly
        // A text written after the backup may have the same tag as a later one.
        new.count = old.count + 1
        new.events = []
        self.server.collections[index] = new
        func texts(_ collection: MemoryServer.Collection) -> [String: CalendarText] {
            let all = collection.members.values.compactMap { CalendarText($0.text) }.map { ($0.uid, $0) }
            return Dictionary(all) { first, _ in first }
        }
        let (before, after) = (texts(old), texts(new))
        for uid in Set(before.keys).union(after.keys) {
            // In another list by now, and here again.
            let others = self.server.collections.indices.filter { $0 != index }
            if others.contains(where: { texts(self.server.collections[$0])[uid] != nil }) { self.ledger.unwatch(uid) }
            self.ledger.observe(uid, before: before[uid], after: after[uid], by: "the backup at \(value)")
            self.disturbed.insert(uid)
        }
    }
}

extension Disturbance {
    var words: String {
        var words = self.faults.sorted { $0.key < $1.key }.map { "\($0.value.rawValue) at request \($0.key)" }
        if self.failingPuts > 0 { words.append("the first \(self.failingPuts) PUTs meet a locked database") }
        if let killBefore { words.append("killed before request \(killBefore)") }
        if let killAfter { words.append("killed after request \(killAfter)") }
        if let killAtWrite { words.append("killed at write \(killAtWrite)") }
        if let meanwhile { words.append("something happens before request \(meanwhile)") }
        if let finishesFillBefore {
            words.append("killed as it sends a whole list, done before request \(finishesFillBefore)")
        }
        if let freeze { words.append("\(freeze)") }
        return words.isEmpty ? "nothing goes wrong" : words.joined(separator: ", ")
    }
}
