internal import HTTP
internal import WebDAV

/// A monotonic clock with a timer.
public struct PacingClock: Sendable {
    /// The time since any fixed moment.
    public let now: @Sendable () -> Duration
    /// Waits; returns early when the task is cancelled.
    public let sleep: @Sendable (Duration) async -> Void

    /// Creates a clock; any other than ``continuous`` only in tests.
    public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The system's clock, which continues while the machine sleeps.
    public static let continuous: PacingClock = {
        let start = ContinuousClock.now
        return PacingClock(
            now: { ContinuousClock.now - start },
            sleep: { try? await Task.sleep(for: $0, clock: .continuous) }
        )
    }()
}

/// Lets the requests of an account's sync through at the pace of ``RequestPacing``, in the order of their arrival.
public actor RequestGate {
    private var pacing = RequestPacing()
    private let clock: PacingClock
    private let randomByte: @Sendable () -> UInt8
    private var underWay = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter randomByte: returns another value each time.
    public init(clock: PacingClock = .continuous, randomByte: @escaping @Sendable () -> UInt8) {
        self.clock = clock
        self.randomByte = randomByte
    }

    /// Returns the moment when the request may be sent; ``leave(_:attempt:start:)`` must follow.
    func enter() async -> Duration {
        if self.underWay < self.pacing.concurrency, self.waiting.isEmpty {
            self.underWay += 1
        } else {
            await withCheckedContinuation { self.waiting.append($0) }
        }
        // The pause may become longer during the wait.
        while let pause = self.pacing.pause(at: self.clock.now()), !Task.isCancelled { await self.clock.sleep(pause) }
        return self.clock.now()
    }

    /// - Parameter failure: `nil` for an answer that is no failure of the server.
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
    /// `nil` for an answer that is no sign of the server's load.
    init?(_ response: Response, to request: Request, now: Int64?) {
        guard [423, 429, 500, 502, 503, 504].contains(response.status) else { return nil }
        let asked = [429, 503].contains(response.status) ? response.headers.retryAfterSeconds(now: now) : nil
        let isPassing =
            switch response.status {
            // Without a time, it may be an hour, or the lock after too many wrong passwords (Nextcloud).
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

    /// `nil` when it is no sign of the server's load.
    init?(_ error: TransportError, to request: Request) {
        guard error == TransportError(.interrupted) else { return nil }
        self.init(.overload, mayRepeat: request.mayRepeat)
    }
}
