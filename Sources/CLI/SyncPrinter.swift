import Bridge
import JSON

/// Says what a sync did, list by list.
struct SyncPrinter {
    let output: Output
    let isDryRun: Bool

    /// - Returns: the exit status of the whole sync.
    func print(_ summary: SyncSummary, isJSON: Bool) throws -> ExitStatus {
        if isJSON {
            let lists = summary.lists.map { report in
                SyncedList(
                    report: report,
                    list: report.list,
                    error: report.error.map { ErrorMessages.explain($0).sentence }
                )
            }
            let accounts = summary.failedAccounts.map { account, error in
                SyncedList(
                    report: ListSyncReport(list: "", account: account),
                    list: nil,
                    error: ErrorMessages.explain(error).sentence
                )
            }
            try self.output.print(json: lists + accounts)
        } else {
            if self.isDryRun { self.output.remark("Nothing is changed: this is what a sync would do.") }
            let finished = summary.lists.filter(\.isFinished)
            let idle = finished.filter { self.counts($0).isEmpty }.count
            let isShort = idle > Self.shownIdleLists
            for list in finished where !isShort || !self.counts(list).isEmpty {
                try self.output.note("\(Sanitizer.excerpt(list.list)): \(self.sentence(list))")
                for line in self.details(list) { try self.output.note("  \(line)") }
            }
            if isShort { try self.output.note("\(idle) lists: nothing to do") }
        }
        self.complain(summary)
        if summary.lists.isEmpty, summary.failedAccounts.isEmpty {
            self.output.remark(
                "There is no list to sync: 'remindav lists add NAME --account ACCOUNT' puts one on the server."
            )
        }
        return self.status(summary)
    }

    /// More lists with nothing to do than this are counted in one line.
    private static let shownIdleLists = 3

    private func sentence(_ list: ListSyncReport) -> String {
        let words = self.counts(list)
        return words.isEmpty ? "nothing to do" : words.joined(separator: ", ")
    }

    private func counts(_ list: ListSyncReport) -> [String] {
        let counts = [
            (list.pulled, "received"), (list.pushed, "sent"), (list.merged, "merged"),
            (list.moved, "moved"), (list.repaired, "found by comparing everything"),
            (list.deletedLocally, "deleted here"), (list.deletedRemotely, "deleted on the server"),
            (list.conflicts, list.conflicts == 1 ? "conflict" : "conflicts"), (list.held, "held back"),
        ]
        return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }

    /// So many changes of a list are shown: a person reads as far, and `--json` and `log` have them all.
    private static let shownChanges = 10

    private func details(_ list: ListSyncReport) -> [String] {
        let lines = list.changes.prefix(Self.shownChanges).map { "\($0.words): \(Sanitizer.excerpt($0.title))" }
        let rest = list.changes.count - lines.count
        return lines + (rest > 0 ? ["and \(rest) more"] : [])
    }

    private func complain(_ summary: SyncSummary) {
        for (account, error) in summary.failedAccounts {
            self.output.complain("\(Sanitizer.excerpt(account)): \(ErrorMessages.explain(error).sentence)")
        }
        for list in summary.lists {
            let name = Sanitizer.excerpt(list.list)
            for (sentence, entries) in self.causes(list) {
                self.output.complain("\(name): \(entries.count) left out\(self.titles(entries)). \(sentence)")
            }
            if let error = list.stop ?? (list.leftOut.isEmpty ? list.error : nil) {
                self.output.complain("\(name): \(ErrorMessages.explain(error).sentence)")
            }
            let waiting = list.leftOut.filter { $0.error == nil }
            if !waiting.isEmpty { self.output.remark(StyledText(self.waiting(waiting, name))) }
            if !list.unreadable.isEmpty { self.output.remark(StyledText(self.unreadable(list, name))) }
            for sentence in self.surprises(list) { self.output.remark("\(name): \(sentence)") }
            for sentence in self.held(list) { self.output.complain("\(name): \(sentence)") }
        }
        if summary.unsettledConflicts > 0 {
            let count = summary.unsettledConflicts
            let what = count == 1 ? "1 conflict is" : "\(count) conflicts are"
            self.output.remark("\(what) not settled yet: 'remindav conflicts' shows the values that lost.")
        }
    }

