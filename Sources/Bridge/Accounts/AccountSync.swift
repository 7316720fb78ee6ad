import RemindavCalDAV
import RemindavHTTP
import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavResources
import RemindavStore
import RemindavSync

struct AccountSync {
    let useCases: UseCases
    let account: AccountRecord
    let client: CalDAVClient
    let request: SyncRequest
    let run: RunID
    let progress: @Sendable (SyncProgress) -> Void
    var store: ReminderStore { self.useCases.store }

    func run() async throws -> [ListSyncReport] {
        let known = await self.client.capabilities
        let listing = Traffic()
        let (collections, unknown) = try await Traffic.$current.withValue(listing) { try await self.collections() }
        let pairs = try self.pair(collections, unknown: Set(unknown.keys))
        let stored = Set(pairs.compactMap(\.1?.url.pathKey))
        let unstorable = collections.filter {
            $0.supports("VTODO") && !$0.hasShortAddress && !stored.contains($0.url.pathKey)
        }
        var runs: [ListRun] = []
        for (list, collection) in pairs {
            var run = ListRun(report: ListSyncReport(list: list.name, account: self.account.name))
            if let collection {
                let isSame = try self.isUnchangedOnServer(list, collection) && !self.isUnconfirmed(list)
                if try !isSame || !self.isSent(list) || list.isFillingBegun {
                    run.sync = self.listSync(list, collection, isSame)
                } else {
                    try self.learnTag(of: list, collection)
                }
            } else {
                run.isLost = unknown[list.id] == nil
                run.report.error = unknown[list.id] ?? UseCaseError(.listVanished, subject: list.name)
            }
            runs.append(run)
        }
        // ``ListSync`` has several phases. Each phase runs for all lists before the next phase begins.
        runs = await self.together(runs) { await $0.sync?.learn() }
        runs = await self.rereadingOtherLists(runs, pairs)
        runs = await self.together(runs) { await $0.sync?.acceptRemoteDeletions() }
        runs = await self.moving(runs)
        // An item that is missing in its list may have been moved to a list that could not be read, so it is not sent
        // as new. A list that the server deleted contains no items.
        let isWhole = runs.allSatisfy { ($0.isLost || $0.report.error == nil) && $0.sync?.isWhole ?? true }
        runs = await self.together(runs) { await $0.sync?.send(mayRecreate: isWhole) }
        // A moved item is deleted from its old list on the server only after the server has it in the new list. This is
        // also so if the new list could not be read.
        let unarrived = try self.store.read { try $0.unarrived(in: self.account.id) }
        try await self.restoreFilled(&runs, pairs)
        runs = await self.together(runs) { await $0.finish(keeping: unarrived) }
        await Traffic.$current.withValue(listing) { await self.syncLabels() }
        var reports: [ListSyncReport] = []
        for (index, var run) in runs.enumerated() {
            await run.report.add(run.traffic)
            reports.append(try self.naming(run.report, in: pairs[index].0))
        }
        try self.findWaiting(pairs.map(\.0), &reports)
        if !reports.isEmpty { await reports[0].add(listing) }
        for index in reports.indices {
            reports[index].sync.notKept = await self.client.learn(notKept: reports[index].sync.notKept)
        }
        try await self.storeCapabilities(besides: known)
        return reports
            + unstorable.map { collection in
                let name = collection.givenName ?? ""
                var report = ListSyncReport(list: name, account: self.account.name)
                report.error = UseCaseError(.listAddressTooLong)
                return report
            }
    }

    /// Marks lists that have unsent changes because another list's sync added changes after their own sync.
    private func findWaiting(_ lists: [ListRecord], _ reports: inout [ListSyncReport]) throws {
        guard reports.contains(where: { $0.sync.merged > 0 || $0.sync.newUIDs > 0 }) else { return }
        for (index, list) in lists.enumerated() where !list.isReadOnly {
            let report = reports[index]
            guard report.error == nil, report.failures == 0, report.sync.held.count == 0 else { continue }
            reports[index].waits = try !self.isSent(list)
        }
    }

