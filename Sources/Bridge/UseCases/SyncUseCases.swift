import RemindavCalDAV
import RemindavICalendar
import RemindavStore
import RemindavSync

extension UseCases {
    /// Syncs the lists of one account, or of all accounts.
    ///
    /// Accounts are synced in parallel, so that a slow server delays no other account. The report of a list contains
    /// its errors. A sync sends at least one request for each account, and at least one more for each changed list. A
    /// dry run works on a copy of the store and only reads from the servers.
    package func sync(
        _ request: SyncRequest = SyncRequest(),
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) async throws -> SyncSummary {
        guard try !self.store.read({ try $0.accounts() }).isEmpty else { throw UseCaseError(.noAccounts) }
        let only = try request.account.map { try self.account(named: $0) }
        let lock = request.isDryRun ? nil : try self.lockForSync(of: only?.id)
        defer { withExtendedLifetime(lock) {} }
        // The accounts are read again, because they may have changed before this process got the lease.
        let accounts =
            try request.account.map { [try self.account(named: $0)] } ?? self.store.read { try $0.accounts() }
        let stage =
            request.isDryRun
            ? UseCases(configuration: self.configuration, store: try self.store.inMemoryCopy()) : self
        // The clients are created one after another, because a password command may use the terminal.
        let clients = accounts.map { account in
            Result { try stage.clientUnlessResting(account, isNow: request.isNow) }
        }
        // A moved reminder is deleted in its old account only after its arrival in the new account, which is synced
        // first.
        let waiting = try stage.store.read { try $0.accountsWaitingForOthers() }
        var outcomes = accounts.map { _ in AccountOutcome() }
        for isWaiting in [false, true] {
            let indices = accounts.indices.filter { waiting.contains(accounts[$0].id) == isWaiting }
            await forEachConcurrently(indices, limit: indices.count) { index in
                await stage.sync(accounts[index], clients[index], request, progress: progress)
            } receive: { index, outcome in
                outcomes[index] = outcome.get()
                return true
            }
        }
        var summary = SyncSummary()
        for (account, outcome) in zip(accounts, outcomes) {
            let changes = try outcome.run.map { try stage.changes(.run($0)) } ?? []
            let byList = Dictionary(grouping: changes) { $0.list ?? "" }
            for var list in outcome.lists {
                list.changes = byList[list.list] ?? []
                summary.lists.append(list)
            }
            if let error = outcome.error as? DatabaseError { throw error }
            if outcome.isComplete { lock?.noteSuccess(of: [account.id]) }
            if let error = outcome.error { summary.failedAccounts.append((account.name, error)) }
        }
        // A dry run records conflicts only in its copy of the store, so this number does not include them.
        summary.unsettledConflicts = try self.store.read { try $0.unsettledConflictCount() }
        return summary
    }

    private struct AccountOutcome: Sendable {
        var lists: [ListSyncReport] = []
        var run: RunID?
        var error: (any Error)?
        var isComplete: Bool { self.error == nil && self.lists.allSatisfy { $0.error == nil } }
    }

    /// Connects to the account; throws an error while the server's pause lasts, except if `isNow` is true.
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
            let run = try self.store.write(.survivesKill) { try $0.beginRun(of: account.name, at: now) }
            outcome.run = run
            do {
                let client = try client.get()
                progress(SyncProgress(list: account.name, done: 0))
                outcome.lists = try await AccountSync(
                    useCases: self,
                    account: account,
                    client: client,
                    request: request,
                    run: run,
                    progress: progress
                ).run()
                try await self.remember(client, for: account)
            } catch {
                outcome.error = error
            }
            let requests = outcome.lists.reduce(0) { $0 + $1.requests }
            let error = outcome.error ?? outcome.lists.lazy.compactMap(\.error).first
            let isHeld = outcome.lists.contains { $0.sync.held.count > 0 }
            let category = error.map { ErrorCategory.word(for: $0) } ?? (isHeld ? RunRecord.deletionsHeld : nil)
            let end = self.seconds
            let errors = ([outcome.error] + outcome.lists.map(\.error)).compactMap { $0 }
            let rest = ServerRest.seconds(errors).map { end + Int64($0) }
            // An answer without `Retry-After` ends an earlier pause.
            let isAsked = (try? client.get()) != nil
            try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
                if isAsked, rest != account.notBefore { try transaction.wait(until: rest, for: account.id) }
                try transaction.endRun(run, requests: requests, error: category, at: end)
            }
        } catch {
            outcome.error = outcome.error ?? error
        }
        return outcome
    }

    func changes(_ selection: ChangeSelection) throws -> [ChangeView] {
        try self.store.read { snapshot throws(DatabaseError) in
            let names = try snapshot.listNames()
            return try snapshot.changes(selection).map { ChangeView($0, list: names[$0.list]) }
        }
    }
}

extension SyncSide {
    var word: String { self == .local ? "here" : "server" }
}

extension ChangeView {
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
