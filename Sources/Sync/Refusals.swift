import ICalendar
import Store

extension SyncRecorder {
    /// Leaves out items that the server would refuse again, and reports each of them once.
    ///
    /// A sync may send twice; an item that failed the first time is not tried again.
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
    /// Remembers a refusal, so that the next syncs do not send the same text again.
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
