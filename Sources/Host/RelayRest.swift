import RemindavCurlTransport
import Synchronization

/// Protects a mail server from attempts that will probably fail, too.
final class RelayRest: Sendable {
    /// After a refused sign-in, no message goes to the server for this time in seconds; many servers block repeated
    /// attempts.
    static let signInSeconds = 900.0
    /// After a failed connection, no message goes to the server for this time in seconds, so that few runs wait for it.
    static let connectionSeconds = 20.0

    private struct State {
        /// The failure that began the present rest, and the end of the rest.
        var rest: (failure: MailRelay.Failure, end: ContinuousClock.Instant)?
        var hasSignedIn = false
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant
    /// Until the first accepted sign-in, one message at a time is sent.
    private let signIn = Mutex(())

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// Sends a message by `body`, unless the server rests.
    ///
    /// - Parameter signsIn: whether `body` signs in.
    /// - Throws: the failure of `body`, or the one that began the present rest.
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
            self.state.withLock { $0 = State(hasSignedIn: true) }
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
        self.state.withLock { $0 = State(rest: (failure, end)) }
    }
}
