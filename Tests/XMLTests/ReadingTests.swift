import Testing

@testable import RemindavXML

@Suite("reading XML 1.0 with namespaces")
struct ReadingTests {
    static func read(_ text: String, _ limits: XMLLimits = .standard) throws(XMLError) -> Element {
        try XMLDocument(Array(text.utf8), limits: limits).root
    }

    @Test("names are compared by their namespaces, with any prefix")
    func namespaces() throws {
        let spellings = [
            #"<D:a xmlns:D="DAV:"><D:b>x</D:b></D:a>"#,
            #"<a xmlns="DAV:"><b>x</b></a>"#,
            #"<n0:a xmlns:n0="DAV:"><b xmlns="DAV:">x</b></n0:a>"#,
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- c --><a xmlns='DAV:'><?p i?><b><![CDATA[x]]></b></a>\n",
        ]
        let expected = Element(
            QualifiedName("a", in: "DAV:"),
            children: [Element(QualifiedName("b", in: "DAV:"), text: "x")]
        )
        for spelling in spellings { #expect(try Self.read(spelling) == expected) }
    }

    @Test("references, CDATA and line ends become plain text")
    func text() throws {
        let element = try Self.read("<a>1 &lt; 2 &amp; &#x1F600;<![CDATA[<&>]]>\r\nend</a>")
        #expect(element.text == "1 < 2 & 😀<&>\nend")
    }

    @Test("attributes are read with their references resolved")
    func attributes() throws {
        let element = try Self.read(#"<comp name="A &amp; B &#38;amp; &lt;" x:n="2" xmlns:x="urn:x"/>"#)
        #expect(element.attribute("name") == "A & B &amp; <")
        #expect(element.attribute("n") == nil)
        #expect(element.attributes.count == 2)
    }

    @Test("text is compared without its white space")
    func trimmed() throws {
        #expect(try Self.read("<a>\n  x y\t\r\n</a>").trimmedText == "x y")
        #expect(try Self.read("<a> \n </a>").trimmedText == "")
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let code: XMLError.Code
    }

    static let hostile: [Hostile] = [
        Hostile(testDescription: "nothing", text: "", code: .empty),
        Hostile(testDescription: "no XML", text: "hello", code: .notWellFormed),
        Hostile(testDescription: "cut", text: "<a><b>x</b>", code: .notWellFormed),
        Hostile(testDescription: "two roots", text: "<a/><b/>", code: .notWellFormed),
        Hostile(testDescription: "unknown entity", text: "<a>&foo;</a>", code: .notWellFormed),
        Hostile(testDescription: "empty document type", text: "<!DOCTYPE a><a/>", code: .documentType),
        Hostile(
            testDescription: "external entity",
            text: #"<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>"#,
            code: .documentType
        ),
        Hostile(
            testDescription: "external subset",
            text: #"<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x.dtd"><a/>"#,
            code: .documentType
        ),
        Hostile(testDescription: "entity bomb", text: bomb, code: .documentType),
        Hostile(
            testDescription: "65 levels",
            text: String(repeating: "<a>", count: 65) + String(repeating: "</a>", count: 65),
            code: .tooDeep
        ),
        Hostile(testDescription: "a million levels", text: String(repeating: "<a>", count: 1_000_000), code: .tooDeep),
        Hostile(
            testDescription: "mail in HTML",
            text: "<html><body><br><p>Sign in</body></html>",
            code: .notWellFormed
        ),
    ]

    private static let bomb: String = {
        let levels = (1...9).map { "<!ENTITY e\($0) \"" + String(repeating: "&e\($0 - 1);", count: 10) + "\">" }
        return "<!DOCTYPE a [<!ENTITY e0 \"lol\">\(levels.joined())]><a>&e9;</a>"
    }()

    @Test("hostile documents are refused", arguments: hostile)
    func refuse(_ test: Hostile) {
        #expect(throws: XMLError(test.code)) { try Self.read(test.text) }
    }

    @Test("64 levels are allowed")
    func depth() throws {
        _ = try Self.read(String(repeating: "<a>", count: 64) + String(repeating: "</a>", count: 64))
    }

    @Test("size and number of elements have limits")
    func limits() {
        var limits = XMLLimits()
        limits.elements = 10
        #expect(throws: XMLError(.tooManyElements)) {
            try Self.read("<a>" + String(repeating: "<b/>", count: 10) + "</a>", limits)
        }
        limits.bytes = 10
        #expect(throws: XMLError(.tooLarge)) { try Self.read("<aaaaaaaaaa/>", limits) }
    }

    @Test("an error contains nothing of the document")
    func errorText() {
        let error = #expect(throws: XMLError.self) { try Self.read("<a>\n<canary></b></a>") }
        #expect(error?.description.contains("canary") == false)
        #expect(error?.line == 2)
    }

    @Test("a large listing is read completely")
    func large() throws {
        let one = "<r><h>/l/a.ics</h><s><p><e>&quot;1&quot;</e></p></s></r>"
        let root = try Self.read("<m>" + String(repeating: one, count: 20_000) + "</m>")
        #expect(root.children.count == 20_000)
        #expect(root.children.last?.children.first?.text == "/l/a.ics")
    }
}

@Suite("repair of the invalid XML of servers")
struct RepairTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let text: String
        init(_ description: String, _ bytes: [UInt8], _ text: String) {
            self.testDescription = description
            self.bytes = Array("<a>".utf8) + bytes + Array("</a>".utf8)
            self.text = text
        }
        init(_ description: String, _ source: String, _ text: String) {
            self.init(description, Array(source.utf8), text)
        }
    }

    static let cases = [
        Case("a pair of surrogates", "x&#55357;&#56832;y", "x😀y"),
        Case("the same in hexadecimal", "&#xD83D;&#xde00;", "😀"),
        Case("half a pair", "a&#55357;b&#56832;c", "abc"),
        Case("half a pair before another reference", "&#55357;&#65;", "A"),
        Case("a reference to a control character", "a&#7;b&#x0;c", "abc"),
        Case("a reference beyond all characters", "a&#99999999999;b", "ab"),
        Case("control characters", "a\u{07}b\u{01}\tc", "ab\tc"),
        Case("a form feed and a NUL", "a\u{0C}b\u{00}c", "abc"),
        Case("U+FFFE and U+FFFF", "a\u{FFFE}b\u{FFFF}c", "abc"),
        Case("Latin-1", [0x61, 0xE9, 0x62], "a\u{FFFD}b"),
        Case(
            "a text like a reference inside CDATA",
            "\u{07}<![CDATA[&#55357;\u{07}]]>&#55357;&#56832;",
            "&#55357;😀"
        ),
        Case("the end of UTF-8's private use, which is legal", "a\u{FFFD}\u{07}\u{E000}", "a\u{FFFD}\u{E000}"),
    ]

    @Test("a repair removes only characters that XML cannot contain", arguments: cases)
    func repair(_ test: Case) throws {
        let document = try XMLDocument(test.bytes)
        #expect(document.root.text == test.text)
        #expect(document.wasRepaired)
    }

    @Test("a document type is refused after a repair, too")
    func documentType() {
        #expect(throws: XMLError(.documentType)) {
            try XMLDocument(Array("<!DOCTYPE a [<!ENTITY e \"x\">]><a>&e;\u{07}</a>".utf8))
        }
        #expect(throws: XMLError(.documentType)) {
            try XMLDocument(Array("\u{07}<!DOCTYPE a [<!ENTITY e \"x\">]><a>&e;</a>".utf8))
        }
    }

    @Test("a well-formed document stays unchanged, and another encoding is not repaired as UTF-8")
    func untouched() throws {
        #expect(try !XMLDocument(Array("<a>x</a>".utf8)).wasRepaired)
        let latin = Array(#"<?xml version="1.0" encoding="ISO-8859-1"?><a>"#.utf8) + [0xE9] + Array("</a>".utf8)
        #expect(try XMLDocument(latin).root.text == "é")
        #expect(XMLRepair.clean(latin) == nil)
    }
}