    /// Adds to the report the titles of the reminders that were not synced or whose deletion waits, with the reasons.
    private func naming(_ report: ListSyncReport, in list: ListRecord) throws -> ListSyncReport {
        let held = report.sync.held
        guard !report.sync.failures.isEmpty || !report.sync.refusedEarlier.isEmpty || held.count > 0 else {
            return report
        }
        var named = report
        if held.count > 0 {
            named.held = try self.store.read { snapshot in
                let local = try held.localObjects.compactMap { id in
                    try snapshot.object(id).map {
                        HeldReminder(id: id.rawValue, title: $0.index.title, wasDeletedOnServer: true)
                    }
                }
                return try local
                    + held.remoteObjects.map { removal in
                        let text = try snapshot.textsOfTombstone(in: list.id, uid: removal.uid)?.source
                        let title = text.flatMap { Reminder(ICalendarDocument($0))?.title } ?? ""
                        return HeldReminder(id: removal.object.rawValue, title: title, wasDeletedOnServer: false)
                    }
            }
        }
        named.leftOut = try self.store.read { snapshot in
            func title(_ id: ObjectID) throws -> String? { try snapshot.object(id)?.index.title }
            let failed = try report.sync.failures.map { failure in
                let reason = ErrorCategory.of(failure.error)?.detail ?? "\(failure.error)"
                let error = failure.error.underlying
                if let id = failure.id, let title = try title(id) {
                    return LeftOutReminder(id: id.rawValue, title: title, reason: reason, error: error)
                }
                return LeftOutReminder(id: nil, title: failure.titleOfDeleted, reason: reason, error: error)
            }
            let refused = try report.sync.refusedEarlier.compactMap { refusal in
                let id = refusal.object.rawValue
                return try title(refusal.object).map {
                    LeftOutReminder(id: id, title: $0, reason: refusal.reason, error: nil)
                }
            }
            return (failed + refused).sorted { ($0.id ?? .max, $0.title ?? "") < ($1.id ?? .max, $1.title ?? "") }
        }
        return named
    }

    /// Restores names and colours of lists on the server, because an upload of a whole list may remove them.
    ///
    /// An earlier run may have begun the upload. If a list cannot be restored, its report gets the error, and the next
    /// run tries again.
    private func restoreFilled(_ runs: inout [ListRun], _ pairs: [(ListRecord, CalendarCollection?)]) async throws {
        guard !self.request.isDryRun else { return }
        let begun = Set(try self.lists().filter(\.isFillingBegun).map(\.id))
        for (index, (list, collection)) in pairs.enumerated() where begun.contains(list.id) {
            guard let collection else { continue }
            do throws(CalDAVError) {
                let (name, color) = (list.remoteName, list.remoteColor)
                // The components are the same as in `makeCalendar(named:color:in:segment:components:)`.
                try await self.client.restore(collection, named: name, color: color, components: ["VTODO"])
            } catch {
                runs[index].restoringError = error
            }
        }
    }

