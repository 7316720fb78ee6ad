import CalDAV
import HTTP
import ICalendar
import Recurrence
import Reminders
import Store
import Sync

/// One account on its way through a sync.
struct AccountSync {
    let useCases: UseCases
    let account: AccountRecord
    let client: CalDAVClient
    let request: SyncRequest
    /// Where the journal tells what was changed.
    let run: RunID
    let progress: @Sendable (SyncProgress) -> Void

    var store: ReminderStore { self.useCases.store }

    func run() async throws -> [ListSyncReport] {
        let known = await self.client.capabilities
        let listing = Traffic()
        let (collections, unknown) = try await Traffic.$current.withValue(listing) { try await self.collections() }
        let pairs = try self.pair(collections, unknown: Set(unknown.keys))
        var runs: [ListRun] = []
        for (list, collection) in pairs {
            var run = ListRun(list: list.name, account: self.account.name)
            if let collection {
                let isSame = try self.isUnchangedThere(list, collection) && !self.isUnconfirmed(list)
                if try !isSame || !self.isSent(list) || list.isFillingBegun {
                    run.executor = self.executor(list, collection, isSame)
                } else {
                    try self.learnTag(of: list, collection)
                }
            } else {
                run.isLost = unknown[list.id] == nil
                run.report.error = unknown[list.id] ?? UseCaseError(.listVanished, subject: list.name)
            }
            runs.append(run)
        }
        // All lists take over what is new before the first of them sends anything: see SyncExecutor.begin.
        runs = await self.together(runs) { await $0.begin() }
        runs = await self.lookingElsewhere(runs, pairs)
        runs = await self.together(runs) { $0.settle() }
        runs = await self.moving(runs)
        // A list that could not be read may hold what is missing in another; one that is there no more holds nothing.
        let isWhole = runs.allSatisfy { ($0.isLost || $0.report.error == nil) && $0.executor?.isWhole ?? true }
        runs = await self.together(runs) { await $0.push(mayRevive: isWhole) }
        // What was moved to another list, be it one that could not be asked, stays in the old one until it has arrived.
        let unarrived = try self.store.read { snapshot throws(DatabaseError) in
            try snapshot.unarrived(in: self.account.id)
        }
        try await self.restoreFilled(&runs, pairs)
        runs = await self.together(runs) { await $0.finish(keeping: unarrived) }
        await Traffic.$current.withValue(listing) { await self.carryLabels() }
        var reports: [ListSyncReport] = []
        for run in runs { reports.append(try self.naming(await run.finished, run)) }
        try self.findWaiting(pairs.map(\.0), &reports)
        if !reports.isEmpty { await reports[0].add(listing) }
        for index in reports.indices {
            reports[index].notKept = await self.client.learn(notKept: Set(reports[index].notKept)).sorted()
        }
        try await self.keepLearned(besides: known)
        return reports
    }

    /// Finds the lists into which another has put something after they had been gone through.
    private func findWaiting(_ lists: [ListRecord], _ reports: inout [ListSyncReport]) throws(DatabaseError) {
        guard reports.contains(where: { $0.merged > 0 || $0.newUIDs > 0 }) else { return }
        for (index, list) in lists.enumerated() {
            let report = reports[index]
            guard report.error == nil, report.failures == 0, report.held == 0, !list.isReadOnly else { continue }
            reports[index].waits = try !self.isSent(list)
        }
    }

