import RemindavBridge
import RemindavDatePhrases
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders

extension Visit {
    /// The number of runs that the log shows; the command `log` shows more.
    private static let shownRuns = 100

    func log(_ query: FormFields) throws -> Response {
        let runs = try self.useCases.log(limit: Self.shownRuns, includingDismissals: false)
        let screen = LogScreen(
            runs: runs,
            status: try self.status(query, at: ["log"]),
            dueText: self.dueText,
            token: self.token
        )
        return try self.show(screen, "Log", .log)
    }

    /// The changes of one run, each with its undo.
    func log(run number: String) throws -> Response {
        guard let number = Int64(number) else { return self.site.message(.notFound, status: 404) }
        let text = LocalText(zone: self.site.preferences.zone, now: self.useCases.now)
        let details = try self.useCases.log(run: number)
        let screen = RunScreen(details: details, text: text, dueText: self.dueText, token: self.token)
        return try self.show(screen, "Run \(number)", .log)
    }

    func trash(_ query: FormFields) throws -> Response {
        let screen = TrashScreen(
            reminders: try self.useCases.trash(),
            status: try self.status(query, at: ["trash"]),
            dueText: self.dueText,
            token: self.token
        )
        return try self.show(screen, "Trash", .trash)
    }

    func restore(_ fields: FormFields) throws -> Response {
        guard let number = fields.number("id") else { return self.site.message(.notFound, status: 404) }
        let summary = try self.useCases.restore([number])
        if let problem = summary.missing.first { throw problem }
        for view in summary.changes { if case .impossible(let error) = view.outcome { throw error } }
        return .see(Address.trash.with(run: summary.run))
    }
}

/// The last operations and syncs, each with a button that undoes it.
struct LogScreen: Part {
    let runs: [RunView]
    let status: Status?
    let dueText: DueText
    let token: String

    var body: some HTML {
        let dueText = self.dueText
        h1 { "Log" }
        StatusLine(self.status, self.token)
        if self.runs.isEmpty { p { "Nothing was changed yet" } }
        form(.action(.undo), .isPosted) {
            TokenField(self.token)
            ul(.class("rows card"), .role(.list)) {
                Each(self.runs) { run in
                    li(.class("row")) {
                        a(.class("open"), .href(.run(run.id))) {
                            span { RunWords(run) }
                            small {
                                dueText.moment(run.startedAt)
                                if let account = run.account {
                                    ", sync with "
                                    bdi { account }
                                }
                                if run.isUndone { ", undone" }
                                if run.error != nil { span(.class("overdue")) { ", incomplete" } }
                            }
                        }
                        if run.counts.total > run.counts.sent, !run.isUndone {
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

extension RunView {
    /// Whether all changes of the run are undone.
    fileprivate var isUndone: Bool { self.counts.total > 0 && self.counts.undone == self.counts.total }
}

/// One run of the log with its changes.
struct RunScreen: Part {
    /// The maximum number of changes on a page; the command `log` shows all.
    private static let shownChanges = 200

    let details: RunDetails
    let text: LocalText
    let dueText: DueText
    let token: String

    /// The changed fields, such as `title: Milk -> Bread`.
    private func summary(_ change: ChangeView) -> [String] {
        let lines = change.values.map { EditSummary(text: self.text).lines(from: $0.old, to: $0.new) } ?? []
        let names = Set(lines.map { String($0.prefix { $0 != ":" }) })
        return lines + change.fields.filter { !names.contains($0) && !$0.hasPrefix("alarm") }
    }

    private struct Row: Sendable {
        let change: ChangeView
        let lines: [String]
    }

    var body: some HTML {
        let run = self.details.run
        let rows = self.details.changes.prefix(Self.shownChanges).map { Row(change: $0, lines: self.summary($0)) }
        let others = self.details.labels.map { $0.words("Label") } + self.details.lists.map { $0.words("List") }
        h1 { "Run \(run.id)" }
        p {
            RunWords(run)
            ". "
            self.dueText.moment(run.startedAt)
            if let account = run.account {
                ", sync with "
                bdi { account }
            }
        }
        form(.action(.undo), .isPosted) {
            TokenField(self.token)
            if run.counts.total > 0 {
                p { button(.class("button"), .name("run"), .value(String(run.id))) { "Undo all" } }
            }
            ul(.class("rows card"), .role(.list)) {
                Each(others) { words in li(.class("row")) { div(.class("open")) { words } } }
                Each(rows) { row in
                    li(.class("row")) {
                        div(.class("open")) {
                            span {
                                "\(row.change.kind.prefix(1).uppercased())\(row.change.kind.dropFirst())"
                                    + (row.change.side == "server" ? " on the server" : "") + ": "
                                bdi { row.change.title.shownTitle }
                            }
                            small {
                                if let list = row.change.list {
                                    "in "
                                    bdi { list }
                                }
                                if row.change.undoneAt != nil { ", undone" }
                                Each(row.lines) { line in
                                    ", "
                                    bdi { line }
                                }
                            }
                        }
                        if row.change.undoneAt == nil {
                            button(
                                .class("button"),
                                .name("change"),
                                .value(String(row.change.id)),
                                .label("Undo: \(row.change.title.shownTitle)")
                            ) { "Undo" }
                        }
                    }
                }
            }
        }
        if self.details.changes.count > rows.count {
            p {
                "There are \(self.details.changes.count - rows.count) more changes. 'remindav log \(run.id)' shows all."
            }
        }
        p { a(.class("button"), .href(.log)) { "Log" } }
    }
}

extension StateChangeView {
    /// The change of a label or a list, such as `Label Work renamed to Office`.
    fileprivate func words(_ kind: String) -> String {
        let tail = self.isUndone ? ", undone" : ""
        guard let old = self.oldName else { return "\(kind) \(self.newName ?? "") created\(tail)" }
        guard let new = self.newName else { return "\(kind) \(old) deleted\(tail)" }
        let color = self.oldColor == self.newColor ? "" : ", colour \(self.newColor ?? "none")"
        return old == new ? "\(kind) \(new)\(color)\(tail)" : "\(kind) \(old) renamed to \(new)\(color)\(tail)"
    }
}

/// The deleted reminders that can be restored.
struct TrashScreen: Part {
    let reminders: [TrashView]
    let status: Status?
    let dueText: DueText
    let token: String

    var body: some HTML {
        let dueText = self.dueText
        h1 { "Trash" }
        StatusLine(self.status, self.token)
        if self.reminders.isEmpty { p { "The trash is empty" } }
        form(.action(.trash), .isPosted) {
            TokenField(self.token)
            ul(.class("rows card"), .role(.list)) {
                Each(self.reminders) { reminder in
                    li(.class("row")) {
                        div(.class("open")) {
                            bdi { reminder.title.shownTitle }
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
                            .label("Restore: \(reminder.title.shownTitle)")
                        ) { "Restore" }
                    }
                }
            }
        }
    }
}
