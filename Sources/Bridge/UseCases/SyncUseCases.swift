import CalDAV
import HTTP
import ICalendar
import Recurrence
import Reminders
import Store
import Sync

extension UseCases {
    /// Synchronises the lists of one account or of all.
    ///
    /// What goes wrong with one list is in its report; the others go on. Each account costs one request, and each list
    /// that has changed on either side at least one more.
    package func sync(
        account name: String?,
        dryRun: Bool,
        allowMassDelete: Bool,
        progress: @escaping @Sendable (SyncProgress) -> Void
    ) async throws -> SyncSummary {
        let lock = try self.lockForSync()
        defer { withExtendedLifetime(lock) {} }
        let all = try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
        guard !all.isEmpty else { throw UseCaseError(.noAccounts) }
        let accounts = try name.map { [try self.account(named: $0)] } ?? all
        var summary = SyncSummary(lists: [])
        for account in accounts {
            do {
                let run = AccountSync(
                    useCases: self,
                    account: account,
                    client: try self.client(for: account),
                    dryRun: dryRun,
                    deletionGuard: allowMassDelete ? .off : .standard,
                    progress: progress
                )
                summary.lists += try await run.run()
            } catch let error as DatabaseError {
                throw error
            } catch {
                summary.failedAccounts.append((account.name, error))
            }
        }
        return summary
    }

    /// What lost where both sides had changed the same property, newest first.
    package func conflicts() throws -> [ConflictView] {
        try self.store.read { snapshot throws(DatabaseError) in
            let names = try snapshot.listNames()
            var views: [ConflictView] = []
            for conflict in try snapshot.conflicts() {
                let object = if let id = conflict.note.object { try snapshot.object(id) } else { ObjectRecord?.none }
                views.append(ConflictView(conflict, object: object, list: names[conflict.list] ?? ""))
            }
            return views
        }
    }
}

extension ConflictView {
    fileprivate init(_ conflict: ConflictRecord, object: ObjectRecord?, list: String) {
        let note = conflict.note
        self.init(
            reminder: object?.id.rawValue,
            title: object?.index.title ?? "",
            list: list,
            property: note.property,
            kept: note.winningText,
            lost: note.losingText,
            lostSide: note.losingSide == .local ? "here" : "server",
            decidedAt: ReminderReader.text(Instant(secondsSince1970: conflict.at))
        )
    }
}

/// One account on its way through a sync.
private struct AccountSync {
    let useCases: UseCases
    let account: AccountRecord
    let client: CalDAVClient
    let dryRun: Bool
    let deletionGuard: DeletionGuard
    let progress: @Sendable (SyncProgress) -> Void

    private var store: ReminderStore { self.useCases.store }

    func run() async throws -> [ListSyncReport] {
        var collections: [CalendarCollection] = []
        for home in self.account.homes { collections += try await self.client.lists(in: home) }
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
        collections = collections.filter { seen.insert($0.url.pathKey).inserted }
        let pairs = try self.pair(collections, unknown: Set(unknown.keys))
        // All lists take over what is new before the first of them sends anything: see SyncExecutor.begin.
        var runs: [(report: ListSyncReport, executor: SyncExecutor?)] = []
        // The account's one listing is counted with its first list.
        var counted = 0
        for (list, collection) in pairs {
            var report = ListSyncReport(list: list.name, account: self.account.name)
            var executor: SyncExecutor?
            if let collection {
                if try !self.isIdle(list, collection) { executor = self.executor(list, collection) }
            } else {
                report.error = unknown[list.id] ?? UseCaseError(.listVanished, subject: list.name)
            }
            await executor?.begin(dryRun: self.dryRun)
            report.requests = await self.count(&counted)
            runs.append((report, executor))
        }
        // A list that could not be read may hold what is missing in another.
        let isWhole = runs.allSatisfy { $0.report.error == nil && $0.executor?.isWhole ?? true }
        var reports: [ListSyncReport] = []
        for (var report, var executor) in runs {
            if let (outcome, error) = await executor?.complete(mayRevive: isWhole) {
                report.take(outcome)
                report.error = error ?? outcome.failures.first?.error.underlying
            }
            report.requests += await self.count(&counted)
            reports.append(report)
        }
        return reports
    }

    /// The requests since it was last asked.
    private func count(_ counted: inout Int) async -> Int {
        let total = await self.client.requestCount
        defer { counted = total }
        return total - counted
    }

