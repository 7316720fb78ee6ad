import RemindavJSON
import Testing

@Suite("Writing JSON (RFC 8259)")
struct JSONWriterTests {
    private func text(_ value: some JSONEncodable) -> String {
        String(decoding: JSONWriter.document(value), as: UTF8.self)
    }

    @Test("values keep their order")
    func values() {
        #expect(self.text(JSONValue.null) == "null\n")
        #expect(self.text(true) == "true\n")
        #expect(self.text(Int64.min) == "-9223372036854775808\n")
        let object: JSONValue = ["b": .integer(1), "a": .array([]), "c": [:]]
        #expect(self.text(object) == #"{"b": 1, "a": [], "c": {}}"# + "\n")
        #expect(self.text(String?.none) == "null\n")
    }

    @Test("an array has one element on each line of a document")
    func documents() {
        #expect(String(decoding: JSONWriter.document([Int]()), as: UTF8.self) == "[]\n")
        #expect(
            String(decoding: JSONWriter.document([["x", "y"], []]), as: UTF8.self) == "[\n[\"x\", \"y\"],\n[]\n]\n"
        )
    }

    @Test(
        "strings are escaped (RFC 8259 §7), and so are characters that a terminal would interpret",
        arguments: [
            ("plain", #""plain""#),
            ("", #""""#),
            (#"a"b\c/"#, #""a\"b\\c/""#),
            ("\n\r\t", #""\n\r\t""#),
            ("\u{0}\u{8}\u{1B}\u{1F}", #""\u0000\u0008\u001b\u001f""#),
            ("\u{7F}\u{9B}", #""\u007f\u009b""#),
            ("\u{202E}\u{2066}\u{200E}", #""\u202e\u2066\u200e""#),
            ("\u{2028}\u{2029}", #""\u2028\u2029""#),
            ("日本語 ✅", #""日本語 ✅""#),
            ("\u{E0001}", #""\udb40\udc01""#),
            ("\r\n", #""\r\n""#),
        ]
    )
    func strings(value: String, expected: String) {
        #expect(self.text(value) == expected + "\n")
    }

    private struct Tree: JSONRecord {
        var name: String
        var weight: Int?
        var branches: [Tree] = []

        static let jsonMembers: [JSONMember<Self>] = [
            JSONMember("name") { $0.name }, JSONMember("weight") { $0.weight },
            JSONMember("branches") { $0.branches },
        ]
    }

    private struct Planted: JSONRecord {
        var tree: Tree
        static let jsonMembers = JSONMember<Self>.all { $0.tree } + [JSONMember("isWatered") { _ in true }]
    }

    @Test("a record is an object with the listed keys, also as a part of another record")
    func records() {
        let tree = Tree(name: "ash", branches: [Tree(name: "twig", weight: 2)])
        let inner = #"{"name": "twig", "weight": 2, "branches": []}"#
        #expect(self.text(tree) == #"{"name": "ash", "weight": null, "branches": [\#(inner)]}"# + "\n")
        #expect(
            self.text(Planted(tree: tree))
                == #"{"name": "ash", "weight": null, "branches": [\#(inner)], "isWatered": true}"# + "\n"
        )
    }

    @Test("the keys of a record are listed with the kinds of their values")
    func keys() {
        let keys = Planted.jsonKeys.map { "\($0.name): \($0.type.description)" }
        #expect(keys == ["name: string", "weight: number or null", "branches: array of objects", "isWatered: boolean"])
        #expect(Planted.jsonKeys[2].type.record?.jsonKeys.map(\.name) == ["name", "weight", "branches"])
    }
}
