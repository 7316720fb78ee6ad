/// A pause of a server, in which none of its accounts runs.
package struct ServerRest: Hashable, Sendable {
    package let seconds: Int
    /// The rests in a row because the server was unreachable.
    package let failures: Int

    package init(seconds: Int, failures: Int) {
        self.seconds = seconds
        self.failures = failures
    }
}

/// Decides when a server rests, from the results of its accounts during one lease.
package struct ServerHealth: Hashable, Sendable {
    /// After this many accounts in a row without a connection, the server rests.
    package static let unreachableAccounts = 3
    /// The first rest; it doubles with each further one.
    package static let firstRestSeconds = 60
    /// The longest rest of an unreachable server.
    package static let longestRestSeconds = 3600
    /// After this many doublings, the rest is longer than ``longestRestSeconds``.
    private static let doublings = 6

    private var unreachable = 0
    private var failures: Int
    /// The rest to store; `nil` leaves the stored rest alone.
    package private(set) var rest: ServerRest?

    /// Whether no further account may begin.
    package var isResting: Bool { self.rest.map { $0.seconds > 0 } ?? false }

    /// - Parameter failures: the rests in a row so far.
    package init(failures: Int) { self.failures = failures }

    package mutating func ended(_ outcome: RunOutcome) {
        switch outcome {
        case .unreachable:
            self.unreachable += 1
            guard self.unreachable >= Self.unreachableAccounts, !self.isResting else { return }
            let seconds = Self.firstRestSeconds << min(self.failures, Self.doublings)
            self.rest = ServerRest(seconds: min(seconds, Self.longestRestSeconds), failures: self.failures + 1)
        case .busy(let seconds):
            // The server has answered.
            self.failures = 0
            self.rest = ServerRest(seconds: max(seconds, self.rest?.seconds ?? 0), failures: 0)
        case .done, .partlyDone:
            self.unreachable = 0
            guard self.failures > 0, !self.isResting else { return }
            self.failures = 0
            self.rest = ServerRest(seconds: 0, failures: 0)
        case .refusedPassword, .failed, .hostFailed, .interrupted: self.unreachable = 0
        }
    }
}