    private func storeCapabilities(besides known: Capabilities) async throws {
        let learned = await self.client.capabilities.findings
        let old = known.findings
        let new = Set(learned.keys).union(old.keys).filter { learned[$0] != old[$0] }
        guard !new.isEmpty else { return }
        let (account, now) = (self.account.id, self.useCases.seconds)
        try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
            for name in new { try transaction.setCapability(name, learned[name], of: account, at: now) }
        }
    }

    /// The collections of the account, and the errors of stored lists that could not be requested.
    private func collections() async throws -> ([CalendarCollection], [ListID: any Error]) {
        var collections: [CalendarCollection] = []
        let state = try self.neededState()
        for home in self.account.homes {
            var listed = try await self.client.lists(in: home, state: state)
            if state == .token, listed.contains(where: { $0.syncToken == nil }) {
                // A server without sync tokens shows changes only by the CTag.
                listed = try await self.client.lists(in: home, state: .tokenAndTag)
            }
            collections += listed
        }
        // A list that another user shares may be outside the calendar homes of the account.
        let found = Set(collections.map(\.url.pathKey))
        var unknown: [ListID: any Error] = [:]
        for list in try self.lists() {
            guard let url = list.url.flatMap({ RemindavHTTP.URL($0) }), !found.contains(url.pathKey) else { continue }
            do throws(CalDAVError) {
                if let collection = try await self.client.list(at: url) { collections.append(collection) }
            } catch {
                // An error of one list stops the others only if the connection, the password or a busy server is the
                // cause.
                guard error.transport == nil, error.code != .unauthorized, error.code != .busy else { throw error }
                unknown[list.id] = error
            }
        }
        // Two calendar homes may contain the same collection.
        var seen: Set<String> = []
        return (collections.filter { seen.insert($0.url.pathKey).inserted }, unknown)
    }

    private static let parallelLists = 4

    private func together(
        _ runs: [ListRun],
        _ step: @escaping @Sendable (inout ListRun) async -> Void
    ) async -> [ListRun] {
        var runs = runs
        let busy = runs.indices.filter { runs[$0].sync != nil }.map { (index: $0, run: runs[$0]) }
        await forEachConcurrently(busy, limit: Self.parallelLists) { _, run in
            var run = run
            let start = ContinuousClock.now
            await Traffic.$current.withValue(run.traffic) { await step(&run) }
            run.report.seconds += (ContinuousClock.now - start) / .seconds(1)
            return run
        } receive: { place, run in
            runs[place.index] = run.get()
            return true
        }
        return runs
    }

    /// Reads the changes of the other lists again when the server lacks a locally edited item in its list.
    ///
    /// Another client may have moved the item to one of these lists during this run. If the item were sent as new, both
    /// lists would have it.
    private func rereadingOtherLists(
        _ runs: [ListRun],
        _ pairs: [(ListRecord, CalendarCollection?)]
    ) async -> [ListRun] {
        let missing = runs.indices.filter { runs[$0].sync?.missesEdited ?? false }
        guard !missing.isEmpty else { return runs }
        var others = runs
        for (index, (list, collection)) in pairs.enumerated() {
            let sync = runs[index].sync
            // If only this list lacks items, it is not read again, because only the other lists can contain the items.
            // A list that was not read completely is not read again either.
            guard missing != [index], sync?.isWhole ?? true else {
                others[index].sync = nil
                continue
            }
            guard sync?.context.isUnchangedOnServer ?? true else { continue }
            others[index].sync = collection.map { self.listSync(list, $0, false) }
        }
        others = await self.together(others) { await $0.sync?.learn() }
        for index in runs.indices where others[index].sync == nil { others[index].sync = runs[index].sync }
        return others
    }

    /// Moves items between lists on the server; the requests are counted for the first list that receives an item.
    private func moving(_ runs: [ListRun]) async -> [ListRun] {
        var runs = runs
        let busy = runs.indices.filter { runs[$0].sync != nil }
        var syncs = busy.compactMap { runs[$0].sync }
        let moves = ListSync.moves(between: syncs)
        guard let first = moves.first else { return runs }
        await Traffic.$current.withValue(runs[busy[first.target]].traffic) {
            await ListSync.perform(moves, of: &syncs)
        }
        for (index, sync) in zip(busy, syncs) { runs[index].sync = sync }
        return runs
    }

    private func listSync(
        _ list: ListRecord,
        _ collection: CalendarCollection,
        _ isUnchangedOnServer: Bool
    ) -> ListSync {
        let (name, progress) = (list.name, self.progress)
        let (reader, configuration) = (self.useCases.reader, self.useCases.configuration)
        let remote = CalDAVCollection(
            client: self.client,
            collection: collection,
            newName: { NameUUID.random(configuration.randomBytes(16)) }
        )
        let writer: any RemoteWriting =
            if !collection.isWritable { NullWriter.refusing(UseCaseError(.editsWait, subject: name)) } else {
                if self.request.isDryRun { NullWriter.accepting } else { remote }
            }
        var context = SyncContext(
            store: self.store,
            list: list.id,
            reader: remote,
            writer: writer,
            now: self.useCases.seconds,
            stored: { reader.stored($0) }
        )
        context.deletionGuard = self.request.allowsMassDelete ? .off : .standard
        context.deletionGuard.confirmed = Set(self.request.confirmedDeletions.map { ObjectID($0) })
        context.policy = ConflictPolicy(rawValue: self.account.settings.conflictPolicy) ?? .lastModifiedWins
        context.ctag = collection.ctag
        context.run = self.run
        context.verifies = self.request.verifies
        context.isUnchangedOnServer = isUnchangedOnServer
        context.isKnownZone = { configuration.zones.rules(named: $0) != nil }
        context.refusalRule = RefusalRule(
            abilities: collection.abilities,
            sendsAgain: self.request.isNow,
            reason: { ErrorCategory.of($0)?.detail ?? "\($0)" }
        )
        context.progress = { progress(SyncProgress(list: name, done: $0.done, sent: $0.pushed, toSend: $0.toSend)) }
        return ListSync(context)
    }

    /// The properties of a collection that show changes with the least work for the server.
    private func neededState() throws -> CollectionState {
        // A full comparison needs the sync token and the CTag; otherwise each list would cost one more request.
        guard !self.request.verifies else { return .tokenAndTag }
        let lists = try self.lists().filter { $0.state == .synced && $0.verifiedAt != nil }
        return CollectionState.least(knowing: lists.map(\.ctag))
    }

    private func isUnchangedOnServer(_ list: ListRecord, _ collection: CalendarCollection) -> Bool {
        let isDue = list.verifiedAt.map { self.useCases.seconds - $0 >= SyncContext.secondsBetweenListings } ?? true
        guard !isDue, !self.request.verifies else { return false }
        return collection.isUnchanged(since: list.syncToken, ctag: list.ctag)
    }

    /// Stores the CTag, which the first sync did not request; the next run then needs no request for an unchanged list.
    private func learnTag(of list: ListRecord, _ collection: CalendarCollection) throws {
        guard list.ctag == nil, let ctag = collection.ctag else { return }
        try self.store.write(.survivesKill) { try $0.saveToken(list.syncToken, ctag: ctag, of: list.id) }
    }

    /// Whether an earlier run sent a change and got no confirmation; see `UnconfirmedUploads.swift`.
    private func isUnconfirmed(_ list: ListRecord) throws -> Bool {
        try self.store.read { try !$0.sentUnasked(in: list.id, before: self.run).isEmpty }
    }

    private func isSent(_ list: ListRecord) throws -> Bool { try self.store.read { try $0.isSent(list.id) } }
}

