import RemindavBridge
import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("foreign text on a terminal")
struct SanitizerTests {
    @Test("a name or an address of a megabyte is cut in a sentence, also if it is one letter with many accents")
    func excerpt() {
        #expect(Sanitizer.excerpt("Home") == "Home")
        for piece in ["x", "\u{301}"] {
            let text = Sanitizer.excerpt(String(repeating: piece, count: 1_000_000))
            #expect(text.unicodeScalars.count == 201 && text.unicodeScalars.last == "…")
        }
        let lost = UseCaseError(.listVanished, subject: String(repeating: "b", count: 8000))
        #expect(ErrorMessages.explain(lost).sentence.count < 500)
    }

    @Test(
        "control characters of terminals are escaped",
        arguments: [
            ("plain", "plain"),
            ("", ""),
            ("\u{1B}]0;owned\u{07}", #"\x1b]0;owned\x07"#),
            ("\u{1B}[31mred", #"\x1b[31mred"#),
            ("a\u{0}b", #"a\x00b"#),
            ("a\u{AD}b", #"a\xadb"#),
            ("a\u{2060}\u{2064}b", #"a\u2060\u2064b"#),
            ("a\u{E0100}\u{E01EF}b", #"a\u{e0100}\u{e01ef}b"#),
            ("a\u{E01F0}b", "a\u{E01F0}b"),
            ("a\u{7F}b", #"a\x7fb"#),
            ("a\u{9B}31mb", #"a\x9b31mb"#),
            ("a\rb", #"a\rb"#),
            ("a\u{202E}cba", #"a\u202ecba"#),
            ("\u{2066}x\u{2069}", #"\u2066x\u2069"#),
            ("\u{200F}\u{061C}", #"\u200f\u061c"#),
            ("\u{2028}", #"\u2028"#),
            ("\u{FEFF}", #"\ufeff"#),
            ("\u{E0041}", #"\u{e0041}"#),
            ("日本語 ✅ Ünïcode", "日本語 ✅ Ünïcode"),
            ("👨‍👩‍👧", "👨‍👩‍👧"),
        ]
    )
    func written(text: String, expected: String) {
        #expect(Sanitizer.text(text) == expected)
        #expect(Sanitizer.line(text) == expected)
    }

    @Test("line ends and tabs stay in text and are written out in a line")
    func lines() {
        #expect(Sanitizer.text("a\n\tb") == "a\n\tb")
        #expect(Sanitizer.line("a\n\tb") == #"a\n\tb"#)
        #expect(Sanitizer.line("a\r\nb") == #"a\r\nb"#)
    }

    @Test("the search in bytes finds every dangerous Unicode character at every position")
    func everyScalarInBytes() {
        let before = String(repeating: "x", count: 31)
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isDangerous = Sanitizer.isDangerous(scalar)
            let isKept = scalar == "\n" || scalar == "\t"
            for text in [String(scalar), "\(before)\(scalar)"] {
                let (onLine, inText) = (!isDangerous, isKept || !isDangerous)
                #expect(Sanitizer.isHarmless(text.utf8Span.span, keepsLines: false) == onLine, "\(value)")
                #expect(Sanitizer.isHarmless(text.utf8Span.span, keepsLines: true) == inText, "\(value)")
            }
        }
    }

    @Test("styled text is one text, and its parts are made harmless one by one", arguments: [false, true])
    func styled(isColored: Bool) {
        var text = StyledText("a\u{1B}")
        text.append("", .heading)
        text.append("b\u{7}", .warning)
        text += StyledText("c", .heading) + StyledText("\u{301}d") + "\u{9B}"
        text.append(spaces: 2)
        text.append(spaces: -1)
        text.append(42, digits: 4)
        let plain = "a\\x1bb\\x07c\u{301}d\\x9b  0042"
        let colored = "a\\x1b\u{1B}[1;31mb\\x07\u{1B}[0m\u{1B}[1mc\u{1B}[0m\u{301}d\\x9b  0042"
        #expect(text.rendered(inColor: isColored).utf8.elementsEqual((isColored ? colored : plain).utf8))
        #expect(text.line(inColor: isColored) == Array(((isColored ? colored : plain) + "\n").utf8))
        #expect(text.columns == plain.utf8.count - 2)
    }

    /// The columns of a text, counted for each of its characters.
    private static func exactColumns(_ text: String) -> Int { text.reduce(0) { $0 + DisplayWidth.columns($1) } }

    @Test("the width of common letters is that of their characters, in every combination with other scalars")
    func commonColumns() {
        var (common, others): ([Unicode.Scalar], [Unicode.Scalar]) = ([], [])
        for value in UInt32(0x20)...0x1FFFF {
            guard let scalar = Unicode.Scalar(value), !Sanitizer.isDangerous(scalar) else { continue }
            guard let columns = DisplayWidth.commonColumns(value) else {
                others.append(scalar)
                continue
            }
            #expect(columns == Self.exactColumns(String(scalar)), "\(value)")
            common.append(scalar)
        }
        #expect(common.count > 30_000)
        // Marks, a joiner, a variation selector, a keycap, a skin tone, flags, and the parts of a Korean syllable.
        let joined: [Unicode.Scalar] = [
            "\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}", "\u{1F3FD}", "\u{1F1E6}", "\u{1F1F9}", "\u{1100}",
            "\u{1161}", "\u{11A8}", "\u{94D}", "\u{915}", "\u{2764}", "\u{600}",
        ]
        var random = SeededGenerator(7)
        for round in 0..<30_000 {
            var text = ""
            for _ in 0..<6 {
                let scalars = [common, joined, round % 3 == 0 ? common : others].randomElement(using: &random) ?? []
                text.unicodeScalars.append(scalars.randomElement(using: &random) ?? "x")
            }
            #expect(DisplayWidth.columns(text) == Self.exactColumns(text), "\(text.debugDescription)")
        }
    }

    @Test("a text fits exactly if its columns do, also if only its beginning is read")
    func fits() {
        let parts = ["a", "é", "e\u{301}", "買", "🎂", "👩‍👧", "🇦🇹", "م", "\u{2060}"]
        var random = SeededGenerator(8)
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            .joined()
            let columns = Self.exactColumns(text)
            for room in -1...columns + 1 {
                #expect(DisplayWidth.fits(text, into: room) == (columns <= room), "\(text.debugDescription) \(room)")
                let fitted = DisplayWidth.fit(text, into: max(room, 0))
                #expect(fitted == text || columns > room && Self.exactColumns(fitted) <= max(room, 0))
            }
        }
    }

    @Test(
        "columns of a text are those of its characters",
        arguments: [
            ("", 0), ("abc", 3), ("Küche", 5), ("K\u{308}", 1), ("\u{2AF}\u{2FF}", 2), ("買物", 4), ("\u{AD}", 1),
            ("👩‍👧‍👦", 2), ("ÿ", 1), ("\u{300}", 0),
        ]
    )
    func columns(text: String, columns: Int) {
        #expect(DisplayWidth.columns(text) == columns)
    }

    @Test("no dangerous Unicode character is printed")
    func everyScalar() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), Sanitizer.isDangerous(scalar) else { continue }
            let clean = Sanitizer.line("x\(scalar)y").unicodeScalars.dropFirst()
            #expect(clean.allSatisfy { !Sanitizer.isDangerous($0) }, "\(value)")
            #expect(clean.first == "\\", "\(value)")
        }
    }

    @Test("piped output contains no control characters except line feed and tab")
    func piped() throws {
        let world = TestWorld()
        let nasty = String(String.UnicodeScalarView((0...0x9F).compactMap { Unicode.Scalar($0) }))
        try world.output().print(StyledText(nasty, .warning))
        world.output().complain(nasty)
        for byte in (world.answers + world.complaints).utf8 { #expect(byte >= 0x20 || byte == 0x0A || byte == 0x09) }
        #expect((world.answers + world.complaints).unicodeScalars.allSatisfy { !(0x7F...0x9F).contains($0.value) })
    }

    @Test("the contents of a file are unchanged in a pipe, and harmless on a terminal")
    func files() throws {
        let title =
            Array("a\u{1B}]0;x\u{7}\u{9B}1m\u{202E}b\u{FEFF}\tc".utf8) + [0x9B, 0xC2] + Array("d\re\r\nä\n".utf8)
        let pipe = TestWorld()
        try pipe.output().write(title)
        #expect(pipe.answerBytes == title)
        let terminal = TestWorld(isTerminal: true)
        try terminal.output().write(title)
        #expect(terminal.answers == #"a\x1b]0;x\x07\x9b1m\u202eb\ufeff"# + "\tc" + #"\x9b\xc2d\re"# + "\nä\n")
    }

    @Test("on a coloured terminal the output has only our own escape sequences")
    func colored() throws {
        let world = TestWorld(environment: ["TERM": "xterm"], isTerminal: true)
        try world.output().print(StyledText("a\u{1B}[5mb", .warning) + "\u{1B}c")
        #expect(world.answers == "\u{1B}[1;31ma\\x1b[5mb\u{1B}[0m\\x1bc\n")
    }

    @Test(
        "the width is that of a terminal",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("✅", 2), ("👨‍👩‍👧", 2), ("한", 2), ("ｆ", 2),
        ]
    )
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.columns(text) == columns)
    }

    @Test("a text over the width ends with an ellipsis and fits")
    func fit() {
        #expect(DisplayWidth.fit("abcdef", into: 6) == "abcdef")
        #expect(DisplayWidth.fit("abcdef", into: 5) == "abcd…")
        #expect(DisplayWidth.fit("日本語", into: 5) == "日本…")
        #expect(DisplayWidth.fit("日本語", into: 4) == "日…")
        #expect(DisplayWidth.fit("abc", into: 1) == "…")
        #expect(DisplayWidth.fit("abc", into: 0) == "")
        #expect(DisplayWidth.pad("日", to: 4) == "日  ")
    }
}
