import Testing

@testable import RemindavCLI

@Suite("invocation")
struct InvocationTests {
    /// Returns the name of the command and the global options; the name of help and version requests is a fixed word.
    private func read(_ line: String) throws -> (name: String, options: GlobalOptions) {
        switch try Invocation.read(line.split(separator: " ").map(String.init)) {
        case .help(let text): (String(text.prefix { $0 != "\n" }), GlobalOptions())
        case .version: ("version only", GlobalOptions())
        case .run(let command, let options): (type(of: command).page.name, options)
        }
    }

    @Test("arguments that are not UTF-8 are refused before any action, with their position")
    func otherEncodings() throws {
        #expect(try RemindavCommand.words([Array("add".utf8), Array("Käse".utf8)]) == ["add", "Käse"])
        do {
            _ = try RemindavCommand.words([Array("add".utf8), [0x4B, 0xE4, 0x73, 0x65]])
            Issue.record("they were taken")
        } catch {
            #expect(error.sentence.hasPrefix("Word 2 of the command line is not in UTF-8 ('K\u{FFFD}se')."))
        }
    }

    @Test(
        "the command is found behind leading options, the longer name first",
        arguments: [
            ("list", "list"),
            ("--store /s list", "list"),
            ("--store=/s -q list --json", "list"),
            ("lists", "lists"),
            ("lists add Work", "lists add"),
            ("lists add Work --color #ff0000", "lists add"),
            ("labels --color always", "labels"),
            ("lists --color always", "lists"),
            ("feed --color always list", "feed list"),
            ("trash --color=always -q", "trash"),
            ("labels --color never add Work --color red", "labels add"),
            ("account --color always --help", "Commands that begin with 'account'"),
            ("account add https://a.example --user ada", "account add"),
            ("account remove", "account remove"),
            ("feed revoke 3", "feed revoke"),
            ("ics check -", "ics check"),
            ("done 1 2 3", "done"),
            ("help account add", "help"),
            ("version", "version"),
            ("--version", "version only"),
            ("list --version", "version only"),
            ("--help", "remindav - reminders in your calendar, synced with CalDAV servers"),
            ("-h", "remindav - reminders in your calendar, synced with CalDAV servers"),
            ("--help add", "remindav add - add a reminder"),
            ("add --help", "remindav add - add a reminder"),
            ("add -h --due nonsense", "remindav add - add a reminder"),
            ("lists add --help", "remindav lists add - create a list, local or on a server"),
            ("account --help", "Commands that begin with 'account'"),
        ]
    )
    func found(line: String, name: String) throws {
        #expect(try self.read(line).name == name)
    }

    @Test("global options count before and after the command, and the last one wins")
    func globalOptions() throws {
        #expect(try self.read("--store a list").options.store == "a")
        #expect(try self.read("--store a list --store b").options.store == "b")
        #expect(try self.read("--color never list --color always").options.color == .always)
        #expect(try self.read("-q list").options.isQuiet)
        #expect(try self.read("labels --color always").options.color == .always)
        #expect(try self.read("labels --color never add Work --color red").options.color == .never)
        #expect(try self.read("list --quiet").options.isQuiet)
        #expect(try self.read("--color never lists add Work --color #00FF00").options.color == .never)
    }

