import Glibc
import RemindavNotifications
import RemindavRecurrence
import Synchronization

/// The histories of a run.
struct Plan {
    let seed: UInt64
    let reminders: Int
    let years: Int
    let histories: Int
    let stopsAtFirst: Bool
    let clocks = Clock.all()
    let database = Clock.database()

    private func history(_ seed: UInt64, _ index: Int, verbose: Bool, watched: ReminderID? = nil) -> History {
        History(
            seed: seed,
            index: index,
            size: self.reminders,
            years: self.years,
            clocks: self.clocks,
            database: self.database,
            verbose: verbose,
            watched: watched
        )
    }

    /// Runs one history with a log of its events.
    ///
    /// Returns whether all rules hold.
    ///
    /// - Parameter watched: a reminder that is printed after each change.
    func replay(_ seed: UInt64, _ index: Int, watched: ReminderID?) -> Bool {
        do {
            try self.history(seed, index, verbose: true, watched: watched).run()
            print("\(seed):\(index) holds")
            return true
        } catch {
            print("BROKEN \(error)")
            return false
        }
    }

    private struct Tally {
        var broken = 0
        var events = 0
        var deliveredCount = 0
        var summaries = 0
    }

    /// Runs all histories on two threads.
    ///
    /// Returns whether all rules hold.
    func run() -> Bool {
        let tally = Mutex(Tally())
        let next = Atomic(0)
        let start = ContinuousClock.now
        inThreads(2) {
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < self.histories, !self.stopsAtFirst || tally.withLock({ $0.broken == 0 }) else { return }
                let history = self.history(self.seed, index, verbose: false)
                do {
                    try history.run()
                } catch {
                    tally.withLock { $0.broken += 1 }
                    print("\(self.seed):\(index) \(error)")
                    fflush(nil)
                }
                tally.withLock { tally in
                    tally.events += history.events
                    tally.deliveredCount += history.deliveredCount
                    tally.summaries += history.summaries
                }
            }
        }
        let spent = start.duration(to: .now).components.seconds
        let sum = tally.withLock { $0 }
        print(
            "\(self.histories) histories of \(self.years) years and \(self.reminders) reminders in \(spent) s:",
            "\(sum.events) events, \(sum.deliveredCount) alarms delivered, \(sum.summaries) summaries; \(sum.broken) broken"
        )
        return sum.broken == 0
    }
}

private func inThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var threads: [pthread_t] = []
    for _ in 0..<count {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body))
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
