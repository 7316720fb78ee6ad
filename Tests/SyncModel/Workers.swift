import RemindavBridge
import RemindavHTTP
import RemindavHost
import RemindavHosting
import RemindavPostgresStore
import RemindavStore
import Synchronization

/// A worker that stops for a while during a run, so that another one takes over.
struct Freeze: Sendable {
    enum Place: Sendable {
        /// Before the worker examines its lease for a request, by the number of the request.
        case beforeRequest(Int)
        /// The same, by the number among the requests that may change something on the server.
        case beforeChange(Int)
        /// After the request has begun; it arrives late.
        case inRequest(Int)
        case inChange(Int)
        /// Before the beginning of a transaction of the store.
        case atWrite(Int)
    }

    let place: Place
    /// The seconds between the last extension of the lease and the freeze.
    let age: Int64
    /// The seconds between the beginning of the present request and its arrival at the server.
    let delay: Int64
    /// The seconds between the end of the lease and the takeover.
    let idle: Int64
    /// For the events until the worker goes on, and their values.
    let seed: UInt64
    let value: String

    init(_ random: inout SeededGenerator, _ value: String) {
        // Most runs send a few requests, and few of them change something.
        let change = random.oneIn(2) ? 0 : random.below(4)
        switch random.below(6) {
        case 0: self.place = .beforeRequest(random.below(4))
        case 1: self.place = .inRequest(random.below(4))
        case 2: self.place = .beforeChange(change)
        case 3, 4: self.place = .inChange(change)
        default: self.place = .atWrite(random.below(6))
        }
        // Requests begin in the first half of a lease. In the second half, extensions have failed.
        self.age = Int64(random.below((random.oneIn(4) ? LeaseTerms.seconds : Self.longestRequest) + 1))
        self.delay = Int64(random.below(Self.longestRequest + 1))
        self.idle = Int64(random.below(LeaseTerms.seconds))
        self.seed = random.next()
        self.value = value
    }

    /// The longest time of a request in seconds.
    private static let longestRequest = 60
}

extension Freeze: CustomStringConvertible {
    var description: String {
        "frozen \(self.place), \(self.age) s after an extension, a request takes \(self.delay) s, "
            + "takeover after \(self.idle) s"
    }
}

/// Numbers about the runs with a takeover.
struct TakeoverCounts {
    static let shared = Mutex(Self())
    var takeovers = 0
    /// Changing requests that arrived at the server between the freeze and the takeover.
    var lateChanges = 0
    var refusedWrites = 0
    /// The most requests that a run has begun after its first refused write.
    var mostRequestsAfterRefusal = 0

    var words: String {
        "\(self.takeovers) takeovers, \(self.lateChanges) late changes, \(self.refusedWrites) runs with refused writes, "
            + "at most \(self.mostRequestsAfterRefusal) requests after one"
    }
}

/// The requests of a worker.
struct WorkerTransport: Transport {
    let wire: Wire
    let lease: LeaseClock

    func send(_ request: Request) async throws(TransportError) -> Response {
        self.wire.mayFreeze(before: request)
        return try await LeasedTransport(base: self.wire) { self.lease }.send(request)
    }
}

extension Wire: WriteWatch {
    private func isChanging(_ request: Request) -> Bool { !LeasedTransport.readingMethods.contains(request.method) }

    private func freezes(_ places: (Freeze.Place) -> Bool) -> Bool {
        !self.isTakenOver && !self.isDead && self.trouble.freeze.map { places($0.place) } ?? false
    }

    fileprivate func mayFreeze(before request: Request) {
        let isNow = self.freezes { place in
            switch place {
            case .beforeRequest(let number): number == self.requests
            case .beforeChange(let number): number == self.changes && self.isChanging(request)
            case .inRequest, .inChange, .atWrite: false
            }
        }
        if isNow { self.takeOver(nil) }
    }

