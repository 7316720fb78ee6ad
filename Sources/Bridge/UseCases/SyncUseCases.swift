import CalDAV
import ICalendar
import Store
import Sync

extension UseCases {
    /// Synchronises the lists of one account or of all.
    ///
    /// Accounts are synced in parallel, so that a slow server delays no other account; an account from which items were
    /// moved to another account waits for the others. The errors of a
    /// list are in its report; the others go on. Each account costs one request, and each list that has changed on
    /// either side at least one more.
    ///
    /// A rehearsal runs on a copy of the store and reads from the servers only.
    package func sync(
        _ request: SyncRequest = SyncRequest(),
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) async throws -> SyncSummary {
        func accounts() throws -> [AccountRecord] {
            try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
        }
        guard try !accounts().isEmpty else { throw UseCaseError(.noAccounts) }
        let only = try request.account.map { try self.account(named: $0) }
        let lock = request.isDryRun ? nil : try self.lockForSync(of: only?.id)
        defer { withExtendedLifetime(lock) {} }
        // Read again under the lock.
        let accounts = try request.account.map { [try self.account(named: $0)] } ?? accounts()
        let stage = request.isDryRun ? try self.dryRun() : self
        // One after another: a password command may prompt on the terminal.
        let clients = accounts.map { account in Result { try stage.clientUnlessResting(account, isNow: request.isNow) }
        }
        // An item that was moved to another account is deleted in the old one only when it has arrived there.
        let waiting = try stage.store.read { snapshot throws(DatabaseError) in try snapshot.accountsWaitingForOthers() }
        var found: [(index: Int, outcome: AccountOutcome)] = []
        for isWaiting in [false, true] {
            found += await withTaskGroup(of: (index: Int, outcome: AccountOutcome).self) { group in
                for (index, (account, client)) in zip(accounts, clients).enumerated()
                where waiting.contains(account.id) == isWaiting {
                    group.addTask { (index, await stage.sync(account, client, request, progress: progress)) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        let outcomes = found.sorted { $0.index < $1.index }.map(\.outcome)
        var summary = SyncSummary()
        for (account, outcome) in zip(accounts, outcomes) {
            let changes = try outcome.run.map { try stage.changes(.run($0)) } ?? []
            let byList = Dictionary(grouping: changes) { $0.list ?? "" }
            summary.lists += outcome.lists.map { list in
                var list = list
                list.changes = byList[list.list] ?? []
                return list
            }
            if let error = outcome.error as? DatabaseError { throw error }
            if let error = outcome.error { summary.failedAccounts.append((account.name, error)) }
        }
        // A rehearsal's own conflicts are nowhere to be seen.
        summary.unsettledConflicts = try self.store.read { snapshot throws(DatabaseError) in
            try snapshot.unsettledConflictCount()
        }
        return summary
    }

    private func dryRun() throws(DatabaseError) -> UseCases {
        UseCases(configuration: self.configuration, store: try self.store.inMemoryCopy())
    }

    /// The result for one account.
    private struct AccountOutcome: Sendable {
        var lists: [ListSyncReport] = []
        var run: RunID?
        var error: (any Error)?
    }

    /// A connection to an account's server, unless its `Retry-After` delay is still running.
    ///
    /// - Parameter isNow: whether the delay is ignored.
    private func clientUnlessResting(_ account: AccountRecord, isNow: Bool) throws -> CalDAVClient {
        if let notBefore = account.notBefore, !isNow, ServerRest.lasts(until: notBefore, at: self.seconds) {
            let until = self.reader.wallClock(at: Instant(secondsSince1970: notBefore))
            throw UseCaseError(.serverWantsRest, subject: until)
        }
        return try self.client(for: account, gate: self.gate())
    }

    private func sync(
        _ account: AccountRecord,
        _ client: Result<CalDAVClient, any Error>,
        _ request: SyncRequest,
        progress: @escaping @Sendable (SyncProgress) -> Void
    ) async -> AccountOutcome {
        var outcome = AccountOutcome()
        do {
            let now = self.seconds
            let run = try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
                try transaction.beginRun(of: account.name, at: now)
            }
            outcome.run = run
            do {
                let client = try client.get()
                progress(SyncProgress(list: account.name, done: 0))
                let sync = AccountSync(
                    useCases: self,
                    account: account,
                    client: client,
                    request: request,
                    run: run,
                    progress: progress
                )
                outcome.lists = try await sync.run()
                try await self.remember(client, for: account)
            } catch {
                outcome.error = error
            }
            let requests = outcome.lists.reduce(0) { $0 + $1.requests }
            let error = outcome.error ?? outcome.lists.lazy.compactMap(\.error).first
            let isHeld = outcome.lists.contains { $0.sync.held.count > 0 }
            let trouble = error.map { ErrorCategory.word(for: $0) } ?? (isHeld ? RunRecord.deletionsHeld : nil)
            let end = self.seconds
            let errors = ([outcome.error] + outcome.lists.map(\.error)).compactMap { $0 }
            let rest = ServerRest.seconds(errors).map { end + Int64($0) }
            // An answer without `Retry-After` ends an earlier delay.
            let isAsked = (try? client.get()) != nil
            try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
                if isAsked, rest != account.notBefore { try transaction.wait(until: rest, for: account.id) }
                try transaction.endRun(run, requests: requests, trouble: trouble, at: end)
            }
        } catch {
            outcome.error = outcome.error ?? error
        }
        return outcome
    }

    /// A part of the journal, as people see it.
    func changes(_ selection: ChangeSelection) throws -> [ChangeView] {
        try self.store.read { snapshot throws(DatabaseError) in
            let names = try snapshot.listNames()
            return try snapshot.changes(selection).map { ChangeView($0, list: names[$0.list]) }
        }
    }
}

extension SyncSide {
    /// As people read it.
    var word: String { self == .local ? "here" : "server" }
}

extension ChangeView {
    /// - Parameter isOperation: whether a person did it.
    init(_ change: ChangeRecord, list: String?, isOperation: Bool = false) {
        var fields: [String] = []
        if let old = change.note.before, let new = change.note.after {
            fields = PropertyDisplayName.differences(old, new)
        }
        self.init(
            id: change.id.rawValue,
            run: change.run.rawValue,
            reminder: change.note.object.rawValue,
            title: change.note.title,
            list: list,
            side: change.note.side.word,
            kind: change.note.kind.rawValue,
            at: ReminderReader.text(Instant(secondsSince1970: change.at)),
            undoneAt: change.undoneAt.map { ReminderReader.text(Instant(secondsSince1970: $0)) },
            fields: fields,
            isOperation: isOperation,
            reverses: change.reverses?.rawValue
        )
    }
}
