import RemindavCurlTransport
import Synchronization
import Testing

@testable import RemindavHost

@Suite("the rest of a mail server")
struct RelayRestTests {
    /// A clock that the test moves.
    private final class Clock: Sendable {
        private let start = ContinuousClock.now
        private let seconds = Mutex(0.0)
        var now: ContinuousClock.Instant { self.start.advanced(by: .seconds(self.seconds.withLock { $0 })) }
        func pass(_ seconds: Double) { self.seconds.withLock { $0 += seconds } }
    }

    @Test(
        "after a refused sign-in or a failed connection, no message is sent until the end of the rest",
        arguments: [
            (MailRelay.Failure.signInRefused, RelayRest.signInSeconds),
            (.unavailable(reason: "no route"), RelayRest.connectionSeconds),
            (.refused(status: 550), 0), (.postponed(status: 451), 0),
        ] as [(MailRelay.Failure, Double)]
    )
    func rest(failure: MailRelay.Failure, seconds: Double) {
        let clock = Clock()
        let rest = RelayRest(now: { clock.now })
        var attempts = 0
        func send() {
            #expect(throws: failure) {
                try rest.send(signsIn: true) { () throws(MailRelay.Failure) in
                    attempts += 1
                    throw failure
                }
            }
        }
        send()
        clock.pass(max(0, seconds - 1))
        send()
        #expect(attempts == (seconds == 0 ? 2 : 1))
        clock.pass(2)
        send()
        #expect(attempts == (seconds == 0 ? 3 : 2))
    }

    @Test("after the rest, messages are sent")
    func accepted() throws {
        let clock = Clock()
        let rest = RelayRest(now: { clock.now })
        #expect(throws: MailRelay.Failure.signInRefused) {
            try rest.send(signsIn: true) { () throws(MailRelay.Failure) in throw .signInRefused }
        }
        clock.pass(RelayRest.signInSeconds)
        var sent = 0
        for _ in 0..<3 { try rest.send(signsIn: true) { () throws(MailRelay.Failure) in sent += 1 } }
        #expect(sent == 3)
    }

    @Test(
        "a message that was sent at the same time neither ends nor shortens the rest",
        arguments: [nil, .unavailable(reason: "no route")] as [MailRelay.Failure?]
    )
    func sameTime(failure: MailRelay.Failure?) {
        let clock = Clock()
        let rest = RelayRest(now: { clock.now })
        var found: MailRelay.Failure?
        do throws(MailRelay.Failure) {
            try rest.send(signsIn: false) { () throws(MailRelay.Failure) in
                // The sign-in of another message is refused before this one ends.
                #expect(throws: MailRelay.Failure.signInRefused) {
                    try rest.send(signsIn: false) { () throws(MailRelay.Failure) in throw .signInRefused }
                }
                if let failure { throw failure }
            }
        } catch {
            found = error
        }
        #expect(found == failure)
        clock.pass(RelayRest.signInSeconds - 1)
        #expect(throws: MailRelay.Failure.signInRefused) {
            try rest.send(signsIn: true) { () throws(MailRelay.Failure) in Issue.record("a message was sent") }
        }
    }
}
