import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavStore

struct Upload: Sendable {
    let item: SyncItem
    let href: Href
    let text: [UInt8]
    /// The base, which the upload replaces on the server; `nil` when there is none.
    let base: [UInt8]?
}

/// An upload that needs the server's text first: after a conflict or an unknown outcome, or without an entity tag.
struct ContestedUpload: Sendable {
    let upload: Upload
    let error: RemoteError
    let attempt: Int
}

/// The third phase: sends the local changes to the server.
struct SendingPhase: SyncPhase {
    var recorder: SyncRecorder
    private(set) var learned: LearnedChanges
    /// See ``ListSync/send(mayRecreate:)``.
    let mayRecreate: Bool
    /// New reminders that the server refused because another resource in the list has the same UID.
    var duplicates: [Upload] = []
    var hasListedAgain = false
    var contested: [ContestedUpload] = []
    var uids = RefusedUIDs()
    var context: SyncContext { self.recorder.context }
    /// The number of concurrent requests; more are not faster on any measured server, and `RequestPacing` may lower it.
    static let parallelRequests = 4
    /// The largest number of attempts to merge and send a reminder that another program changes each time.
    static let attempts = 3

    /// - Returns: the changes of the first phase; if one request filled the list, the changes that were read after it.
    mutating func run() async throws -> LearnedChanges? {
        try self.recreateItems()
        if let rest = try await self.fillList() { self.learned = rest }
        // If a text could not be fetched, no new reminders are sent, because one of them may have the UID of this text.
        try await self.send(self.learned.plan, mayCreate: self.learned.isComplete)
        return self.learned
    }

    /// Prepares to send reminders that the server no longer has, or merges their edits into copies in other lists.
    private mutating func recreateItems() throws {
        let plan = self.learned.plan
        let leaving = Set(plan.recreations.map(\.uid.exact))
        let kept = try self.context.keptElsewhere(plan.pushes, leaving: leaving, mayLeave: self.mayRecreate)
        guard self.mayRecreate else {
            // The reminders are not sent, and the token is not saved, so that the next sync decides about them.
            self.recorder.changedDuringSync.formUnion((plan.recreations + kept).map(\.uid.exact))
            return
        }
        try self.recorder.inBatches(plan.recreations + kept) { recorder, item, transaction throws(DatabaseError) in
            let isSentAsNew = try recorder.recreate(item, in: transaction)
            if isSentAsNew, leaving.contains(item.uid.exact) { recorder.report.kept += 1 }
        }
    }

    // MARK: Whole lists

    /// Sends all reminders of a new list by one request, if this program made the list and the server supports this.
    /// - Returns: the changes on the server after the request; `nil` when nothing was sent.
    private mutating func fillList() async throws -> LearnedChanges? {
        let (context, list, items) = (self.context, self.learned.state.list, self.learned.plan.pushes)
        guard self.learned.isEmptyOnServer, list.isMadeHere, items.count >= ListFilling.minimumItems,
            self.learned.state.items.allSatisfy({ $0.etag == nil })
        else { return nil }
        let texts = try context.store.read { snapshot in
            try items.compactMap { try snapshot.texts(of: $0.id)?.source }
        }
        let filling = ListFilling(texts, name: list.name, isKnownZone: context.isKnownZone)
        guard filling.uids.count >= ListFilling.minimumItems else { return nil }
        try context.record { transaction throws(DatabaseError) in try transaction.markFillingBegun(context.list) }
        self.recorder.report.toSend = items.count
        self.recorder.reportProgress()
        var outcome = FillOutcome.filled
        do throws(RemoteError) {
            outcome = try await context.writer.fill(filling.text)
        } catch {
            // If the outcome is unknown, a listing shows whether the server has stored the objects. If the server
            // refused the request, it may accept the objects one by one.
            guard error.kind == .unknownOutcome || error.kind == .refused else { throw error }
        }
        guard outcome != .notOffered else {
            // If an earlier sync sent such a request, the server may still complete it, so `isFillingBegun` stays true.
            if !list.isFillingBegun {
                try context.record { transaction throws(DatabaseError) in try transaction.markMadeHere(context.list) }
            }
            return nil
        }
        var evidence = self.learned.evidence
        evidence.uploadedInBulk = filling.uids
        evidence.bulkStamps = UploadEvidence.stamps(of: texts)
        return try await self.learnAgain(try await context.reader.changes(since: nil, wantsTexts: true), evidence)
    }

    private mutating func learnAgain(
        _ changes: ResourceChanges,
        _ evidence: UploadEvidence
    ) async throws -> LearnedChanges? {
        guard let state = try self.context.state() else { return nil }
        var phase = LearningPhase(recorder: self.recorder, evidence: evidence)
        defer { self.recorder = phase.recorder }
        return try await phase.record(changes, state)
    }

