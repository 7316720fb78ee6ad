/// Decides when to connect to the bus again; times are milliseconds of a monotonic clock.
struct Reconnection: Sendable {
    private let limits: BusLimits
    /// The number of connections in a row that failed or ended soon.
    private(set) var failures = 0
    private(set) var next = 0
    private var last: Int?
    init(limits: BusLimits) { self.limits = limits }

    /// Returns the pause in milliseconds after this many failures in a row; each pause is twice the previous one.
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

    /// - Parameter lasted: how many milliseconds the connection was ready; `nil` when it was never ready.
    mutating func ended(after lasted: Int?, at now: Int) {
        let wasSteady = lasted.map { $0 >= Self.milliseconds(self.limits.steadySeconds) } ?? false
        self.failures = wasSteady ? 1 : self.failures + 1
        self.next = now + Self.pause(after: self.failures, limits: self.limits)
    }
}
