import RemindavBridge
import RemindavHTML
import RemindavReminders

/// An operation or a sync in words, such as `Completed "Buy milk"`, for the status line with its result.
struct RunWords: Part {
    private let start: String
    /// The title of the only reminder; `nil` if ``start`` is the whole sentence.
    private let title: String?
    private let end: String

    /// The words for a run in a list of runs.
    init(_ run: RunView) {
        guard let verb = Self.verbs[run.operation ?? ""] else {
            (self.start, self.title, self.end) = (Self.counts(run), nil, "")
            return
        }
        let isSingle = run.reminders == 1
        self.start = isSingle ? verb : "\(verb) \(run.reminders) reminders"
        self.title = isSingle ? run.title : nil
        self.end = ""
    }

    /// The words for the status line.
    ///
    /// - Parameter present: the only reminder of the run as it is now.
    init(_ details: RunDetails, _ present: ReminderView?, _ dueText: DueText) {
        let run = details.run
        let changes = details.changes.filter { $0.kind != "added" || run.operation != "complete" }
        let change = Set(changes.map(\.reminder)).count == 1 ? changes[0] : nil
        if let change, run.isUndoing {
            let verbs = ["added": "Restored", "deleted": "Removed", "moved": "Moved back"]
            (self.start, self.title, self.end) = (verbs[change.kind] ?? "Changed back", change.title, ".")
            return
        }
        guard let change, let verb = Self.verbs[run.operation ?? ""] else {
            let words = RunWords(run)
            (self.start, self.title, self.end) = (words.start, words.title, words.end + ".")
            return
        }
        self.start = verb
        self.title = change.values?.new.title ?? change.title
        self.end = Self.end(of: run, change, present, dueText)
    }

    private static func end(
        of run: RunView,
        _ change: ChangeView,
        _ present: ReminderView?,
        _ dueText: DueText
    ) -> String {
        let new = change.values?.new
        switch run.operation {
        case "add":
            guard let present else { return "." }
            let due = dueText.due(present).map { " for \(DueText.inSentence($0))" } ?? ", without a date"
            let rule = present.repeatRule.map { dueText.rule($0, present) }.map { ", \($0)" } ?? ""
            return due + rule + present.labels.map { ", #\($0)" }.joined() + "."
        case "complete", "skip":
            guard let new, !new.status.isClosed, let due = dueText.due(new) else { return "." }
            return ". Next: \(due)."
        case "snooze": return new?.snoozedInstant.map { " until \(DueText.inSentence(dueText.moment($0)))." } ?? "."
        case "delete": return ". It stays in the trash for 30 days."
        case "move": return present.map { " to '\($0.list)'." } ?? "."
        default: return "."
        }
    }

    private static let verbs = [
        "add": "Added", "edit": "Changed", "complete": "Completed", "skip": "Skipped a date of", "reopen": "Reopened",
        "snooze": "Snoozed", "acknowledge": "Cleared the alarms of", "dismiss": "Dismissed the notification of",
        "move": "Moved", "delete": "Deleted",
    ]

    private static func counts(_ run: RunView) -> String {
        let counts = run.counts
        let pairs = [
            (counts.received, run.account == nil ? "changed or restored" : "received"), (counts.sent, "sent"),
            (counts.merged, "merged"), (counts.moved, "moved"), (counts.deletedHere, "deleted"),
            (counts.deletedOnServer, "deleted on the server"),
            (counts.labels, counts.labels == 1 ? "label changed" : "labels changed"),
            (counts.lists, counts.lists == 1 ? "list changed" : "lists changed"),
        ]
        let words = pairs.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return (run.isUndoing ? "Undo: " : "") + (words.isEmpty ? "no changes" : words.joined(separator: ", "))
    }

    var body: some HTML {
        self.start
        if let title = self.title {
            " \""
            bdi { title.shownTitle }
            "\""
        }
        self.end
    }
}