    // MARK: Items

    /// Sends all local changes; `mayCreate` permits sending reminders that the server never had.
    private mutating func send(_ plan: SyncPlan, mayCreate: Bool) async throws {
        let unsent = try self.context.unsentItems().filter { item in
            !plan.waiting.contains(item.id) && !self.recorder.changedDuringSync.contains(item.uid.exact)
                && (mayCreate || item.wasThere)
        }
        let items = try self.recorder.leavingOutRefused(unsent)
        self.recorder.report.toSend = self.recorder.report.pushed + items.count
        var waiting = items[...]
        while !waiting.isEmpty {
            let next = waiting.prefix(SyncRecorder.recordsAtOnce)
            waiting = waiting.dropFirst(SyncRecorder.recordsAtOnce)
            try await self.send(try self.prepare(next))
            guard self.duplicates.isEmpty else {
                // An interrupted sync's request for the whole list may have completed after the listing of this sync,
                // so the list is read again.
                (self.hasListedAgain, self.duplicates) = (true, [])
                let changes = try await self.context.reader.listing()
                let isComplete = try await self.learnAgain(changes, self.learned.evidence)?.isComplete ?? false
                return try await self.send(plan, mayCreate: mayCreate && isComplete)
            }
        }
        try await self.sendRelinked()
    }

    /// Stores the addresses before anything is sent, so that the next sync finds the objects after an interruption.
    func prepare(_ items: some Collection<SyncItem>) throws(DatabaseError) -> [Upload] {
        guard !items.isEmpty else { return [] }
        let context = self.context
        return try context.record { transaction throws(DatabaseError) in
            var uploads: [Upload] = []
            for item in items {
                let proposed = item.href ?? context.reader.newHref()
                guard let href = try transaction.reserveHref(proposed, for: item.id, in: context.list),
                    let texts = try transaction.texts(of: item.id)
                else { continue }
                if self.recorder.knowsOverrides { try transaction.markOverridesSending(of: item.uid, in: context.list) }
                uploads.append(Upload(item: item, href: href, text: texts.source, base: texts.base))
            }
            return uploads
        }
    }

    mutating func send(_ batch: [Upload]) async throws {
        // If the version on the server is unknown, the text is fetched first. Another program may have moved the
        // object, and to send it as new would make a second copy.
        let unnamed = batch.filter { $0.item.wasThere && $0.item.etag == nil }
        let error = RemoteError(.conflict, ItemError.contested)
        self.contested += unnamed.map { ContestedUpload(upload: $0, error: error, attempt: 1) }
        try await self.put(batch.filter { !$0.item.wasThere || $0.item.etag != nil }, attempt: 1)
        try await self.retryContested()
    }

    private mutating func put(_ uploads: [Upload], attempt: Int) async throws {
        let writer = self.context.writer
        try await forEachConcurrently(uploads, limit: Self.parallelRequests) { upload async throws(RemoteError) in
            guard let old = upload.item.etag else { return try await writer.create(upload.text, at: upload.href) }
            return try await writer.update(upload.text, at: upload.href, ifMatch: old)
        } receive: { upload, result in
            // Each result is recorded immediately, because the process may be killed at any time.
            try self.record(upload, result, attempt: attempt)
            // The first UID that the server already has ends the batch, because the server may have all reminders of
            // the batch from a request of an earlier sync.
            return self.duplicates.isEmpty
        }
    }

    private mutating func record(_ upload: Upload, _ result: Result<EntityTag?, RemoteError>, attempt: Int) throws {
        switch result {
        case .failure(let error) where error.kind == .stopped || error.kind == .vanished: throw error
        case .success(let etag):
            let context = self.context
            try context.record { transaction throws(DatabaseError) in
                let (list, base) = (context.list, upload.text)
                _ = try transaction.recordPushed(upload.item.read, in: list, href: upload.href, etag: etag, base: base)
                if self.recorder.knowsOverrides { try transaction.markOverridesJoined(of: upload.item.uid, in: list) }
                try self.journal(upload, in: transaction)
            }
            self.recorder.report.pushed += 1
            self.recorder.reportProgress()
        case .failure(let error) where error.kind == .conflict || error.kind == .unknownOutcome:
            self.contested.append(ContestedUpload(upload: upload, error: error, attempt: attempt))
        case .failure(let error) where error.kind == .duplicateUID && !self.hasListedAgain:
            self.duplicates.append(upload)
        case .failure(let error):
            if error.kind == .duplicateUID { try self.recorder.listAgain(for: upload.item.uid) }
            try self.context.remember(error, of: upload)
            self.recorder.report.failures.append(.init(id: upload.item.id, href: upload.href, error: error))
        }
    }

