import RemindavBridge
import RemindavJSON
import RemindavSync

struct SyncPrinter {
    let output: Output
    let isDryRun: Bool
    /// The names of the lists that no sync sends, because they belong to no account.
    let localLists: [String]

    func print(_ summary: SyncSummary, isJSON: Bool) throws -> ExitStatus {
        if isJSON {
            let lists = summary.lists.map { SyncedList(report: $0, list: $0.list, error: $0.error) }
            let accounts = summary.failedAccounts.map { account, error in
                SyncedList(report: ListSyncReport(list: "", account: account), list: nil, error: error)
            }
            try self.output.print(json: lists + accounts)
        } else {
            if self.isDryRun { self.output.remark("Dry run: nothing is changed.") }
            let finished = summary.lists.filter(\.isFinished)
            let idle = finished.filter { self.counts($0).isEmpty }.count
            let isShort = idle > Self.shownIdleLists
            for list in finished where !isShort || !self.counts(list).isEmpty {
                let counts = self.counts(list)
                let sentence = counts.isEmpty ? "nothing to do" : counts.joined(separator: ", ")
                try self.output.note("\(Sanitizer.excerpt(list.list)): \(sentence)")
                if !Self.isFirst(list) { for line in self.details(list) { try self.output.note("  \(line)") } }
            }
            if isShort { try self.output.note("\(idle) lists: nothing to do") }
        }
        self.complain(summary)
        if summary.lists.isEmpty, summary.failedAccounts.isEmpty {
            self.output.remark(
                "There is no list to sync. 'remindav lists add NAME --account ACCOUNT' creates one on the server."
            )
        }
        if !isJSON, let conclusion = self.conclusion(summary) { try self.output.note(conclusion) }
        return self.status(summary)
    }

    private static let shownIdleLists = 3

    /// Whether the sync only received reminders, and more than it would list, as the first sync of a list does.
    private static func isFirst(_ list: ListSyncReport) -> Bool {
        list.sync.pulled > Self.shownChanges && list.changes.count == list.sync.pulled
    }

    /// The last line: whether the lists and their servers are equal; the remarks before it name the exceptions.
    private func conclusion(_ summary: SyncSummary) -> StyledText? {
        guard !self.isDryRun, !summary.lists.isEmpty || !summary.failedAccounts.isEmpty else { return nil }
        let failed = summary.lists.count { $0.error != nil } + summary.failedAccounts.count
        if failed > 0 {
            let rest = summary.lists.count + summary.failedAccounts.count - failed
            return rest == 0 ? nil : StyledText("The sync is incomplete; \(rest.counted("list")) in sync.")
        }
        let isComplete = summary.lists.allSatisfy { list in
            list.leftOut.isEmpty && list.unreadable.isEmpty && !list.waits && list.sync.held.count == 0
        }
        let local = self.localLists.map { Sanitizer.excerpt($0) }.listed(atMost: Self.shownTitles)
        return (isComplete ? "Everything is in sync." : "Everything else is in sync.")
            + (local.isEmpty ? "" : " On this computer only: \(local).")
    }

    private func counts(_ list: ListSyncReport) -> [String] {
        let counts = [
            (list.sync.pulled, "received"), (list.sync.pushed, "sent"), (list.sync.merged, "merged"),
            (list.sync.moved, "moved"), (list.sync.repaired, "found by full comparison"),
            (list.sync.deletedLocally, "deleted locally"), (list.sync.deletedRemotely, "deleted on the server"),
            (list.sync.conflicts, list.sync.conflicts == 1 ? "conflict" : "conflicts"),
            (list.sync.held.count, list.sync.held.count == 1 ? "deletion held back" : "deletions held back"),
        ]
        return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }

    /// The maximum number of printed changes of a list; `--json` and `log` print all of them.
    private static let shownChanges = 10

    private func details(_ list: ListSyncReport) -> [String] {
        let lines = list.changes.prefix(Self.shownChanges).map { "\($0.words): \(Sanitizer.excerpt($0.title))" }
        let rest = list.changes.count - lines.count
        return lines + (rest > 0 ? ["and \(rest) more"] : [])
    }

