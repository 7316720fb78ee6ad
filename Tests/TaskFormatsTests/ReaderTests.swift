import RemindavJSON
import Testing

@testable import RemindavTaskFormats

@Suite("tables (RFC 4180)")
struct TableReaderTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let rows: [[String]]
        var findings: [String] = []
        var testDescription: String { self.text.debugDescription }
    }

    private static let cases = [
        Case(text: "a,b\r\nc,d\r\n", rows: [["a", "b"], ["c", "d"]]),
        Case(text: "a,b\nc,d", rows: [["a", "b"], ["c", "d"]]),
        Case(text: "a,b\rc,d\r", rows: [["a", "b"], ["c", "d"]]),
        Case(text: "\"a,\"\"b\"\"\",\"c\r\nd\"\n", rows: [["a,\"b\"", "c\r\nd"]]),
        Case(text: "a;b,x\n1;2", rows: [["a;b", "x"], ["1;2"]]),
        Case(text: "a;b;c,d\n1;2", rows: [["a", "b", "c,d"], ["1", "2"]]),
        Case(text: "a\tb\n1\t2", rows: [["a", "b"], ["1", "2"]]),
        Case(text: "a,b\n,\n\n  ,\nc,", rows: [["a", "b"], ["c", ""]]),
        Case(text: "a,5\" pipe,b\n", rows: [["a", "5\" pipe", "b"]]),
        Case(text: "\"a\"x,b\n", rows: [["ax", "b"]]),
        Case(text: "a,b\n\"c,d\ne,f\n\"g\",h\n", rows: [["a", "b"], ["c,d\ne,f\ng\"", "h"]]),
        Case(text: "a,b\n\"c,d\ne,f\n", rows: [["a", "b"], ["e", "f"]], findings: ["2 unclosedQuote"]),
        Case(text: "", rows: []),
    ]

    @Test("rows are read, and broken rows are reported with their line", arguments: cases)
    private func rows(_ test: Case) throws {
        var reader = TableReader(Array(test.text.utf8), limits: .standard)
        #expect(try reader.rows().map(\.fields) == test.rows)
        #expect(reader.findings.findings.map { "\($0.line) \($0.code.rawValue)" } == test.findings)
    }

    @Test("the line of a row is its first line, for any content between quotation marks")
    func lines() throws {
        var reader = TableReader(Array("a\r\n\"b\r\nb\"\r\nc\n\n\nd".utf8), limits: .standard)
        #expect(try reader.rows().map(\.line) == [1, 2, 4, 7])
    }

    @Test("a field and a row over their limits are left out, and a file over its limit is refused")
    func limits() throws {
        var limits = ImportLimits()
        limits.fieldBytes = 5
        limits.columns = 3
        limits.rows = 4
        var reader = TableReader(Array("a\nabcdef\n1,2,3,4\nb".utf8), limits: limits)
        #expect(try reader.rows().map(\.fields) == [["a"], ["b"]])
        #expect(reader.findings.findings.map(\.code) == [.fieldTooLong, .tooManyFields])
        var long = TableReader(Array("1\n2\n3\n4\n5".utf8), limits: limits)
        #expect(throws: TaskFormatError.self) { try long.rows() }
    }

    @Test("unclosed quotation marks take time in proportion to the file")
    func manyQuotes() throws {
        let text = String(repeating: "\"a,b\n", count: 100_001)
        var reader = TableReader(Array(text.utf8), limits: .standard)
        _ = try reader.rows()
        #expect(reader.findings.count > 0)
    }
}

@Suite("JSON texts (RFC 8259)")
struct JSONReaderTests {
    private static func read(_ text: String, _ limits: ImportLimits = .standard) throws -> (String, [String]) {
        var reader = JSONReader(Array(text.utf8), limits: limits.json)
        let nodes = try reader.sequence(recoveryDepth: ParsedTasks.depthOfTasks)
        let findings = FindingList(reader, limits: limits).findings
        return (nodes.map(\.text).joined(separator: " "), findings.map { "\($0.line) \($0.code.rawValue)" })
    }

