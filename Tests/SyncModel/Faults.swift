import Glibc
import RemindavBridge
import Synchronization

/// A scenario with one disturbance, and its state after two undisturbed runs.
struct Case: Sendable {
    let scenario: Scenario
    let trouble: Disturbance
    /// Whether the stores are files, which are closed when the program is killed and opened again.
    let isOnDisk: Bool

    /// - Returns: the violated invariants.
    func run(folder: String, log: @escaping (String) -> Void = { _ in }) async -> [String] {
        do {
            let world = try World(
                self.scenario.profile,
                seed: 1,
                folder: folder,
                isOnDisk: self.isOnDisk,
                log: log
            )
            defer {
                if self.isOnDisk { world.removeStores() }
                world.end()
            }
            await self.scenario.prepare(world)
            log("A syncs, \(self.trouble.words)")
            let run = await world.sync(world.machines[0], self.trouble)
            self.check(run, world)
            if run.wasKilled, self.isOnDisk { try world.reopen(0) }
            await world.settle(rounds: 2)
            return world.failures + [self.scenario.complaint(world)].compactMap { $0 }
        } catch {
            return ["I1 \(error)"]
        }
    }

    /// Requests and writes of the undisturbed run.
    static func size(of scenario: Scenario, folder: String) async -> (requests: Int, writes: Int) {
        guard let world = try? World(scenario.profile, seed: 1, folder: folder, log: { _ in }) else { return (0, 0) }
        await scenario.prepare(world)
        let run = await world.sync(world.machines[0])
        world.end()
        return (run.requests, run.writes)
    }

    /// Checks that a fault is reported with the right category.
    private func check(_ run: Machine.Run, _ world: World) {
        guard let fault = self.trouble.faults.first?.value else { return }
        for error in run.errors {
            guard let trouble = ErrorCategory.of(error) else { continue }
            let isKnown = fault.kinds.contains(trouble.kind)
            if !isKnown, !(self.scenario.hasAnotherWay && trouble.kind == .itemRefused) {
                world.failures.append("kind: \(fault.rawValue) is reported as \(trouble.kind): \(error)")
            }
        }
        if Fault.burst.contains(fault), !self.scenario.hasAnotherWay,
            let error = run.errors.first(where: { ErrorCategory.isOfServer($0) })
        {
            world.failures.append("kind: one \(fault.rawValue) ends a sync: \(error)")
        }
        if run.errors.isEmpty, fault.isAlwaysReported, !self.scenario.hasAnotherWay, !run.hasFailedReadBack,
            run.requests > (self.trouble.faults.keys.first ?? 0)
        {
            world.failures.append("kind: \(fault.rawValue) is not reported")
        }
    }
}

extension ErrorCategory {
    /// Whether an error is a failure of the server, and not of the requested item.
    static func isOfServer(_ error: any Error) -> Bool {
        guard let kind = self.of(error)?.kind else { return false }
        return [.busy, .serverError, .brokenOff].contains(kind)
    }
}

extension Fault {
    fileprivate var kinds: Set<ErrorCategory.Kind> {
        switch self {
        case .refused: [.unreachable]
        // A move with a lost answer was done: the rest of the run meets the item at its new place.
        case .resetAfter, .cutFirstByte, .cutHalf, .cutLastByte, .wrongLength: [.brokenOff, .sameUID]
        case .resetBefore: [.brokenOff, .sameUID]
        case .cutHead: [.badAnswer, .sameUID]
        case .slow: [.timedOut, .sameUID]
        case .status401: [.authRejected]
        case .status403: [.notAllowed]
        case .status404: [.notFoundOnServer, .itemRefused]
        case .status405, .status500, .status502, .status504: [.serverError]
        // For a query no quota is full.
        case .status507: [.overQuota, .serverError]
        case .status409: [.itemRefused, .requestRefused]
        case .status412: [.itemRefused]
        case .status423, .status429Seconds, .status429Date, .status503: [.busy]
        case .webPage: [.notDAV, .badAnswer]
        case .brokenXML, .cutTexts: [.badAnswer]
        case .redirectLoop: [.redirectElsewhere]
        }
    }

    /// Whether the same run cannot repair it.
    fileprivate var isAlwaysReported: Bool {
        switch self {
        case .refused, .status401, .status429Seconds, .status429Date: true
        default: false
        }
    }
}

/// R1 and R2 of the plan: each scenario with each fault at each request, with a kill before and after each request, and
/// with a kill at each write of the store.
func disturb(in folder: String) -> Bool {
    var cases: [Case] = []
    let only = value("--only")
    for scenario in Scenario.all where only == nil || scenario.name == only {
        let (requests, writes) = waiting { await Case.size(of: scenario, folder: "\(folder)/0") }
        func add(_ isOnDisk: Bool = false, _ change: (inout Disturbance) -> Void) {
            var trouble = Disturbance()
            change(&trouble)
            cases.append(Case(scenario: scenario, trouble: trouble, isOnDisk: isOnDisk))
        }
        // One more than there are: a repair may need another request.
        for place in 0...requests {
            for fault in Fault.allCases { add { $0.faults[place] = fault } }
            add(true) { $0.killBefore = place }
            add(true) { $0.killAfter = place }
        }
        for place in 0..<writes { add(true) { $0.killAtWrite = place } }
    }
    guard !cases.isEmpty else {
        print("There is no scenario of that name.")
        return false
    }
    return report(
        cases,
        "faults and kills",
        named: { "\($0.scenario.name), \($0.trouble.words)" },
        of: { item, folder in waiting { await item.run(folder: folder) } },
        in: folder
    )
}

/// Runs every case, and prints the violations and the number of cases.
func report<Item: Sendable>(
    _ items: [Item],
    _ what: String,
    named name: @escaping @Sendable (Item) -> String,
    of run: @escaping @Sendable (Item, _ folder: String) -> [String],
    in folder: String
) -> Bool {
    let start = ContinuousClock.now
    let broken = Atomic(0)
    let next = Atomic(0)
    inThreads(2) { thread in
        // Each thread has its own files.
        let own = "\(folder)/\(thread)"
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < items.count else { return }
            guard let failure = run(items[index], own).first else { continue }
            if broken.add(1, ordering: .relaxed).newValue <= 60 { print("\(name(items[index])): \(failure)") }
        }
    }
    let count = broken.load(ordering: .relaxed)
    print("\(items.count) \(what) in \(start.duration(to: .now).components.seconds) s, \(count) broken")
    return count == 0
}

/// The outcome of an asynchronous function, on this thread.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let box = Box<Value>()
    SingleThread().run { box.value = await body() }
    guard let value = box.value else { fatalError("a task that has ended has a value") }
    return value
}

// Written and read by the same thread.
private final class Box<Value>: @unchecked Sendable {
    var value: Value?
}
