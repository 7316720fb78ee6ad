import ICalendar
import Store

/// An item that a person has moved from one list of an account to another.
package struct Move: Sendable {
    /// Which of the executors has it to give.
    package let source: Int
    /// Which of them is to have it.
    package let target: Int
    let tombstone: Tombstone
    /// The version to move.
    let etag: EntityTag
}

extension SyncExecutor {
    /// Requests of one account under way at the same time while items are moved.
    static let parallelMoves = 4

    /// What was moved here between lists of one account, once all of them have begun.
    ///
    /// A deletion that is held back, and an item that is on the server already, are no moves.
    package static func moves(between executors: [SyncExecutor]) -> [Move] {
        var targets: [ByteExactString: Int] = [:]
        for (index, executor) in executors.enumerated() {
            for item in executor.pending?.plan.pushes ?? [] where item.etag == nil && item.href == nil {
                targets[item.uid.exact] = index
            }
        }
        guard !targets.isEmpty else { return [] }
        return executors.enumerated().flatMap { source, executor in
            (executor.pending?.plan.remoteDeletions ?? []).compactMap { tombstone in
                let etag = executor.pending?.deletionTags[tombstone.uid.exact] ?? tombstone.etag
                // Of a series in several resources one would be moved.
                guard !(executor.pending?.isInSeveralResources(tombstone.uid) ?? false) else { return nil }
                guard let etag, let target = targets[tombstone.uid.exact], target != source else { return nil }
                return Move(source: source, target: target, tombstone: tombstone, etag: etag)
            }
        }
    }

    /// Moves items on the server, where it can, in one request each.
    ///
    /// What it cannot move, or what somebody has just changed there, is sent to its new list and deleted in the old one
    /// by the steps that follow.
    package static func perform(_ moves: [Move], of executors: inout [SyncExecutor]) async {
        let remotes = executors.map(\.remote)
        await forEachConcurrently(moves, limit: Self.parallelMoves) { move -> (Href, Result<RemoteMove, RemoteError>) in
            let href = remotes[move.target].href(movedFrom: move.tombstone.href)
            do throws(RemoteError) {
                let source = remotes[move.source]
                return (href, .success(try await source.move(move.tombstone.href, ifMatch: move.etag, to: href)))
            } catch {
                return (href, .failure(error))
            }
        } take: { move, outcome in
            switch outcome.1 {
            case .success(.moved(let etag)):
                return executors[move.target].record(move, outcome.0, etag, from: executors[move.source].list)
            case .success(.notOffered): return true
            // Whatever else is wrong, the ordinary way will say so.
            case .failure(let error): return error.kind != .stopped
            }
        }
    }

    /// - Returns: whether the store took it.
    private mutating func record(_ move: Move, _ href: Href, _ etag: EntityTag?, from source: ListID) -> Bool {
        let target = self.list
        let executor = self
        do throws(DatabaseError) {
            try self.record { transaction throws(DatabaseError) in
                let uid = move.tombstone.uid
                guard let id = try transaction.recordMoved(uid, from: source, to: target, href: href, etag: etag) else {
                    return
                }
                try executor.journal(
                    ChangeNote(
                        object: id,
                        uid: uid,
                        title: try transaction.title(of: id) ?? "",
                        side: .remote,
                        kind: .moved,
                        origin: source
                    ),
                    in: transaction
                )
            }
            self.report.moved += 1
            return true
        } catch {
            self.error = error
            return false
        }
    }
}
