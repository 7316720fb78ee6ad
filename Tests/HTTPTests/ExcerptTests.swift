import Testing

@testable import RemindavHTTP

@Suite("excerpts of a server's message")
struct ExcerptTests {
    @Test(
        "contain no terminal control characters, and no misleading characters",
        arguments: [
            ("The disk is full.", "The disk is full."),
            ("  two\r\n\tlines \u{2028} of it ", "two lines of it"),
            ("\u{1B}[31mred\u{9B}0m", "[31mred 0m"),
            ("evil\u{202E}txt.exe\u{2066}", "evil txt.exe"),
            ("👨\u{200D}👩\u{200D}👧 Familie", "👨\u{200D}👩\u{200D}👧 Familie"),
            ("", ""),
            ("\u{0}\u{7F}", ""),
        ]
    )
    func cleaned(text: String, expected: String) {
        #expect(text.excerpt == expected)
        #expect(text.excerpt.excerpt == expected)
    }

    @Test("are cut, also a single letter with a thousand accents", arguments: ["x", "\u{301}", "x ", "👍"])
    func cut(piece: String) {
        let text = String(repeating: piece, count: 100_000).excerpt
        #expect(text.unicodeScalars.count <= Excerpt.maximumScalars)
        #expect(text.hasSuffix("…") || text.unicodeScalars.last == "…")
        #expect(text.excerpt == text)
        let whole = String(repeating: "x", count: Excerpt.maximumScalars)
        #expect(whole.excerpt == whole)
    }

    @Test("are a short list")
    func list() {
        #expect(["basic", "digest"].enumeration == "basic, digest")
        #expect((1...1000).map(String.init).enumeration == "1, 2, 3, 4, 5 and others")
    }

    @Test("of a thousand authentication schemes the first are read")
    func challenges() {
        let names = (0..<1000).map { "Way\($0)" }
        let fields = [names.prefix(500).joined(separator: ", ")] + names.dropFirst(500)
        let headers = Headers(fields.map { HeaderField(name: .wwwAuthenticate, value: $0) })
        let read = Challenge.read(headers)
        #expect(read.first?.scheme == "way0" && read.count < 100)
    }
}
