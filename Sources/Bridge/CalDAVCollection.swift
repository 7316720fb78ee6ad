import CalDAV
import Store
import Sync
import WebDAV

/// A CalDAV collection as the other side of a sync: where the words of the network become those of the store, and back.
struct CalDAVCollection: RemoteCollection {
    let client: CalDAVClient
    let collection: CalendarCollection
    /// Makes a name that nobody has used before.
    let newName: @Sendable () -> String

    func key(of href: Store.Href) -> String { WebDAV.Href(href.wire).key }

    func newHref() -> Store.Href {
        Store.Href(self.collection.href(forResource: "\(self.newName()).ics").wire)
    }

    func changes(since token: Store.SyncToken?) async throws(RemoteError) -> RemoteChanges {
        let changes = try await self.translating { () throws(CalDAVError) in
            try await self.client.changes(in: self.collection, since: token?.wire)
        }
        return RemoteChanges(
            changed: changes.changed.map {
                .init(href: Store.Href($0.href.wire), etag: $0.etag.map { EntityTag($0.wire) })
            },
            removed: changes.removed.map { Store.Href($0.wire) },
            token: changes.token.map { Store.SyncToken($0) },
            isComplete: changes.isComplete
        )
    }

    func fetch(_ hrefs: [Store.Href]) async throws(RemoteError) -> RemoteFetch {
        let result = try await self.translating { () throws(CalDAVError) in
            try await self.client.fetch(hrefs.map { WebDAV.Href($0.wire) }, in: self.collection)
        }
        return RemoteFetch(
            items: result.items.map { item in
                RemoteItem(
                    href: Store.Href(item.href.wire),
                    etag: item.etag.map { EntityTag($0.wire) },
                    text: Self.restoringLineEnds(item.data)
                )
            },
            missing: result.missing.map { Store.Href($0.wire) },
            failures: result.failures.map { (Store.Href($0.href.wire), RemoteError($0.error)) }
        )
    }

    func create(_ text: [UInt8], at href: Store.Href) async throws(RemoteError) -> EntityTag? {
        try await self.put(text, at: href, condition: .create)
    }

    func update(_ text: [UInt8], at href: Store.Href, ifMatch etag: EntityTag) async throws(RemoteError) -> EntityTag? {
        try await self.put(text, at: href, condition: .update(ETag(etag.wire)))
    }

    func delete(_ href: Store.Href, ifMatch etag: EntityTag?) async throws(RemoteError) {
        _ = try await self.translating { () throws(CalDAVError) in
            try await self.client.delete(
                WebDAV.Href(href.wire),
                in: self.collection,
                etag: etag.map { ETag($0.wire) }
            )
        }
    }

    private func put(
        _ text: [UInt8],
        at href: Store.Href,
        condition: WriteCondition
    ) async throws(RemoteError) -> EntityTag? {
        do throws(RemoteError) {
            return try await self.translating { () throws(CalDAVError) in
                try await self.client.put(text, at: WebDAV.Href(href.wire), in: self.collection, condition: condition)
            }
            .map { EntityTag($0.wire) }
        } catch {
            // Some servers say 404 where others say 412 when the resource is gone; a look at it tells.
            throw error.kind == .vanished ? RemoteError(.conflict, error.underlying) : error
        }
    }

    /// Asks again while the server says that it is busy for a moment, and says errors in the words of a sync.
    ///
    /// Xandikos answers 423 while another write holds its lock; 429 and 503 count only where Retry-After asks for a short
    /// patience. A longer one is the next run's.
    private func translating<Outcome>(
        _ body: () async throws(CalDAVError) -> Outcome
    ) async throws(RemoteError) -> Outcome {
        for pause in Self.pausesMilliseconds {
            do throws(CalDAVError) {
                return try await body()
            } catch {
                guard error.code == .busy else { throw RemoteError(error) }
                let asked = error.retryAfterSeconds.map { $0 * 1000 } ?? (error.status == 423 ? pause : .max)
                guard asked <= Self.longestPauseMilliseconds, !Task.isCancelled else { throw RemoteError(error) }
                try? await Task.sleep(for: .milliseconds(max(asked, pause)))
            }
        }
        do throws(CalDAVError) {
            return try await body()
        } catch {
            throw RemoteError(error)
        }
    }

    /// Pauses between attempts: about two seconds in all, by when a lock is free.
    private static let pausesMilliseconds = [50, 150, 400, 1000]
    /// A person waits for a sync; what takes longer comes with the next one.
    private static let longestPauseMilliseconds = 10_000

    /// XML turns CRLF into LF (XML 1.0 §2.11); a text without any CR gets them back, as RFC 5545 §3.1 has them.
    static func restoringLineEnds(_ data: [UInt8]) -> [UInt8] {
        guard !data.contains(0x0D) else { return data }
        var result: [UInt8] = []
        result.reserveCapacity(data.count + data.count / 24)
        for byte in data {
            if byte == 0x0A { result.append(0x0D) }
            result.append(byte)
        }
        return result
    }
}

extension RemoteError {
    /// What a CalDAV error means for the rest of the run.
    init(_ error: CalDAVError) {
        let kind: Kind =
            switch error.code {
            case .preconditionFailed: .conflict
            case .uidConflict: .duplicateUID
            case .rejected, .tooLarge, .forbidden: .refused
            case .serverError: .unknownOutcome
            case .notFound: .vanished
            default: .stopped
            }
        self.init(kind, error)
    }
}