    /// So many titles stand in one sentence, each so long; `--json` has them all.
    private static let shownTitles = 3
    private static let shownTitleLength = 40
    /// As many properties that a server does not keep are named; `--json` names them all.
    private static let shownProperties = 5

    /// What a person may wonder at: deletions that an edit on the other side has overruled, and what is not sent yet.
    private func surprises(_ list: ListSyncReport) -> [String] {
        let reminders = { (count: Int) in count == 1 ? "1 reminder" : "\(count) reminders" }
        var sentences: [String] = []
        if list.returned > 0 {
            sentences.append(
                "\(reminders(list.returned)) deleted here came back, having been changed on the server since."
            )
        }
        if list.kept > 0 {
            sentences.append(
                "\(reminders(list.kept)) deleted on the server stayed and went there anew, having been changed here since."
            )
        }
        if !list.notKept.isEmpty {
            let shown = list.notKept.prefix(Self.shownProperties).map { name in
                let word = PropertyDisplayName.word(for: name)
                return word == name ? Sanitizer.excerpt(name) : "\(name) (\(word))"
            }
            let rest = list.notKept.count - shown.count
            sentences.append(
                """
                the server does not keep: \(shown.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : ""). \
                'remindav conflicts' shows the lost values.
                """
            )
        }
        if list.newUIDs > 0 {
            sentences.append(
                """
                \(reminders(list.newUIDs)) got another UID, since the server does not take the old one; reminders that \
                refer to the old one now refer to the new one.
                """
            )
        }
        if list.waits { sentences.append("what was put together there goes to the server with the next sync.") }
        return sentences
    }

    /// What was not deleted, on which side, and what to do about it.
    private func held(_ list: ListSyncReport) -> [String] {
        let advice = "If they are meant, run 'remindav sync --allow-mass-delete'"
        var sentences: [String] = []
        if list.heldHere > 0 {
            sentences.append(
                """
                the server no longer has \(list.heldHere) of its reminders; so many are not deleted here unasked. \
                \(advice); if not, bring them back on the server.
                """
            )
        }
        if list.heldThere > 0 {
            sentences.append(
                """
                so many deletions are not sent unasked: \(list.heldThere) of its reminders stay on the server. \
                \(advice); if not, 'remindav trash restore' brings them back.
                """
            )
        }
        return sentences
    }

    /// What lies in the list on the server and is no reminder here.
    private func unreadable(_ list: ListSyncReport, _ name: String) -> String {
        let shown = list.unreadable.prefix(Self.shownTitles).map { item in
            "'\(Sanitizer.excerpt(String(item.href.split(separator: "/").last ?? "")))' (\(item.reason))"
        }
        let rest = list.unreadable.count - shown.count
        return """
            \(name): left as it is on the server, since it is no reminder that can be read: \
            \(shown.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : "")
            """
    }

    /// The reminders that were left out in this run, grouped by cause, with the sentence about the first of each group.
    private func causes(_ list: ListSyncReport) -> [(sentence: String, entries: [LeftOutReminder])] {
        var causes: [(reason: String, sentence: String, entries: [LeftOutReminder])] = []
        for entry in list.leftOut {
            guard let error = entry.error else { continue }
            if let place = causes.firstIndex(where: { $0.reason == entry.reason }) {
                causes[place].entries.append(entry)
            } else {
                causes.append((entry.reason, ErrorMessages.explain(error).sentence, [entry]))
            }
        }
        return causes.map { ($0.sentence, $0.entries) }
    }