    /// Called at the beginning of a request.
    ///
    /// - Returns: whether another worker takes over before the answer is read.
    func isFrozen(in request: Request, _ number: Int) -> Bool {
        if let count = self.requestsAfterRefusal { self.requestsAfterRefusal = count + 1 }
        let isChanging = self.isChanging(request)
        let change = self.changes
        if isChanging { self.changes += 1 }
        if self.isTakenOver, isChanging {
            self.violations.append("W \(request.method) \(request.url) begins after another worker has taken over")
        }
        return self.freezes { place in
            switch place {
            case .inRequest(let wanted): wanted == number
            case .inChange(let wanted): wanted == change && isChanging
            case .beforeRequest, .beforeChange, .atWrite: false
            }
        }
    }

    func willWrite() {
        let number = self.beginnings
        self.beginnings += 1
        let isNow = self.freezes { place in if case .atWrite(number) = place { true } else { false } }
        if isNow { self.takeOver(nil) }
    }

    func wasRefused() {
        if !self.isTakenOver { self.violations.append("W a write is refused, but no other worker has taken over") }
        if self.requestsAfterRefusal == nil { self.requestsAfterRefusal = 0 }
        self.log("    a write is refused")
    }

    /// Called before a commit.
    func willCommit() {
        if self.isTakenOver { self.violations.append("W a write is kept after another worker has taken over") }
    }
}

extension World {
    /// Lets another worker take over a run, which then goes on.
    ///
    /// - Parameter arrive: delivers the present request of the run to the server.
    func takeOver(_ machine: Machine, _ wire: Wire, _ freeze: Freeze, leaseEnd: Int64, arrive: (() -> Void)?) {
        self.log("    \(machine.name) is \(freeze)")
        wire.isTakenOver = true
        let start = max(self.time, leaseEnd + freeze.idle)
        let arrival = self.time + freeze.delay
        // Only this thread uses it.
        nonisolated(unsafe) let punctual = arrival > start ? nil : arrive
        // The worker does nothing meanwhile, so no other work of this thread may run.
        waiting { [self] in
            var random = SeededGenerator(freeze.seed)
            if let punctual {
                // With weak tags no client can close the gap between its read and its write.
                if self.server.profile.tags != .weak, random.oneIn(3) {
                    await self.meanwhile(machine, "\(freeze.value)f", random)
                }
                self.pass(max(0, arrival - self.time))
                punctual()
            }
            // Of these texts the other worker does not know whether they were sent.
            for uid in wire.written { self.ledger.lose(uid) }
            if random.oneIn(3) { await self.meanwhile(machine, "\(freeze.value)g", random) }
            self.pass(max(0, start - self.time))
            do { try machine.shared?.endLease() } catch { self.failures.append("W \(error)") }
            var trouble = Disturbance()
            if random.oneIn(6) { trouble.freeze = Freeze(&random, "\(freeze.value)h") }
            self.log("    another worker syncs \(machine.name), \(trouble.words)")
            _ = await self.sync(machine, trouble)
            if random.oneIn(3) { await self.meanwhile(machine, "\(freeze.value)i", random) }
            self.log("    the worker of \(machine.name) goes on")
        }
        if punctual == nil { arrive?() }
    }

    /// The rules of the leases, for each run.
    func checkLease(_ run: Machine.Run, _ machine: Machine) {
        self.failures += run.violations.map { "\($0), on \(machine.name)" }
        TakeoverCounts.shared.withLock { counts in
            if run.wasTakenOver { counts.takeovers += 1 }
            counts.lateChanges += run.lateChanges
            guard let requests = run.requestsAfterRefusal else { return }
            counts.refusedWrites += 1
            counts.mostRequestsAfterRefusal = max(counts.mostRequestsAfterRefusal, requests)
        }
        guard run.isOfWorker, !run.wasKilled else { return }
        if run.wasTakenOver {
            if run.errors.isEmpty { self.failures.append("W a run of \(machine.name) succeeds after a takeover") }
            return
        }
        for error in run.errors {
            let isOfStore = error is DatabaseError || (error as? UseCaseError)?.code == .syncIsRunning
            if isOfStore { self.failures.append("W a run of \(machine.name) without a takeover: \(error)") }
        }
    }
}
