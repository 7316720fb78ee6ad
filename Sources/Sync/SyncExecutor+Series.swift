import ICalendar
import Reminders
import Store

// Series that lie in several resources.
extension SyncExecutor {
    /// What was read.
    struct Reading: Sendable {
        var objects: [RemoteObject]
        var rejected: [UnreadableItem]
        /// Asked for, and not there any more.
        var missing: [Href]
        /// Whether every text that was asked for came.
        var isComplete = true
    }

    /// Puts together what is one reminder in several resources.
    ///
    /// What was read of a reminder whose other resources cannot be had this time is left for the next run.
    mutating func joiningSeries(
        _ reading: Reading,
        _ changes: RemoteChanges,
        _ state: SyncState
    ) async throws -> Reading {
        self.knowsOverrides = self.knowsOverrides || !state.overrides.isEmpty
        let remote = self.remote
        let key: (Href) -> String = { remote.key(of: $0) }
        let uids = Set(reading.objects.map(\.uid.exact))
        var series = SeriesResources(uids, in: state, changes, missing: reading.missing, key: key)
        guard series.concerns(reading.objects) else { return reading }
        self.knowsOverrides = true
        var result = reading
        var read = Set((reading.objects.map(\.href) + reading.rejected.map(\.href)).map(key))
        let partners = try self.store.read { snapshot throws(DatabaseError) in
            try series.partners(of: reading.objects, read: read) { item throws(DatabaseError) in
                let base = try snapshot.texts(of: item.id)?.base
                return base.flatMap { CalendarObject(ICalendarDocument($0)) }?.isOnlyOverrides ?? false
            }
        }
        if !partners.isEmpty {
            let fetched = try await self.fetch(partners.sorted { $0.key.text < $1.key.text }.map(\.value))
            let (objects, rejected) = await self.read(fetched.items)
            result.objects += objects
            result.rejected += rejected
            result.missing += fetched.missing
            read.formUnion((objects.map(\.href) + rejected.map(\.href)).map(key))
            let gone = Set(fetched.missing.map(key))
            for (uid, href) in partners where !read.contains(key(href)) && !gone.contains(key(href)) {
                result.isComplete = false
                result.objects.removeAll { $0.uid.exact == uid }
            }
            for failure in fetched.failures {
                self.report.failures.append(.init(id: nil, href: failure.href, error: failure.error))
            }
            self.note(cut: fetched.cut)
            series = SeriesResources(uids, in: state, changes, missing: result.missing, key: key)
        }
        let (objects, rejected) = series.joined(result.objects, try self.texts(series, besides: read), read: read)
        result.objects = objects
        result.rejected += rejected
        return result
    }

    /// The same of one resource that was read by itself: what is known of others stands for them.
    func joiningKnownOverrides(_ object: RemoteObject) throws(DatabaseError) -> RemoteObject {
        guard self.knowsOverrides, let state = try self.state() else { return object }
        let remote = self.remote
        let nothing = RemoteChanges(changed: [], removed: [], token: nil, isComplete: false)
        let series = SeriesResources([object.uid.exact], in: state, nothing) { remote.key(of: $0) }
        let read: Set<String> = [remote.key(of: object.href)]
        return series.joined([object], try self.texts(series, besides: read), read: read).objects.first ?? object
    }

    private func texts(
        _ series: SeriesResources,
        besides read: Set<String>
    ) throws(DatabaseError) -> [ByteExactString: [OverrideText]] {
        let uids = series.uidsOfOverrides(besides: read)
        guard !uids.isEmpty else { return [:] }
        return try self.store.read { snapshot throws(DatabaseError) in
            var texts: [ByteExactString: [OverrideText]] = [:]
            for uid in uids {
                let known = try snapshot.overrideTexts(in: self.list, uid: uid)
                texts[uid.exact] = known.filter { $0.resource.state != .joined }
            }
            return texts
        }
    }

    /// Remembers which resources went into a reminder, in the step that takes it over.
    func recordOverrides(of remote: RemoteObject, in transaction: StoreTransaction) throws(DatabaseError) {
        guard self.knowsOverrides else { return }
        try transaction.setOverrides(remote.overrides, of: remote.uid, at: remote.href, in: self.list)
    }

    /// Deletes the resources whose overrides the resource of the series has now.
    ///
    /// Only after an edit has been sent: whoever reads changes nothing. One that somebody has changed since stays, and the
    /// next run reads it.
    mutating func deleteJoinedOverrides() async throws {
        guard self.knowsOverrides else { return }
        let overrides = try self.state()?.overrides.filter { $0.state == .joined && $0.etag != nil } ?? []
        let remote = self.remote
        var failure: (any Error)?
        var executor = self
        await forEachConcurrently(overrides, limit: Self.parallelRequests) { override -> Result<Void, RemoteError> in
            do throws(RemoteError) {
                _ = try await remote.delete(override.href, ifMatch: override.etag)
                return .success(())
            } catch {
                return .failure(error)
            }
        } take: { override, result in
            do {
                try executor.record(deletionOf: override, result)
            } catch {
                failure = error
            }
            return failure == nil
        }
        self = executor
        if let failure { throw failure }
    }

    private mutating func record(deletionOf override: OverrideResource, _ result: Result<Void, RemoteError>) throws {
        if case .failure(let error) = result {
            guard error.kind != .stopped, error.kind != .vanished else { throw error }
            return self.report.failures.append(.init(id: nil, href: override.href, error: error))
        }
        try self.record { transaction throws(DatabaseError) in
            try transaction.forgetOverride(override, in: self.list)
        }
    }
}
