import RemindavICalendar
import RemindavStore

/// The second phase: deletes reminders locally that the server no longer has.
///
/// If the number of these deletions exceeds the limits of ``DeletionGuard``, none is made until the user confirms them.
/// The phase starts after the first phase of all lists of the account, because a reminder that is missing in one list
/// may have been moved to another.
struct AcceptingPhase: SyncPhase {
    var recorder: SyncRecorder
    var learned: LearnedChanges

    /// - Returns: the changes of the first phase, without the deletions that wait for the user's confirmation.
    mutating func run() throws -> LearnedChanges? {
        let (context, plan) = (self.recorder.context, self.learned.plan)
        let (elsewhere, moved) = try context.store.read { snapshot in
            let gone = plan.localDeletions + plan.recreations
            let elsewhere = try gone.filter { try context.movedObject($0, in: snapshot) != nil }
            return (elsewhere, try context.movedWithinAccount(plan.remoteDeletions, in: snapshot))
        }
        self.learned.plan.hold(
            context.deletionGuard,
            isServerReset: self.learned.isServerReset,
            elsewhere: Set(elsewhere.map(\.uid.exact)),
            movedFromHere: moved
        )
        self.recorder.report.held = self.learned.plan.held
        try self.record(self.learned.plan)
        return self.learned
    }

    private mutating func record(_ plan: SyncPlan) throws(DatabaseError) {
        let list = self.recorder.context.list
        try self.recorder.inBatches(plan.localDeletions) { recorder, item, transaction throws(DatabaseError) in
            if try recorder.deleteHere(item, in: transaction) { recorder.report.deletedLocally += 1 }
        }
        try self.recorder.inBatches(plan.forgotten) { _, tombstone, transaction throws(DatabaseError) in
            try transaction.forget(tombstone, in: list)
        }
        try self.recorder.inBatches(plan.vanishedUnreadable) { _, href, transaction throws(DatabaseError) in
            try transaction.clearUnreadable(href, in: list)
        }
        try self.recorder.inBatches(plan.vanishedOverrides) { _, override, transaction throws(DatabaseError) in
            try transaction.forgetOverride(override, in: list)
        }
        self.recorder.changedDuringSync.formUnion(plan.postponed)
    }
}