    private func complain(_ summary: SyncSummary) {
        for (account, error) in summary.failedAccounts {
            self.output.complain(ErrorMessages.explain(error).about(Sanitizer.excerpt(account)))
        }
        for list in summary.lists {
            let name = Sanitizer.excerpt(list.list)
            for (cause, entries) in self.causes(list) {
                var problem = cause
                let count = entries.count.counted("reminder")
                problem.message = "\(name): \(count) left out\(self.titles(entries)). \(cause.message)"
                self.output.complain(problem)
            }
            if let error = list.stop ?? (list.leftOut.isEmpty ? list.error : nil) {
                self.output.complain(ErrorMessages.explain(error).about(name))
            }
            let waiting = list.leftOut.filter { $0.error == nil }
            if !waiting.isEmpty { self.output.remark(StyledText(self.waiting(waiting, name))) }
            if !list.unreadable.isEmpty { self.output.remark(StyledText(self.unreadable(list, name))) }
            for sentence in self.surprises(list) { self.output.remark("\(name): \(sentence)") }
            for problem in self.held(list) { self.output.complain(problem.about(name)) }
        }
        if summary.unsettledConflicts > 0 {
            let count = summary.unsettledConflicts
            let conflicts = count == 1 ? "1 conflict is" : "\(count) conflicts are"
            self.output.remark("\(conflicts) not reviewed yet: 'remindav conflicts' shows the values that lost.")
        }
    }

    /// The maximum number of titles in one sentence; `--json` prints all of them.
    private static let shownTitles = 3
    /// The maximum number of titles of held deletions, because the user has to decide about them.
    private static let shownHeld = 5
    private static let shownTitleLength = 40
    private static let shownProperties = 5

    private func surprises(_ list: ListSyncReport) -> [String] {
        var sentences: [String] = []
        if list.sync.returned > 0 {
            let (count, isOne) = (list.sync.returned, list.sync.returned == 1)
            sentences.append(
                """
                \(count) locally deleted \(isOne ? "reminder was" : "reminders were") restored, because \
                \(isOne ? "it was" : "they were") changed on the server.
                """
            )
        }
        if list.sync.kept > 0 {
            let (count, isOne) = (list.sync.kept, list.sync.kept == 1)
            sentences.append(
                """
                \(count.counted("reminder")) deleted on the server \(isOne ? "was" : "were") sent again, because \
                \(isOne ? "it was" : "they were") changed locally.
                """
            )
        }
        if !list.sync.notKept.isEmpty {
            let names = list.sync.notKept.sorted().map { name in
                let word = PropertyDisplayName.word(for: name)
                return word == name ? Sanitizer.excerpt(name) : "\(name) (\(word))"
            }
            let shown = names.listed(atMost: Self.shownProperties)
            sentences.append("the server does not store: \(shown). 'remindav conflicts' shows the lost values.")
        }
        if list.sync.newUIDs > 0 {
            sentences.append(
                """
                \(list.sync.newUIDs.counted("reminder")) got a new UID, because the server does not accept the old \
                one. References to the old UID were updated.
                """
            )
        }
        if list.waits { sentences.append("the next sync sends the merged reminders.") }
        return sentences
    }

    private func held(_ list: ListSyncReport) -> [Explanation] {
        var problems: [Explanation] = []
        func add(_ problem: String, _ alternative: String) {
            let advice = "To confirm the deletion, run 'remindav sync --allow-mass-delete'. Otherwise, \(alternative)."
            problems.append(Explanation("deletionsHeld", problem, advice: advice, status: .refused))
        }
        let (here, there) = (list.held.filter(\.wasDeletedOnServer), list.held.filter { !$0.wasDeletedOnServer })
        if list.sync.held.local > 0 {
            add(
                """
                the server no longer has \(list.sync.held.local.counted("reminder")) of this list\
                \(self.titles(here)). Without your confirmation, nothing is deleted locally.
                """,
                "restore the reminders on the server"
            )
        }
        if list.sync.held.remote > 0 {
            add(
                """
                \(list.sync.held.remote.counted("deletion")) \(list.sync.held.remote == 1 ? "was" : "were") not sent\
                \(self.titles(there)). Without your confirmation, nothing is deleted on the server.
                """,
                "run 'remindav trash restore'"
            )
        }
        return problems
    }

    private func unreadable(_ list: ListSyncReport, _ name: String) -> String {
        let items = list.unreadable.map { item in
            "'\(Sanitizer.excerpt(String(item.href.split(separator: "/").last ?? "")))' (\(item.reason))"
        }
        let shown = items.listed(atMost: Self.shownTitles)
        let verbs = items.count == 1 ? "cannot be used and stays" : "cannot be used and stay"
        return "\(name): \(items.count.counted("file")) on the server \(verbs) unchanged: \(shown)"
    }

    /// The reminders that the sync left out, grouped by cause, each group with one explanation.
    private func causes(_ list: ListSyncReport) -> [(cause: Explanation, entries: [LeftOutReminder])] {
        var causes: [(reason: String, cause: Explanation, entries: [LeftOutReminder])] = []
        for entry in list.leftOut {
            guard let error = entry.error else { continue }
            if let place = causes.firstIndex(where: { $0.reason == entry.reason }) {
                causes[place].entries.append(entry)
            } else {
                causes.append((entry.reason, ErrorMessages.explain(error), [entry]))
            }
        }
        return causes.map { ($0.cause, $0.entries) }
    }

