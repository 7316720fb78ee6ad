/// The pauses after failures: 1 s, 2 s, 4 s and so on, up to a limit; times are `WakeSources.uptime` in nanoseconds.
struct Backoff {
    private(set) var failures = 0
    private(set) var next: Int64?
    func isDue(at now: Int64) -> Bool { self.next.map { $0 <= now } ?? false }
    mutating func succeeded() { self = Self() }

    /// - Returns: whether this is the first failure in a row.
    @discardableResult
    mutating func failed(at now: Int64) -> Bool {
        self.failures += 1
        self.next = now + Self.pause(after: self.failures)
        return self.failures == 1
    }

    static func pause(after failures: Int) -> Int64 {
        Int64(min(1 << min(max(failures, 1) - 1, 16), DaemonLimits.longestPauseSeconds)) * 1_000_000_000
    }
}
