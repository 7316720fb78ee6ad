/// Decides when to connect to the bus again; times are milliseconds of a monotonic clock.
struct Reconnection: Sendable {
    private let limits: BusLimits
    /// Consecutive connections that failed or did not last.
    private(set) var failures = 0
    private(set) var next = 0
    private var last: Int?
    init(limits: BusLimits) { self.limits = limits }

    /// Milliseconds to wait after this number of consecutive failures: each pause is twice the previous one.
    static func pause(after failures: Int, limits: BusLimits) -> Int {
        guard failures > 0 else { return 0 }
        let longest = Self.milliseconds(limits.longestPauseSeconds)
        let doublings = min(failures - 1, 30)
        return min(Self.milliseconds(limits.shortestPauseSeconds) << doublings, max(longest, 1))
    }

    static func milliseconds(_ seconds: Double) -> Int { Int(seconds * 1000) }

    func mayHurry(at now: Int) -> Bool {
        guard let last else { return true }
        return now >= min(self.next, last + Self.milliseconds(self.limits.shortestPauseSeconds))
    }

    mutating func began(at now: Int) { self.last = now }

    /// - Parameter lasted: how long the connection was ready, in milliseconds; `nil` when it never was.
    mutating func ended(after lasted: Int?, at now: Int) {
        let wasSteady = lasted.map { $0 >= Self.milliseconds(self.limits.steadySeconds) } ?? false
        self.failures = wasSteady ? 1 : self.failures + 1
        self.next = now + Self.pause(after: self.failures, limits: self.limits)
    }
}
