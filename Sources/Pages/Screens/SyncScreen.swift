import RemindavBridge
import RemindavHTML
import RemindavReminders
import RemindavStore

struct SyncScreen: Part {
    let accounts: [AccountOverview]
    /// Whether this process syncs; another one makes no dry run for a page.
    let syncsItself: Bool
    /// The number of conflicts that are not reviewed yet.
    let conflicts: Int
    let note: NoteLine
    let token: String

    var body: some HTML {
        let token = self.token
        div(.class("head")) {
            h1 { "Sync" }
            if self.accounts.count > 1 { SyncNow(token: token, origin: "sync") }
            a(.class("button main-button"), .href(.connect)) { "Connect a server" }
        }
        self.note
        if self.accounts.isEmpty {
            p { "No account yet. With a server, your reminders are also on your phone and on other computers." }
        }
        let syncsItself = self.syncsItself
        Each(self.accounts) { account in AccountCard(account: account, syncsItself: syncsItself, token: token) }
        p {
            a(.href(.conflicts)) { "Conflicts" }
            if self.conflicts > 0 { ": \(self.conflicts) not reviewed yet" }
        }
    }
}

/// An account with its state, the buttons, and the results of its last sync and of its last dry run.
private struct AccountCard: Part {
    let account: AccountOverview
    let syncsItself: Bool
    let token: String

    var body: some HTML {
        let name = self.account.state.name
        h2 { bdi { name } }
        div(.class("card")) {
            p { self.account.line.sentence }
            form(.class("quick"), .action(.sync), .isPosted) {
                TokenField(self.token)
                input(.type(.hidden), .name("account"), .value(name))
                button(.class("button main-button"), .name("do"), .value("sync"), .label("Sync now: \(name)")) {
                    "Sync now"
                }
                if self.syncsItself {
                    button(.class("button"), .name("do"), .value("dry"), .label("Dry run: \(name)")) { "Dry run" }
                }
                a(.class("button"), .href(.account(name)), .label("Settings: \(name)")) { "Settings" }
                if self.syncsItself {
                    details {
                        summary { "More" }
                        CheckBox(
                            "now",
                            "Do not wait for a pause that the server requested, and send refused reminders again",
                            isOn: false
                        )
                        CheckBox("verify", "Compare all reminders, not only reported changes", isOn: false)
                    }
                }
            }
            if let job = self.account.job {
                SyncResult(job: job, account: self.account, isDryRun: false, token: self.token)
            }
            if let job = self.account.dryRun {
                SyncResult(job: job, account: self.account, isDryRun: true, token: self.token)
            }
            if self.account.job == nil, self.account.dryRun == nil, self.account.state.error == RunRecord.deletionsHeld
            {
                p { "Deletions wait for your confirmation. A dry run shows them." }
            }
        }
    }
}

/// The state of a running sync, or the result of an ended one.
private struct SyncResult: Part {
    let job: SyncJobs.Job
    let account: AccountOverview
    let isDryRun: Bool
    let token: String

    private var summary: SyncSummary? {
        switch self.job.end {
        case .summary(let summary), .otherDeletions(let summary): summary
        case .failed, nil: nil
        }
    }

    private var failure: String? {
        switch self.job.end {
        case .failed(let error): ErrorWords(error).text
        case .otherDeletions:
            "The deletions have changed since the page was shown. Nothing was deleted; check them again."
        case .summary, nil: nil
        }
    }

    var body: some HTML {
        let name = self.isDryRun ? "Dry run" : "Sync"
        if self.job.end == nil {
            p(.role(.status)) {
                "\(name) is running: \(self.job.progress). "
                a(.href(.sync)) { "Show the present state" }
            }
        } else {
            h3 {
                if self.isDryRun { "Dry run: nothing was changed" } else { "Last result" }
                if let end = self.job.endedAt { ", \(DueText.inSentence(self.account.dueText.moment(end)))" }
            }
        }
        if let failure = self.failure { p(.class("err")) { failure } }
        if let summary = self.summary {
            Each(summary.failedAccounts.map { ErrorWords($0.error).text }) { text in p(.class("err")) { text } }
            if summary.lists.isEmpty, summary.failedAccounts.isEmpty {
                p {
                    "There is no list to sync. On the page "
                    a(.href(.lists)) { "Lists" }
                    ", open a list of this computer to upload it, or create a list on the server."
                }
            }
            ul(.role(.list)) {
                Each(summary.lists) { list in li { ListResult(list: list) } }
            }
            HeldPart(held: HeldDeletions(summary), account: self.account.state.name, token: self.token)
        }
    }
}