private struct ListRun: Sendable {
    var report: ListSyncReport
    /// The sync of the list; `nil` when it has nothing to do.
    var sync: ListSync?
    var isLost = false
    /// The error of an attempt to restore name and colour on the server; `nil` if there was none.
    var restoringError: CalDAVError?
    let traffic = Traffic()

    mutating func finish(keeping: Set<ByteExactString>) async {
        let isCompleted = self.restoringError == nil
        guard let (outcome, error) = await self.sync?.finish(keeping: keeping, isCompleted: isCompleted) else { return }
        self.report.sync = outcome
        self.report.stop = error
        self.report.error = error ?? outcome.failures.first?.error.underlying ?? self.restoringError
    }

}

extension CalendarCollection {
    /// The limits of the server as text; when the text changes, objects that the server refused are sent again.
    fileprivate var abilities: String {
        let size = self.maxResourceSize.map(String.init) ?? "any"
        return "\(self.url.path) \(self.components.sorted().joined(separator: ",")) \(size)"
    }
}

extension SyncReport {
    fileprivate var done: Int {
        self.pulled + self.pushed + self.merged + self.moved + self.deletedLocally + self.deletedRemotely
    }
}

extension ListSyncReport {
    fileprivate mutating func add(_ traffic: Traffic) async {
        self.requests += await traffic.requests
        self.bytesSent += await traffic.bytesSent
        self.bytesReceived += await traffic.bytesReceived
    }
}
