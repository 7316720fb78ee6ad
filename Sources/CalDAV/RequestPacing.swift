/// Decides how fast requests to one server follow each other, and which failed requests are sent again.
///
/// A value without a clock and without randomness: both come in as arguments. Moments are measured from a fixed point of a
/// monotonic clock. One request at a time is sent after a failure under load or a lock. After a number of successes, one
/// more is allowed. The pause doubles with each failure in a row.
public struct RequestPacing: Hashable, Sendable {
    /// The reason of a failed request, if the pace depends on it.
    public enum Cause: Hashable, Sendable {
        /// 500, 502, 503, 504, 429, or a connection that ended without an answer: the server may have too much to do.
        case overload
        /// 423: another write holds a lock for a moment (Xandikos); often it is one of this program's own.
        case lock
    }

    /// One failed request.
    public struct Failure: Hashable, Sendable {
        /// Why it failed.
        public let cause: Cause
        /// Whether a second attempt can help and can do no harm.
        public let mayRepeat: Bool
        /// The pause that the server asks for (`Retry-After`), in seconds; `nil` when it does not say.
        public let retryAfterSeconds: Int?

        /// A failed request.
        public init(_ cause: Cause, mayRepeat: Bool, retryAfterSeconds: Int? = nil) {
            self.cause = cause
            self.mayRepeat = mayRepeat
            self.retryAfterSeconds = retryAfterSeconds
        }
    }

    /// The next step for a failed request.
    public enum Decision: Hashable, Sendable {
        /// It is sent again after the pause.
        case again
        /// Its answer counts, since a second attempt is not possible or not useful.
        case done
        /// Its answer counts, since the attempts or the time for them are used up.
        case givenUp
    }

    /// Requests under way at once while the server is well: as many as there are connections.
    static let highestConcurrency = 4
    /// Successes in a row before one more request may be under way.
    static let successesBeforeRise = 10
    /// The number of successes doubles with each failure, up to here: a server that fails at two requests at once does
    /// not fail every ten requests.
    static let mostSuccessesBeforeRise = 160
    /// How often one request is sent.
    static let mostAttempts = 4
    /// The first pause after an overload, in milliseconds.
    static let overloadPause = 300
    /// The first pause when a lock is held: most are free within a second.
    static let lockPause = 50
    /// The longest pause, in milliseconds: a person waits for a sync.
    ///
    /// Longer ones are for the next run.
    static let longestPause = 10_000
    /// All pauses of a run, in milliseconds: the daemon and people come back later.
    static let longestTotalPause = 60_000
    /// The random part of a pause, in hundredths, so that several clients do not retry at the same time.
    static let jitterPercent = 50
    /// Requests that used up their attempts, while no other request succeeded on a second attempt; after that no
    /// request is repeated, since the server does not recover within this run.
    static let mostExhausted = 3

    /// Requests that may be under way.
    public private(set) var concurrency = Self.highestConcurrency
    private var notBefore = Duration.zero
    private var totalPause = 0
    private var failuresInRow = 0
    private var successes = 0
    private var neededSuccesses = Self.successesBeforeRise
    private var hasFallen = false
    private var lastFailure: Duration?
    private var exhausted = 0

    /// A server of which nothing bad is known.
    public init() {}

    /// The time to wait before the next request, `nil` for none.
    public func pause(at now: Duration) -> Duration? { now < self.notBefore ? self.notBefore - now : nil }

    /// Takes note of an answer that is no failure of the server.
    ///
    /// - Parameter attempt: which attempt it was, counted from 1.
    public mutating func succeeded(attempt: Int) {
        self.failuresInRow = 0
        if attempt > 1 { self.exhausted = 0 }
        guard self.concurrency < Self.highestConcurrency else { return }
        self.successes += 1
        guard self.successes >= self.neededSuccesses else { return }
        self.successes = 0
        self.concurrency += 1
    }

    /// Takes note of a failure.
    ///
    /// - Parameters:
    ///   - attempt: which attempt it was, counted from 1.
    ///   - start: when the request was sent. Requests that were under way together fail together, and count once.
    ///   - now: when it failed.
    ///   - random: 0 to 255, another one each time.
    public mutating func failed(
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

    /// Milliseconds to wait after a failure.
    private func wait(after failure: Failure, attempt: Int, random: UInt8) -> Int {
        let pause =
            switch failure.cause {
            case .overload: Self.overloadPause << max(min(self.failuresInRow, Self.mostAttempts * 2) - 1, 0)
            // Each three times the one before.
            case .lock: (1..<max(attempt, 1)).reduce(Self.lockPause) { pause, _ in pause * 3 }
            }
        let wait = max(min(pause, Self.longestPause), min(failure.retryAfterSeconds ?? 0, Self.longestPause) * 1000)
        return wait + wait * Self.jitterPercent * Int(random) / (100 * 255)
    }

    /// Lets nothing be sent before that time has passed.
    ///
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
