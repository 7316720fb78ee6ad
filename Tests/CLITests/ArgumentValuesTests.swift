import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavCLI

@Suite("values of options")
struct ArgumentValuesTests {
    @Test(
        "a title is trimmed, and its line ends are spaces",
        arguments: [("x", "x"), ("  a  b ", "a  b"), ("a\nb", "a b"), ("a\r\nb\n", "a b"), ("\u{3000}日\u{3000}", "日")]
    )
    func title(text: String, expected: String) throws {
        #expect(try ArgumentValues.title(text) == expected)
    }

    @Test("a title of invisible characters is empty, for every kind of white space")
    func blankTitle() {
        let scalars = (UInt32(0)...0xFFFF).compactMap { Unicode.Scalar($0) }
        let invisible = scalars.filter { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
        #expect(invisible.count > 30)
        for scalar in invisible {
            #expect(throws: UsageError(.titleRequired, "")) { try ArgumentValues.title(" \(scalar)") }
        }
        #expect(throws: UsageError(.titleRequired, "")) { try ArgumentValues.title("") }
    }

    @Test("a title with control characters only, which are not written, is empty")
    func titleOfControls() throws {
        for text in ["\u{1}\u{2}", "\u{0}", " \u{7F}\u{1B} ", "\u{1}\u{200B}"] {
            #expect(throws: UsageError(.titleRequired, "")) { try ArgumentValues.title(text) }
        }
        #expect(try ArgumentValues.title("\u{1}x") == "\u{1}x")
        #expect(try ArgumentValues.title("\u{85}x\u{9B}") == "x\u{9B}")
    }

    @Test("an empty title is refused before a past date, with the messages of the form")
    func order() async {
        let world = TestWorld()
        #expect(await world.run("add", "  ", "--due", "2001-01-01") == .usage)
        #expect(world.complaints == "remindav: Title is required\n")
        #expect(await world.run("add", "x", "--due", "today 9am") == .usage)
        let sentence = "Must be in the future: 2026-11-20 09:00 is past. Give a later day or time, or 'none' for no"
        #expect(world.complaints.hasSuffix("remindav: \(sentence) date.\n"))
    }

    @Test("labels are trimmed and none is there twice")
    func labels() throws {
        #expect(try ArgumentValues.labels([" work ", "Work", "home"]) == ["work", "home"])
        #expect(throws: UsageError(.badValue, "")) { try ArgumentValues.labels([" "]) }
        #expect(throws: UsageError(.badValue, "")) { try ArgumentValues.labels([String(repeating: "x", count: 201)]) }
        #expect(try ArgumentValues.labels(["home, Work", "work", "\"a, b\""]) == ["home", "Work", "a, b"])
    }

    @Test(
        "a label of an edit is added or removed, and 'none' removes all others",
        arguments: [
            ([], .keep, nil), (["None"], .clear, nil), (["a"], .keep, LabelEdit(added: ["a"])),
            (["+a, -b", "c,A"], .keep, LabelEdit(added: ["a", "c"], removed: ["b"])),
            (["none,a"], .set(["a"]), nil), (["a", "none"], .set(["a"]), nil), (["-a", "none"], .clear, nil),
            (["++a", "+-b"], .keep, LabelEdit(added: ["+a", "-b"])), (["--a"], .keep, LabelEdit(removed: ["-a"])),
            (["+\"a,b\""], .keep, LabelEdit(added: ["a,b"])), (["+none"], .keep, LabelEdit(added: ["none"])),
        ] as [([String], FieldChange<[String]>, LabelEdit?)]
    )
    func labelOption(texts: [String], labels: FieldChange<[String]>, edit: LabelEdit?) throws {
        var change = ReminderChange()
        try LabelOption(texts).apply(to: &change)
        #expect(change.labels == labels)
        #expect(change.labelEdit == edit)
    }

    @Test(
        "a contradiction, an empty label and an open quotation are refused",
        arguments: ["+a,-A", "+", "-", " ", "\"a"]
    )
    func badLabelOption(text: String) {
        #expect(throws: UsageError(.badValue, "")) { try LabelOption([text]) }
    }

    @Test(
        "a priority is a word, its first letter, a number of iCalendar, or exclamation marks",
        arguments: [
            ("high", .high), ("H", .high), ("1", .high), ("4", .high), ("!!!", .high), ("Medium", .medium),
            ("m", .medium),
            ("5", .medium), ("!!", .medium), ("low", .low), ("L", .low), ("6", .low), ("9", .low), ("!", .low),
            ("none", .undefined), ("0", .undefined), ("p1", .high), ("P2", .medium), ("p3", .low), ("p4", .undefined),
        ] as [(String, Priority)]
    )
    func priority(text: String, expected: Priority) throws {
        #expect(try ArgumentValues.priority(text) == expected)
    }

    @Test("other texts are no priority", arguments: ["", "10", "hi", "!!!!", "p5", "-1", "n"])
    func badPriority(text: String) {
        #expect(throws: UsageError(.badValue, "")) { try ArgumentValues.priority(text) }
    }

    @Test(
        "a repetition is a phrase or a rule",
        arguments: [
            ("daily", "FREQ=DAILY"), ("Weekly", "FREQ=WEEKLY"), ("monthly", "FREQ=MONTHLY"), ("none", nil),
            ("never", nil), (" NEVER ", nil),
            ("FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=WEEKLY;BYDAY=MO,TH"), ("RRULE:FREQ=YEARLY", "FREQ=YEARLY"),
        ] as [(String, String?)]
    )
    func repeatRule(text: String, expected: String?) throws {
        #expect(try ArgumentValues.repetition(text)?.rule.wire == expected)
    }

    @Test("an invalid rule is an error", arguments: ["", "never ever", "FREQ", "RRULE:"])
    func badRule(text: String) {
        #expect(throws: UsageError(.badValue, "")) { try ArgumentValues.repetition(text) }
    }

    @Test("a colour has six digits", arguments: [("#ff5722", "#FF5722"), ("4CAF50", "#4CAF50")])
    func color(text: String, expected: String) throws {
        #expect(try ArgumentValues.color(text).hex == expected)
        for wrong in ["", "#", "reddish", "#12345", "#1234567", "##12345", "#12345g", "#１２３４５６"] {
            #expect(throws: UsageError(.badValue, "")) { try ArgumentValues.color(wrong) }
        }
    }

    @Test("notes come from the option or from standard input, and blank ones are none")
    func notes() throws {
        let world = TestWorld(input: "line 1\nline 2\n")
        #expect(try NotesChoice("-").change(in: world.context()) == .set("line 1\nline 2"))
        #expect(try NotesChoice("-").change(in: TestWorld(input: " \n").context()) == .clear)
        #expect(try NotesChoice("text").change(in: world.context()) == .set("text"))
        #expect(NotesChoice(nil) == .keep)
        #expect(NotesChoice("") == .clear)
        #expect(NotesChoice("none") == .clear)
        let large = TestWorld(input: String(repeating: "x", count: 600_000))
        #expect(throws: FileError(code: .tooLarge, path: "")) { try NotesChoice("-").change(in: large.context()) }
    }

    @Test("a password comes from the first line of standard input, and never from nothing")
    func password() throws {
        let world = TestWorld(input: "secret word\nrest")
        #expect(try PasswordChoice.standardInput.source(in: world.context(), user: "a") == .keeping("secret word"))
        #expect(try PasswordChoice.command("pass x").source(in: world.context(), user: "a") == .command("pass x"))
        #expect(throws: PasswordError(code: .empty)) {
            try PasswordChoice.standardInput.source(in: TestWorld().context(), user: "a")
        }
        #expect(throws: PasswordError(code: .noTerminal)) {
            try PasswordChoice.prompt.source(in: TestWorld().context(), user: "a")
        }
        #expect(throws: PasswordError(code: .tooLong)) {
            let long = TestWorld(input: String(repeating: "x", count: 5000))
            _ = try PasswordChoice.standardInput.source(in: long.context(), user: "a")
        }
    }

    @Test("a password over the length limit is refused, for every way to enter it")
    func passwordLength() throws {
        let longest = String(repeating: "x", count: Secrets.maximumPasswordBytes)
        for (password, isTaken) in [(longest, true), (longest + "x", false)] {
            let world = TestWorld(input: password + "\n")
            world.willReply(password)
            for choice in [PasswordChoice.standardInput, .prompt] {
                let result = Result { try choice.source(in: world.context(), user: "a") }
                #expect((try? result.get()) == (isTaken ? .keeping(password) : nil))
            }
        }
    }

    @Test("without a terminal a question is refused, and the error names the option")
    func confirm() {
        let error = #expect(throws: UsageError.self) { try TestWorld().context().confirm("Delete 'x'?") }
        #expect(error?.code == .needsYes)
        #expect(error?.sentence.contains("--yes") == true)
    }
}

@Suite("error messages")
struct ErrorMessagesTests {
    @Test(
        "every error of a use case has a remedy in sentences and a status",
        arguments: UseCaseError.Code.allCases
    )
    func useCases(code: UseCaseError.Code) {
        let explanation = ErrorMessages.explain(UseCaseError(code, subject: "x\u{1B}"))
        #expect(explanation.sentence.hasSuffix("."))
        #expect(explanation.sentence.contains("x\\x1b"))
        #expect(explanation.sentence.count { $0 == "." } >= 2)
        #expect(explanation.status != .success)
    }

    @Test("a closed pipe causes no message; a full disk does")
    func output() {
        #expect(
            ErrorMessages.explain(OutputError(code: .brokenPipe)) == Explanation("brokenPipe", "", status: .brokenPipe)
        )
        #expect(ErrorMessages.explain(OutputError(code: .diskFull)).status == .failure)
    }

    @Test("the statuses are the documented numbers")
    func statuses() {
        let numbers = ExitStatus.allCases.map(\.rawValue)
        #expect(numbers == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130, 141])
    }
}
