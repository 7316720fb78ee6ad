import RemindavICalendar
import Synchronization

/// Counts wrong tickets, so that a program cannot try many.
final class GuessLimit: Sendable {
    /// The maximum number of wrong tickets in a minute; a person uses one or two.
    private static let maximum = 10
    private static let seconds: Int64 = 60
    private let times = Mutex<[Int64]>([])

    func mayTry(at now: Instant) -> Bool {
        self.times.withLock { times in
            times.removeAll { $0 <= now.secondsSince1970 - Self.seconds }
            return times.count < Self.maximum
        }
    }

    func note(at now: Instant) { self.times.withLock { $0.append(now.secondsSince1970) } }
}
