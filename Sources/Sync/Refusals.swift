import RemindavICalendar
import RemindavStore

package struct RefusalRule: Sendable {
    /// The collection's address, supported components and limits as a text; if it changes, a refusal is ignored.
    let abilities: String
    let sendsAgain: Bool
    /// Describes an error in one sentence without a full stop.
    let reason: @Sendable (any Error) -> String

    package init(abilities: String, sendsAgain: Bool, reason: @escaping @Sendable (any Error) -> String) {
        self.abilities = abilities
        self.sendsAgain = sendsAgain
        self.reason = reason
    }

    /// A rule for a server with unknown abilities.
    package static let standard = Self(abilities: "", sendsAgain: false) { "\($0)" }
    /// The time in seconds after which a refused text is sent again, because the server may have been updated.
    static let secondsBetweenAttempts: Int64 = 7 * Int64(ClockTime.secondsPerDay)

    func stillHolds(_ refusal: RefusalRecord, at now: Int64) -> Bool {
        // If the recorded time is far in the future, the clock was wrong, so the refusal does not count.
        refusal.abilities == self.abilities && !self.sendsAgain
            && abs(now - refusal.at) < Self.secondsBetweenAttempts
    }
}

extension SyncRecorder {
    /// Returns the items without those that the server would refuse again; each of those is added to the report once.
    ///
    /// A sync may call this twice; a reminder that this sync has already failed to send is left out, too.
    mutating func leavingOutRefused(_ items: [SyncItem]) throws(DatabaseError) -> [SyncItem] {
        let context = self.context
        guard !items.isEmpty else { return [] }
        let refusals = try context.store.read { snapshot throws(DatabaseError) in
            try snapshot.refusals(in: context.list)
        }
        guard !refusals.isEmpty else { return items }
        let failed = Set(self.report.failures.compactMap(\.id))
        let reported = Set(self.report.refusedEarlier.map(\.object))
        var sent: [SyncItem] = []
        for item in items where !failed.contains(item.id) && !reported.contains(item.id) {
            guard let refusal = refusals[item.id], refusal.revision == item.revision,
                context.refusalRule.stillHolds(refusal, at: context.now)
            else {
                sent.append(item)
                continue
            }
            self.report.refusedEarlier.append(refusal)
        }
        return sent
    }
}

extension SyncContext {
    /// Records a refusal, so that the next syncs do not send the same text again.
    func remember(_ error: RemoteError, of upload: Upload) throws(DatabaseError) {
        guard error.concernsText else { return }
        let refusal = RefusalRecord(
            object: upload.item.id,
            revision: upload.item.revision,
            abilities: self.refusalRule.abilities,
            reason: self.refusalRule.reason(error.underlying),
            at: self.now
        )
        try self.record { transaction throws(DatabaseError) in try transaction.recordRefusal(refusal) }
    }
}
