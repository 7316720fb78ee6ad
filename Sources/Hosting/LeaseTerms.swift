/// The times of leases and runs, in seconds.
///
/// Leases keep the load of a server low. Correct results do not depend on them: each write of a run checks the fence of
/// its account, so a run that lost its lease without notice can write nothing more.
package enum LeaseTerms {
    /// The duration of a lease; after a worker was killed, others wait for this long.
    package static let seconds = 120
    /// A worker extends its leases in this interval; three attempts may fail before a lease ends.
    package static let extensionSeconds = 30
    /// If another transaction has locked the row of a lease, the extension is repeated after this time.
    package static let repetitionSeconds = 5
    /// A request that changes something on a server needs this much time until the end of the lease.
    ///
    /// Such a request takes at most this long, so it ends before another worker begins.
    package static let writeSeconds = 60
    /// The search for due servers begins this long before the earliest server of the last search, because a server may
    /// become due in a transaction that ends later.
    package static let markSeconds: Int64 = 60
    /// After this time, one search examines all servers.
    package static let fullSearchSeconds = 30
    /// In this interval, a worker removes servers without accounts.
    package static let cleaningSeconds = 3600
    /// The pause between two searches without result; it varies by a fifth, so that workers do not search together.
    package static let searchSeconds = 1.0

    /// Whether a request that changes something on a server, or a further run of a server, may begin.
    ///
    /// - Parameter extended: when the worker sent the last successful extension, on its own monotonic clock.
    package static func mayWrite(at now: ContinuousClock.Instant, extended: ContinuousClock.Instant) -> Bool {
        extended.duration(to: now) <= .seconds(self.seconds - self.writeSeconds)
    }
}
