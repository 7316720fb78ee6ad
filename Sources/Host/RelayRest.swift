import RemindavCurlTransport
import Synchronization

/// Makes a pause after a failure of a mail server, because further attempts would probably fail, too.
final class RelayRest: Sendable {
    /// After a refused sign-in, no message goes to the server for this time in seconds; many servers block repeated
    /// attempts.
    static let signInSeconds = 900.0
    /// After a failed connection, no message goes to the server for this time in seconds, so that few runs wait for it.
    static let connectionSeconds = 20.0

    private struct State {
        /// The failure that began the last pause, and the end of the pause; `nil` before the first failure.
        var rest: (failure: MailRelay.Failure, end: ContinuousClock.Instant)?
        /// Whether the server has accepted the sign-in since the last failure.
        var hasSignedIn = false
    }

    private let state = Mutex(State())
    /// The present time.
    private let now: @Sendable () -> ContinuousClock.Instant
    /// Until the first accepted sign-in, one message at a time is sent.
    private let signIn = Mutex(())

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// Sends a message by `body`, unless a pause has begun.
    ///
    /// - Parameter signsIn: whether `body` signs in.
    /// - Throws: the failure of `body`, or the one that began the present pause.
    func send(
        signsIn: Bool,
        _ body: () throws(MailRelay.Failure) -> Void
    ) throws(MailRelay.Failure) {
        guard signsIn, !self.state.withLock({ $0.hasSignedIn }) else { return try self.attempt(body) }
        try self.signIn.withLock { _ throws(MailRelay.Failure) in try self.attempt(body) }
    }

    private func attempt(_ body: () throws(MailRelay.Failure) -> Void) throws(MailRelay.Failure) {
        let now = self.now()
        if let rest = self.state.withLock({ $0.rest }), now < rest.end { throw rest.failure }
        do throws(MailRelay.Failure) {
            try body()
            self.state.withLock { $0.hasSignedIn = true }
        } catch {
            switch error {
            case .signInRefused: self.begin(error, Self.signInSeconds)
            case .unavailable: self.begin(error, Self.connectionSeconds)
            case .refused, .postponed: break
            }
            throw error
        }
    }

    private func begin(_ failure: MailRelay.Failure, _ seconds: Double) {
        let end = self.now().advanced(by: .seconds(seconds))
        self.state.withLock { state in
            state.hasSignedIn = false
            // A message that was sent at the same time may have begun a longer pause.
            if let rest = state.rest, rest.end >= end { return }
            state.rest = (failure, end)
        }
    }
}
