import ICalendar
import Testing

@testable import Reminders

@Suite("the signature of a text")
struct SearchSignatureTests {
    private static func may(_ words: [String], _ text: String) throws -> Bool {
        guard let signature = SearchSigner().signature(of: Array(text.utf8).span) else { return true }
        let query = try #require(SearchQuery(words))
        guard let wanted = SearchSignature(query) else { return true }
        return wanted.mayMatch(signature.span)
    }

    @Test(
        "only what a search looks at is in it, as a search reads it",
        arguments: [
            ("walrus", "SUMMARY:A WALRUS\r\n", true), ("walrus", "SUMMARY:A wal\r\n rus\r\n", true),
            ("walrus", "SUMMARY:A wal rus\r\n", false), ("walrus", "DESCRIPTION;LANGUAGE=de:Wälrus\n", true),
            ("walrus", "CATEGORIES:a,walrus\n", true), ("walrus", "LOCATION:walrus", true),
            ("walrus", "URL:http://walrus\n", true), ("walrus", "UID:walrus\n", false),
            ("walrus", "X-WALRUS:a\n\twalrus\n walrus\nSUMMARY:w\n", false),
            ("walrus", "DUE;X=walrus:walrus\n", false), ("walrus", "COMMENT:a\nwalrus\n", true),
            ("walrus", "DUE;X=a\n walrus:1\nSUMMARY:b\n", false),
            ("walrus", "BEGIN:A\r\nSUMMARY:walrus\r\nEND:A", true),
            // Nobody knows it, so that nobody knows whether its line is one.
            ("walrus", "WHATEVER;X=1:walrus\n", true), ("walrus", "whatever:walrus\n", true),
            ("walrus", "WHAT EVER:walrus\n", true), ("walrus", "DUE walrus\n", true),
            ("walrus", "\(String(repeating: "A", count: 65)):walrus\n", true),
            // What is not decoded here may be anything.
            ("walrus", "UID:a\rSUMMARY:walrus\r", true), ("walrus", "SUMMARY:a\\x\n", true),
            ("walrus", "SUMMARY;ENCODING=QUOTED-PRINTABLE:=77\n", true), ("wal\\rus", "SUMMARY:a\n", true),
            ("wa", "SUMMARY:b\n", true), ("walrus", "", false), ("walrus", "SUMMARY:w", false),
        ]
    )
    func examples(word: String, text: String, may: Bool) throws {
        #expect(try Self.may([word], text) == may)
        // Another word that is there changes nothing.
        if !text.contains("\r\n") { #expect(try Self.may(["q", word], text) == may) }
    }

    @Test("it is as long as the text needs, up to 256 bytes, and none is made of what would say nothing")
    func sizes() throws {
        let sizes = [0, 10, 40, 100, 300, 1000, 4096, 4100].map { length in
            let text = "SUMMARY:" + String(repeating: "x", count: max(0, length - 8))
            return SearchSigner().signature(of: Array(text.utf8).span)?.count
        }
        #expect(sizes == [8, 8, 16, 32, 128, 256, 256, nil])
    }

    @Test("few of the texts that have not a word are taken for one that may")
    func selective() throws {
        let signer = SearchSigner()
        let query = try #require(SearchQuery(["walrus"]))
        let wanted = try #require(SearchSignature(query))
        var taken = 0
        for number in 0..<1000 {
            let letters = (0..<200).map { UInt8(ascii: "a") + UInt8((number * 7 + $0 * $0 * 31 + $0 * number) % 26) }
            let text = Array("DESCRIPTION:".utf8) + letters
            if let signature = signer.signature(of: text.span), wanted.mayMatch(signature.span) { taken += 1 }
        }
        #expect(taken < 50)
    }

    @Test("the names with parameters that are passed over are ones that a reader knows, and short")
    func names() {
        for name in SearchedNames.othersWithParameters {
            #expect(Name(name).map { $0.number != 0 } == true, "\(name)")
            #expect(name.utf8.count <= 8)
        }
    }
}
