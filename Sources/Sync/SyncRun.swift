package import ICalendar
import Resources
import Store

/// A sync of one list, both ways: the four phases in their order.
///
/// 1. ``learn()``: ``LearningPhase`` requests the changes of the server, plans, and records remote changes here, part by
///    part. Nothing is sent.
/// 2. ``acceptRemoteDeletions()``: ``AcceptingPhase`` deletes items here that the server no longer has.
/// 3. ``send(mayRecreate:)``: ``SendingPhase`` sends local changes.
/// 4. ``finish(keeping:isCompleted:)``: ``FinishingPhase`` deletes on the server and saves the token.
///
/// A caller with several lists of an account runs each phase for all lists before the next one: a reminder that was moved
/// from one list to another is then known in its new list before its absence in the old one has an effect. Items that were
/// moved here are moved on the server between the second and the third phase; see ``perform(_:of:)``.
///
/// From the third phase on, each step is one request and one short transaction that records its outcome; no transaction is
/// open while a request is pending. The next sync completes an interrupted one: recorded steps are not repeated, and
/// unrecorded steps appear as changes on both sides with the same content, which is no conflict. The token is saved last.
package struct ListSync: Sendable {
    private var recorder: SyncRecorder
    /// The changes as the phases so far left them; `nil` before the first phase, and when the list is gone.
    private var learned: LearnedChanges?
    /// The error that ended the sync early; the steps before it are recorded.
    ///
    /// It is the cause of a `RemoteError` when nothing more can be done, or a `DatabaseError`.
    package private(set) var error: (any Error)?
    package var context: SyncContext { self.recorder.context }

    package init(_ context: SyncContext) { self.recorder = SyncRecorder(context) }

    /// Runs all phases, for a list that needs no other list.
    package mutating func run(mayRecreate: Bool = true) async -> (report: SyncReport, error: (any Error)?) {
        await self.learn()
        return await self.complete(mayRecreate: mayRecreate)
    }

    /// Runs the phases after the first one.
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

    /// - Parameter mayRecreate: whether an item that was changed here and is gone on the server may be sent as new; not
    ///   when another list of the account, to which it may have been moved, could not be read.
    package mutating func send(mayRecreate: Bool = true) async {
        guard self.error == nil, let learned = self.learned else { return }
        await self.run(SendingPhase(recorder: self.recorder, learned: learned, mayRecreate: mayRecreate))
    }

    /// - Parameters:
    ///   - keeping: UIDs of items that are not deleted yet: they were moved to another list and have not arrived there.
    ///   - isCompleted: whether nothing else is left to do for the list; otherwise the next sync does it again.
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

    /// Whether an item that was changed here is gone on the server: it may have been moved to a list that was read before
    /// the move, or was not read because it had not changed.
    package var missesEdited: Bool { !(self.learned?.plan.recreations.isEmpty ?? true) }
    /// Whether the first phase read everything that it requested.
    package var isWhole: Bool { self.error == nil && self.learned?.isComplete ?? true }

    /// New items that the third phase sends, by UID.
    var arrivals: [ByteExactString] {
        (self.learned?.plan.pushes ?? []).filter { $0.etag == nil && $0.href == nil }.map(\.uid.exact)
    }

    /// Items that the last phase deletes on the server, each with its version.
    ///
    /// A series in several resources is left out, because a move would move only one of them.
    var departures: [(tombstone: Tombstone, etag: EntityTag)] {
        guard let learned = self.learned else { return [] }
        return learned.plan.remoteDeletions.compactMap { tombstone in
            guard !learned.isInSeveralResources(tombstone.uid) else { return nil }
            return (learned.deletionTags[tombstone.uid.exact] ?? tombstone.etag).map { (tombstone, $0) }
        }
    }

    /// - Returns: whether the store recorded the move.
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