@Suite("writing XML")
struct WritingTests {
    private let writer = ElementWriter(prefixes: [(namespace: "DAV:", prefix: "D"), (namespace: "urn:c", prefix: "C")])

    @Test("a written element is read as the same element")
    func roundTrip() throws {
        let element = Element(
            QualifiedName("a", in: "DAV:"),
            children: [
                Element(QualifiedName("b", in: "urn:c"), text: "1 < 2 && \"x\" ]]> \r\n 😀"),
                Element(QualifiedName("c", in: "urn:other"), children: [Element(QualifiedName("d", in: "DAV:"))]),
                Element(QualifiedName("e", in: "")),
                Element(
                    QualifiedName("f", in: "urn:c"),
                    attributes: [Element.Attribute(name: QualifiedName("name", in: ""), value: "\"<&>\"")]
                ),
            ]
        )
        #expect(try XMLDocument(self.writer.bytes(element)).root == element)
    }

    @Test("only the namespaces that occur are declared, on the outermost element")
    func declarations() {
        let bytes = self.writer.bytes(Element(QualifiedName("a", in: "DAV:"), text: "x"))
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix(#"<D:a xmlns:D="DAV:">x</D:a>"#))
    }

    @Test("a character that XML cannot contain is left out")
    func illegal() throws {
        let bytes = self.writer.bytes(Element(QualifiedName("a", in: "DAV:"), text: "a\u{07}b\u{FFFE}c"))
        #expect(try XMLDocument(bytes).root.text == "abc")
    }
}
