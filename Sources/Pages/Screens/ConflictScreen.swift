import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders

extension Visit {
    func conflicts(_ query: FormFields) throws -> Response {
        try self.conflicts(includingSettled: query["all"] != nil, note: self.note(query))
    }

    private func conflicts(includingSettled: Bool = false, note: NoteLine, problem: String? = nil) throws -> Response {
        let dueText = self.dueText
        let words = ConflictWords(
            zone: self.site.preferences.zone,
            moment: { dueText.moment($0) },
            day: { dueText.day($0) }
        )
        let screen = ConflictScreen(
            conflicts: try self.useCases.conflicts(includingSettled: includingSettled),
            includesSettled: includingSettled,
            words: words,
            dueText: dueText,
            problem: problem,
            note: note,
            token: self.token
        )
        return try self.show(screen, "Conflicts", .sync, isRefused: problem != nil)
    }

    /// A decision in a form: `restore 3`, `dismiss 3` or `dismiss all`.
    func settleConflict(_ fields: FormFields) throws -> Response {
        let parts = (fields["do"] ?? "").split(separator: " ").map(String.init)
        do {
            if parts == ["dismiss", "all"] {
                let count = try self.useCases.dismissAllConflicts()
                return self.seeConflicts("Dismissed \(count.counted("conflict")).")
            }
            guard parts.count == 2, let number = Int64(parts[1]) else {
                return self.site.message(.notFound, status: 404)
            }
            switch parts[0] {
            case "restore":
                let (conflict, run) = try self.useCases.restoreConflict(number)
                let verb = run == nil ? "The reminder already has this value" : "Restored"
                return self.seeConflicts("\(verb): \(conflict.field) of \"\(conflict.title)\".", run: run)
            case "dismiss":
                let isNew = try self.useCases.dismissConflict(number)
                return self.seeConflicts(isNew ? "Dismissed the conflict." : "The conflict was already settled.")
            default: return self.site.message(.notFound, status: 404)
            }
        } catch let error as UseCaseError {
            return try self.conflicts(note: NoteLine(nil, run: nil, self.token), problem: ErrorWords(error).text)
        }
    }

    private func seeConflicts(_ result: String, run: Int64? = nil) -> Response {
        .see(Address.conflicts.with(note: self.site.notes.keep(result), run: run))
    }
}

/// The conflicts of the syncs, each with both values and the decision.
struct ConflictScreen: Part {
    let conflicts: [ConflictView]
    let includesSettled: Bool
    let words: ConflictWords
    let dueText: DueText
    let problem: String?
    let note: NoteLine
    let token: String

    var body: some HTML {
        let (words, dueText) = (self.words, self.dueText)
        h1 { "Conflicts" }
        self.note
        ProblemLine(self.problem)
        p {
            "Both sides changed the same field, and the sync kept one value. If the other value is correct, restore it; "
            "otherwise dismiss the conflict."
        }
        if self.conflicts.isEmpty { p { "No conflicts" } }
        form(.action(.conflicts), .isPosted) {
            TokenField(self.token)
            ul(.class("rows card"), .role(.list)) {
                Each(self.conflicts) { conflict in ConflictRow(conflict: conflict, words: words, dueText: dueText) }
            }
            if self.conflicts.count(where: { $0.settledAt == nil }) > 1 {
                p { button(.class("button"), .name("do"), .value("dismiss all")) { "Dismiss all" } }
            }
        }
        p {
            if self.includesSettled {
                a(.href(.conflicts)) { "Show the open conflicts" }
            } else {
                a(.href(.allConflicts)) { "Show settled conflicts, too" }
            }
        }
    }
}

private struct ConflictRow: Part {
    let conflict: ConflictView
    let words: ConflictWords
    let dueText: DueText

    private func moment(_ text: String) -> String {
        RFC3339.parse(text).map { self.dueText.moment($0.instant) } ?? text
    }

    var body: some HTML {
        let conflict = self.conflict
        let values = self.words.values(conflict)
        let isHereLost = conflict.lostSide == "here"
        let title = conflict.title.shownTitle
        li(.class("row")) {
            div(.class("open")) {
                span {
                    "\(conflict.field) of "
                    bdi { conflict.reminder == nil ? "a deleted reminder" : title }
                    ", in "
                    bdi { conflict.list }
                }
                span {
                    "Here: "
                    bdi { isHereLost ? values.lost : values.kept }
                    if !isHereLost { " (kept)" }
                }
                span {
                    "Server: "
                    bdi { isHereLost ? values.kept : values.lost }
                    if isHereLost { " (kept)" }
                }
                if let part = self.words.part(conflict) { span { "Part: \(part)" } }
                small {
                    "decided \(self.moment(conflict.decidedAt))"
                    if let settled = conflict.settledAt { ", settled \(self.moment(settled))" }
                }
            }
            if conflict.settledAt == nil {
                button(
                    .class("button"),
                    .name("do"),
                    .value("restore \(conflict.number)"),
                    .label("Restore the other value: \(conflict.field) of \(title)")
                ) { "Restore" }
                button(
                    .class("button"),
                    .name("do"),
                    .value("dismiss \(conflict.number)"),
                    .label("Dismiss: \(conflict.field) of \(title)")
                ) { "Dismiss" }
            }
        }
    }
}
