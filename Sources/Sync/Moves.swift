import RemindavICalendar
import RemindavResources
import RemindavStore

/// A reminder that a user has moved from one list of an account to another.
package struct Move: Sendable {
    /// The index of the sync of the former list.
    package let source: Int
    /// The index of the sync of the new list.
    package let target: Int
    let tombstone: Tombstone
    let etag: EntityTag
}

extension ListSync {
    /// The number of concurrent MOVE requests of one account.
    static let parallelMoves = 4

    /// The reminders that were moved locally between lists of one account; for use after the second phase of all lists.
    ///
    /// Deletions that wait for confirmation, and reminders that the server has in the new list, are not included.
    package static func moves(between syncs: [ListSync]) -> [Move] {
        var targets: [ByteExactString: Int] = [:]
        for (index, sync) in syncs.enumerated() {
            for uid in sync.arrivals { targets[uid] = index }
        }
        guard !targets.isEmpty else { return [] }
        return syncs.enumerated().flatMap { source, sync in
            sync.departures.compactMap { tombstone, etag in
                guard let target = targets[tombstone.uid.exact], target != source else { return nil }
                return Move(source: source, target: target, tombstone: tombstone, etag: etag)
            }
        }
    }

    /// Moves the reminders on the server by one MOVE request each, if the server supports MOVE.
    ///
    /// For a reminder that was not moved, the later phases send it to its new list and delete it in the old one.
    package static func perform(_ moves: [Move], of syncs: inout [ListSync]) async {
        let contexts = syncs.map(\.context)
        await forEachConcurrently(moves, limit: Self.parallelMoves) { move async throws(RemoteError) in
            let href = contexts[move.target].reader.href(movedFrom: move.tombstone.href)
            return (
                href, try await contexts[move.source].writer.move(move.tombstone.href, ifMatch: move.etag, to: href)
            )
        } receive: { move, result in
            switch result {
            case .success((let href, .moved(let etag))):
                syncs[move.target].record(move, at: href, etag, from: contexts[move.source].list)
            case .success((_, .notOffered)): true
            // Only an error that stops the sync ends the moves here; the later phases report every other error.
            case .failure(let error): error.kind != .stopped
            }
        }
    }
}

extension SyncRecorder {
    mutating func record(
        _ uid: String,
        movedFrom source: ListID,
        to href: Href,
        _ etag: EntityTag?
    ) throws(DatabaseError) {
        let (context, list) = (self.context, self.context.list)
        try context.record { transaction throws(DatabaseError) in
            guard let id = try transaction.recordMoved(uid, from: source, to: list, href: href, etag: etag) else {
                return
            }
            let title = try transaction.title(of: id) ?? ""
            let note = ChangeNote(object: id, uid: uid, title: title, side: .remote, kind: .moved, origin: source)
            try context.journal(note, in: transaction)
        }
        self.report.moved += 1
    }
}
