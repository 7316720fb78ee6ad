/// Decides how fast requests to one server follow each other, and which failed requests are repeated.
///
/// Time and randomness are arguments; moments count from a fixed point of a monotonic clock. After a failure under load
/// or a lock, one request at a time is sent. After a number of successes, one more is allowed. The pause doubles with
/// each failure in a row.
package struct RequestPacing: Hashable, Sendable {
    package enum Cause: Hashable, Sendable {
        /// 500, 502, 503, 504, 429, or a connection that ended without an answer.
        case overload
        /// 423: another write holds a lock for a moment (Xandikos), often one of this program.
        case lock
    }

    package struct Failure: Hashable, Sendable {
        package let cause: Cause
        /// Whether a second attempt can help and can do no harm.
        package let mayRepeat: Bool
        /// The pause in `Retry-After`, in seconds; `nil` without one.
        package let retryAfterSeconds: Int?

        package init(_ cause: Cause, mayRepeat: Bool, retryAfterSeconds: Int? = nil) {
            self.cause = cause
            self.mayRepeat = mayRepeat
            self.retryAfterSeconds = retryAfterSeconds
        }
    }

    package enum Decision: Hashable, Sendable {
        case again
        /// The answer counts: a second attempt is not possible or not useful.
        case done
        /// The answer counts: the attempts or the time for them are used up.
        case givenUp
    }

    /// Concurrent requests without failures: one for each connection.
    static let highestConcurrency = 4
    /// Successes in a row before one more concurrent request.
    static let successesBeforeRise = 10
    /// The number of successes doubles with each failure, up to this: a server that fails at two requests at once does
    /// not fail every ten requests.
    static let mostSuccessesBeforeRise = 160
    /// Attempts for one request.
    static let mostAttempts = 4
    /// The first pause after an overload, in milliseconds.
    static let overloadPause = 300
    /// The first pause after a lock, in milliseconds: most end within a second.
    static let lockPause = 50
    /// The longest pause, in milliseconds, because a user waits for a sync; a longer one is for the next run.
    static let longestPause = 10_000
    /// All pauses of a run, in milliseconds: the daemon and users repeat the sync later.
    static let longestTotalPause = 60_000
    /// The random part of a pause, in hundredths, so that several clients do not retry at the same time.
    static let jitterPercent = 50
    /// Requests that used up their attempts while no other request succeeded on a second attempt; then no request is
    /// repeated, since the server does not recover within this run.
    static let mostExhausted = 3
    package private(set) var concurrency = Self.highestConcurrency
    private var notBefore = Duration.zero
    private var totalPause = 0
    private var failuresInRow = 0
    private var successes = 0
    private var neededSuccesses = Self.successesBeforeRise
    private var hasFallen = false
    private var lastFailure: Duration?
    private var exhausted = 0
    package init() {}
    /// `nil` if the next request may be sent now.
    package func pause(at now: Duration) -> Duration? { now < self.notBefore ? self.notBefore - now : nil }

    /// - Parameter attempt: the number of the attempt, from 1.
    package mutating func succeeded(attempt: Int) {
        self.failuresInRow = 0
        if attempt > 1 { self.exhausted = 0 }
        guard self.concurrency < Self.highestConcurrency else { return }
        self.successes += 1
        guard self.successes >= self.neededSuccesses else { return }
        self.successes = 0
        self.concurrency += 1
    }

    /// - Parameters:
    ///   - attempt: the number of the attempt, from 1.
    ///   - start: the time of sending. Concurrent requests fail together, and count once.
    ///   - now: the time of the failure.
    ///   - random: 0 to 255, another one each time.
    package mutating func failed(
        _ failure: Failure,
        attempt: Int,
        start: Duration,
        now: Duration,
        random: UInt8
    ) -> Decision {
        self.slowDown(start: start, now: now)
        guard self.exhausted < Self.mostExhausted else { return failure.mayRepeat ? .givenUp : .done }
        let wait = self.wait(after: failure, attempt: attempt, random: random)
        let isPossible = wait <= Self.longestPause * 2 && self.extend(by: wait, from: now)
        guard failure.mayRepeat else { return .done }
        guard isPossible, (failure.retryAfterSeconds ?? 0) * 1000 <= Self.longestPause, attempt < Self.mostAttempts
        else {
            if attempt >= Self.mostAttempts { self.exhausted += 1 }
            return .givenUp
        }
        return .again
    }

    private mutating func slowDown(start: Duration, now: Duration) {
        self.successes = 0
        if let lastFailure, start < lastFailure { return }
        self.lastFailure = now
        self.failuresInRow += 1
        if self.hasFallen, self.concurrency > 1 {
            self.neededSuccesses = min(2 * self.neededSuccesses, Self.mostSuccessesBeforeRise)
        }
        self.hasFallen = true
        self.concurrency = 1
    }

    private func wait(after failure: Failure, attempt: Int, random: UInt8) -> Int {
        let pause =
            switch failure.cause {
            case .overload: Self.overloadPause << max(min(self.failuresInRow, Self.mostAttempts * 2) - 1, 0)
            // Three times the previous one.
            case .lock: (1..<max(attempt, 1)).reduce(Self.lockPause) { pause, _ in pause * 3 }
            }
        let wait = max(min(pause, Self.longestPause), min(failure.retryAfterSeconds ?? 0, Self.longestPause) * 1000)
        return wait + wait * Self.jitterPercent * Int(random) / (100 * 255)
    }

    /// - Returns: whether the run has that much time left.
    private mutating func extend(by wait: Int, from now: Duration) -> Bool {
        let end = now + .milliseconds(wait)
        guard end > self.notBefore else { return true }
        let added = Int((end - max(self.notBefore, now)) / .milliseconds(1))
        guard self.totalPause + added <= Self.longestTotalPause else { return false }
        self.totalPause += added
        self.notBefore = end
        return true
    }
}
