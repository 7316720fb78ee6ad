import ICalendar
import Store

/// The rule for refused texts in one sync.
package struct RefusalRule: Sendable {
    /// The abilities of the server, as any text; a change of this value ends a refusal.
    let abilities: String
    /// Whether refused texts are sent again.
    let sendsAgain: Bool
    /// The reason of a refusal as a person reads it: one sentence without a full stop.
    let reason: @Sendable (any Error) -> String

    package init(abilities: String, sendsAgain: Bool, reason: @escaping @Sendable (any Error) -> String) {
        self.abilities = abilities
        self.sendsAgain = sendsAgain
        self.reason = reason
    }

    /// The rule for a server with unknown abilities.
    package static let standard = Self(abilities: "", sendsAgain: false) { "\($0)" }

    /// Seconds after which a refused text is sent again: a server may have been updated without a sign.
    static let secondsBetweenAttempts: Int64 = 7 * Int64(ClockTime.secondsPerDay)

    /// Whether the server would refuse that text again.
    func stillHolds(_ refusal: RefusalRecord, at now: Int64) -> Bool {
        // The clock may have been set back since; a time far ahead was written by a clock that was wrong.
        refusal.abilities == self.abilities && !self.sendsAgain
            && abs(now - refusal.at) < Self.secondsBetweenAttempts
    }
}
