import RemindavDatePhrases
import Testing

@testable import RemindavCLI

@Suite("arguments")
struct ArgumentsTests {
    static let table = [
        Option("--list", value: "NAME", "a name"),
        Option("--label", short: "l", value: "NAME", occurs: .many, "names"),
        Option("--output", short: "o", value: "FILE", "a file"),
        Option("--json", "a flag"),
        Option("--dry-run", short: "n", "a flag"),
        Option("--yes", short: "y", "a flag"),
        Option("--color", value: "WHEN", occurs: .last, "colour"),
    ]

    struct Case: CustomTestStringConvertible, Sendable {
        let words: [String]
        var values: [String: [String]] = [:]
        var operands: [String] = []

        init(_ words: String, _ values: [String: [String]] = [:], operands: [String] = []) {
            self.words = words.split(separator: " ").map { $0 == "''" ? "" : String($0) }
            self.values = values
            self.operands = operands
        }

        var testDescription: String { self.words.joined(separator: " ") }
    }

    @Test(
        "arguments are sorted into options and operands",
        arguments: [
            Case(""),
            Case("a b c", operands: ["a", "b", "c"]),
            Case("--list Work", ["--list": ["Work"]]),
            Case("--list=Work", ["--list": ["Work"]]),
            Case("--list=", ["--list": [""]]),
            Case("--list ''", ["--list": [""]]),
            Case("--list=a=b", ["--list": ["a=b"]]),
            Case("--list=--json", ["--list": ["--json"]]),
            Case("--list -", ["--list": ["-"]]),
            Case("--list -5", ["--list": ["-5"]]),
            Case("--list --x", ["--list": ["--x"]]),
            Case("a --json b", ["--json": [""]], operands: ["a", "b"]),
            Case("--label a --label b", ["--label": ["a", "b"]]),
            Case("-l a -lb --label=c", ["--label": ["a", "b", "c"]]),
            Case("-o out.ics", ["--output": ["out.ics"]]),
            Case("-oout.ics", ["--output": ["out.ics"]]),
            Case("-o -", ["--output": ["-"]]),
            Case("-n -y", ["--dry-run": [""], "--yes": [""]]),
            Case("-ny", ["--dry-run": [""], "--yes": [""]]),
            Case("-nyofile", ["--dry-run": [""], "--yes": [""], "--output": ["file"]]),
            Case("-ny -l x", ["--dry-run": [""], "--yes": [""], "--label": ["x"]]),
            Case("-", operands: ["-"]),
            Case("- --json", ["--json": [""]], operands: ["-"]),
            Case("-- --json -x", operands: ["--json", "-x"]),
            Case("a -- -- b", operands: ["a", "--", "b"]),
            Case("--color auto --color never", ["--color": ["auto", "never"]]),
        ]
    )
    func sorted(_ test: Case) throws {
        var arguments = try Arguments(test.words, options: Self.table)
        for option in Self.table {
            #expect(arguments.values(option.name) == test.values[option.name] ?? [], "\(option.name)")
        }
        var operands: [String] = []
        while let word = arguments.optionalOperand() { operands.append(word) }
        #expect(operands == test.operands)
        try arguments.finish()
    }

    @Test(
        "arguments that fit no row are refused with a reason",
        arguments: [
            (["--lst", "x"], UsageError.Code.unknownOption, "'--list'"),
            (["--jsno"], .unknownOption, "'--json'"),
            (["--dryrun"], .unknownOption, "'--dry-run'"),
            (["--zzzzzz"], .unknownOption, "'--zzzzzz'"),
            (["-x"], .unknownOption, "'-x'"),
            (["-nx"], .unknownOption, "'-x'"),
            (["-5"], .unknownOption, "--"),
            (["--list"], .missingValue, "NAME"),
            (["--list", "--json"], .missingValue, "--list=--json"),
            (["--list", "--"], .missingValue, "--list"),
            (["-o"], .missingValue, "FILE"),
            (["-no"], .missingValue, "FILE"),
            (["--json=yes"], .unexpectedValue, "--json"),
            (["--json="], .unexpectedValue, "--json"),
            (["--list", "a", "--list=b"], .repeatedOption, "--list"),
            (["--yes", "-y"], .repeatedOption, "--yes"),
            (["-nn"], .repeatedOption, "--dry-run"),
        ]
    )
    func refused(words: [String], code: UsageError.Code, hint: String) {
        let error = #expect(throws: UsageError.self) { try Arguments(words, options: Self.table) }
        #expect(error?.code == code)
        #expect(error?.sentence.contains(hint) == true, "\(error?.sentence ?? "")")
    }

    @Test("a missing and an extra argument have different errors")
    func operands() throws {
        var arguments = try Arguments(["a", "b"], options: [])
        #expect(try arguments.operand("FILE") == "a")
        #expect(throws: UsageError(.tooManyOperands, "")) { try arguments.finish() }
        #expect(try arguments.operands("ID") == ["b"])
        #expect(throws: UsageError(.missingOperand, "")) { try arguments.operand("FILE") }
        #expect(throws: UsageError(.missingOperand, "")) { try arguments.operands("ID") }
        try arguments.finish()
    }

    @Test(
        "a typing mistake gets a suggestion, a different word does not",
        arguments: [
            ("lst", "list"), ("lsit", "list"), ("List", "list"), ("ad", "add"), ("snoze", "snooze"),
            ("exprot", "export"), ("xyzzy", nil), ("", nil), ("ls", nil),
        ] as [(String, String?)]
    )
    func guess(word: String, expected: String?) {
        #expect(Spelling.nearest(to: word, among: ["list", "add", "snooze", "export", "import"]) == expected)
    }
}
