import RemindavTestSupport
import Testing

@testable import RemindavHTML

@Suite("HTML")
struct HTMLTests {
    @Test("elements, attributes and parts are written in order")
    func elements() {
        let items = ["one", "two"]
        let markup =
            ul(.class("rows"), .role(.list)) {
                Each(items) { item in li(.id(item)) { item } }
                if items.count > 5 { li { "many" } }
                if items.isEmpty { li { "none" } } else { li { "some" } }
                input(.type(.hidden), .name("token"), .value("a"))
            }
            .markup
        #expect(
            markup == """
                <ul class="rows" role="list"><li id="one">one</li><li id="two">two</li><li>some</li>\
                <input type="hidden" name="token" value="a"></ul>
                """
        )
    }

    @Test("an attribute that is nil is left out")
    func missingAttribute() {
        #expect(a(nil, .href(Address(["labels"])), nil) { "Labels" }.markup == #"<a href="/labels">Labels</a>"#)
    }

    @Test("a document has its type, its language and its encoding")
    func document() {
        let markup = Document {
            title { "A & B" }
        } content: {
            main { "x" }
        }.markup
        #expect(markup.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>A &amp; B"))
        #expect(markup.hasSuffix("</title></head><body><main>x</main></body></html>\n"))
    }

    @Test("the first line feed of a text area is kept")
    func textArea() {
        #expect(TextArea("\na\r\nb", .name("notes")).markup == "<textarea name=\"notes\">\n\na&#13;\nb</textarea>")
    }

    @Test("in text and in attributes, every character is itself, a reference, or U+FFFD for a control character")
    func everyCharacter() {
        let special: [Unicode.Scalar: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;", "\r": "&#13;",
        ]
        var wrong: [UInt32] = []
        for value in 0...UInt32(0x10FFFF) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isControl = value < 0x20 && value != 9 && value != 10 && value != 13 || (0x7F...0x9F).contains(value)
            let expected = special[scalar] ?? (isControl ? "\u{FFFD}" : String(Character(scalar)))
            if String(Character(scalar)).markup.unicodeScalars.elementsEqual(expected.unicodeScalars) == false {
                wrong.append(value)
            }
        }
        #expect(wrong == [])
    }

    @Test("no text ends its element or its attribute", arguments: 0..<Cases.count(400))
    func injection(seed: Int) throws {
        var random = SeededGenerator(UInt64(seed))
        let pieces = [
            "<", ">", "\"", "'", "&", "</p>", "<script>", "--", "]]>", "\r", "\n", "\0", "é", "=", "/", "&lt;",
        ]
        let text = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
            .joined()
        let markup = p(.label(text)) { text }.markup
        let inner = try #require(markup.dropPrefix(#"<p aria-label=""#)?.dropSuffix("</p>"))
        let parts = inner.split(separator: "\">", omittingEmptySubsequences: false)
        #expect(parts.count == 2 && parts[0] == parts[1], "\(markup)")
        #expect(parts.allSatisfy { part in !part.contains { "<>\"'".contains($0) } }, "\(markup)")
    }

    @Test("the parts of an address are percent-encoded")
    func address() {
        let query = [(name: "label", value: "a&b=c"), (name: "q", value: "ü +")]
        #expect(Address().text == "/")
        #expect(
            Address(["labels", "a/b?c#d", ".."], query: query).text
                == "/labels/a%2Fb%3Fc%23d/..?label=a%26b%3Dc&q=%C3%BC%20%2B"
        )
    }

    @Test(
        "only web, mail and telephone addresses are links",
        arguments: [
            ("https://example.org/?a=1", true), ("HTTP://example.org", true), ("mailto:ada@example.org", true),
            ("tel:+49", true), ("javascript:alert(1)", false), ("JavaScript:alert(1)", false),
            ("data:text/html,x", false),
            ("java\tscript:alert(1)", false), ("https://exa mple.org", false), (" https://example.org", false),
            ("file:///etc/passwd", false), ("example.org", false), ("", false), (":", false),
        ]
    )
    func foreignAddress(text: String, isLink: Bool) {
        #expect((ForeignAddress(text) != nil) == isLink)
    }
}

extension StringProtocol {
    fileprivate func dropPrefix(_ prefix: String) -> SubSequence? {
        self.hasPrefix(prefix) ? self.dropFirst(prefix.count) : nil
    }

    fileprivate func dropSuffix(_ suffix: String) -> SubSequence? {
        self.hasSuffix(suffix) ? self.dropLast(suffix.count) : nil
    }
}
