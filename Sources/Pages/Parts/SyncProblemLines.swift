import Bridge
import HTML

/// A failed sync in the words of each page: the account, the time of its last complete sync, and the next step.
struct SyncProblem: Hashable, Sendable {
    let account: String
    let text: String

    /// `nil` if the last sync was complete.
    init?(_ state: AccountState, _ dueText: DueText) {
        guard let code = state.error else { return nil }
        self.account = state.name
        let since = state.lastComplete.map { "not synced since \(dueText.moment($0))" } ?? "not synced yet"
        self.text = "\(since). \(ErrorWords(codeInLog: code).text)"
    }
}

/// A line for each account whose last sync failed.
struct SyncProblemLines: Part {
    let problems: [SyncProblem]
    init(_ problems: [SyncProblem]) { self.problems = problems }

    var body: some HTML {
        Each(self.problems) { problem in
            p(.class("notice")) {
                bdi { problem.account }
                ": \(problem.text) "
                a(.href(.account(problem.account))) {
                    "Show the account "
                    bdi { problem.account }
                }
            }
        }
    }
}

/// The result of an operation, with a button to undo it if that is possible.
struct NoteLine: Part {
    let note: String?
    let run: Int64?
    let token: String

    init(_ note: String?, run: Int64?, _ token: String) {
        self.note = note
        self.run = run
        self.token = token
    }

    var body: some HTML {
        form(.class("status"), .action(.undo), .isPosted) {
            TokenField(self.token)
            span(.role(.status)) {
                if let note = self.note { note }
            }
            if self.note != nil, let run = self.run {
                button(.class("button"), .name("run"), .value(String(run))) { "Undo" }
            }
        }
    }
}