    private func journal(_ upload: Upload, in transaction: StoreTransaction) throws(DatabaseError) {
        // For an object of a request for the whole list, the journal has an addition, even if it is sent again alone.
        let isAddition = self.learned.evidence.uploadedInBulk.contains(upload.item.uid.exact)
        guard upload.item.etag != nil, !isAddition else {
            return try self.context.journalUpload(of: upload.item, in: transaction)
        }
        try self.context.journalUpload(of: upload.item, replacing: upload.base, by: upload.text, in: transaction)
    }

    // MARK: Contested items

    /// Fetches the server's text, merges, and sends the result, at most ``attempts`` times for each reminder.
    private mutating func retryContested() async throws {
        while !self.contested.isEmpty {
            try await self.resolveRefusedUIDs()
            guard let contested = self.contested.popLast() else { break }
            try await self.retry(contested)
        }
    }

    private mutating func retry(_ contested: ContestedUpload) async throws {
        let (upload, error, item) = (contested.upload, contested.error, contested.upload.item)
        let fetched = try await self.context.fetch([upload.href], item.wasThere ? .changed : .sent)
        let remote = try await self.context.read(fetched.result.texts).objects.first
            .map(self.recorder.joiningKnownOverrides)
        // If only a part of the object's text was received, the object can be neither merged nor treated as missing.
        let cut = fetched.cut.first.map { RemoteError(.refused, ItemError.cutShort($0.href)) }
        let unread = fetched.result.failures.first?.error ?? cut
        guard contested.attempt <= Self.attempts, unread == nil else { return self.fail(upload, unread ?? error) }
        if let remote {
            let evidence = self.learned.evidence
            try self.context.record { transaction throws(DatabaseError) in
                try self.recorder.record(merge: remote, with: item, evidence, in: transaction)
            }
        } else if item.wasThere, !fetched.result.missing.isEmpty, try self.hasOtherLists() {
            // Another program may have just moved the object. The next sync reads all lists before it sends the object.
            try self.forgetVersion(of: item)
            return self.fail(upload, error)
        } else if error.isGivenUp {
            return self.fail(upload, error)
        } else {
            try self.forget(upload, after: error)
        }
        if error.isGivenUp {
            // The server may have stored the text although it reported a failure.
            if try self.context.unsentItems().contains(where: { $0.id == item.id }) { self.fail(upload, error) }
            return
        }
        try await self.resend(upload, attempt: contested.attempt + 1)
    }

    /// Makes the next sync search for the reminder in all lists.
    private mutating func forgetVersion(of item: SyncItem) throws(DatabaseError) {
        let list = self.context.list
        try self.context.record { transaction throws(DatabaseError) in
            if item.etag == nil {
                // The server may never report that the object is missing, so the next sync needs a full listing.
                try transaction.saveToken(nil, ctag: nil, of: list)
            } else {
                try transaction.forgetVersion(of: item.id, in: list)
            }
        }
        self.recorder.changedDuringSync.insert(item.uid.exact)
    }

    private func hasOtherLists() throws(DatabaseError) -> Bool {
        let list = self.context.list
        let lists = try self.context.store.read { snapshot throws(DatabaseError) in try snapshot.lists() }
        let writable = lists.filter { $0.state == .synced && !$0.isReadOnly }
        let account = writable.first { $0.id == list }?.account
        return writable.contains { $0.account == account && $0.id != list }
    }

    /// Prepares a reminder that the server does not have, so that it is sent again with its UID.
    ///
    /// Only an object that the server once had can have been moved to another list. A new object with the UID of an
    /// object in another list is a separate reminder. The reminder keeps its address, so that a late success of the
    /// first attempt is noticed. It gets another address only if the server reports a conflict although no object has
    /// the address.
    private mutating func forget(_ upload: Upload, after error: RemoteError) throws(DatabaseError) {
        try self.recorder.inBatches([upload.item]) { recorder, item, transaction throws(DatabaseError) in
            let list = recorder.context.list
            let wasSynchronized = try transaction.wasSynchronized(item.id, uid: item.uid, in: list)
            if item.wasThere || wasSynchronized {
                try recorder.recreate(item, in: transaction)
            } else if error.kind == .conflict {
                try transaction.forgetRemote(item.id, in: list)
            }
        }
    }

    mutating func resend(_ upload: Upload, attempt: Int) async throws {
        guard let item = try self.context.unsentItems().first(where: { $0.id == upload.item.id }),
            let next = try self.prepare(CollectionOfOne(item)).first
        else { return }
        try await self.put([next], attempt: attempt)
    }

    mutating func fail(_ upload: Upload, _ error: RemoteError) {
        let error = error.kind == .conflict ? RemoteError(.conflict, ItemError.contested) : error
        self.recorder.report.failures.append(.init(id: upload.item.id, href: upload.href, error: error))
    }
}
