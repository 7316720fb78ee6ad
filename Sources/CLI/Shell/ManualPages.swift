/// The help as pages for `man`, in the macros of man(7), which groff and mandoc read.
///
/// Generated from the same table as the help.
enum ManualPages {
    /// The page of a command, such as remindav-add(1).
    static func page(_ page: CommandPage) -> String {
        let name = "remindav-\(page.name.replacing(" ", with: "-"))"
        return self.head(name, page.summary) + self.section("SYNOPSIS", self.synopsis(page))
            + self.section("DESCRIPTION", self.description(page))
            + self.exitStatus([.success, .failure, .usage] + page.exits, page.meanings) + self.examples(page.examples)
            + self.section("SEE ALSO", ".BR remindav (1)\n")
    }

    /// remindav(1): the pages of all commands.
    static func whole() -> String {
        var text = self.head("remindav", "reminders in your calendar, the same on every machine")
        text += self.section("SYNOPSIS", ".B remindav\n[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n")
        text += self.section(
            "OPTIONS",
            self.paragraph("All commands understand these, before the command's name or behind it.")
                + self.rows(GlobalOptions.table.map { ($0.signature, $0.help) })
        )
        for group in CommandGroup.allCases {
            text += ".SH \(self.quoted("COMMANDS: \(group.rawValue.uppercased())"))\n"
            for page in CommandTable.all.map({ $0.page }) where page.group == group {
                text += ".SS \(self.quoted("remindav \(page.name)"))\n" + self.synopsis(page) + ".PP\n"
                text += self.escaped(page.summary + ".") + "\n" + self.description(page)
                for example in page.examples { text += self.example(example) }
            }
        }
        text += self.section("FILES", self.rows(self.files))
        text += self.section("ENVIRONMENT", self.rows(self.variables))
        return text + self.exitStatus(ExitStatus.allCases, [:])
    }

    private static let files: [(String, [String])] = [
        ("~/.local/share/remindav", ["The store. --store, $REMINDAV_STORE, the settings and $XDG_DATA_HOME move it."]),
        ("~/.config/remindav/config", ["The settings. --config, $REMINDAV_CONFIG and $XDG_CONFIG_HOME move it."]),
    ]

    private static let variables: [(String, [String])] = [
        ("REMINDAV_STORE", ["The folder of the store"]),
        ("REMINDAV_CONFIG", ["The file with the settings"]),
        ("XDG_DATA_HOME, XDG_CONFIG_HOME", ["The parent folder of remindav/; a relative path is ignored"]),
        ("TZ, TZDIR", ["The local time zone, and where zones are described"]),
        ("NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM", ["Whether text is coloured, when --color does not say"]),
    ]

    // MARK: Parts

    private static func head(_ name: String, _ summary: String) -> String {
        let lowered = summary.prefix(1).lowercased() + summary.dropFirst()
        let title = self.quoted(name.uppercased())
        return
            ".TH \(title) 1 \"\(RemindavCommand.date)\" \(self.quoted("remindav \(RemindavCommand.version)"))\n.SH NAME\n"
            + "\(self.escaped(name)) \\- \(self.escaped(lowered))\n"
    }

    private static func section(_ title: String, _ body: String) -> String {
        // A paragraph begins with the section by itself.
        let start = body.hasPrefix(".PP\n") ? body.dropFirst(4) : body[...]
        return body.isEmpty ? "" : ".SH \(self.quoted(title))\n\(start)"
    }

    private static func synopsis(_ page: CommandPage) -> String {
        // Further lines are continuations or new paragraphs, as in the help.
        self.unfilled(
            page.usage.enumerated().map { index, usage in
                let start = "remindav \(page.name)"
                return index == 0 ? "\(start) \(usage)" : String(repeating: " ", count: start.count + 1) + usage
            }
        )
    }

    private static func description(_ page: CommandPage) -> String {
        var text = self.rows(page.operands.map { ($0.name, $0.help) })
        for detail in page.details { text += self.paragraph(detail) }
        return text + self.rows(page.options.map { ($0.signature, $0.help) })
    }

    private static func exitStatus(_ statuses: [ExitStatus], _ meanings: [ExitStatus: String]) -> String {
        let rows = statuses.compactMap { status in
            (meanings[status] ?? status.summary).map { ("\(status.rawValue)", [$0]) }
        }
        return self.section("EXIT STATUS", self.rows(rows))
    }

    private static func examples(_ examples: [CommandPage.Example]) -> String {
        self.section("EXAMPLES", examples.map { self.example($0) }.joined())
    }

    private static func example(_ example: CommandPage.Example) -> String {
        ".TP\n\\fB\(self.escaped(example.line))\\fR\n\(self.escaped(example.meaning))\n"
    }

    private static func rows(_ rows: [(term: String, lines: [String])]) -> String {
        rows.map { row in
            let term = row.term.drop { $0 == " " }
            return ".TP\n\\fB\(self.escaped(String(term)))\\fR\n\(row.lines.map { self.line($0) }.joined())"
        }.joined()
    }

    /// Text with new line breaks, except in tables.
    private static func paragraph(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.contains(where: { $0.hasPrefix(" ") }) else {
            return ".PP\n" + lines.map { self.line($0) }.joined()
        }
        return ".PP\n" + self.unfilled(lines)
    }

    private static func unfilled(_ lines: [String]) -> String {
        ".nf\n" + lines.map { $0.isEmpty ? ".sp\n" : self.line($0) }.joined() + ".fi\n"
    }

    private static func line(_ text: String) -> String { text.isEmpty ? "" : self.escaped(text) + "\n" }

    // MARK: Letters

    private static func quoted(_ text: String) -> String { "\"\(self.escaped(text))\"" }

    /// The text so that it is printed as it is: no letter of it is a request, and none is made prettier.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += #"\e"#
            case "-": escaped += #"\-"#
            case "'": escaped += #"\(aq"#
            case "`": escaped += #"\(ga"#
            case "^": escaped += #"\(ha"#
            case "~": escaped += #"\(ti"#
            case "\"": escaped += #"\(dq"#
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default: escaped += "\\[u\(Hexadecimal.text(scalar.value, digits: 4).uppercased())]"
            }
        }
        // At the beginning of a line a full stop would begin a request.
        return escaped.hasPrefix(".") ? #"\&"# + escaped : escaped
    }
}
