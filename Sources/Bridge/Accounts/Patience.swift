import CalDAV

/// One clock for all requests to an account's server: while it wants none, all of them wait.
///
/// Without it each of several requests under way would find out by itself, and ask again at the same moment.
actor Patience {
    /// A person waits for a sync; what takes longer comes with the next one.
    private static let longestPauseMilliseconds = 10_000
    /// Pauses between attempts where the server names none: about two seconds in all, by when a lock is free.
    private static let pausesMilliseconds = [50, 150, 400, 1000]
    /// Whoever was told the same shall not come back at the same moment: up to so many hundredths more.
    private static let jitterPercent = 25

    private var notBefore = ContinuousClock.now
    private let randomByte: @Sendable () -> UInt8

    init(randomByte: @escaping @Sendable () -> UInt8) { self.randomByte = randomByte }

    /// Returns when the server may be asked.
    func wait() async {
        // Somebody may have been told to wait even longer in the meantime.
        while ContinuousClock.now < self.notBefore, !Task.isCancelled {
            try? await Task.sleep(until: self.notBefore, clock: .continuous)
        }
    }

    /// Takes note of a server that is busy.
    ///
    /// Xandikos answers 423 while another write holds its lock; 429 and 503 count only where Retry-After asks for a
    /// short patience. A longer one is the next run's.
    ///
    /// - Parameter attempt: how many have been made, counted from 1.
    /// - Returns: whether another is worth it.
    func takesPatience(_ error: CalDAVError, attempt: Int) -> Bool {
        guard error.code == .busy, attempt <= Self.pausesMilliseconds.count else { return false }
        let pause = Self.pausesMilliseconds[attempt - 1]
        let asked = error.retryAfterSeconds.map { $0 * 1000 } ?? (error.status == 423 ? pause : .max)
        guard asked <= Self.longestPauseMilliseconds else { return false }
        let wait = max(asked, pause)
        let jitter = wait * Self.jitterPercent * Int(self.randomByte()) / (100 * 255)
        self.notBefore = max(self.notBefore, .now + .milliseconds(wait + jitter))
        return true
    }
}

extension Patience {
    /// Longer than this no server is left alone, whatever it asks for: an hour.
    static let longestRestSeconds = 3600

    /// For how many seconds the server wants to be left alone by the next runs as well; `nil` when it does not say so.
    static func restSeconds(_ errors: [any Error]) -> Int? {
        let asked = errors.compactMap { error in
            (error as? CalDAVError).flatMap { $0.code == .busy ? $0.retryAfterSeconds : nil }
        }
        return asked.max().map { min($0, self.longestRestSeconds) }
    }
}
