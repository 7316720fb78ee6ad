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

    /// Seconds after which a full listing is compared: some servers never report some changes.
    package static let secondsBetweenListings: Int64 = 7 * Int64(ClockTime.secondsPerDay)

    package init(_ context: SyncContext) { self.recorder = SyncRecorder(context) }

    /// Runs all phases, for a list that needs no other list.
    ///
    /// - Parameter mayRecreate: see ``send(mayRecreate:)``.
    package mutating func run(mayRecreate: Bool = true) async -> (report: SyncReport, error: (any Error)?) {
        await self.learn()
        return await self.complete(mayRecreate: mayRecreate)
    }

    /// Runs the phases after the first one.
    package mutating func complete(mayRecreate: Bool = true) async -> (report: SyncReport, error: (any Error)?) {
        self.acceptRemoteDeletions()
        await self.send(mayRecreate: mayRecreate)
        return await self.finish()
    }

    /// Requests the changes of the server, and records them here.
    package mutating func learn() async {
        var phase = LearningPhase(self.recorder)
        do {
            self.learned = try await phase.run()
        } catch {
            self.stop(error)
        }
        self.recorder = phase.recorder
    }

    /// Deletes items here that the server no longer has, as far as the deletion guard allows.
    package mutating func acceptRemoteDeletions() {
        guard self.error == nil, let learned = self.learned else { return }
        var phase = AcceptingPhase(self.recorder, learned)
        do throws(DatabaseError) {
            self.learned = try phase.run()
        } catch {
            self.stop(error)
        }
        self.recorder = phase.recorder
    }

    /// Sends local changes.
    ///
    /// - Parameter mayRecreate: whether an item that was changed here and is gone on the server may be sent as new; not
    ///   when another list of the account, to which it may have been moved, could not be read.
    package mutating func send(mayRecreate: Bool = true) async {
        guard self.error == nil, let learned = self.learned else { return }
        var phase = SendingPhase(self.recorder, learned, mayRecreate: mayRecreate)
        do {
            self.learned = try await phase.run()
        } catch {
            self.stop(error)
        }
        self.recorder = phase.recorder
    }

    /// Deletes items on the server that were deleted here, and saves the token.
    ///
    /// - Parameters:
    ///   - keeping: UIDs of items that are not deleted yet: they were moved to another list and have not arrived there.
    ///   - isCompleted: whether nothing else is left to do for the list; otherwise the next sync does it again.
    /// - Returns: the report, and ``error``.
    package mutating func finish(
        keeping: Set<ByteExactString> = [],
        isCompleted: Bool = true
    ) async -> (report: SyncReport, error: (any Error)?) {
        if self.error == nil, let learned = self.learned {
            var phase = FinishingPhase(self.recorder, learned)
            do {
                try await phase.run(keeping: keeping, isCompleted: isCompleted)
            } catch {
                self.stop(error)
            }
            self.recorder = phase.recorder
        }
        self.learned = nil
        return (self.recorder.report, self.error)
    }

    private mutating func stop(_ error: any Error) { self.error = (error as? RemoteError)?.underlying ?? error }

    // MARK: Between the phases

    /// Whether an item that was changed here is gone on the server: it may have been moved to a list that was read before
    /// the move, or was not read because it had not changed.
    package var missesEdited: Bool { !(self.learned?.plan.recreations.isEmpty ?? true) }

    /// Whether the first phase read everything that it requested.
    package var isWhole: Bool { self.error == nil && self.learned?.isComplete ?? true }

    /// The items that are sent by the third phase and the server has never had, by UID.
    var arrivals: [ByteExactString] {
        (self.learned?.plan.pushes ?? []).filter { $0.etag == nil && $0.href == nil }.map(\.uid.exact)
    }

    /// The items that are deleted on the server by the last phase, each with the version to delete.
    ///
    /// A series in several resources is left out, because a move would take only one of them.
    var departures: [(tombstone: Tombstone, etag: EntityTag)] {
        guard let learned = self.learned else { return [] }
        return learned.plan.remoteDeletions.compactMap { tombstone in
            guard !learned.isInSeveralResources(tombstone.uid) else { return nil }
            return (learned.deletionTags[tombstone.uid.exact] ?? tombstone.etag).map { (tombstone, $0) }
        }
    }

    /// Records that an item was moved to this list on the server.
    ///
    /// - Returns: whether the store recorded it.
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
