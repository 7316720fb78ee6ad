import RemindavReminders

enum HelpPages {
    /// The maximum width of a page.
    private static let columns = 80

    private static let mostUsed: [any Command.Type] = [
        AddReminder.self, ListReminders.self, SearchReminders.self, ShowReminder.self, CompleteReminders.self,
        EditReminder.self, SnoozeReminder.self, DeleteReminders.self, UndoChanges.self, SyncLists.self,
        ShowLists.self, ImportFile.self, ExportFile.self, SetUp.self,
    ]

    /// The most used commands, on one screen of 24 lines.
    static func overview() -> String {
        var lines = [
            "remindav - reminders in your calendar, synced with CalDAV servers",
            "",
            "Usage: remindav [OPTIONS] COMMAND [ARGUMENTS]",
            "",
        ]
        lines += self.columns(self.mostUsed.map { ($0.page.name, [$0.page.summary]) }, width: 10)
        lines += [
            "",
            "'remindav' alone shows the reminders for today and the next ones.",
            "'remindav help COMMAND' explains a command; 'remindav help --all' lists all.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// All commands, the common options and the exit statuses.
    static func commands() -> String {
        var lines = [
            "remindav - reminders in your calendar, synced with CalDAV servers",
            "",
            "Usage: remindav [OPTIONS] COMMAND [ARGUMENTS]",
        ]
        for (group, commands) in CommandTable.groups {
            lines += ["", group]
            lines += self.columns(commands.map { ($0.page.name, [$0.page.summary]) }, width: 16)
        }
        lines += ["", "Other names"]
        lines += self.columns(self.otherNames, width: 16)
        lines += ["", "Options"]
        lines += self.columns(GlobalOptions.table.map { ($0.signature, $0.help) }, width: 16)
        lines += [
            "",
            "The store is --store DIR, or $REMINDAV_STORE, or the setting 'store', or",
            "$XDG_DATA_HOME/remindav, or ~/.local/share/remindav. Settings: see",
            "'remindav help config'.",
            "",
            "Exit status",
        ]
        lines += self.statuses(ExitStatus.allCases)
        lines += ["", "'remindav help COMMAND' explains a command and shows examples."]
        return lines.joined(separator: "\n") + "\n"
    }

    /// An example of each option of ``CommandAliases/texts``.
    private static let textExamples = [
        "--add-notes": "'note 12 Ask for the price'", "--title": "'rename 12 Buy oat milk'",
    ]

    /// The aliases of each meaning, and the short forms without a command.
    private static var otherNames: [(String, [String])] {
        var names: [(meaning: String, names: [String])] = []
        let texts = CommandAliases.texts.map { name, option in
            (name, "edit ID \(option) TEXT\(Self.textExamples[option].map { ", as in \($0)" } ?? "")")
        }
        for (name, meaning) in CommandAliases.words.map({ ($0, $1.joined(separator: " ")) }) + texts {
            if let index = names.firstIndex(where: { $0.meaning == meaning }) {
                names[index].names.append(name)
            } else {
                names.append((meaning, [name]))
            }
        }
        return names.map { ($0.names.joined(separator: ", "), [$0.meaning]) } + [
            ("12", ["show 12"]),
            ("+home, -+home", ["list --with-label home, list --without-label home"]),
            ("@Work", ["list --list Work"]),
            ("p1", ["list --priority high; p2: medium, p3: low, p4: none"]),
            ("/milk", ["list --text milk"]),
            ("abbreviations", ["the first letters of a name if no other command has them: imp, lab"]),
        ]
    }

    static func page(_ page: CommandPage) -> String {
        var lines = self.wrapped("remindav \(page.name) - \(self.lowered(page.summary))", into: self.columns) + [""]
        for (index, usage) in self.joined(page.usageLines).enumerated() {
            let start = "Usage: remindav \(page.name)"
            let indented = index == 0 ? start : String(repeating: " ", count: start.count)
            lines += usage.isEmpty ? [indented] : self.usage(usage, after: indented)
        }
        if !page.operands.isEmpty {
            lines.append("")
            lines += self.columns(page.operands.map { ($0.name, $0.help) }, width: 10)
        }
        if !page.details.isEmpty { lines += [""] + self.paragraphs(page.details) }
        if !page.options.isEmpty {
            lines += ["", "Options"]
            lines += self.columns(page.options.map { ($0.signature, $0.help) }, width: 16)
        }
        if !page.examples.isEmpty {
            lines += ["", "Examples"]
            for (line, meaning) in page.examples {
                lines += ["  \(line)"] + self.wrapped(meaning, into: self.columns - 6).map { "      \($0)" }
            }
        }
        lines += ["", "Exit status"]
        lines += self.statuses([.success, .failure, .usage] + page.exits, page.meanings)
        lines += ["", "'remindav help --all' lists all commands and the common options."]
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
        let room = self.columns - widest - 4
        return rows.flatMap { row in
            let fits = row.right.allSatisfy { $0.count <= room }
            let right = fits ? row.right : self.wrapped(row.right.joined(separator: " "), into: room)
            return right.enumerated().map { index, text in
                let left = index == 0 ? row.left : ""
                return "  \(left)\(String(repeating: " ", count: widest - left.count + 2))\(text)"
            }
        }
    }

    private static func wrapped(_ text: String, into columns: Int) -> [String] {
        StyledText(text).wrapped(into: columns, indent: 0).rendered(inColor: false)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// A usage line, broken between options, and inside brackets only before an alternative.
    private static func usage(_ usage: String, after start: String) -> [String] {
        // A letter that no usage line contains stands for a space inside brackets.
        let blank: Character = "\u{B7}"
        var (depth, former) = (0, blank)
        let joined = String(
            usage.map { character in
                defer { former = character }
                depth += character == "[" ? 1 : character == "]" ? -1 : 0
                return character == " " && depth > 0 && former != "|" ? blank : character
            }
        )
        let lines = self.wrapped(joined, into: self.columns - start.count - 1)
        return lines.enumerated().map { index, line in
            let indent = index == 0 ? start : String(repeating: " ", count: start.count)
            return "\(indent) \(line.replacing(String(blank), with: " "))"
        }
    }

    /// The text of a page; adjacent lines without an indent are broken anew if one of them is too wide.
    private static func paragraphs(_ text: String) -> [String] {
        var (lines, prose): ([String], [String]) = ([], [])
        func end() {
            let fits = prose.allSatisfy { $0.count <= self.columns }
            lines += fits ? prose : self.wrapped(prose.joined(separator: " "), into: self.columns)
            prose = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if !line.isEmpty, !line.hasPrefix(" ") {
                prose.append(String(line))
            } else {
                end()
                lines.append(String(line))
            }
        }
        end()
        return lines
    }

    /// The usage lines; a line that begins with a space or an optional part continues the line before it, unless it
    /// begins as the first line does.
    private static func joined(_ usages: [String]) -> [String] {
        let start = usages.first?.prefix { $0 != " " } ?? ""
        return usages.reduce(into: []) { result, usage in
            let continues = usage.hasPrefix(" ") || usage.hasPrefix("[") && usage.prefix { $0 != " " } != start
            if let last = result.last, continues {
                result[result.count - 1] = "\(last) \(usage.trimmingWhiteSpace)"
            } else {
                result.append(usage)
            }
        }
    }

    private static func lowered(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}
