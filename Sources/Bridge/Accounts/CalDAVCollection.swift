import RemindavCalDAV
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavStore
import RemindavSync
import RemindavWebDAV

/// A CalDAV collection as the remote side of a sync; converts each `CalDAVError` to a `RemoteError`.
struct CalDAVCollection: RemoteReading, RemoteWriting {
    let client: CalDAVClient
    let collection: CalendarCollection
    let newName: @Sendable () -> String

    func key(of href: Href) -> String { href.key }
    func newHref() -> Href { self.collection.href(forResource: "\(self.newName()).ics") }
    func href(movedFrom href: Href) -> Href { Href(self.collection.url.path + href.lastSegment) }

    func changes(since token: SyncToken?, wantsTexts: Bool) async throws(RemoteError) -> ResourceChanges {
        try await self.translating { () throws(CalDAVError) in
            try await self.client.changes(in: self.collection, since: token, wantsTexts: wantsTexts)
        }
    }

    func everything() async throws(RemoteError) -> ResourceChanges {
        try await self.translating { () throws(CalDAVError) in try await self.client.everything(in: self.collection) }
    }

    func listing() async throws(RemoteError) -> ResourceChanges {
        try await self.translating { () throws(CalDAVError) in try await self.client.listing(of: self.collection) }
    }

    func fetch(_ hrefs: [Href], _ reason: FetchReason) async throws(RemoteError) -> FetchResult<RemoteError> {
        let list = self.collection
        return try await self.translating { () throws(CalDAVError) in
            guard reason == .sent else {
                return try await self.client.fetch(hrefs, in: list, wereRemoved: reason == .removed)
            }
            var result = FetchResult<CalDAVError>()
            for href in hrefs { result += try await self.client.fetchOnce(href, in: list) }
            return result
        }.mapFailures(RemoteError.init)
    }

    func create(_ text: [UInt8], at href: Href) async throws(RemoteError) -> EntityTag? {
        try await self.put(text, at: href, .create)
    }

    func fill(_ text: [UInt8]) async throws(RemoteError) -> FillOutcome {
        try await self.translating { () throws(CalDAVError) in
            try await self.client.fill(self.collection, with: Refolding.atCharacterBoundaries(text))
        }
    }

    func update(_ text: [UInt8], at href: Href, ifMatch etag: EntityTag) async throws(RemoteError) -> EntityTag? {
        try await self.put(text, at: href, .update(etag))
    }

    func move(_ href: Href, ifMatch etag: EntityTag, to destination: Href) async throws(RemoteError) -> MoveOutcome {
        try await self.translating { () throws(CalDAVError) in
            try await self.client.move(href, from: self.collection, etag: etag, to: destination)
        }
    }

    func delete(_ href: Href, ifMatch etag: EntityTag?) async throws(RemoteError) -> Bool {
        try await self.translating { () throws(CalDAVError) in
            try await self.client.delete(href, in: self.collection, etag: etag)
        } == .deleted
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
                let client = self.client
                let isBack = try await self.translating { () throws(CalDAVError) in try await client.restore(object) }
                if isBack { outcome.restored.insert(uid) } else { outcome.refused.insert(uid) }
            } catch {
                // If one request fails or an object has left the trash, the other objects are still restored.
                guard error.kind == .unknownOutcome || error.kind == .vanished else { throw error }
            }
        }
        outcome.refused.subtract(outcome.restored)
        return outcome
    }

    private func put(_ text: [UInt8], at href: Href, _ condition: WriteCondition) async throws(RemoteError)
        -> EntityTag?
    {
        do throws(RemoteError) {
            let sent = Refolding.atCharacterBoundaries(text)
            let etag = try await self.translating { () throws(CalDAVError) in
                try await self.client.put(sent, at: href, in: self.collection, condition: condition)
            }
            guard let etag else { return nil }
            let object = CalendarObject(ICalendarDocument(sent))
            return await self.client.provenVersion(
                etag,
                at: href,
                in: self.collection,
                condition: condition,
                isMadeHere: object?.calendar?.first(.prodid)?.text == Reminder.productIdentifier
            ) { stored in
                CalendarObject(ICalendarDocument(stored))?.meaning == object?.meaning
            }
        } catch {
            // Some servers answer 404 instead of 412 for a removed resource. After the error `conflict`, the sync
            // fetches the resource again.
            throw error.kind == .vanished ? RemoteError(.conflict, error.underlying) : error
        }
    }

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

extension RemoteError {
    init(_ error: CalDAVError) {
        let kind: Kind =
            switch error.code {
            case .preconditionFailed: .conflict
            case .uidConflict: .duplicateUID
            case .rejected, .tooLarge, .overQuota, .forbidden: .refused
            // Status 405 or 501 means that the server does not know the method, so the server has changed nothing.
            case .serverError where error.status == 405 || error.status == 501: .refused
            case .serverError: .unknownOutcome
            case .notFound: .vanished
            default: .stopped
            }
        // Status 502 to 504 comes from a gateway and does not concern the item; only 500 may concern the UID.
        self.init(kind, error, mayConcernUID: error.status == 500, isUIDTaken: error.isUIDTaken)
        self.isGivenUp = error.isGivenUp
        // The server may answer 409 because the whole list was deleted, so that status does not concern the text.
        self.concernsText =
            error.method == "PUT" && (error.code == .tooLarge || error.code == .rejected && error.status != 409)
    }
}