    /// The account's lists here, each with its collection there; new ones are made, vanished ones are kept and set aside.
    ///
    /// - Parameter unknown: lists of which nothing could be learned; they stay as they are.
    private func pair(
        _ collections: [CalendarCollection],
        unknown: Set<ListID>
    ) throws -> [(ListRecord, CalendarCollection?)] {
        let byKey = Dictionary(collections.map { ($0.url.pathKey, $0) }) { first, _ in first }
        let known = try self.lists()
        let knownKeys = Set(known.compactMap(Self.key))
        let now = self.useCases.seconds
        if !self.dryRun {
            try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
                for list in known {
                    if let collection = Self.key(list).flatMap({ byKey[$0] }) {
                        try self.refresh(list, from: collection, in: transaction)
                    } else if list.state != .detached, !unknown.contains(list.id) {
                        try transaction.detach(list.id)
                    }
                }
                for collection in collections.taskLists where !knownKeys.contains(collection.url.pathKey) {
                    if try self.reattach(collection, known: known, byKey: byKey, in: transaction) { continue }
                    try transaction.adopt(
                        collection,
                        account: self.account.id,
                        accountName: self.account.name,
                        at: now
                    )
                }
            }
        }
        return try self.lists().map { list in (list, Self.key(list).flatMap { byKey[$0] }) }
    }

    /// Joins a list that the server had lost with the one of the same name that somebody has made there since.
    ///
    /// Both sides are compared anew, by UID, and nothing is deleted; two lists of the same reminders would be worse.
    private func reattach(
        _ collection: CalendarCollection,
        known: [ListRecord],
        byKey: [String: CalendarCollection],
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> Bool {
        guard collection.isWritable else { return false }
        let lost = known.first { list in
            list.name == collection.displayName && Self.key(list).map { byKey[$0] == nil } ?? true
        }
        guard let lost, try transaction.list(lost.id)?.state == .detached else { return false }
        try transaction.adoptRemote(lost.id, collection.remoteList(account: self.account.id))
        return true
    }

    private func lists() throws(DatabaseError) -> [ListRecord] {
        try self.store.read { snapshot throws(DatabaseError) in
            try snapshot.lists().filter { $0.account == self.account.id }
        }
    }

    private static func key(_ list: ListRecord) -> String? { list.url.flatMap { HTTP.URL($0)?.pathKey } }

    /// Takes over what the server says of a list: another name or colour, and whether it can be written to.
    private func refresh(
        _ list: ListRecord,
        from collection: CalendarCollection,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        let remote = collection.remoteList(account: self.account.id)
        let isOther =
            list.state != .synced || list.identity != remote.identity
            || list.isReadOnly != remote.isReadOnly
            || list.supportsSyncCollection != remote.supportsSyncCollection
        if isOther { try transaction.adoptRemote(list.id, remote) }
        guard var current = try transaction.list(list.id) else { return }
        if let color = collection.color { current.color = color }
        if let name = collection.displayName, !current.name.hasPrefix(name),
            try transaction.lists(named: name).isEmpty
        {
            current.name = name
        }
        if current.name != list.name || current.color != list.color { try transaction.update(current) }
    }

    private func executor(_ list: ListRecord, _ collection: CalendarCollection) -> SyncExecutor {
        let name = list.name
        let progress = self.progress
        let reader = self.useCases.reader
        let configuration = self.useCases.configuration
        return SyncExecutor(
            store: self.store,
            list: list.id,
            remote: CalDAVCollection(
                client: self.client,
                collection: collection,
                newName: { NameUUID.random(configuration.randomBytes(16)) }
            ),
            index: { reader.index($0) },
            now: self.useCases.seconds,
            guard: self.deletionGuard,
            ctag: collection.ctag,
            progress: { progress(SyncProgress(list: name, done: $0.done)) }
        )
    }

    /// Whether neither side has changed: the state that the listing brought is the one that was saved.
    ///
    /// A state that is a number of seconds proves nothing: several writes in one second leave it as it was (SOGo).
    private func isIdle(_ list: ListRecord, _ collection: CalendarCollection) throws(DatabaseError) -> Bool {
        let now = collection.supportsSyncCollection ? collection.syncToken : collection.ctag
        let saved = collection.supportsSyncCollection ? list.syncToken?.wire : list.ctag
        let isClock = now?.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") } ?? true
        let isSame = now == saved && !isClock
        guard isSame else { return false }
        let state = try self.store.read { snapshot throws(DatabaseError) in try snapshot.syncState(of: list.id) }
        return state.map { $0.unsent == 0 } ?? true
    }
}

extension SyncReport {
    /// Steps done so far.
    fileprivate var done: Int {
        self.pulled + self.pushed + self.merged + self.deletedLocally + self.deletedRemotely
    }
}

extension ListSyncReport {
    fileprivate mutating func take(_ report: SyncReport) {
        self.pulled = report.pulled
        self.pushed = report.pushed
        self.merged = report.merged
        self.conflicts = report.conflicts
        self.deletedLocally = report.deletedLocally
        self.deletedRemotely = report.deletedRemotely
        self.held = report.held
        self.failures = report.failures.count
    }
}