    /// The report with the numbers and titles of the items that the server refused, and the reasons.
    private func naming(_ report: ListSyncReport, _ run: ListRun) throws(DatabaseError) -> ListSyncReport {
        guard !run.leftOut.isEmpty || !run.refusedEarlier.isEmpty else { return report }
        var report = report
        report.leftOut = try self.store.read { snapshot throws(DatabaseError) in
            func title(_ id: ObjectID) throws(DatabaseError) -> String? { try snapshot.object(id)?.index.title }
            var named: [LeftOutReminder] = []
            for failure in run.leftOut {
                let reason = ErrorCategory.of(failure.error)?.detail ?? "\(failure.error)"
                let error = failure.error.underlying
                if let id = failure.id, let title = try title(id) {
                    named.append(LeftOutReminder(id: id.rawValue, title: title, reason: reason, error: error))
                } else {
                    named.append(LeftOutReminder(id: nil, title: failure.titleOfDeleted, reason: reason, error: error))
                }
            }
            for refusal in run.refusedEarlier {
                guard let title = try title(refusal.object) else { continue }
                let id = refusal.object.rawValue
                named.append(LeftOutReminder(id: id, title: title, reason: refusal.reason, error: nil))
            }
            return named.sorted { ($0.id ?? .max, $0.title ?? "") < ($1.id ?? .max, $1.title ?? "") }
        }
        return report
    }

    /// Restores names and colours of lists where a whole-list request may have removed them, in this run or an earlier one.
    ///
    /// A list that cannot be restored gets the error, and the next run tries again.
    private func restoreFilled(
        _ runs: inout [ListRun],
        _ pairs: [(ListRecord, CalendarCollection?)]
    ) async throws(DatabaseError) {
        guard !self.request.isDryRun else { return }
        let begun = Set(try self.lists().filter(\.isFillingBegun).map(\.id))
        for (index, (list, collection)) in pairs.enumerated() where begun.contains(list.id) {
            guard let collection else { continue }
            do throws(CalDAVError) {
                try await self.client.restore(
                    collection,
                    named: list.remoteName,
                    color: list.remoteColor,
                    // As makeCalendar(named:color:in:segment:components:) made it.
                    components: ["VTODO"]
                )
            } catch {
                runs[index].restoringError = error
            }
        }
    }

