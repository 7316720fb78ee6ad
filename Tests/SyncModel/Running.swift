import Glibc
import Synchronization

/// A folder of this process, with the password that an account needs.
struct Scratch {
    let path: String

    init() throws {
        var template = Array("/tmp/sync-model-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw ScratchError() }
        self.path = String(cString: made)
        // One for each thread.
        for thread in 0..<2 {
            let secrets = "\(self.path)/\(thread)/secrets"
            guard mkdir("\(self.path)/\(thread)", 0o700) == 0, mkdir(secrets, 0o700) == 0,
                let file = fopen("\(secrets)/password", "w")
            else { throw ScratchError() }
            fputs("secret", file)
            fclose(file)
        }
    }

    /// Removes the files of a store from its folder.
    static func empty(_ folder: String) {
        guard let directory = opendir(folder) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { unlink("\(folder)/\(name)") }
        }
        closedir(directory)
        rmdir(folder)
    }

    func remove() {
        for thread in 0..<2 {
            Self.empty("\(self.path)/\(thread)/secrets")
            Self.empty("\(self.path)/\(thread)")
        }
        Self.empty(self.path)
    }
}

struct ScratchError: Error {}

/// Runs one history; returns the violated invariants.
func run(_ history: History, in folder: String, log: @escaping @Sendable (String) -> Void = { _ in }) -> [String] {
    waiting { await history.run(folder: folder, log: log) }
}

/// Runs all histories on two threads.
///
/// - Returns: whether all invariants held.
func explore(_ count: Int, from seed: UInt64, first: Int, hasWorkers: Bool, stopsAtFirst: Bool, in folder: String)
    -> Bool
{
    let tally = Mutex(Tally())
    let next = Atomic(first)
    let start = ContinuousClock.now
    inThreads(2) { thread in
        let own = "\(folder)/\(thread)"
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < first + count, !stopsAtFirst || tally.withLock({ $0.broken == 0 }) else { return }
            guard let failure = run(History(seed: seed, index: index, hasWorkers: hasWorkers), in: own).first else {
                continue
            }
            tally.withLock { tally in
                tally.broken += 1
                tally.byInvariant[String(failure.prefix { $0 != " " }), default: 0] += 1
                guard tally.broken <= shownFailures else { return }
                print("\(seed):\(index) \(failure)")
                // A long run reports each failure at once, also into a file.
                fflush(nil)
            }
        }
    }
    let spent = start.duration(to: .now).components.seconds
    return tally.withLock { tally in
        let names = tally.byInvariant.sorted { $0.key < $1.key }.map { " \($0.key): \($0.value)" }.joined()
        let takeovers = TakeoverCounts.shared.withLock { $0 }
        let words = hasWorkers ? "; \(takeovers.words)" : ""
        print("\(count) histories in \(spent) s, \(tally.broken) broken\(names)\(words)")
        return tally.broken == 0 && (!hasWorkers || takeovers.takeovers > 0)
    }
}

/// Failures that are printed; the last line has the total number.
private let shownFailures = 200

private struct Tally {
    var broken = 0
    var byInvariant: [String: Int] = [:]
}

func inThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
    var threads: [pthread_t] = []
    for number in 0..<count {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work { body(number) })
        pthread_create(
            &thread,
            nil,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            },
            work.toOpaque()
        )
        threads.append(thread)
    }
    for thread in threads { pthread_join(thread, nil) }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Runs one history step by step, and its smallest part with the same failure.
func replay(_ history: History, in folder: String) -> Bool {
    let failures = run(history, in: folder)
    guard let failure = failures.first else {
        _ = run(history, in: folder) { print($0) }
        print("\(history.seed):\(history.index) holds")
        return true
    }
    let small = smallest(history, like: failure, in: folder)
    for line in run(small, in: folder, log: { print($0) }) { print("BROKEN \(line)") }
    print("\(small.steps.count) of \(history.steps.count) steps")
    return false
}

/// Drops the steps, disturbances and server properties that a failure does not need.
func smallest(_ history: History, like failure: String, in folder: String) -> History {
    let invariant = "\(failure.prefix { $0 != " " }) "
    func fails(_ history: History) -> Bool { run(history, in: folder).first?.hasPrefix(invariant) ?? false }
    var best = history
    var size = max(best.steps.count / 2, 1)
    while size >= 1 {
        var place = 0
        var isSmaller = false
        while place < best.steps.count {
            var shorter = best
            shorter.steps.removeSubrange(place..<min(place + size, shorter.steps.count))
            if fails(shorter) {
                best = shorter
                isSmaller = true
            } else {
                place += size
            }
        }
        if !isSmaller || size > 1 { size /= 2 }
    }
    for place in best.steps.indices where [.sync, .troubledSync].contains(best.steps[place].kind) {
        var calmer = best
        calmer.steps[place].isCalm = true
        if fails(calmer) { best = calmer }
    }
    while let simpler = best.profile.simpler.lazy.map({ profile in
        var copy = best
        copy.profile = profile
        return copy
    }).first(where: fails) { best = simpler }
    return best
}
