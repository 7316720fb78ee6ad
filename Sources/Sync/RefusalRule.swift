import ICalendar
import Store

package struct RefusalRule: Sendable {
    /// The abilities of the server, as any text; a change of this value ends a refusal.
    let abilities: String
    let sendsAgain: Bool
    /// One sentence without a full stop.
    let reason: @Sendable (any Error) -> String

    package init(abilities: String, sendsAgain: Bool, reason: @escaping @Sendable (any Error) -> String) {
        self.abilities = abilities
        self.sendsAgain = sendsAgain
        self.reason = reason
    }

    /// For a server with unknown abilities.
    package static let standard = Self(abilities: "", sendsAgain: false) { "\($0)" }

    /// Seconds after which a refused text is sent again: a server may have been updated without a sign.
    static let secondsBetweenAttempts: Int64 = 7 * Int64(ClockTime.secondsPerDay)

    func stillHolds(_ refusal: RefusalRecord, at now: Int64) -> Bool {
        // A refusal far in the future was recorded with a wrong clock.
        refusal.abilities == self.abilities && !self.sendsAgain
            && abs(now - refusal.at) < Self.secondsBetweenAttempts
    }
}