    /// Remembers what was learned about the server in this run.
    private func keepLearned(besides known: Capabilities) async throws {
        let learned = await self.client.capabilities.findings
        let old = known.findings
        let new = Set(learned.keys).union(old.keys).filter { learned[$0] != old[$0] }
        guard !new.isEmpty else { return }
        let (account, now) = (self.account.id, self.useCases.seconds)
        try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
            for name in new { try transaction.setCapability(name, learned[name], of: account, at: now) }
        }
    }

    /// Every collection of the account, each once, and the lists of which nothing could be learned, with the reason.
    private func collections() async throws -> ([CalendarCollection], [ListID: any Error]) {
        var collections: [CalendarCollection] = []
        let state = try self.neededState()
        for home in self.account.homes {
            var listed = try await self.client.lists(in: home, state: state)
            if state == .token, listed.contains(where: { $0.syncToken == nil }) {
                // Without a token the tag is all that tells of a change.
                listed = try await self.client.lists(in: home, state: .tokenAndTag)
            }
            collections += listed
        }
        // A list that somebody shares may lie in no home of ours.
        let found = Set(collections.map(\.url.pathKey))
        var unknown: [ListID: any Error] = [:]
        for list in try self.lists() {
            guard let url = list.url.flatMap({ HTTP.URL($0) }), !found.contains(url.pathKey) else { continue }
            do throws(CalDAVError) {
                if let collection = try await self.client.list(at: url) { collections.append(collection) }
            } catch {
                // One list that cannot be asked for is no reason to stop the others; without a connection all stop.
                guard error.transport == nil, error.code != .unauthorized, error.code != .busy else { throw error }
                unknown[list.id] = error
            }
        }
        // Two homes may show the same list.
        var seen: Set<String> = []
        return (collections.filter { seen.insert($0.url.pathKey).inserted }, unknown)
    }

    /// Lists of one account under way at the same time; the connections to its server are limited as well.
    private static let parallelLists = 4

    private func together(
        _ runs: [ListRun],
        _ step: @escaping @Sendable (inout ListRun) async -> Void
    ) async -> [ListRun] {
        var runs = runs
        let busy = runs.indices.filter { runs[$0].executor != nil }.map { (index: $0, run: runs[$0]) }
        await forEachConcurrently(busy, limit: Self.parallelLists) { _, run -> ListRun in
            var run = run
            await Traffic.$current.withValue(run.traffic) { await run.timed(step) }
            return run
        } take: { place, run in
            runs[place.index] = run
            return true
        }
        return runs
    }

    /// Asks the other lists again when a list misses something that was changed here: it may have been moved there while
    /// this run was asking, and would otherwise be sent anew and be in two lists.
    private func lookingElsewhere(
        _ runs: [ListRun],
        _ pairs: [(ListRecord, CalendarCollection?)]
    ) async -> [ListRun] {
        let missing = runs.indices.filter { runs[$0].executor?.missesEdited ?? false }
        guard !missing.isEmpty else { return runs }
        var others = runs
        for (index, (list, collection)) in pairs.enumerated() {
            let executor = runs[index].executor
            // A list that alone misses something was asked after it was moved away.
            guard missing != [index], executor?.isWhole ?? true else {
                others[index].executor = nil
                continue
            }
            guard executor?.isUnchangedThere ?? true else { continue }
            others[index].executor = collection.map { self.executor(list, $0, false) }
        }
        others = await self.together(others) { await $0.begin() }
        for index in runs.indices where others[index].executor == nil { others[index].executor = runs[index].executor }
        return others
    }

    /// Moves on the server what was moved here; the requests count with the first list that gets something.
    private func moving(_ runs: [ListRun]) async -> [ListRun] {
        var runs = runs
        let busy = runs.indices.filter { runs[$0].executor != nil }
        var executors = busy.compactMap { runs[$0].executor }
        let moves = SyncExecutor.moves(between: executors)
        guard let first = moves.first else { return runs }
        await Traffic.$current.withValue(runs[busy[first.target]].traffic) {
            await SyncExecutor.perform(moves, of: &executors)
        }
        for (index, executor) in zip(busy, executors) { runs[index].executor = executor }
        return runs
    }

    private func executor(
        _ list: ListRecord,
        _ collection: CalendarCollection,
        _ isUnchangedThere: Bool
    ) -> SyncExecutor {
        let name = list.name
        let progress = self.progress
        let reader = self.useCases.reader
        let configuration = self.useCases.configuration
        let remote = CalDAVCollection(
            client: self.client,
            collection: collection,
            newName: { NameUUID.random(configuration.randomBytes(16)) }
        )
        let other: any RemoteCollection = self.request.isDryRun ? DryRunCollection(remote) : remote
        let locked = ReadOnlyCollection(other, reason: UseCaseError(.editsWait, subject: name))
        return SyncExecutor(
            store: self.store,
            list: list.id,
            remote: collection.isWritable ? other : locked,
            index: { reader.index($0) },
            now: self.useCases.seconds,
            guard: self.request.allowsMassDelete ? .off : .standard,
            policy: ConflictPolicy(rawValue: self.account.settings.conflictPolicy) ?? .lastModifiedWins,
            ctag: collection.ctag,
            run: self.run,
            verifies: self.request.verifies,
            isUnchangedThere: isUnchangedThere,
            isKnownZone: { configuration.zones.rules(named: $0) != nil },
            refusalRule: SyncExecutor.RefusalRule(
                abilities: collection.abilities,
                sendsAgain: self.request.isNow,
                reason: { ErrorCategory.of($0)?.detail ?? "\($0)" }
            ),
            progress: { progress(SyncProgress(list: name, done: $0.done, sent: $0.pushed, toSend: $0.toSend)) }
        )
    }

    /// What tells that nothing has changed, with the least work for the server.
    private func neededState() throws(DatabaseError) -> CollectionState {
        // A comparison of everything begins with the token, which would have to be asked for list by list.
        guard !self.request.verifies else { return .tokenAndTag }
        let lists = try self.lists().filter { $0.state == .synced && $0.verifiedAt != nil }
        return CollectionState.least(knowing: lists.map(\.ctag))
    }

    /// Whether the state that the listing brought is the one that was saved.
    private func isUnchangedThere(_ list: ListRecord, _ collection: CalendarCollection) -> Bool {
        let isDue = list.verifiedAt.map { self.useCases.seconds - $0 >= SyncExecutor.secondsBetweenListings } ?? true
        guard !isDue, !self.request.verifies else { return false }
        return collection.isUnchanged(since: list.syncToken?.wire, ctag: list.ctag)
    }

    /// Keeps the tag that a first sync did not ask for: the next run asks for nothing else.
    private func learnTag(of list: ListRecord, _ collection: CalendarCollection) throws(DatabaseError) {
        guard list.ctag == nil, let ctag = collection.ctag else { return }
        try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
            try transaction.saveToken(list.syncToken, ctag: ctag, of: list.id)
        }
    }

    /// Whether the last run sent something, which must have changed the collection's state: see SyncExecutor+Unconfirmed.
    private func isUnconfirmed(_ list: ListRecord) throws(DatabaseError) -> Bool {
        try self.store.read { snapshot throws(DatabaseError) in
            try !snapshot.sentUnasked(in: list.id, before: self.run).isEmpty
        }
    }

    /// Whether the server has everything that the list has here.
    private func isSent(_ list: ListRecord) throws(DatabaseError) -> Bool {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.isSent(list.id) }
    }
}

