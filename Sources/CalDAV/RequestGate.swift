internal import HTTP
internal import WebDAV

/// A monotonic clock that can be waited on.
public struct PacingClock: Sendable {
    /// The time since any fixed moment.
    public let now: @Sendable () -> Duration
    /// Waits, or returns early when the task is cancelled.
    public let sleep: @Sendable (Duration) async -> Void

    /// A clock made of these two; another one than ``continuous`` only in tests.
    public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The system's clock, which goes on while the machine sleeps.
    public static let continuous: PacingClock = {
        let start = ContinuousClock.now
        return PacingClock(
            now: { ContinuousClock.now - start },
            sleep: { try? await Task.sleep(for: $0, clock: .continuous) }
        )
    }()
}

/// The one way for all requests of an account's sync: it lets as many through as ``RequestPacing`` allows, in the order
/// in which they come.
public actor RequestGate {
    private var pacing = RequestPacing()
    private let clock: PacingClock
    private let randomByte: @Sendable () -> UInt8
    private var underWay = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// A gate before a server of which nothing bad is known.
    ///
    /// - Parameter randomByte: another value each time.
    public init(clock: PacingClock = .continuous, randomByte: @escaping @Sendable () -> UInt8) {
        self.clock = clock
        self.randomByte = randomByte
    }

    /// Returns when the request may be sent, with that moment; ``leave(_:attempt:start:)`` has to follow.
    func enter() async -> Duration {
        if self.underWay < self.pacing.concurrency, self.waiting.isEmpty {
            self.underWay += 1
        } else {
            await withCheckedContinuation { self.waiting.append($0) }
        }
        // The pause may become longer while it lasts.
        while let pause = self.pacing.pause(at: self.clock.now()), !Task.isCancelled { await self.clock.sleep(pause) }
        return self.clock.now()
    }

    /// Takes note of the end of a request.
    ///
    /// - Parameter failure: `nil` for an answer that is no failure of the server.
    func leave(_ failure: RequestPacing.Failure?, attempt: Int, start: Duration) -> RequestPacing.Decision {
        var decision = RequestPacing.Decision.done
        if let failure {
            decision = self.pacing.failed(
                failure,
                attempt: attempt,
                start: start,
                now: self.clock.now(),
                random: self.randomByte()
            )
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
    /// The failure of an answer; `nil` for an answer that is no sign of the server's load.
    init?(_ response: Response, to request: Request, now: Int64?) {
        guard [423, 429, 500, 502, 503, 504].contains(response.status) else { return nil }
        let asked = [429, 503].contains(response.status) ? response.headers.retryAfterSeconds(now: now) : nil
        let isPassing =
            switch response.status {
            // Without a word on how long, it may be an hour, or the lock after too many wrong passwords (Nextcloud).
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

    /// The failure of a missing answer; `nil` when it is no sign of the server's load.
    init?(_ error: TransportError, to request: Request) {
        guard error == TransportError(.interrupted) else { return nil }
        self.init(.overload, mayRepeat: request.mayRepeat)
    }
}
