import CalDAV
import HTTP
import ICalendar
import Reminders
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

    func href(movedFrom href: Store.Href) -> Store.Href {
        let name = href.wire.split(separator: "/").last.map(String.init) ?? href.wire
        return Store.Href(self.collection.url.path + name)
    }

    func changes(since token: Store.SyncToken?, wantsTexts: Bool) async throws(RemoteError) -> RemoteChanges {
        RemoteChanges(
            try await self.translating { () throws(CalDAVError) in
                try await self.client.changes(in: self.collection, since: token?.wire, wantsTexts: wantsTexts)
            }
        )
    }

    func everything() async throws(RemoteError) -> RemoteChanges {
        RemoteChanges(
            try await self.translating { () throws(CalDAVError) in
                try await self.client.everything(in: self.collection)
            }
        )
    }

    func listing() async throws(RemoteError) -> RemoteChanges {
        RemoteChanges(
            try await self.translating { () throws(CalDAVError) in try await self.client.listing(of: self.collection) }
        )
    }

    func fetch(_ hrefs: [Store.Href]) async throws(RemoteError) -> RemoteFetch {
        try await self.fetch(hrefs, wereRemoved: false)
    }

    func look(at href: Store.Href) async throws(RemoteError) -> RemoteFetch {
        RemoteFetch(
            try await self.translating { () throws(CalDAVError) in
                try await self.client.look(at: WebDAV.Href(href.wire), in: self.collection)
            }
        )
    }

    func fetch(removed hrefs: [Store.Href]) async throws(RemoteError) -> RemoteFetch {
        try await self.fetch(hrefs, wereRemoved: true)
    }

    private func fetch(_ hrefs: [Store.Href], wereRemoved: Bool) async throws(RemoteError) -> RemoteFetch {
        RemoteFetch(
            try await self.translating { () throws(CalDAVError) in
                try await self.client.fetch(
                    hrefs.map { WebDAV.Href($0.wire) },
                    in: self.collection,
                    wereRemoved: wereRemoved
                )
            }
        )
    }

    func create(_ text: [UInt8], at href: Store.Href) async throws(RemoteError) -> EntityTag? {
        try await self.put(text, at: href, condition: .create)
    }

    func fill(_ text: [UInt8]) async throws(RemoteError) -> RemoteFilling {
        let outcome = try await self.translating { () throws(CalDAVError) in
            try await self.client.fill(self.collection, with: Refolding.atCharacterBoundaries(text))
        }
        return switch outcome {
        case .filled: .filled
        case .notEmpty: .notEmpty
        case .notOffered: .notOffered
        }
    }

    func update(_ text: [UInt8], at href: Store.Href, ifMatch etag: EntityTag) async throws(RemoteError) -> EntityTag? {
        try await self.put(text, at: href, condition: .update(ETag(etag.wire)))
    }

    func move(
        _ href: Store.Href,
        ifMatch etag: EntityTag,
        to destination: Store.Href
    ) async throws(RemoteError) -> RemoteMove {
        let outcome = try await self.translating { () throws(CalDAVError) in
            try await self.client.move(
                WebDAV.Href(href.wire),
                from: self.collection,
                etag: ETag(etag.wire),
                to: WebDAV.Href(destination.wire)
            )
        }
        return switch outcome {
        case .moved(let new): .moved(new.map { EntityTag($0.wire) })
        case .notOffered: .notOffered
        }
    }

    func delete(_ href: Store.Href, ifMatch etag: EntityTag?) async throws(RemoteError) -> Bool {
        let outcome = try await self.translating { () throws(CalDAVError) in
            try await self.client.delete(
                WebDAV.Href(href.wire),
                in: self.collection,
                etag: etag.map { ETag($0.wire) }
            )
        }
        return outcome == .deleted
    }

    func restore(_ uids: Set<ByteExactString>) async throws(RemoteError) -> RemoteRestoration {
        var outcome = RemoteRestoration()
        let trashed = try await self.translating { () throws(CalDAVError) in
            try await self.client.trashed(from: self.collection)
        }
        for object in trashed {
            guard let uid = CalendarObject(ICalendarDocument(object.data))?.uid?.exact, uids.contains(uid),
                !outcome.restored.contains(uid)
            else { continue }
            do throws(RemoteError) {
                let isBack = try await self.translating { () throws(CalDAVError) in
                    try await self.client.restore(object)
                }
                if isBack { outcome.restored.insert(uid) } else { outcome.refused.insert(uid) }
            } catch {
                // A failure of one request, or an object that has left the trash, does not stop the others.
                guard error.kind == .unknownOutcome || error.kind == .vanished else { throw error }
            }
        }
        outcome.refused.subtract(outcome.restored)
        return outcome
    }

    private func put(
        _ text: [UInt8],
        at href: Store.Href,
        condition: WriteCondition
    ) async throws(RemoteError) -> EntityTag? {
        do throws(RemoteError) {
            let sent = Refolding.atCharacterBoundaries(text)
            let place = WebDAV.Href(href.wire)
            let etag = try await self.translating { () throws(CalDAVError) in
                try await self.client.put(sent, at: place, in: self.collection, condition: condition)
            }
            guard let etag else { return nil }
            let object = CalendarObject(ICalendarDocument(sent))
            let proven = await self.client.provenVersion(
                etag,
                at: place,
                in: self.collection,
                condition: condition,
                isMadeHere: object?.calendar?.first(.prodid)?.text == Reminder.productIdentifier
            ) { stored in
                CalendarObject(ICalendarDocument(stored))?.meaning == object?.meaning
            }
            return proven.map { EntityTag($0.wire) }
        } catch {
            // Some servers say 404 where others say 412 when the resource is gone; a look at it tells.
            throw error.kind == .vanished ? RemoteError(.conflict, error.underlying) : error
        }
    }

    /// Says errors in the words of a sync.
    private func translating<Outcome>(
        _ body: () async throws(CalDAVError) -> Outcome
    ) async throws(RemoteError) -> Outcome {
        do throws(CalDAVError) {
            return try await body()
        } catch {
            throw RemoteError(error)
        }
    }
}