/// One list on its way through a sync.
private struct ListRun: Sendable {
    var report: ListSyncReport
    /// `nil` when there is nothing to do.
    var executor: SyncExecutor?
    /// Whether the server has no such list any more.
    var isLost = false
    /// What is here and the server did not take.
    private(set) var leftOut: [SyncReport.Failure] = []
    /// Why the name and colour of the list on the server could not be restored; `nil` when they are right.
    var restoringError: CalDAVError?
    /// Items that were not sent, because the server refused them earlier.
    private(set) var refusedEarlier: [RefusalRecord] = []
    let traffic = Traffic()

    init(list: String, account: String) { self.report = ListSyncReport(list: list, account: account) }

    mutating func begin() async { await self.executor?.begin() }

    mutating func settle() { self.executor?.settle() }

    mutating func push(mayRevive: Bool) async { await self.executor?.push(mayRevive: mayRevive) }

    mutating func finish(keeping: Set<ByteExactString>) async {
        let isCompleted = self.restoringError == nil
        guard let (outcome, error) = await self.executor?.finish(keeping: keeping, isCompleted: isCompleted) else {
            return
        }
        self.report.take(outcome)
        self.leftOut = outcome.failures
        self.refusedEarlier = outcome.refusedEarlier
        self.report.stop = error
        self.report.error = error ?? outcome.failures.first?.error.underlying ?? self.restoringError
    }

    mutating func timed(_ step: (inout Self) async -> Void) async {
        let start = ContinuousClock.now
        await step(&self)
        self.report.seconds += start.secondsAgo
    }

    var finished: ListSyncReport {
        get async {
            var report = self.report
            await report.add(self.traffic)
            return report
        }
    }

}

extension CalendarCollection {
    /// The abilities of the server; a change of this value ends the refusals of the list.
    fileprivate var abilities: String {
        let size = self.maxResourceSize.map(String.init) ?? "any"
        return "\(self.url.path) \(self.components.sorted().joined(separator: ",")) \(size)"
    }
}

extension ContinuousClock.Instant {
    fileprivate var secondsAgo: Double {
        let (seconds, attoseconds) = (ContinuousClock.now - self).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

extension SyncReport {
    /// Steps done so far.
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

    fileprivate mutating func take(_ report: SyncReport) {
        self.pulled = report.pulled
        self.pushed = report.pushed
        self.merged = report.merged
        self.moved = report.moved
        self.repaired = report.repaired
        self.returned = report.returned
        self.kept = report.kept
        self.newUIDs = report.newUIDs
        self.conflicts = report.conflicts
        self.deletedLocally = report.deletedLocally
        self.deletedRemotely = report.deletedRemotely
        self.heldHere = report.held.here
        self.heldThere = report.held.there
        self.failures = report.failures.count + report.refusedEarlier.count
        self.unreadable = report.unreadable.map {
            ListSyncReport.Unreadable(href: $0.href.wire, reason: $0.reason)
        }
        self.notKept = report.notKept.sorted()
    }
}
