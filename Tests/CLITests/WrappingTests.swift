import RemindavTestSupport
import Testing

@testable import RemindavCLI

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

    @Test("a text that is divided anywhere is the same text when it is put together")
    func divided() {
        let styles: [TextStyle?] = [nil, .heading, .warning, .match]
        var random = SeededGenerator(9)
        for _ in 0..<500 {
            var text = StyledText()
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let words = String(repeating: "x", count: Int.random(in: 0...4, using: &random))
                text.append(words, styles.randomElement(using: &random) ?? nil)
            }
            // Neighbours of one style become one part; the whole text has them already joined.
            var whole = StyledText()
            whole.append(0..<text.byteCount, of: text)
            var (divided, start) = (StyledText(), 0)
            while start < text.byteCount {
                let end = min(start + Int.random(in: 0...3, using: &random), text.byteCount)
                divided.append(start..<end, of: text)
                start = end
            }
            #expect(divided.rendered(inColor: true) == whole.rendered(inColor: true))
            #expect(divided.rendered(inColor: false) == text.rendered(inColor: false))
        }
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
