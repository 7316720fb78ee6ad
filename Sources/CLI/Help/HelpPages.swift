enum HelpPages {
    static func overview() -> String {
        var lines = [
            "remindav - reminders in your calendar, synced with CalDAV servers",
            "",
            "Usage: remindav [OPTIONS] COMMAND [ARGUMENTS]",
        ]
        for (group, commands) in CommandTable.groups {
            lines += ["", group]
            lines += self.columns(commands.map { ($0.page.name, [$0.page.summary]) }, width: 16)
        }
        lines += ["", "Options"]
        lines += self.columns(GlobalOptions.table.map { ($0.signature, $0.help) }, width: 16)
        lines += [
            "",
            "The store is --store DIR, or $REMINDAV_STORE, or the setting 'store', or",
            "$XDG_DATA_HOME/remindav, or ~/.local/share/remindav. Settings: 'remindav help config'.",
            "",
            "Exit status",
        ]
        lines += self.statuses(ExitStatus.allCases)
        lines += ["", "'remindav help COMMAND' explains a command and shows examples."]
        return lines.joined(separator: "\n") + "\n"
    }

    static func page(_ page: CommandPage) -> String {
        var lines = ["remindav \(page.name) - \(self.lowered(page.summary))", ""]
        for (index, usage) in page.usageLines.enumerated() {
            let start = "Usage: remindav \(page.name)"
            let indented = index == 0 ? start : String(repeating: " ", count: start.count)
            lines.append(usage.isEmpty ? indented : "\(indented) \(usage)")
        }
        if !page.operands.isEmpty {
            lines.append("")
            lines += self.columns(page.operands.map { ($0.name, $0.help) }, width: 10)
        }
        if !page.details.isEmpty { lines += ["", page.details] }
        if !page.options.isEmpty {
            lines += ["", "Options"]
            lines += self.columns(page.options.map { ($0.signature, $0.help) }, width: 16)
        }
        if !page.examples.isEmpty {
            lines += ["", "Examples"]
            for (line, meaning) in page.examples { lines += ["  \(line)", "      \(meaning)"] }
        }
        lines += ["", "Exit status"]
        lines += self.statuses([.success, .failure, .usage] + page.exits, page.meanings)
        lines += ["", "'remindav help' lists all commands and the common options."]
        return lines.joined(separator: "\n") + "\n"
    }

    static func family(_ first: String) -> String {
        let pages = CommandTable.all.map { $0.page }.filter { $0.name.hasPrefix(first + " ") }
        var lines = ["Commands that begin with '\(first)'", ""]
        lines += self.columns(pages.map { ($0.name, [$0.summary]) }, width: 16)
        lines += ["", "'remindav help \(pages.first?.name ?? first)' explains one of them."]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func statuses(_ statuses: [ExitStatus], _ meanings: [ExitStatus: String] = [:]) -> [String] {
        self.columns(
            statuses.compactMap { status in
                (meanings[status] ?? status.summary).map { ("\(status.rawValue)", [$0]) }
            },
            width: 5
        )
    }

    /// Two columns of text; the right one begins two spaces after the longest left cell, but not before `width`.
    private static func columns(_ rows: [(left: String, right: [String])], width: Int) -> [String] {
        let widest = max(width - 2, rows.map(\.left.count).max() ?? 0)
        return rows.flatMap { row in
            row.right.enumerated().map { index, text in
                let left = index == 0 ? row.left : ""
                return "  \(left)\(String(repeating: " ", count: widest - left.count + 2))\(text)"
            }
        }
    }

    private static func lowered(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}