    @Test(
        "a valid text is read",
        arguments: [
            (#"{"a":1}"#, #"{"a":1}"#), (" [ ] ", "[]"), ("[1,-2.5e3,true,false,null]", "[1,-2.5e3,true,false,null]"),
            (#"{"b":"x","a":{"c":[{}]}}"#, #"{"a":{"c":[{}]},"b":"x"}"#),
            (#"["\u00fc\ud83d\ude00\n\/\"\\"]"#, "[\"ü😀\\n/\\\"\\\\\"]"), (#"["ü\ud83d!"]"#, "[\"ü\u{FFFD}!\"]"),
            ("{\"a\":1}\n{\"a\":2}\n", #"{"a":1} {"a":2}"#), ("{\"a\":1},\n{\"a\":2}\n", #"{"a":1} {"a":2}"#), ("", ""),
        ]
    )
    func valid(text: String, expected: String) throws {
        #expect(try Self.read(text) == (expected, []))
    }

    @Test(
        "a task that cannot be read is left out with its line, and the others are read",
        arguments: [
            ("[{\"a\":1},\n{\"a\":},\n{\"a\":3}]", #"[{"a":1},{"a":3}]"#, ["2 badJSON"]),
            ("[{\"a\":1},{\"a\" 2},{\"a\":3}]", #"[{"a":1},{"a":3}]"#, ["1 badJSON"]),
            ("[\n{\"a\":\"x\n},\n{\"a\":3}\n]", #"[{"a":3}]"#, ["2 badJSON"]),
            ("[\n{\"a\":{\"b\":1,\n{\"a\":2},\n{\"a\":3}\n]", #"[{"a":2},{"a":3}]"#, ["2 badJSON"]),
            ("{\"a\":1}\n{\"a\":nope}\n{\"a\":3}", #"{"a":1} {"a":3}"#, ["2 badJSON"]),
            ("{\"items\":[{\"a\":'1'},{\"a\":2}]}", #"{"items":[{"a":2}]}"#, ["1 badJSON"]),
            ("[{\"a\":\"\\q\"},{\"a\":2}]", #"[{"a":2}]"#, ["1 badJSON"]),
            ("[{\"a\":1} {\"a\":2}]", #"[{"a":1},{"a":2}]"#, []),
        ]
    )
    func broken(text: String, expected: String, findings: [String]) throws {
        #expect(try Self.read(text) == (expected, findings))
    }

    @Test(
        "a truncated text, or one that is not JSON, is refused",
        arguments: ["[{\"a\":1}", "{\"a\":\"b", "[", "{\"a\"", "nope", "[1,x]", "{\"a\":[1"]
    )
    func refused(text: String) {
        #expect(throws: JSONError.self) { try Self.read(text) }
    }

    @Test("a text nested over the limit is left out, for any depth")
    func deep() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(try Self.read("[{\"a\":\(deep)},{\"a\":2}]") == (#"[{"a":2}]"#, ["1 tooDeep"]))
        #expect(throws: JSONError.self) { try Self.read(deep) }
        #expect(throws: JSONError.self) { try Self.read(String(repeating: "[", count: 1_000_000)) }
    }

    @Test("a text of a megabyte is left out, and a file with more values than the limit is refused")
    func large() throws {
        let long = String(repeating: "x", count: ImportLimits.standard.fieldBytes + 1)
        #expect(try Self.read("[{\"a\":\"\(long)\"},{\"a\":2}]") == (#"[{"a":2}]"#, ["1 fieldTooLong"]))
        var limits = ImportLimits()
        limits.values = 10
        #expect(throws: JSONError.self) { try Self.read("[1,2,3,4,5,6,7,8,9,10]", limits) }
    }

    @Test("broken tasks take time in proportion to the file")
    func manyBroken() throws {
        let text = "[" + String(repeating: "{\"a\":{,\n", count: 50_000) + "]"
        #expect(try Self.read(text).0 == "[]")
    }
}
