import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavStore

/// The resources that were read, before or after the resources of each series are joined.
struct SeriesReading: Sendable {
    var objects: [RemoteObject]
    var rejected: [UnreadableItem]
    var missing: [Href]
    var isComplete = true
}

extension SyncRecorder {
    /// Joins the resources that together are one reminder.
    ///
    /// If a resource of a reminder could not be read, the reminder is left to the next sync.
    mutating func joiningSeries(
        _ reading: SeriesReading,
        _ changes: ResourceChanges,
        _ state: SyncState
    ) async throws -> SeriesReading {
        self.knowsOverrides = self.knowsOverrides || !state.overrides.isEmpty
        let key = self.context.key
        let uids = Set(reading.objects.map(\.uid.exact))
        var series = SeriesResources(uids, in: state, changes, missing: reading.missing, key: key)
        guard series.concerns(reading.objects) else { return reading }
        self.knowsOverrides = true
        var result = reading
        var read = Set((reading.objects.map(\.href) + reading.rejected.map(\.href)).map(key))
        let partners = try self.context.store.read { snapshot in
            try series.partners(of: reading.objects, read: read) { item in
                CalendarObject(try snapshot.texts(of: item.id)?.base)?.isOnlyOverrides ?? false
            }
        }
        if !partners.isEmpty {
            let fetched = try await self.context.fetch(partners.sorted { $0.key.text < $1.key.text }.map(\.value))
            self.noteFailures(of: fetched)
            let (objects, rejected) = await self.context.read(fetched.result.texts)
            result.objects += objects
            result.rejected += rejected
            result.missing += fetched.result.missing
            read.formUnion((objects.map(\.href) + rejected.map(\.href)).map(key))
            let gone = Set(fetched.result.missing.map(key))
            for (uid, href) in partners where !read.contains(key(href)) && !gone.contains(key(href)) {
                result.isComplete = false
                result.objects.removeAll { $0.uid.exact == uid }
            }
            series = SeriesResources(uids, in: state, changes, missing: result.missing, key: key)
        }
        let (objects, rejected) = series.joined(result.objects, try self.texts(series, besides: read), read: read)
        result.objects = objects
        result.rejected += rejected
        return result
    }

    /// Joins a resource that was read alone with the stored overrides of its series.
    func joiningKnownOverrides(_ object: RemoteObject) throws(DatabaseError) -> RemoteObject {
        guard self.knowsOverrides, let state = try self.context.state() else { return object }
        let nothing = ResourceChanges(token: nil, isComplete: false)
        let series = SeriesResources([object.uid.exact], in: state, nothing, key: self.context.key)
        let read: Set<String> = [self.context.key(of: object.href)]
        return series.joined([object], try self.texts(series, besides: read), read: read).objects.first ?? object
    }

    private func texts(
        _ series: SeriesResources,
        besides read: Set<String>
    ) throws(DatabaseError) -> [ByteExactString: [OverrideText]] {
        let uids = series.uidsOfOverrides(besides: read)
        guard !uids.isEmpty else { return [:] }
        return try self.context.store.read { snapshot throws(DatabaseError) in
            var texts: [ByteExactString: [OverrideText]] = [:]
            for uid in uids {
                let known = try snapshot.overrideTexts(in: self.context.list, uid: uid)
                texts[uid.exact] = known.filter { $0.resource.state != .joined }
            }
            return texts
        }
    }
}
