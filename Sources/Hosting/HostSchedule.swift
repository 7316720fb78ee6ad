/// The reason why work does not run until something changes.
package enum StopReason: String, Hashable, Sendable, CaseIterable {
    /// The server refused the password; a new password ends this.
    case authentication
    /// Several processes ended during the run; `host queue --release` ends this.
    case held
    /// The tenant is suspended.
    case suspended
    /// The account has the interval `never`.
    case off
}

/// The result of a run, as far as the schedule depends on it.
package enum RunOutcome: Hashable, Sendable {
    case done
    /// Some lists were not synced, for example because of a limit of the tenant.
    case partlyDone
    /// No connection to the server.
    case unreachable
    /// The server asked for a pause of this many seconds.
    case busy(seconds: Int)
    /// The server refused the password, or forbade the sign-in.
    case refusedPassword
    /// Any other failure.
    case failed
    /// The host cannot sync, for example because its key is missing; this says nothing about the account.
    case hostFailed
    /// The worker ends, or has lost the lease; the run is repeated by the next worker.
    case interrupted

    /// Whether an administrator should learn about it.
    package var isFailure: Bool {
        switch self {
        case .partlyDone, .unreachable, .refusedPassword, .failed, .hostFailed: true
        case .done, .busy, .interrupted: false
        }
    }
}

/// The next run of some work.
package struct NextRun: Hashable, Sendable {
    /// The seconds until the next run; `nil` for no run until something changes.
    package var seconds: Int?
    /// The failed runs in a row.
    package var failures = 0
    package var stopReason: StopReason?
    /// The code of an error of the run, which consists of letters; `nil` after a complete run.
    package var reason: String?
    package var succeeded = false
    /// Whether the run ended by itself, so that it cannot have ended the process.
    package var endsTries = true

    package init(
        seconds: Int?,
        failures: Int = 0,
        stopReason: StopReason? = nil,
        reason: String? = nil,
        succeeded: Bool = false
    ) {
        self.reason = reason
        self.seconds = seconds
        self.failures = failures
        self.stopReason = stopReason
        self.succeeded = succeeded
    }
}

/// Decides when an account of a host is synced.
package enum HostSchedule {
    /// The interval of accounts without one of their own, in seconds.
    package static let standardSeconds = 900
    /// The shortest interval; a host has many accounts of one server.
    package static let shortestSeconds = 300
    /// The pause after the first failure to reach a server, in seconds; it doubles each time.
    package static let unreachableSeconds = 60
    /// The longest pause after failures, in seconds; each failure doubles the pause up to this limit.
    package static let longestSeconds = 86_400
    /// An edit is sent after this time, because another edit often follows.
    package static let editSeconds = 5
    /// Edits begin at most one run in this time.
    package static let editPauseSeconds = 60
    /// The alarms of a tenant are computed again this long after an edit.
    package static let alarmSeconds = 2
    /// The maximum duration of a run: a slow server must not keep a place of the process for longer.
    ///
    /// The next run goes on from the lists that are in step already.
    package static let maximumRunSeconds = 900
    /// From this try on, a run has a process of its own, with limits.
    package static let separateTry = 2
    /// From this try on, the work is held.
    package static let heldTry = 5
    /// After this many doublings, each interval is longer than ``longestSeconds``.
    private static let doublings = 16

    /// The next run of an account.
    ///
    /// - Parameters:
    ///   - interval: the account's own interval in seconds; `nil` for the standard.
    ///   - failures: the failed runs in a row before this one.
    ///   - random: a number from 0 to 1. It varies the interval by a tenth, so that accounts which began together do not
    ///     stay together.
    package static func next(
        after outcome: RunOutcome,
        interval: Int?,
        failures: Int,
        random: Double
    ) -> NextRun {
        let regular = max(interval ?? self.standardSeconds, self.shortestSeconds)
        func varied(_ seconds: Int) -> Int { Int(Double(seconds) * (0.9 + 0.2 * random)) }
        switch outcome {
        // The next regular run tries the failed lists again; the others are in step.
        case .done, .partlyDone: return NextRun(seconds: varied(regular), succeeded: outcome == .done)
        case .interrupted: return NextRun(seconds: 0, failures: failures)
        case .hostFailed: return NextRun(seconds: varied(self.shortestSeconds), failures: failures)
        // The pause of the server applies to all its accounts, and is no failure of this one.
        case .busy(let seconds): return NextRun(seconds: varied(max(seconds, 1)), failures: failures)
        case .refusedPassword: return NextRun(seconds: nil, failures: failures + 1, stopReason: .authentication)
        // Most outages are short. A server that several accounts do not reach rests, and limits these attempts.
        case .unreachable:
            let doubled = self.unreachableSeconds << min(failures, self.doublings)
            return NextRun(seconds: varied(min(doubled, self.longestSeconds)), failures: failures + 1)
        case .failed:
            let doubled = regular << min(failures + 1, self.doublings)
            return NextRun(seconds: varied(min(doubled, self.longestSeconds)), failures: failures + 1)
        }
    }
}

/// Chooses the runs that a process begins, so that one tenant cannot use all its places.
package enum RunChoice {
    /// Divides due work into the runs that begin and the work that waits.
    ///
    /// - Parameters:
    ///   - due: oldest first.
    ///   - places: the number of runs that may begin.
    ///   - running: the present runs of each tenant.
    ///   - limit: the maximum number of runs of one tenant.
    package static func divide<Work, Tenant: Hashable>(
        _ due: [Work],
        places: Int,
        running: [Tenant: Int],
        limit: Int,
        tenant: (Work) -> Tenant
    ) -> (beginning: [Work], waiting: [Work]) {
        var counts = running
        var (beginning, waiting): ([Work], [Work]) = ([], [])
        for work in due {
            if beginning.count < places, counts[tenant(work), default: 0] < limit {
                counts[tenant(work), default: 0] += 1
                beginning.append(work)
            } else {
                waiting.append(work)
            }
        }
        return (beginning, waiting)
    }
}