    @Test(
        "wrong arguments end with status 2 and name the help page",
        arguments: [
            ("lst", UsageError.Code.unknownCommand, nil),
            ("account", .unknownCommand, "account"),
            ("account ad", .unknownCommand, "account"),
            ("help nonsense", .unknownCommand, "help"),
            ("--store", .missingValue, nil),
            ("--store= list", .badValue, nil),
            ("--color blue list", .badValue, nil),
            ("list today extra", .tooManyOperands, "list"),
            ("lists extra", .tooManyOperands, "lists"),
            ("list --section later", .badValue, "list"),
            ("show", .missingOperand, "show"),
            ("show 0", .badValue, "show"),
            ("show -- -1", .badValue, "show"),
            ("show 99999999999999999999", .badValue, "show"),
            ("add", .missingOperand, "add"),
            ("add x --due whenever", .badWhen, "add"),
            ("add x --priority urgent", .badValue, "add"),
            ("add x --repeat sometimes", .badValue, "add"),
            ("add x --due none --repeat daily", .badValue, "add"),
            ("add Buy milk --notes two litres", .badValue, "add"),
            ("edit 3 --label +work,-WORK", .badValue, "edit"),
            ("snooze", .missingOperand, "snooze"),
            ("snooze 3 soon", .badWhen, "snooze"),
            ("snooze 3 none", .badValue, "snooze"),
            ("delete", .missingOperand, "delete"),
            ("account add https://a.example --user=", .missingValue, "account add"),
            ("account add https://a.example --user a --password x", .unknownOption, "account add"),
            ("account add u --user a --password-stdin --password-command c", .badValue, "account add"),
            ("lists add Work --color reddest", .badValue, "lists add"),
            ("export --style pdf", .badValue, "export"),
            ("serve --port 70000", .badValue, "serve"),
            ("feed revoke", .missingOperand, "feed revoke"),
            ("import", .missingOperand, "import"),
        ] as [(String, UsageError.Code, String?)]
    )
    func refused(line: String, code: UsageError.Code, command: String?) {
        let error = #expect(throws: UsageError.self) { try self.read(line) }
        #expect(error?.code == code)
        #expect(error?.command == command)
        if let error { #expect(ErrorMessages.explain(error).status == .usage) }
    }

    @Test(
        "a typing mistake gets the most similar name, but never a destructive one for a harmless one",
        arguments: [
            ("lst", "list"), ("delte 3", "delete"), ("erase 3", "delete"), ("undelete 1", "trash restore"),
            ("restore 1", "trash restore"), ("log 12", "log --run 12"), ("lists rm Work", "lists delete"),
            ("lists remove Work", "lists delete"), ("lists renam Work", "lists rename"),
            ("lists --json rm", nil), ("lists elete Work", nil), ("elete 3", nil),
        ] as [(String, String?)]
    )
    func meant(line: String, meant: String?) {
        let error = #expect(throws: UsageError.self) { try self.read(line) }
        let sentence = error?.sentence ?? ""
        #expect(sentence.contains("Did you mean") == (meant != nil))
        if let meant { #expect(sentence.hasSuffix("Did you mean '\(meant)'?")) }
    }

    @Test("every name is written once, and every command's own options too")
    func tablesAreSound() {
        let names = CommandTable.all.map { $0.page.name }
        #expect(Set(names).count == names.count)
        let firstWords = names.filter { $0.contains(" ") }.map { String($0.prefix { $0 != " " }) }
        for first in Set(firstWords) {
            let places = names.indices.filter { names[$0] == first || names[$0].hasPrefix(first + " ") }
            #expect(places.last.map { $0 - (places.first ?? 0) + 1 } == places.count, "\(first): not neighbours")
        }
        let global = Set(GlobalOptions.table.map(\.name)).subtracting(["--color"])
        for command in CommandTable.all {
            let page = command.page
            #expect(Set(page.options.map(\.name)).count == page.options.count, "\(page.name)")
            #expect(Set(page.options.map(\.name)).isDisjoint(with: global), "\(page.name)")
            let shorts = (page.options + GlobalOptions.table).compactMap(\.short)
            #expect(Set(shorts).count == shorts.count, "\(page.name)")
        }
    }

    @Test("the examples of every page can be read as they are printed")
    func examples() throws {
        for command in CommandTable.all {
            for example in command.page.examples {
                let words = Self.words(example.key)
                guard case .run = try Invocation.read(words) else {
                    Issue.record("\(example.key) is no command")
                    continue
                }
            }
        }
    }

    /// Splits a line as a shell does, without redirections.
    private static func words(_ line: String) -> [String] {
        var words = [""]
        var isQuoted = false
        for character in line.prefix(while: { $0 != ">" && $0 != "|" }) {
            if character == "'" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return Array(words.dropFirst()).filter { !$0.isEmpty }
    }
}
