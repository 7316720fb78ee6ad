/// Decides how fast requests to one server follow each other, and which failed requests to repeat.
///
/// Time and randomness are arguments. Each moment is the time since a fixed moment of a monotonic clock. After an
/// overload or a lock, only one request at a time is sent. After a number of successes, one more concurrent request is
/// allowed. The pause grows with each failure in a row.
package struct RequestPacing: Hashable, Sendable {
    package enum Cause: Hashable, Sendable {
        /// Status 429, 500, 502, 503 or 504, or a connection that ended without an answer.
        case overload
        /// Status 423: another write, often of this program, holds a lock for a moment (Xandikos).
        case lock
    }

    package struct Failure: Hashable, Sendable {
        package let cause: Cause
        /// Whether a second attempt may succeed and does no harm.
        package let mayRepeat: Bool
        /// The pause in seconds that `Retry-After` requests; `nil` without this field.
        package let retryAfterSeconds: Int?

        package init(_ cause: Cause, mayRepeat: Bool, retryAfterSeconds: Int? = nil) {
            self.cause = cause
            self.mayRepeat = mayRepeat
            self.retryAfterSeconds = retryAfterSeconds
        }
    }

    package enum Decision: Hashable, Sendable {
        case again
        /// The caller gets the answer, because a second attempt is not possible or not useful.
        case done
        /// The caller gets the answer, because the attempts or the time for them are used up.
        case givenUp
    }

    /// The number of concurrent requests while the server does not fail: one for each connection.
    package static let highestConcurrency = 4
    static let successesBeforeRise = 10
    /// The upper limit of ``neededSuccesses``, which doubles when the server fails again under concurrent requests.
    ///
    /// Without the doubling, a server that can answer only one request at a time would fail after every ten requests.
    static let mostSuccessesBeforeRise = 160
    /// The maximum number of attempts for one request.
    static let mostAttempts = 4
    /// The first pause after an overload, in milliseconds.
    static let overloadPause = 300
    /// The first pause after a lock, in milliseconds; most locks end within a second.
    static let lockPause = 50
    /// The longest pause in milliseconds, because a user waits.
    ///
    /// If the server requests a longer pause, the request is not repeated before the next sync.
    static let longestPause = 10_000
    /// The largest sum of all pauses of one sync, in milliseconds.
    static let longestTotalPause = 60_000
    /// The largest random addition to a pause, in percent, so that several clients do not retry at the same moment.
    static let jitterPercent = 50
    /// If this many requests have failed at each of their attempts, no request of this sync is repeated any more.
    ///
    /// The server is then not expected to recover. A success of a repeated request sets ``exhausted`` back to 0.
    static let mostExhausted = 3
    private let mostRequests: Int
    package private(set) var concurrency: Int
    private var notBefore = Duration.zero
    private var totalPause = 0
    private var failuresInRow = 0
    private var successes = 0
    private var neededSuccesses = Self.successesBeforeRise
    private var hasFallen = false
    private var lastFailure: Duration?
    private var exhausted = 0

    /// - Parameter connections: the maximum number of concurrent requests.
    package init(connections: Int = Self.highestConcurrency) {
        self.mostRequests = min(connections, Self.highestConcurrency)
        self.concurrency = self.mostRequests
    }

    /// The time to wait before the next request; `nil` if it may be sent now.
    package func pause(at now: Duration) -> Duration? { now < self.notBefore ? self.notBefore - now : nil }

    package mutating func succeeded(attempt: Int) {
        self.failuresInRow = 0
        if attempt > 1 { self.exhausted = 0 }
        guard self.concurrency < self.mostRequests else { return }
        self.successes += 1
        guard self.successes >= self.neededSuccesses else { return }
        self.successes = 0
        self.concurrency += 1
    }

    /// - Parameters:
    ///   - attempt: the number of the attempt, counted from 1.
    ///   - start: the moment when the request was sent; concurrent requests that fail together count as one failure.
    ///   - random: a random number from 0 to 255.
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
            case .lock: (1..<max(attempt, 1)).reduce(Self.lockPause) { pause, _ in pause * 3 }
            }
        let wait = max(min(pause, Self.longestPause), min(failure.retryAfterSeconds ?? 0, Self.longestPause) * 1000)
        return wait + wait * Self.jitterPercent * Int(random) / (100 * 255)
    }

    /// - Returns: whether the pauses of this sync stay within ``longestTotalPause``.
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