    /// The sentence about reminders that were not sent, because the server refused the same text in an earlier sync.
    private func waiting(_ entries: [LeftOutReminder], _ name: String) -> String {
        let count = entries.count == 1 ? "1 reminder is" : "\(entries.count) reminders are"
        return """
            \(name): \(count) not sent again, because the server refused the same text before\(self.titles(entries)). \
            'remindav show ID' shows the reason. An edit or 'remindav sync --now' sends it again.
            """
    }

    private func titles(_ entries: [LeftOutReminder]) -> String {
        let shown = entries.filter { $0.title != nil }.prefix(Self.shownTitles).map { entry in
            "\(Self.quoted(entry.title ?? "")) (\(entry.id.map { "\($0)" } ?? "deleted locally"))"
        }
        return Self.listed(Array(shown), of: entries.count)
    }

    private func titles(_ entries: [HeldReminder]) -> String {
        let shown = entries.prefix(Self.shownHeld).map { entry in
            Self.quoted(entry.title) + (entry.wasDeletedOnServer ? " (\(entry.id))" : "")
        }
        return Self.listed(Array(shown), of: entries.count)
    }

    private static func quoted(_ title: String) -> String {
        let title = Sanitizer.line(title)
        return "'\(title.count > self.shownTitleLength ? title.prefix(self.shownTitleLength - 1) + "…" : title)'"
    }

    private static func listed(_ shown: [String], of count: Int) -> String {
        guard !shown.isEmpty else { return "" }
        let rest = count - shown.count
        return ": " + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// `.partial` if some lists failed, or the first error's status if all failed.
    ///
    /// Without an error, `.refused` if a safety limit prevented deletions.
    private func status(_ summary: SyncSummary) -> ExitStatus {
        let errors = summary.failedAccounts.map(\.error) + summary.lists.compactMap(\.error)
        if let first = errors.first {
            return summary.lists.contains { $0.isFinished } ? .partial : ErrorMessages.explain(first).status
        }
        return summary.lists.contains { $0.sync.held.count > 0 } ? .refused : .success
    }
}

extension ListSyncReport {
    /// Whether the sync of the list reached its end, even if it left out single reminders.
    fileprivate var isFinished: Bool { self.error == nil || self.failures > 0 }
}

extension ChangeView {
    var words: String {
        switch (self.kind, self.side) {
        case ("added", _) where self.isOperation: self.reverses == nil ? "added" : "restored"
        case ("moved", _) where self.isOperation: self.reverses == nil ? "moved" : "moved back"
        case ("changed", _) where self.isOperation: self.reverses == nil ? "changed" : "changed back"
        case ("deleted", "here"): "deleted locally"
        case ("deleted", _): "deleted on the server"
        case ("merged", _): "merged"
        case ("moved", _): "moved locally"
        case (_, "here"): "received"
        default: "sent"
        }
    }
}

/// A list in the JSON of `sync`, or an account for which the server did not return the lists.
private struct SyncedList: JSONRecord {
    let report: ListSyncReport
    let list: String?
    let error: (any Error)?

    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("list") { $0.list },
        JSONMember("account") { $0.report.account },
        JSONMember("pulled") { $0.report.sync.pulled },
        JSONMember("pushed") { $0.report.sync.pushed },
        JSONMember("merged") { $0.report.sync.merged },
        JSONMember("moved") { $0.report.sync.moved },
        JSONMember("repaired") { $0.report.sync.repaired },
        JSONMember("returned") { $0.report.sync.returned },
        JSONMember("kept") { $0.report.sync.kept },
        JSONMember("newUIDs") { $0.report.sync.newUIDs },
        JSONMember("waits") { $0.report.waits },
        JSONMember("conflicts") { $0.report.sync.conflicts },
        JSONMember("deletedLocally") { $0.report.sync.deletedLocally },
        JSONMember("deletedRemotely") { $0.report.sync.deletedRemotely },
        JSONMember("held") { $0.report.sync.held.count },
        JSONMember("heldLocally") { $0.report.sync.held.local },
        JSONMember("heldRemotely") { $0.report.sync.held.remote },
        JSONMember("heldReminders") { $0.report.held },
        JSONMember("requests") { $0.report.requests },
        JSONMember("bytesSent") { $0.report.bytesSent },
        JSONMember("bytesReceived") { $0.report.bytesReceived },
        JSONMember("milliseconds") { Int($0.report.seconds * 1000) },
        JSONMember("failures") { $0.report.failures },
        JSONMember("leftOut") { $0.report.leftOut },
        JSONMember("unreadable") { $0.report.unreadable },
        JSONMember("notKept") { $0.report.sync.notKept.sorted() },
        JSONMember("changes") { $0.report.changes },
        JSONMember("error") { $0.error.map { ErrorMessages.explain($0).sentence } },
    ]
}
