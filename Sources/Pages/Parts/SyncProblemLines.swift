import RemindavBridge
import RemindavHTML

/// A failed sync in the words of each page: the account, the time of its last complete sync, and the next step.
struct SyncProblem: Hashable, Sendable {
    let account: String
    let text: String

    /// `nil` if the last sync was complete.
    init?(_ state: AccountState, _ dueText: DueText) {
        guard let code = state.error else { return nil }
        self.account = state.name
        let since =
            state.lastComplete.map { "not synced since \(DueText.inSentence(dueText.moment($0)))" } ?? "not synced yet"
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
