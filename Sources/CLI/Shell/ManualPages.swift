/// Pages for `man`, in the macros of man(7), made from the same table as the help pages.
enum ManualPages {
    static func page(_ page: CommandPage) -> String {
        let name = "remindav-\(page.name.replacing(" ", with: "-"))"
        return self.head(name, page.summary) + self.section("SYNOPSIS", self.synopsis(page))
            + self.section("DESCRIPTION", self.description(page))
            + self.exitStatus([.success, .failure, .usage] + page.exits, page.meanings)
            + self.section("EXAMPLES", self.examples(page))
            + self.section("SEE ALSO", ".BR remindav (1)\n")
    }

    static func whole() -> String {
        var text = self.head("remindav", "reminders in your calendar, synced with CalDAV servers")
        text += self.section("SYNOPSIS", ".B remindav\n[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n")
        text += self.section("DESCRIPTION", self.introduction.map { self.paragraph($0) }.joined())
        text += self.section(
            "OPTIONS",
            self.paragraph("All commands accept these options, before or after the name of the command.")
                + self.rows(GlobalOptions.table.map { ($0.signature, $0.help) })
        )
        for (group, commands) in CommandTable.groups {
            text += ".SH \(self.quoted("COMMANDS: \(group.uppercased())"))\n"
            for page in commands.map({ $0.page }) {
                text += ".SS \(self.quoted("remindav \(page.name)"))\n" + self.synopsis(page) + ".PP\n"
                text += self.escaped(page.summary + ".") + "\n" + self.description(page)
                text += self.examples(page)
            }
        }
        text += self.section("FILES", self.rows(self.files))
        text += self.section("ENVIRONMENT", self.rows(self.variables))
        return text + self.exitStatus(ExitStatus.allCases, [:])
    }

    private static let introduction = [
        """
        Keeps reminders in one file on this computer, syncs them with CalDAV servers such as Nextcloud and Radicale,
        shows notifications, and publishes feeds for calendar programs.
        """,
        """
        'remindav setup' asks for your server and turns on alarms. No server is necessary: 'remindav add Call Ben
        tomorrow 9am' adds the first reminder, 'remindav' alone shows the reminders for today and the next ones, and
        'remindav done 1' completes one. 'remindav web' opens the same reminders in the browser.
        """,
        """
        Reminders that were added without an account are in a list of this computer only. 'remindav lists add Reminders
        --account NAME' uploads the list, and 'remindav sync' then sends later changes.
        """,
    ]

    private static let files: [(String, [String])] = [
        ("~/.local/share/remindav", ["The store; --store, $REMINDAV_STORE, the settings or $XDG_DATA_HOME change it"]),
        ("~/.config/remindav/config", ["The settings; --config, $REMINDAV_CONFIG or $XDG_CONFIG_HOME change the path"]),
    ]

    private static let variables: [(String, [String])] = [
        ("REMINDAV_STORE", ["The folder of the store"]),
        ("REMINDAV_CONFIG", ["The file with the settings"]),
        ("XDG_DATA_HOME, XDG_CONFIG_HOME", ["The parent folder of remindav/; a relative path is ignored"]),
        ("TZ, TZDIR", ["The local time zone, and the folder of the zone files"]),
        ("NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM", ["Whether text is coloured, if --color is not given"]),
    ]

    private static func head(_ name: String, _ summary: String) -> String {
        let lowered = summary.prefix(1).lowercased() + summary.dropFirst()
        let title = self.quoted(name.uppercased())
        return
            ".TH \(title) 1 \"\(RemindavCommand.date)\" \(self.quoted("remindav \(RemindavCommand.version)"))\n.SH NAME\n"
            + "\(self.escaped(name)) \\- \(self.escaped(lowered))\n"
    }

    private static func section(_ title: String, _ body: String) -> String {
        let start = body.hasPrefix(".PP\n") ? body.dropFirst(4) : body[...]
        return body.isEmpty ? "" : ".SH \(self.quoted(title))\n\(start)"
    }

    private static func synopsis(_ page: CommandPage) -> String {
        self.unfilled(
            page.usageLines.enumerated().map { index, usage in
                let start = "remindav \(page.name)"
                return index == 0 ? "\(start) \(usage)" : String(repeating: " ", count: start.count + 1) + usage
            }
        )
    }

    private static func description(_ page: CommandPage) -> String {
        var text = self.rows(page.operands.map { ($0.name, $0.help) })
        for paragraph in page.details.split(separator: "\n\n") { text += self.paragraph(String(paragraph)) }
        return text + self.rows(page.options.map { ($0.signature, $0.help) })
    }

    private static func exitStatus(_ statuses: [ExitStatus], _ meanings: [ExitStatus: String]) -> String {
        let rows = statuses.compactMap { status in
            (meanings[status] ?? status.summary).map { ("\(status.rawValue)", [$0]) }
        }
        return self.section("EXIT STATUS", self.rows(rows))
    }

    private static func examples(_ page: CommandPage) -> String {
        page.examples.map { ".TP\n\\fB\(self.escaped($0.key))\\fR\n\(self.escaped($0.value))\n" }.joined()
    }

    private static func rows(_ rows: [(term: String, lines: [String])]) -> String {
        rows.map { row in
            ".TP\n\\fB\(self.escaped(String(row.term.drop { $0 == " " })))\\fR\n\(row.lines.map(self.line).joined())"
        }.joined()
    }

    /// A paragraph; the lines of a table are not joined.
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

    private static func quoted(_ text: String) -> String { "\"\(self.escaped(text))\"" }

    /// Escapes text so that `man` prints it unchanged: no line is a request, and no character is replaced.
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
        // A full stop at the beginning of a line would start a request.
        return escaped.hasPrefix(".") ? #"\&"# + escaped : escaped
    }
}
