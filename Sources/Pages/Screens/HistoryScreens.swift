import Bridge
import DatePhrases
import HTML
import HTTP
import ICalendar

extension Visit {
    /// The number of runs that the log shows; the command `log` shows more.
    private static let shownRuns = 100

    func log(_ query: FormFields) throws -> Response {
        let runs = try self.useCases.log(limit: Self.shownRuns, includingDismissals: false)
        let screen = LogScreen(runs: runs, run: try self.run(query), dueText: self.dueText, token: self.token)
        return .page(try self.frame("Log", .log) { screen })
    }

    func trash(_ query: FormFields) throws -> Response {
        let screen = TrashScreen(
            reminders: try self.useCases.trash(),
            run: try self.run(query),
            dueText: self.dueText,
            token: self.token
        )
        return .page(try self.frame("Trash", .trash) { screen })
    }

    func restore(_ fields: FormFields) throws -> Response {
        guard let number = fields["id"].flatMap({ Int64($0) }) else { return self.site.message(.notFound, status: 404) }
        let summary = try self.useCases.restore([number])
        if let problem = summary.missing.first { throw problem }
        return .see(Address(["trash"], query: summary.run.map { [(name: "did", value: String($0))] } ?? []))
    }
}

/// The last operations and syncs, each with a button that undoes it.
struct LogScreen: Part {
    let runs: [RunView]
    let run: RunView?
    let dueText: DueText
    let token: String

    var body: some HTML {
        let dueText = self.dueText
        h1 { "Log" }
        StatusLine(self.run, self.token)
        if self.runs.isEmpty { p { "Nothing was changed yet" } }
        form(.action(.undo), .isPosted) {
            TokenField(self.token)
            ul(.class("rows card"), .role(.list)) {
                Each(self.runs) { run in
                    li(.class("row")) {
                        div(.class("open")) {
                            span { RunWords(run) }
                            small {
                                dueText.moment(run.startedAt)
                                if let account = run.account {
                                    ", sync with "
                                    bdi { account }
                                }
                                if run.error != nil { span(.class("overdue")) { ", incomplete" } }
                            }
                        }
                        if run.counts.total > 0 {
                            button(.class("button"), .name("run"), .value(String(run.id)), .label("Undo run \(run.id)"))
                            {
                                "Undo"
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The deleted reminders that can be restored.
struct TrashScreen: Part {
    let reminders: [TrashView]
    let run: RunView?
    let dueText: DueText
    let token: String

    var body: some HTML {
        let dueText = self.dueText
        h1 { "Trash" }
        StatusLine(self.run, self.token)
        if self.reminders.isEmpty { p { "The trash is empty" } }
        form(.action(.trash), .isPosted) {
            TokenField(self.token)
            ul(.class("rows card"), .role(.list)) {
                Each(self.reminders) { reminder in
                    li(.class("row")) {
                        div(.class("open")) {
                            bdi { reminder.title }
                            small {
                                "deleted \(dueText.moment(reminder.deletedAt)), kept until "
                                dueText.moment(reminder.expiresAt)
                                if let list = reminder.list {
                                    ", in "
                                    bdi { list }
                                }
                            }
                        }
                        button(
                            .class("button"),
                            .name("id"),
                            .value(String(reminder.id)),
                            .label("Restore: \(reminder.title)")
                        ) { "Restore" }
                    }
                }
            }
        }
    }
}

/// An operation or a sync in words, such as `Completed "Buy milk"`.
struct RunWords: Part {
    let run: RunView
    init(_ run: RunView) { self.run = run }

    private var verb: String? {
        switch self.run.operation {
        case "add": "Added"
        case "edit": "Changed"
        case "complete": "Completed"
        case "skip": "Skipped a date of"
        case "reopen": "Reopened"
        case "snooze": "Snoozed"
        case "acknowledge": "Cleared the alarms of"
        case "move": "Moved"
        case "delete": "Deleted"
        default: nil
        }
    }

    private var counts: String {
        let counts = self.run.counts
        let pairs = [
            (counts.received, self.run.account == nil ? "changed or restored" : "received"), (counts.sent, "sent"),
            (counts.merged, "merged"), (counts.moved, "moved"), (counts.deletedHere, "deleted"),
            (counts.deletedOnServer, "deleted on the server"), (counts.labels, "labels changed"),
            (counts.lists, "lists changed"),
        ]
        let words = pairs.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return (self.run.isUndoing ? "Undo: " : "") + (words.isEmpty ? "no changes" : words.joined(separator: ", "))
    }

    var body: some HTML {
        if let verb = self.verb {
            if self.run.reminders == 1 {
                "\(verb) \""
                bdi { self.run.title }
                "\""
            } else {
                "\(verb) \(self.run.reminders) reminders"
            }
        } else {
            self.counts
        }
    }
}
