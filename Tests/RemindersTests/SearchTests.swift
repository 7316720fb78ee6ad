import RemindavReminders
import Testing

@Suite("search")
struct SearchTests {
    @Test(
        "case and combining marks make no difference, in any form",
        arguments: [
            ("milk", "Buy MILK", true), ("cafe", "Café", true), ("café", "CAFE", true), ("cafe\u{301}", "Café", true),
            ("CAFÉ", "cafe\u{301}s", true), ("strasse", "Straße", true), ("STRASSE", "straße", true),
            ("straße", "STRASSE", true), ("lodz", "Łódź", true), ("smorrebrod", "Smørrebrød", true),
            ("istanbul", "İSTANBUL", true), ("ὀδυσσεύς", "ΟΔΥΣΣΕΥΣ", true), ("οδος", "Ὁδός", true),
            ("ω", "ᾧ", true), ("елка", "Ёлка", true), ("viet nam", "Việt Nam", true), ("ﬁnal", "FINAL", true),
            ("カラス", "ガラス", false), ("語", "日本語", true), ("שלום", "שָׁלוֹם", true),
            ("milk", "mil", false), ("milk", "", false), ("aab", "aaab", true), ("co\u{AD}op", "coop", true),
            ("a  b", "a\n\tb", true), ("a b", "ab", false), ("\u{1F600}", "smile \u{1F600}!", true), ("n", "ñ", true),
        ]
    )
    func folding(word: String, text: String, isFound: Bool) throws {
        let query = try #require(SearchQuery([word]))
        #expect((query.match(title: text, labels: [], others: { [] }) != nil) == isFound)
        #expect(query.ranges(in: text).isEmpty != isFound)
    }

    @Test("each composed letter of Latin and Greek is found by its decomposed form and by its base")
    func composed() throws {
        var count = 0
        let marks = (0x0300...0x036F).compactMap { Unicode.Scalar($0 as Int) }
        let letters = [0x00C0...0x017F, 0x0370...0x03FF, 0x0400...0x04FF, 0x1E00...0x1EFF].joined()
            .compactMap { Unicode.Scalar($0) }.map { String($0) }
        let composed = Set(letters)
        for base in "abcdeghijklmnoprstuwyzαεηιουωгежзикоучыэ" {
            for mark in marks {
                var text = String(base)
                text.unicodeScalars.append(mark)
                // Swift compares by canonical equivalence.
                guard let index = composed.firstIndex(of: text) else { continue }
                count += 1
                let letter = composed[index]
                #expect(letter.unicodeScalars.count == 1)
                for word in [String(base), text, letter] {
                    let query = try #require(SearchQuery([word]))
                    #expect(query.match(title: letter, labels: []) { [] } != nil, "\(word) in \(letter)")
                    #expect(query.match(title: text, labels: []) { [] } != nil, "\(word) in \(text)")
                }
            }
        }
        #expect(count > 200)
    }

    @Test("all words must occur, each anywhere, and the title counts most")
    func words() throws {
        func match(_ words: String..., texts: [(field: String, text: String)] = []) throws -> SearchMatch? {
            try #require(SearchQuery(words)).match(title: "Call Ben", labels: ["work"]) { texts }
        }
        #expect(try match("ben", "CALL")?.relevance == .title)
        #expect(try match("ben", "CALL")?.fields == ["title"])
        #expect(try match("ben", "work")?.relevance == .titleAndMore)
        #expect(try match("ben", "work")?.fields == ["title", "label"])
        #expect(try match("wor")?.relevance == .elsewhere)
        #expect(try match("wor")?.fields == ["label"])
        #expect(try match("call ben")?.relevance == .title)
        #expect(try match("ben call") == nil)
        #expect(try match("ben", "offer") == nil)
        let texts: [(field: String, text: String)] = [
            ("location", "Room 5"), ("link", "https://example.org"), ("notes", "the\noffer"),
        ]
        #expect(try match("ben", "offer", "room", texts: texts)?.fields == ["title", "location", "notes"])
        #expect(try match("the offer", "example", texts: texts)?.fields == ["link", "notes"])
        #expect(try match("lben", texts: texts) == nil, "a word does not go over the end of a text")
    }

    @Test("the other texts are read only if they matter, and once")
    func lazily() throws {
        var asked = 0
        let query = try #require(SearchQuery(["a", "b"]))
        func others() -> [(field: String, text: String)] {
            asked += 1
            return [("notes", "b")]
        }
        _ = query.match(title: "ab", labels: [], others: others)
        _ = query.match(title: "a", labels: ["b"], others: others)
        #expect(asked == 0)
        _ = query.match(title: "a", labels: [], others: others)
        #expect(asked == 1)
    }

    @Test("an empty text is no query, nor is one over the limit")
    func queries() {
        for words in [[], [""], ["a", " \n"], ["\u{301}"], ["\u{200D}"]] { #expect(SearchQuery(words) == nil) }
        #expect(SearchQuery(Array(repeating: "a", count: 32)) != nil)
        #expect(SearchQuery(Array(repeating: "a", count: 33)) == nil)
    }

    @Test(
        "the ranges of the words count characters of the original text, combining marks with their letter",
        arguments: [
            (["milk"], "Buy milk, MILK", ["milk", "MILK"]), (["cafe"], "Cafe\u{301}!", ["Cafe\u{301}"]),
            (["ss"], "Straße", ["ß"]), (["s"], "Straße", ["S", "ß"]), (["stras"], "Straße", ["Straß"]),
            (["ab", "bc"], "abc ab", ["abc", "ab"]),
            (["b"], "a", []), (["a b"], "xa \n by", ["a \n b"]), (["aa"], "aaaa", ["aa", "aa"]),
        ]
    )
    func ranges(words: [String], text: String, expected: [String]) throws {
        let query = try #require(SearchQuery(words))
        #expect(query.ranges(in: text).map { String(text[$0]) } == expected)
    }
}