    /// The message about reminders that are not sent, because the server refused the same text earlier.
    private func waiting(_ entries: [LeftOutReminder], _ name: String) -> String {
        let count = entries.count == 1 ? "1 reminder is" : "\(entries.count) reminders are"
        return """
            \(name): \(count) not sent again, since the server has refused the same text before\(self.titles(entries)). \
            'remindav show ID' says why; an edit, or 'remindav sync --now', sends it again.
            """
    }

    /// The titles of these reminders, for those with a title.
    private func titles(_ entries: [LeftOutReminder]) -> String {
        let shown = entries.filter { $0.title != nil }.prefix(Self.shownTitles).map { entry in
            let title = Sanitizer.line(entry.title ?? "")
            let length = Self.shownTitleLength
            let name = "'\(title.count > length ? title.prefix(length - 1) + "…" : title)'"
            return "\(name) (\(entry.id.map { "\($0)" } ?? "deleted here"))"
        }
        guard !shown.isEmpty else { return "" }
        let rest = entries.count - shown.count
        return ": " + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// Success when everything is done, the first error's status when nothing is.
    ///
    /// In between: partial when some lists failed, refused when only deletions were held back.
    private func status(_ summary: SyncSummary) -> ExitStatus {
        let errors = summary.failedAccounts.map(\.error) + summary.lists.compactMap(\.error)
        if let first = errors.first {
            let isAnyDone = summary.lists.contains { $0.isFinished }
            return isAnyDone ? .partial : ErrorMessages.explain(first).status
        }
        return summary.lists.contains { $0.held > 0 } ? .refused : .success
    }
}

extension ListSyncReport {
    /// Whether all of the list was gone through, though single reminders may have been left out.
    fileprivate var isFinished: Bool { self.error == nil || self.failures > 0 }
}

extension ChangeView {
    /// What was done, in the words of the report.
    var words: String {
        switch (self.kind, self.side) {
        case ("added", _) where self.isOperation: self.reverses == nil ? "added" : "put back"
        case ("moved", _) where self.isOperation: self.reverses == nil ? "moved" : "moved back"
        case ("changed", _) where self.isOperation: self.reverses == nil ? "changed" : "changed back"
        case ("deleted", "here"): "deleted here"
        case ("deleted", _): "deleted on the server"
        case ("merged", _): "merged"
        case ("moved", _): "moved here"
        case (_, "here"): "received"
        default: "sent"
        }
    }
}

/// One list in the JSON of `sync`, or an account whose lists the server did not name.
private struct SyncedList: JSONRecord {
    let report: ListSyncReport
    /// `nil` for an account.
    let list: String?
    let error: String?

    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("list") { $0.list },
        JSONMember("account") { $0.report.account },
        JSONMember("pulled") { $0.report.pulled },
        JSONMember("pushed") { $0.report.pushed },
        JSONMember("merged") { $0.report.merged },
        JSONMember("moved") { $0.report.moved },
        JSONMember("repaired") { $0.report.repaired },
        JSONMember("returned") { $0.report.returned },
        JSONMember("kept") { $0.report.kept },
        JSONMember("newUIDs") { $0.report.newUIDs },
        JSONMember("waits") { $0.report.waits },
        JSONMember("conflicts") { $0.report.conflicts },
        JSONMember("deletedLocally") { $0.report.deletedLocally },
        JSONMember("deletedRemotely") { $0.report.deletedRemotely },
        JSONMember("held") { $0.report.held },
        JSONMember("heldHere") { $0.report.heldHere },
        JSONMember("heldThere") { $0.report.heldThere },
        JSONMember("requests") { $0.report.requests },
        JSONMember("bytesSent") { $0.report.bytesSent },
        JSONMember("bytesReceived") { $0.report.bytesReceived },
        JSONMember("milliseconds") { Int($0.report.seconds * 1000) },
        JSONMember("failures") { $0.report.failures },
        JSONMember("leftOut") { $0.report.leftOut },
        JSONMember("unreadable") { $0.report.unreadable },
        JSONMember("notKept") { $0.report.notKept },
        JSONMember("changes") { $0.report.changes },
        JSONMember("error") { $0.error },
    ]
}
