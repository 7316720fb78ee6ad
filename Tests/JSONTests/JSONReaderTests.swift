import RemindavJSON
import Testing

@Suite("Reading one JSON text (RFC 8259)")
struct JSONReaderTests {
    static let cases: [(text: String, expected: String?)] = [
        ("{}", "{}"),
        (" \r\n\t{ \"a\" : \"b\" , \"c\":{\"d\":\"\"} } ", #"{"a": "b", "c": {"d": ""}}"#),
        ("[1, -2.5e+3, true, false, null, \"x\", []]", #"[1, -2.5e+3, true, false, null, "x", []]"#),
        (#""a\"\\\/\n\r\tz""#, #""a\"\\/\n\r\tz""#), (#""\b\f""#, #""\u0008\u000c""#),
        (#""\u00fc \ud83d\ude00 ü""#, #""ü 😀 ü""#), (#""\ud83d alone""#, "\"\u{FFFD} alone\""), ("\"😀\"", "\"😀\""),
        ("", nil), ("{", nil), ("{\"a\"}", nil), ("{\"a\":}", nil), ("{\"a\":1,}", nil), ("{a:1}", nil), ("[1,]", nil),
        ("[1 2]", nil), ("[{} {}]", nil), ("{} {}", nil), ("tru", nil), ("\"a", nil), ("\"\n\"", nil), (#""\x""#, nil),
        (#""\u12""#, nil), (#""\u+123""#, nil), ("<html>", nil), ("{\"a\":1]", nil), ("-", nil),
    ]

    @Test("valid texts are read, invalid ones are refused", arguments: Self.cases)
    func read(_ test: (text: String, expected: String?)) {
        let value = try? JSONValue(parsing: Array(test.text.utf8))
        #expect(value.map { String(decoding: $0.json, as: UTF8.self) } == test.expected)
    }

    @Test("the depth is limited")
    func depth() {
        func isRead(_ depth: Int) -> Bool {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return (try? JSONValue(parsing: Array(text.utf8))) != nil
        }
        #expect(isRead(16))
        #expect(!isRead(17))
        #expect(!isRead(100_000))
    }

    @Test("members and texts are reached by name")
    func members() throws {
        let value = try JSONValue(parsing: Array(#"{"poll":{"token":"t"},"n":1,"n":2}"#.utf8))
        #expect(value["poll"]?["token"]?.string == "t")
        #expect(value["n"]?.string == nil && value["poll"]?.string == nil && value["x"] == nil)
        #expect(value["n"] == .integer(2))
    }

    @Test("a member knows the bytes of its value, and an object its line")
    func positions() throws {
        let bytes = Array("{\"a\": {\"b\" : 1 },\n \"c\":\n [2]}".utf8)
        let object = try #require(try JSONValue(parsing: bytes).object)
        let sources = object.members.map { String(decoding: bytes[$0.source], as: UTF8.self) }
        #expect(sources == ["{\"b\" : 1 }", "[2]"])
        #expect(object.line == 1)
    }

    @Test(
        "an error has its line",
        arguments: [
            ("{\n\"a\": nope}", 2, JSONError.Code.invalid), ("[1,\n\n2", 3, .truncated), ("[1] x", 1, .invalid),
        ]
    )
    func errors(text: String, line: Int, code: JSONError.Code) {
        #expect(throws: JSONError(code, line: line)) { try JSONValue(parsing: Array(text.utf8)) }
    }
}
