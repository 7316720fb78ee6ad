import Testing

@testable import HTTP

@Suite("JSON as servers answer it (RFC 8259)")
struct JSONTextTests {
    static let cases: [(text: String, expected: JSONText?)] = [
        ("{}", .object([:])),
        (
            " \r\n\t{ \"a\" : \"b\" , \"c\":{\"d\":\"\"} } ",
            .object(["a": .string("b"), "c": .object(["d": .string("")])])
        ),
        ("[1, -2.5e+3, true, false, null, \"x\", []]", .other),
        (#""a\"\\\/\b\f\n\r\tz""#, .string("a\"\\/\u{8}\u{C}\n\r\tz")),
        (#""\u00fc \ud83d\ude00 ü""#, .string("ü 😀 ü")),
        (#""\ud83d alone""#, .string("\u{FFFD} alone")),
        ("\"😀\"", .string("😀")),
        ("", nil), ("{", nil), ("{\"a\"}", nil), ("{\"a\":}", nil), ("{\"a\":1,}", nil), ("{a:1}", nil), ("[1,]", nil),
        ("[1 2]", nil), ("{} {}", nil), ("tru", nil), ("\"a", nil), ("\"\n\"", nil), (#""\x""#, nil),
        (#""\u12""#, nil), (#""\u+123""#, nil), ("<html>", nil), ("{\"a\":1]", nil),
    ]

    @Test("what is JSON is read, what is not is none", arguments: Self.cases)
    func read(_ test: (text: String, expected: JSONText?)) { #expect(JSONText(Array(test.text.utf8)) == test.expected) }

    @Test("nesting has an end")
    func depth() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(JSONText(nested(16)) == .other)
        #expect(JSONText(nested(17)) == nil)
        #expect(JSONText(nested(100_000)) == nil)
    }

    @Test("members and texts are reached by name")
    func members() {
        let value = JSONText(Array(#"{"poll":{"token":"t"},"n":1}"#.utf8))
        #expect(value?["poll"]?["token"]?.text == "t")
        #expect(value?["n"]?.text == nil && value?["poll"]?.text == nil && value?["x"] == nil)
    }
}
