internal import RemindavHTTP
internal import RemindavWebDAV

/// A monotonic clock with a timer.
public struct PacingClock: Sendable {
    /// The time since an arbitrary fixed moment.
    public let now: @Sendable () -> Duration
    /// Waits for the duration; returns early when the task is cancelled.
    public let sleep: @Sendable (Duration) async -> Void

    /// Creates a clock for tests; the program uses ``continuous``.
    public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The system's monotonic clock, which also counts the time while the machine is suspended.
    public static let continuous: PacingClock = {
        let start = ContinuousClock.now
        return PacingClock(
            now: { ContinuousClock.now - start },
            sleep: { try? await Task.sleep(for: $0, clock: .continuous) }
        )
    }()
}

/// Delays the requests to one account as `RequestPacing` decides, in the order of their arrival.
public actor RequestGate {
    private var pacing: RequestPacing
    private let clock: PacingClock
    private let randomByte: @Sendable () -> UInt8
    private var underWay = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - clock: measures and waits for the pauses between requests.
    ///   - randomByte: returns a new random byte at each call.
    public init(clock: PacingClock = .continuous, randomByte: @escaping @Sendable () -> UInt8) {
        self.init(connections: RequestPacing.highestConcurrency, clock: clock, randomByte: randomByte)
    }

    /// - Parameter connections: the maximum number of concurrent requests.
    package init(connections: Int, clock: PacingClock, randomByte: @escaping @Sendable () -> UInt8) {
        self.pacing = RequestPacing(connections: connections)
        self.clock = clock
        self.randomByte = randomByte
    }

    /// Waits until a request may be sent, and returns that moment; after the answer, call ``leave(_:attempt:start:)``.
    func enter() async -> Duration {
        if self.underWay < self.pacing.concurrency, self.waiting.isEmpty {
            self.underWay += 1
        } else {
            await withCheckedContinuation { self.waiting.append($0) }
        }
        // Another request may lengthen the pause in the meantime.
        while let pause = self.pacing.pause(at: self.clock.now()), !Task.isCancelled { await self.clock.sleep(pause) }
        return self.clock.now()
    }

    /// - Parameter failure: `nil` when the answer shows neither an overload nor a lock.
    func leave(_ failure: RequestPacing.Failure?, attempt: Int, start: Duration) -> RequestPacing.Decision {
        var decision = RequestPacing.Decision.done
        if let failure {
            let now = self.clock.now()
            decision = self.pacing.failed(failure, attempt: attempt, start: start, now: now, random: self.randomByte())
        } else {
            self.pacing.succeeded(attempt: attempt)
        }
        self.underWay -= 1
        while self.underWay < self.pacing.concurrency, !self.waiting.isEmpty {
            self.underWay += 1
            self.waiting.removeFirst().resume()
        }
        return decision
    }
}

extension RequestPacing.Failure {
    /// Creates the failure for an answer; `nil` when the answer is no sign of overload or of a lock.
    init?(_ response: Response, to request: Request, now: Int64?) {
        guard [423, 429, 500, 502, 503, 504].contains(response.status) else { return nil }
        let asked = [429, 503].contains(response.status) ? response.headers.retryAfterSeconds(now: now) : nil
        let isPassing =
            switch response.status {
            // Without `Retry-After`, the wait may be an hour, for example when Nextcloud locks out a user.
            case 429: asked != nil
            case 500, 503: !Quirks.lasts(ErrorBody(response))
            default: true
            }
        self.init(
            response.status == 423 ? .lock : .overload,
            mayRepeat: isPassing && request.mayRepeat,
            retryAfterSeconds: asked
        )
    }

    /// Creates the failure for a broken connection; `nil` for other errors.
    init?(_ error: TransportError, to request: Request) {
        guard error == TransportError(.interrupted) else { return nil }
        self.init(.overload, mayRepeat: request.mayRepeat)
    }
}
