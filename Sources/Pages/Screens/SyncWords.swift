import RemindavBridge
import RemindavReminders
import RemindavSync

/// The result of a sync in the words of a page.
enum SyncWords {
    /// The maximum number of changes of a list; the log shows all of them.
    static let shownChanges = 10

    static func counts(_ lists: [ListSyncReport]) -> String {
        func sum(_ number: (ListSyncReport) -> Int) -> Int { lists.reduce(0) { $0 + number($1) } }
        let conflicts = sum { $0.sync.conflicts }
        let held = sum { $0.sync.held.count }
        let counts = [
            (sum { $0.sync.pulled }, "received"), (sum { $0.sync.pushed }, "sent"), (sum { $0.sync.merged }, "merged"),
            (sum { $0.sync.moved }, "moved"), (sum { $0.sync.repaired }, "found by full comparison"),
            (sum { $0.sync.deletedLocally }, "deleted here"),
            (sum { $0.sync.deletedRemotely }, "deleted on the server"),
            (conflicts, conflicts == 1 ? "conflict" : "conflicts"),
            (held, held == 1 ? "deletion held back" : "deletions held back"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return words.isEmpty ? "nothing to do" : words.joined(separator: ", ")
    }

    /// The result for all lists in one sentence.
    static func total(_ summary: SyncSummary) -> String {
        let counts = self.counts(summary.lists)
        return counts == "nothing to do" ? "Everything is in sync." : "\(counts.sentence)"
    }

    static func firstError(_ summary: SyncSummary) -> (any Error)? {
        summary.failedAccounts.first?.error ?? summary.lists.lazy.compactMap(\.error).first
    }

    /// A change of a reminder, such as `received`.
    static func verb(_ change: ChangeView) -> String {
        switch (change.kind, change.side) {
        case ("deleted", "here"): "deleted here"
        case ("deleted", _): "deleted on the server"
        case ("merged", _): "merged"
        case ("moved", _): "moved"
        case (_, "here"): "received"
        default: "sent"
        }
    }

    /// The problems of a list besides held deletions, each with its advice.
    static func problems(_ list: ListSyncReport) -> [String] {
        var problems: [String] = []
        var causes: [(reason: String, entries: [LeftOutReminder])] = []
        for entry in list.leftOut {
            if let index = causes.firstIndex(where: { $0.reason == entry.reason }) {
                causes[index].entries.append(entry)
            } else {
                causes.append((entry.reason, [entry]))
            }
        }
        for cause in causes {
            let titles = self.titles(cause.entries.compactMap(\.title), of: cause.entries.count)
            let reason =
                cause.entries[0].error.map { ErrorWords($0).text }
                ?? "The server refused the same text before: \(cause.reason). An edit sends it again."
            problems.append("\(cause.entries.count.counted("reminder")) left out\(titles). \(reason)")
        }
        if let error = list.stop ?? (list.leftOut.isEmpty ? list.error : nil) {
            problems.append(ErrorWords(error).text)
        }
        if !list.unreadable.isEmpty {
            let items = list.unreadable.map { item in
                "'\(item.href.split(separator: "/").last ?? "")' (\(item.reason))"
            }
            let count = list.unreadable.count.counted("file")
            problems.append("\(count) on the server cannot be read\(self.listed(items)). It stays unchanged there.")
        }
        return problems + self.surprises(list)
    }

    private static func surprises(_ list: ListSyncReport) -> [String] {
        var sentences: [String] = []
        if list.sync.returned > 0 {
            let count = list.sync.returned.counted("deleted reminder")
            sentences.append("Restored \(count), because the server has a later change.")
        }
        if list.sync.kept > 0 {
            let count = list.sync.kept.counted("reminder")
            sentences.append("Sent \(count) again that the server had deleted, because of a later change here.")
        }
        if !list.sync.notKept.isEmpty {
            let names = list.sync.notKept.sorted().map { PropertyDisplayName.word(for: $0) }
            sentences.append(
                "The server does not store\(self.listed(names)). The page Conflicts shows the lost values."
            )
        }
        if list.sync.newUIDs > 0 {
            let count = list.sync.newUIDs.counted("reminder")
            sentences.append("\(count) got a new UID, because the server does not accept the old one.")
        }
        if list.waits { sentences.append("The next sync sends the merged reminders.") }
        return sentences
    }

    /// The maximum number of names in one sentence.
    private static let shownNames = 5

    private static func titles(_ titles: [String], of count: Int) -> String {
        self.listed(titles.map { "'\($0.shownTitle)'" }, of: count)
    }

    private static func listed(_ names: [String], of count: Int? = nil) -> String {
        guard !names.isEmpty else { return "" }
        let shown = names.prefix(self.shownNames)
        let rest = (count ?? names.count) - shown.count
        return ": " + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
