import Glibc
import Synchronization

/// Runs all asynchronous work on the calling thread, in the order in which it becomes ready: the same seed gives the
/// same history on every machine.
final class SingleThread: TaskExecutor {
    private let waiting = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.waiting.withLock { $0.append(job) }
    }

    func run(_ body: @escaping @Sendable () async -> Void) {
        let finish = Finish()
        Task(executorPreference: self) {
            await body()
            finish.isReached.store(true, ordering: .releasing)
        }
        while !finish.isReached.load(ordering: .acquiring) {
            let jobs = self.waiting.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            // Only a pause of the program itself leaves no work.
            if jobs.isEmpty { usleep(200) }
            for job in jobs { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

private final class Finish: Sendable {
    let isReached = Atomic(false)
}

/// A generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { self.state = seed }

    /// A generator for one part, independent of the numbers that other parts use.
    init(_ seed: UInt64, _ part: UInt64) {
        var first = Self(seed &+ part &* 0xD129_0D3F_1B87_5C41)
        self.state = first.next()
    }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var value = self.state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// A number below `limit`.
    mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(self.next() % UInt64(limit)) : 0 }

    /// True once in so many times.
    mutating func oneIn(_ count: Int) -> Bool { self.below(count) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[self.below(elements.count)]
    }
}
