import RemindavBridge
import RemindavHTML
import RemindavHTTP

// The accounts and their syncs: pages and changes.
extension Visit {
    func syncPage(_ query: FormFields) throws -> Response {
        let states = try self.useCases.accountStates()
        let screen = SyncScreen(
            accounts: states.map { self.overview($0) },
            syncsItself: self.site.preferences.requestSync == nil,
            conflicts: try self.useCases.conflicts().count,
            note: self.note(query),
            token: self.token
        )
        return try self.show(screen, "Sync", .sync)
    }

    private func overview(_ state: AccountState) -> AccountOverview {
        AccountOverview(
            state: state,
            job: self.site.syncs[state.name, isDryRun: false],
            dryRun: self.site.syncs[state.name, isDryRun: true],
            dueText: self.dueText
        )
    }

    /// The line of each account under the heading of the list.
    func syncLines(_ query: FormFields) throws -> SyncLines {
        let states = try self.useCases.accountStates()
        return SyncLines(
            states.map { self.overview($0) },
            showsResults: query["synced"] != nil,
            note: self.site.notes[query["note"]],
            token: self.token
        )
    }

    /// Starts a sync or a dry run of an account, or of all accounts, and waits a short time for its end.
    func sync(_ fields: FormFields) async throws -> Response {
        let all = try self.useCases.accounts().map(\.name)
        let name = fields["account"] ?? ""
        guard name.isEmpty || all.contains(name) else { throw UseCaseError(.accountNotFound, subject: name) }
        let accounts = name.isEmpty ? all : [name]
        guard !accounts.isEmpty else { throw UseCaseError(.noAccounts) }
        let isDryRun = fields["do"] == "dry"
        if let requestSync = self.site.preferences.requestSync, !isDryRun, fields["do"] != "delete" {
            let number = try name.isEmpty ? nil : self.useCases.accountNumber(named: name)
            let note = self.site.notes.keep(try requestSync(number) > 0 ? Self.syncBegins : Self.syncWaits)
            return .see(fields["from"] == "list" ? .list([(name: "note", value: note)]) : Address.sync.with(note: note))
        }
        var note: String?
        for account in accounts {
            var request = SyncRequest(account: account)
            request.isDryRun = isDryRun
            request.isNow = fields["now"] != nil
            request.verifies = fields["verify"] != nil
            let deletions = fields["do"] == "delete" ? fields["held"] ?? "" : nil
            let isStarted = self.site.syncs.start(request, self.useCases, deletions: deletions)
            if !isStarted, deletions != nil {
                note = "A sync is running. Confirm the deletions again when it has ended."
            }
        }
        await self.site.syncs.wait(for: accounts, isDryRun: isDryRun)
        if let note { return .see(Address.sync.with(note: self.site.notes.keep(note))) }
        return .see(fields["from"] == "list" ? .list([(name: "synced", value: "")]) : .sync)
    }

    /// The sentences after a request to other processes.
    private static let syncBegins = "The sync begins in a few seconds."
    private static let syncWaits =
        "No sync begins: the server has refused the password of the account, or its administrator has to release it."
}

/// The state of an account with the syncs of the pages.
struct AccountOverview: Sendable {
    let state: AccountState
    /// The last or the running sync that a page started.
    let job: SyncJobs.Job?
    /// The last or the running dry run that a page started.
    let dryRun: SyncJobs.Job?
    let dueText: DueText

    var isRunning: Bool { self.job.map { $0.end == nil } ?? false }

    /// The state in one line, such as `synced 2 min ago · 1 change not sent`.
    var line: String {
        var parts: [String] = []
        if let job, job.end == nil {
            parts.append("syncing: \(job.progress)")
        } else if self.state.error != nil {
            parts.append(
                self.state.lastComplete.map { "not synced since \(DueText.inSentence(self.dueText.moment($0)))" }
                    ?? "not synced yet"
            )
        } else {
            parts.append(self.state.lastSync.map { "synced \(self.dueText.age($0))" } ?? "not synced yet")
        }
        if self.state.unsent > 0 { parts.append("\(self.state.unsent.counted("change")) not sent") }
        if let until = self.state.restsUntil {
            parts.append("the server asks to wait until \(self.dueText.moment(until))")
        }
        return parts.joined(separator: " · ")
    }

    /// The result of the last sync in one line; `nil` without an ended sync.
    var result: String? {
        switch self.job?.end {
        case nil: nil
        case .failed(let error): ErrorWords(error).text
        case .otherDeletions: "The deletions have changed; nothing was deleted."
        case .summary(let summary):
            if let error = SyncWords.firstError(summary) {
                ErrorWords(error).text
            } else {
                SyncWords.total(summary)
            }
        }
    }
}
