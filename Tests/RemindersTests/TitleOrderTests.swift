import RemindavTestSupport
import Testing

@testable import RemindavReminders

@Suite("the alphabetical order of titles")
struct TitleOrderTests {
    private static func precedes(_ left: String, _ right: String) -> Bool { TitleOrder.precedes(left, right) ?? false }

    @Test("case and diacritical marks count only between equal titles")
    func table() {
        let sorted = [
            "", " b", "3 apples", "Apple", "apple", "Äpfel", "apples", "b", "B c", "Zebra", "zebra", "Ωmega",
        ]
        // "Äpfel" folds to "apfel".
        let expected = [
            "", " b", "3 apples", "Äpfel", "Apple", "apple", "apples", "b", "B c", "Zebra", "zebra", "Ωmega",
        ]
        #expect(sorted.shuffled().sorted(by: Self.precedes) == expected)
        #expect(TitleOrder.precedes("a", "a") == nil)
        #expect(TitleOrder.precedes("e\u{301}", "é") == nil, "two encodings of one title")
    }

    @Test("the order is total, agrees with the folded texts, and with the beginnings")
    func law() {
        var random = SeededGenerator(7)
        let letters = [
            "a", "B", "b", " ", "  ", "\t", "é", "e\u{301}", "E", "\u{AD}", "ß", "ss", "\u{0}", "語", "z", "\u{301}",
            "\\", "@Az[`{", "abcdefg", "\u{A0}", "\u{7F}",
        ]
        let titles = (0..<300).map { _ in
            (0..<Int.random(in: 0...11, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
                .joined()
        }
        let folded = FoldedTitles(titles + [nil])
        for (place, left) in titles.enumerated() {
            #expect(folded.keys[place] == TitleOrder.key(of: left), "\(left.debugDescription)")
            #expect(folded.precedes(place, titles.count) == nil, "a missing title")
            for (other, right) in titles.prefix(100).enumerated() {
                let result = TitleOrder.precedes(left, right)
                #expect(folded.precedes(place, other) == result, "\(left.debugDescription) \(right.debugDescription)")
                let (one, two) = (SearchFolding(left).bytes, SearchFolding(right).bytes)
                if one != two {
                    #expect(
                        result == one.lexicographicallyPrecedes(two),
                        "\(left.debugDescription) \(right.debugDescription)"
                    )
                } else {
                    #expect(result == (left == right ? nil : left < right))
                }
                let (key, other) = (TitleOrder.key(of: left), TitleOrder.key(of: right))
                if key != other {
                    #expect(result == (key < other), "\(left.debugDescription) \(right.debugDescription)")
                }
            }
        }
    }
}
