import RemindavCalDAV
import RemindavHTTP
import RemindavResources
import RemindavWebDAV
import Testing

@Suite("calendar-multiget (RFC 4791 §7.9)")
struct FetchingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let fixture: String
        let asked: [String]
        let items: [String]
        var missing: [String] = []
        var failures: [String] = []
        var testDescription: String { self.fixture }
    }

    static let cases = [
        Case(
            fixture: "radicale-3.9-multiget",
            asked: ["a.ics", "b.ics", "c.ics", "a.ics"],
            items: ["a.ics \"a\" Milk & <bread>", "c.ics \"c\" Milk"],
            missing: ["b.ics"]
        ),
        Case(
            fixture: "xandikos-0.4-multiget",
            asked: ["a.ics", "b.ics"],
            items: ["a.ics \"a\" Milk"],
            missing: ["b.ics"]
        ),
        Case(
            fixture: "nextcloud-32-multiget-left-out",
            asked: ["ü.ics", "b.ics"],
            items: ["%C3%BC.ics \"a\" Milk"],
            missing: ["b.ics"]
        ),
        Case(
            fixture: "sabre-1.8-multiget-refused",
            asked: ["a.ics", "b.ics", "c.ics", "d.ics"],
            items: ["a.ics \"a\" Milk", "c.ics \"c\" Milk", "d.ics \"d\" Milk"],
            missing: ["b.ics"]
        ),
        Case(
            fixture: "sogo-5.8-multiget-surrogates",
            asked: ["a.ics", "b.ics"],
            items: ["a.ics \"a\" Milk 😀€", "b.ics \"b\" 😀  😀"]
        ),
        Case(
            fixture: "cyrus-3.6-multiget-control-characters",
            asked: ["a.ics", "b.ics"],
            items: ["a.ics \"a\" Milk &#55357; ]", "b.ics \"b\" Milk"]
        ),
        Case(
            fixture: "made-multiget-one-item-fails",
            asked: ["a.ics", "b.ics"],
            items: ["a.ics \"a\" Milk"],
            failures: ["b.ics serverError"]
        ),
    ]

    @Test("each reference ends as an item, as missing or as a failure of its own", arguments: cases)
    func fetch(_ test: Case) async throws {
        let talk = try Conversation(test.fixture)
        let result = try await talk.client.fetch(test.asked.map(talk.href), in: talk.list)
        let items = result.texts.map { "\($0.href.wire.dropFirst(3)) \($0.etag?.wire ?? "-") \(Self.summary($0.text))" }
        #expect(items.sorted() == test.items)
        #expect(result.missing.map { String($0.wire.dropFirst(3)) } == test.missing)
        #expect(result.failures.map { "\($0.href.wire.dropFirst(3)) \($0.error.code)" } == test.failures)
        await talk.expectFinished()
    }

    @Test("an item with bytes that were lost in the report is fetched alone")
    func latin1() async throws {
        let talk = try Conversation("cyrus-3.6-multiget-latin1")
        let result = try await talk.client.fetch([talk.href("a.ics"), talk.href("b.ics")], in: talk.list)
        #expect(result.texts.count == 2)
        #expect(result.texts.first { $0.href == talk.href("a.ics") }?.text.contains(0xE9) == true)
        await talk.expectFinished()
    }

    @Test("a broken connection marks no item as missing")
    func interrupted() async throws {
        let talk = try Conversation("made-multiget-interrupted")
        let error = await #expect(throws: CalDAVError.of(.transport)) {
            try await talk.client.fetch([talk.href("a.ics"), talk.href("b.ics")], in: talk.list)
        }
        #expect(error?.transport?.code == .interrupted)
    }

    @Test("half a calendar without a stated length is no calendar")
    func cut() async throws {
        let talk = try Conversation("made-get-cut-without-length")
        let error = await #expect(throws: CalDAVError.of(.transport)) {
            try await talk.client.get(talk.href("a.ics"), in: talk.list)
        }
        #expect(error?.transport?.code == .interrupted)
    }

    private static func summary(_ data: [UInt8]) -> String {
        let lines = String(decoding: data, as: UTF8.self).split { $0.isNewline }
        return lines.first { $0.hasPrefix("SUMMARY:") }.map { String($0.dropFirst(8)) } ?? ""
    }
}
