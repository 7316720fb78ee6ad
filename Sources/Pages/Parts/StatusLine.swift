import RemindavBridge
import RemindavHTML
import RemindavReminders

/// The result of the last operation, which a page shows with a button to undo it.
struct Status: Sendable {
    let run: RunView
    let words: RunWords
    /// The page without the status.
    let dismissal: Address
    /// The number of the only reminder of the operation; `nil` for several, and for an operation on none.
    let reminder: Int64?
}

extension Visit {
    /// The status that the parameter `did` of a page names; `nil` also if the log no longer has the run.
    func status(_ query: FormFields, at path: [String] = []) throws -> Status? {
        guard let details = try self.runDetails(query) else { return nil }
        let reminders = Set(
            details.changes.filter { $0.kind != "added" || details.run.operation != "complete" }.map(\.reminder)
        )
        let only = reminders.count == 1 ? reminders.first : nil
        let present = try only.map { try self.useCases.reminders([$0]) }?.first
        return Status(
            run: details.run,
            words: RunWords(details, present, self.dueText),
            dismissal: Address(path, query: query.pairs.filter { !["did", "there"].contains($0.name) }),
            reminder: only
        )
    }
}

/// The result of the last operation, with a button to undo it.
struct StatusLine: Part {
    private let run: RunView?
    private let words: RunWords?
    private let dismissal: Address?
    /// A result that changed nothing, so there is no run.
    private let remark: Words.Sentence?
    private let token: String

    init(_ run: RunView?, _ token: String) {
        self.run = run
        self.words = run.map { RunWords($0) }
        self.dismissal = nil
        self.remark = nil
        self.token = token
    }

    init(_ status: Status?, remark: Words.Sentence? = nil, dismissal: Address? = nil, _ token: String) {
        self.run = status?.run
        self.words = status?.words
        self.dismissal = status?.dismissal ?? dismissal
        self.remark = status == nil ? remark : nil
        self.token = token
    }

    var body: some HTML {
        form(.class("status"), .action(.undo), .isPosted) {
            TokenField(self.token)
            span(.role(.status)) {
                self.words
                self.remark
            }
            if let run = self.run, run.counts.total > 0 {
                button(.class("button"), .name("run"), .value(String(run.id))) { "Undo" }
            }
            if self.run != nil || self.remark != nil, let dismissal = self.dismissal {
                a(.class("button"), .href(dismissal)) { "Dismiss" }
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
