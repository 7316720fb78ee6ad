import ICalendar
import Store

// Texts that the server has refused, and that it would refuse again.
extension SyncExecutor {
    /// The rule for refused texts in this run.
    package struct RefusalRule: Sendable {
        /// The abilities of the server, as any text; a change of this value ends a refusal.
        let abilities: String
        /// Whether refused texts are sent again.
        let sendsAgain: Bool
        /// The reason of a refusal as a person reads it: one sentence without a full stop.
        let reason: @Sendable (any Error) -> String

        /// A rule.
        package init(abilities: String, sendsAgain: Bool, reason: @escaping @Sendable (any Error) -> String) {
            self.abilities = abilities
            self.sendsAgain = sendsAgain
            self.reason = reason
        }

        /// The rule for a server with unknown abilities.
        package static let standard = Self(abilities: "", sendsAgain: false) { "\($0)" }
    }

    /// Seconds after which a refused text is sent again: a server may have been updated without a sign.
    static let secondsBetweenAttempts: Int64 = 7 * Int64(ClockTime.secondsPerDay)

    /// Whether the server would refuse that text again.
    static func stillHolds(_ refusal: RefusalRecord, _ rule: RefusalRule, at now: Int64) -> Bool {
        // A clock may have been put back since; a time far ahead was written by one that was wrong.
        refusal.abilities == rule.abilities && !rule.sendsAgain
            && abs(now - refusal.at) < Self.secondsBetweenAttempts
    }

    /// Leaves out items that the server would refuse again, and reports each of them once.
    ///
    /// A run may send twice; an item that failed the first time is not tried again.
    mutating func leavingOutRefused(_ items: [SyncItem]) throws(DatabaseError) -> [SyncItem] {
        guard !items.isEmpty else { return [] }
        let refusals = try self.store.read { snapshot throws(DatabaseError) in try snapshot.refusals(in: self.list) }
        guard !refusals.isEmpty else { return items }
        let failed = Set(self.report.failures.compactMap(\.id))
        let reported = Set(self.report.refusedEarlier.map(\.object))
        var sent: [SyncItem] = []
        for item in items where !failed.contains(item.id) && !reported.contains(item.id) {
            guard let refusal = refusals[item.id], refusal.revision == item.revision,
                Self.stillHolds(refusal, self.refusalRule, at: self.now)
            else {
                sent.append(item)
                continue
            }
            self.report.refusedEarlier.append(refusal)
        }
        return sent
    }

    /// Remembers a refusal, so that the next runs do not send the same text again.
    func remember(_ error: RemoteError, of push: Push) throws(DatabaseError) {
        guard error.concernsText else { return }
        let refusal = RefusalRecord(
            object: push.item.id,
            revision: push.item.revision,
            abilities: self.refusalRule.abilities,
            reason: self.refusalRule.reason(error.underlying),
            at: self.now
        )
        try self.record { transaction throws(DatabaseError) in try transaction.recordRefusal(refusal) }
    }
}