/// The result of a list with its first changes and its problems.
private struct ListResult: Part {
    let list: ListSyncReport

    var body: some HTML {
        let changes = self.list.changes
        bdi { self.list.list }
        ": \(SyncWords.counts([self.list]))"
        if !changes.isEmpty {
            ul(.role(.list)) {
                Each(Array(changes.prefix(SyncWords.shownChanges))) { change in
                    li {
                        "\(SyncWords.verb(change)): "
                        bdi { change.title.shownTitle }
                    }
                }
                if changes.count > SyncWords.shownChanges {
                    li { "and \(changes.count - SyncWords.shownChanges) more" }
                }
            }
        }
        Each(SyncWords.problems(self.list)) { text in p(.class("err")) { text } }
    }
}

/// The held-back deletions by their titles, with a button that confirms exactly these.
private struct HeldPart: Part {
    /// The maximum number of titles of each kind; a person reads no more, and the page shows the number of all.
    private static let shownTitles = 100
    let held: HeldDeletions
    let account: String
    let token: String

    var body: some HTML {
        if self.held.count > 0 {
            if !self.held.here.isEmpty {
                p {
                    "The server no longer has \(self.held.here.count.counted("reminder")). Without your confirmation, "
                    "nothing is deleted here. To keep the reminders, restore them on the server."
                }
                titles(self.held.here)
            }
            if !self.held.onServer.isEmpty {
                p {
                    "\(self.held.onServer.count.counted("deletion")) not sent. Without your confirmation, nothing is "
                    "deleted on the server. To keep the reminders, "
                    a(.href(.trash)) { "restore them from the trash" }
                    "."
                }
                titles(self.held.onServer)
            }
            form(.action(.sync), .isPosted) {
                TokenField(self.token)
                input(.type(.hidden), .name("account"), .value(self.account))
                input(.type(.hidden), .name("held"), .value(self.held.digest))
                button(.class("button danger-button"), .name("do"), .value("delete")) {
                    "Delete these \(self.held.count) and sync"
                }
            }
        }
    }

    private func titles(_ reminders: [HeldReminder]) -> some HTML {
        ul(.role(.list)) {
            Each(Array(reminders.prefix(Self.shownTitles))) { reminder in
                li { bdi { reminder.title.shownTitle } }
            }
            if reminders.count > Self.shownTitles { li { "and \(reminders.count - Self.shownTitles) more" } }
        }
    }
}

/// The button that syncs all accounts.
struct SyncNow: Part {
    let token: String
    /// The page to which the result belongs: `list` or `sync`.
    let origin: String

    var body: some HTML {
        form(.action(.sync), .isPosted) {
            TokenField(self.token)
            input(.type(.hidden), .name("from"), .value(self.origin))
            button(.class("button"), .name("do"), .value("sync")) { "Sync now" }
        }
    }
}

/// A line for each account under the heading of the list, such as `Home: synced 2 min ago · 1 change not sent`.
struct SyncLines: Part {
    let accounts: [AccountOverview]
    /// Whether the page follows 'Sync now' and shows its result.
    let showsResults: Bool
    /// The result of a request to other processes; `nil` for none.
    let note: String?
    let token: String

    init(_ accounts: [AccountOverview], showsResults: Bool, note: String?, token: String) {
        self.accounts = accounts
        self.showsResults = showsResults
        self.note = note
        self.token = token
    }

    /// The button for the heading; `nil` without an account.
    var button: SyncNow? { self.accounts.isEmpty ? nil : SyncNow(token: self.token, origin: "list") }

    var body: some HTML {
        let showsResults = self.showsResults
        if !self.accounts.isEmpty {
            div(.class("syncs"), showsResults || self.note != nil ? .role(.status) : nil) {
                if let note = self.note { p { note } }
                Each(self.accounts) { account in
                    p {
                        bdi { account.state.name }
                        ": \(account.line)"
                        if showsResults, let result = account.result { ". \(result)" }
                        if account.isRunning {
                            " "
                            a(.href(.list([(name: "synced", value: "")]))) { "Show the present state" }
                        }
                    }
                }
            }
        }
    }
}
