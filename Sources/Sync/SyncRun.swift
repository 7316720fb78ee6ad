package import RemindavICalendar
import RemindavResources
import RemindavStore

/// A two-way sync of one list, in four phases.
///
/// 1. ``learn()``: ``LearningPhase`` requests the server's changes, plans the sync, and records the changes locally.
/// 2. ``acceptRemoteDeletions()``: ``AcceptingPhase`` deletes reminders that the server no longer has.
/// 3. ``send(mayRecreate:)``: ``SendingPhase`` sends the local changes.
/// 4. ``finish(keeping:isCompleted:)``: ``FinishingPhase`` deletes reminders on the server and saves the token.
///
/// If an account has several lists, the caller runs each phase for all lists before the next phase. So the new list of
/// a moved reminder is known before the reminder counts as missing in its former list. Between the second and the third
/// phase, ``perform(_:of:)`` moves locally moved reminders on the server.
///
/// From the third phase on, each step is one request and one short transaction that records the outcome. No transaction
/// is open during a request. The next sync completes an interrupted sync. It does not repeat recorded steps. An
/// unrecorded step looks like the same change on both sides, which is no conflict. The token is saved last.
package struct ListSync: Sendable {
    private var recorder: SyncRecorder
    /// The changes after the latest phase; `nil` before the first phase, and when the list no longer exists.
    private var learned: LearnedChanges?
    /// The error that ended the sync; all steps before the error are recorded.
    ///
    /// The error is a `DatabaseError`, or the cause of a ``RemoteError`` that prevents further requests.
    package private(set) var error: (any Error)?
    package var context: SyncContext { self.recorder.context }

    package init(_ context: SyncContext) { self.recorder = SyncRecorder(context) }

    /// Runs all phases, for a list that does not depend on other lists.
    package mutating func run(mayRecreate: Bool = true) async -> (report: SyncReport, error: (any Error)?) {
        await self.learn()
        return await self.complete(mayRecreate: mayRecreate)
    }

    /// Runs all phases after the first one.
    package mutating func complete(mayRecreate: Bool = true) async -> (report: SyncReport, error: (any Error)?) {
        await self.acceptRemoteDeletions()
        await self.send(mayRecreate: mayRecreate)
        return await self.finish()
    }

    package mutating func learn() async { await self.run(LearningPhase(recorder: self.recorder)) }

    package mutating func acceptRemoteDeletions() async {
        guard self.error == nil, let learned = self.learned else { return }
        await self.run(AcceptingPhase(recorder: self.recorder, learned: learned))
    }

    /// - Parameter mayRecreate: whether a locally changed reminder that the server no longer has may be sent as new.
    ///   Pass `false` if another list of the account, to which the reminder may have been moved, could not be read.
    package mutating func send(mayRecreate: Bool = true) async {
        guard self.error == nil, let learned = self.learned else { return }
        await self.run(SendingPhase(recorder: self.recorder, learned: learned, mayRecreate: mayRecreate))
    }

    /// - Parameters:
    ///   - keeping: UIDs of reminders not to delete yet: they were moved to a list that lacks them on the server.
    ///   - isCompleted: whether no work is left for the list; if `false`, the token is not saved.
    package mutating func finish(
        keeping: Set<ByteExactString> = [],
        isCompleted: Bool = true
    ) async -> (report: SyncReport, error: (any Error)?) {
        if self.error == nil, let learned = self.learned {
            let recorder = self.recorder
            await self.run(
                FinishingPhase(recorder: recorder, learned: learned, keeping: keeping, isCompleted: isCompleted)
            )
        }
        self.learned = nil
        return (self.recorder.report, self.error)
    }

    private mutating func run(_ phase: some SyncPhase) async {
        var phase = phase
        do {
            self.learned = try await phase.run()
        } catch {
            self.stop(error)
        }
        self.recorder = phase.recorder
    }

    private mutating func stop(_ error: any Error) { self.error = (error as? RemoteError)?.underlying ?? error }

    // MARK: Between the phases

    /// Whether the server no longer has a locally changed reminder of this list.
    ///
    /// Another program may have moved the reminder to another list. The sync may have read that list before the move,
    /// or not at all, because the list seemed unchanged.
    package var missesEdited: Bool { !(self.learned?.plan.recreations.isEmpty ?? true) }
    /// Whether the first phase read all texts that it requested.
    package var isWhole: Bool { self.error == nil && self.learned?.isComplete ?? true }

    /// UIDs of new reminders that the third phase sends.
    var arrivals: [ByteExactString] {
        (self.learned?.plan.pushes ?? []).filter { $0.etag == nil && $0.href == nil }.map(\.uid.exact)
    }

    /// Locally deleted reminders that the last phase deletes on the server, or moves if another list has received them.
    ///
    /// Reminders without a known entity tag are left out. So are series in several resources, because a MOVE request
    /// moves only one resource.
    var departures: [(tombstone: Tombstone, etag: EntityTag)] {
        guard let learned = self.learned else { return [] }
        return learned.plan.remoteDeletions.compactMap { tombstone in
            guard !learned.isInSeveralResources(tombstone.uid) else { return nil }
            return (learned.deletionTags[tombstone.uid.exact] ?? tombstone.etag).map { (tombstone, $0) }
        }
    }

    /// - Returns: whether the store has recorded the move.
    mutating func record(_ move: Move, at href: Href, _ etag: EntityTag?, from source: ListID) -> Bool {
        do throws(DatabaseError) {
            try self.recorder.record(move.tombstone.uid, movedFrom: source, to: href, etag)
            return true
        } catch {
            self.stop(error)
            return false
        }
    }
}