extension RemoteChanges {
    fileprivate init(_ changes: ChangeSet) {
        self.init(
            changed: changes.changed.map {
                .init(href: Store.Href($0.href.wire), etag: $0.etag.map { EntityTag($0.wire) })
            },
            removed: changes.removed.map { Store.Href($0.wire) },
            items: changes.items.map { RemoteItem($0) },
            token: changes.token.map { Store.SyncToken($0) },
            isComplete: changes.isComplete
        )
    }
}

extension RemoteFetch {
    fileprivate init(_ result: FetchResult) {
        self.init(
            items: result.items.map { RemoteItem($0) },
            missing: result.missing.map { Store.Href($0.wire) },
            failures: result.failures.map { (Store.Href($0.href.wire), RemoteError($0.error)) }
        )
    }
}

extension RemoteItem {
    fileprivate init(_ item: CalendarItem) {
        self.init(
            href: Store.Href(item.href.wire),
            etag: item.etag.map { EntityTag($0.wire) },
            text: Self.restoringLineEnds(item.data)
        )
    }

    /// XML turns CRLF into LF (XML 1.0 §2.11); a text without any CR gets them back, as RFC 5545 §3.1 has them.
    static func restoringLineEnds(_ data: [UInt8]) -> [UInt8] {
        guard !data.contains(0x0D) else { return data }
        var result: [UInt8] = []
        result.reserveCapacity(data.count + data.count / 24)
        var rest = data[...]
        while let end = rest.firstIndex(of: 0x0A) {
            result += rest[..<end]
            result += [0x0D, 0x0A]
            rest = rest[(end + 1)...]
        }
        result += rest
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
            case .rejected, .tooLarge, .overQuota, .forbidden: .refused
            // A server that does not know the method has done nothing.
            case .serverError where error.status == 405 || error.status == 501: .refused
            case .serverError: .unknownOutcome
            case .notFound: .vanished
            default: .stopped
            }
        // A gateway that fails says nothing about the item.
        self.init(kind, error, mayConcernUID: error.status == 500, isUIDTaken: error.isUIDTaken)
        self.isGivenUp = error.isGivenUp
        // 409 is also the answer for a deleted list.
        self.concernsText =
            error.method == "PUT" && (error.code == .tooLarge || error.code == .rejected && error.status != 409)
    }
}
