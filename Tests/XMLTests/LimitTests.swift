import Glibc
import Testing

@testable import RemindavXML

@Suite("limits of a document")
struct LimitTests {
    /// Seconds of the processor that this thread takes for `work`, the least of three times.
    private static func seconds(_ work: () -> Void) -> Double {
        (0..<3).map { _ in
            var before = timespec()
            var after = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
            work()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
            return Double(after.tv_sec - before.tv_sec) + Double(after.tv_nsec - before.tv_nsec) / 1e9
        }.min() ?? 0
    }

    struct Bomb: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A document of so many parts.
        let text: @Sendable (Int) -> String
        let code: XMLError.Code
    }

    static let bombs: [Bomb] = [
        Bomb(
            testDescription: "attributes of one tag",
            text: { "<r><a " + (0..<$0).map { #"a\#($0)="""# }.joined(separator: " ") + "/></r>" },
            code: .tooManyAttributes
        ),
        Bomb(
            testDescription: "attributes behind an error",
            text: { "<r><a b=c>&x;<a " + (0..<$0).map { #"a\#($0)="""# }.joined(separator: " ") + "/></r>" },
            code: .tooManyAttributes
        ),
        Bomb(
            testDescription: "attributes behind a comment that libxml2 leaves early",
            text: { "<r><!--\u{1}<a " + (0..<$0).map { #"a\#($0)='>'"# }.joined(separator: "\n") + "/>--></r>" },
            code: .tooManyAttributes
        ),
        Bomb(
            testDescription: "namespaces of one tag",
            text: { "<r><a " + (0..<$0).map { #"xmlns:a\#($0)="u""# }.joined(separator: " ") + "/></r>" },
            code: .tooManyAttributes
        ),
        Bomb(
            testDescription: "names of elements",
            text: { "<r>" + (0..<$0).map { "<a\($0)/>" }.joined() + "</r>" },
            code: .tooManyNames
        ),
        Bomb(
            testDescription: "names of end tags",
            text: { "<r>" + (0..<$0).map { "<a></a\($0)>" }.joined() + "</r>" },
            code: .tooManyNames
        ),
        Bomb(
            testDescription: "names of attributes",
            text: { "<r>" + (0..<$0).map { #"<a a\#($0)=""/>"# }.joined() + "</r>" },
            code: .tooManyNames
        ),
        Bomb(
            testDescription: "namespaces",
            text: { "<r>" + (0..<$0).map { #"<a xmlns="u\#($0)"/>"# }.joined() + "</r>" },
            code: .tooManyNames
        ),
        Bomb(
            testDescription: "processing instructions",
            text: { "<r>" + (0..<$0).map { "<?a\($0) ?>" }.joined() + "</r>" },
            code: .tooManyNames
        ),
        Bomb(
            testDescription: "ampersands to be repaired",
            text: { "<r>\u{7}" + String(repeating: "&#", count: $0) + "</r>" },
            code: .notWellFormed
        ),
    ]

    @Test("time grows in proportion to the document, and an unreadable one is refused", arguments: bombs)
    func growth(_ bomb: Bomb) {
        let (small, large) = (Array(bomb.text(20_000).utf8), Array(bomb.text(80_000).utf8))
        #expect(throws: XMLError(bomb.code)) { try XMLDocument(large) }
        let first = Self.seconds { _ = try? XMLDocument(small) }
        let second = Self.seconds { _ = try? XMLDocument(large) }
        // Four times the document; quadratic growth would be sixteen times the time. Short times vary.
        #expect(second < max(10 * first, 0.1), "\(first) s, then \(second) s")
    }

    @Test("many empty elements with attributes are refused before they fill the memory")
    func memory() {
        let text = "<r>" + String(repeating: #"<a b="" c="" d=""/>"#, count: 400_000) + "</r>"
        #expect(throws: XMLError(.tooLarge)) { try XMLDocument(Array(text.utf8)) }
        var limits = XMLLimits()
        limits.memoryBytes = 10_000
        #expect(throws: XMLError(.tooLarge)) {
            try XMLDocument(Array("<r>\(String(repeating: "text", count: 3000))</r>".utf8), limits: limits)
        }
    }

    @Test("64 attributes and 4,000 names are read")
    func atTheLimit() throws {
        let attributes = (0..<64).map { #" a\#($0)=">'""# }.joined()
        #expect(try XMLDocument(Array("<r\(attributes)/>".utf8)).root.attributes.count == 64)
        let names = (0..<4000).map { "<b\($0)/>" }.joined()
        #expect(try XMLDocument(Array("<r>\(names)</r>".utf8)).root.children.count == 4000)
    }

    @Test("text in the form of a tag is no tag")
    func textIsNoTag() throws {
        let lines = String(repeating: "ATTENDEE;CN=\"A\":x <b c=\"d\" and = 'e' \"f\"\n", count: 200)
        let root = try XMLDocument(Array("<r><![CDATA[\(lines)]]><s/></r>".utf8)).root
        #expect(root.text == lines)
        let escaped = lines.replacing("<", with: "&lt;")
        #expect(try XMLDocument(Array("<r>\(escaped)</r>".utf8)).root.text == lines)
    }

    @Test("UTF-16 with a byte order mark, Latin-1 and ASCII are read; other encodings are refused")
    func encodings() throws {
        let text = #"<?xml version="1.0" encoding="UTF-16"?><a b="ü">é😀</a>"#
        let units = Array(text.utf16)
        let little: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big: [UInt8] = [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for bytes in [little, big] { #expect(try XMLDocument(bytes).root.text == "é😀") }
        #expect(
            try XMLDocument(Array("\u{FEFF}<?xml version='1.0' encoding='us-ascii'?><a>x</a>".utf8)).root.text == "x"
        )
        for name in ["UTF-7", "IBM037", "UTF-32", "Shift_JIS", "UTF-16"] {
            #expect(throws: XMLError(.encoding)) {
                try XMLDocument(Array(#"<?xml version="1.0" encoding="\#(name)"?><a>x</a>"#.utf8))
            }
        }
        // UTF-16 without a mark, and EBCDIC, which libxml2 would recognise by their first bytes.
        for start: [UInt8] in [[0x3C, 0, 0x61, 0], [0, 0x3C, 0, 0x61], [0x4C, 0x6F, 0xA7, 0x94]] {
            #expect(throws: XMLError(.notWellFormed)) { try XMLDocument(start + start) }
        }
    }
}
