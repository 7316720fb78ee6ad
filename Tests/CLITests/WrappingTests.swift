import Testing

@testable import CLI

@Suite("messages on a narrow terminal")
struct WrappingTests {
    private static func lines(_ text: String, _ columns: Int) -> [String] {
        StyledText(text).wrapped(into: columns).rendered(inColor: false)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test(
        "lines break between words, never inside a quoted command",
        arguments: [
            ("short", 10, ["short"]),
            ("one two three", 7, ["one two", "  three"]),
            ("one  two", 5, ["one", "  two"]),
            ("  a: b c d", 7, ["  a: b", "   c d"]),
            ("run 'remindav sync --now' soon", 12, ["run", "  'remindav sync --now'", "  soon"]),
            ("run ('remindav sync'), or wait", 12, ["run", "  ('remindav sync'),", "  or wait"]),
            ("see 'Buy milk', or", 14, ["see", "  'Buy milk',", "  or"]),
            ("the title 'a b c d e f g h' is", 12, ["the title 'a", "  b c d e f", "  g h' is"]),
            ("Ben's list isn't Ann's list", 12, ["Ben's list", "  isn't", "  Ann's list"]),
            ("don't say 'no", 9, ["don't say", "  'no"]),
            ("日本語 日本語 日本語", 13, ["日本語 日本語", "  日本語"]),
            ("https://example.org/very/long x", 10, ["https://example.org/very/long", "  x"]),
            ("first line\nsecond", 8, ["first", "  line", "second"]),
            ("agree? [y/N] ", 13, ["agree? [y/N] "]),
            ("", 5, [""]),
        ] as [(String, Int, [String])]
    )
    func table(text: String, columns: Int, expected: [String]) {
        #expect(Self.lines(text, columns) == expected)
    }

    @Test("styles stay on their words")
    func styles() {
        let text = StyledText("remindav: ", .warning) + "one two" + StyledText(" three four", .important)
        #expect(
            text.wrapped(into: 18).rendered(inColor: true)
                == "\u{1B}[1;31mremindav: \u{1B}[0mone two\n  \u{1B}[1mthree four\u{1B}[0m"
        )
    }

    @Test("messages are wrapped on a terminal only")
    func terminal() {
        let sentence = "The server no longer accepts the password."
        for (world, expected) in [
            (TestWorld(isTerminal: true, columns: 30), "remindav: The server no longer\n  accepts the password.\n"),
            (TestWorld(), "remindav: \(sentence)\n"),
        ] {
            var options = GlobalOptions()
            options.color = .never
            world.output(options).complain(sentence)
            #expect(world.complaints == expected)
        }
    }
}
