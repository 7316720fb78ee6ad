/// A query of words: a reminder matches if each word occurs in any of its fields.
public struct SearchQuery: Hashable, Sendable {
    /// The largest number of words, because a search looks for each word in each reminder; users type fewer words.
    public static let maximumWords = 32

    /// The words after folding, in UTF-8.
    let words: [[UInt8]]

    /// - Parameter words: the words; a word may contain spaces, which the field must contain too.
    /// - Returns: `nil` if there are no words, more than ``maximumWords``, or a word that is empty after folding.
    public init?(_ words: [String]) {
        let folded = words.map { SearchFolding($0.trimmingWhiteSpace).bytes }
        guard !folded.isEmpty, folded.count <= Self.maximumWords, folded.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.words = folded
    }

    private init(folded words: [[UInt8]]) { self.words = words }

    /// The query with the words of both; it may have more than ``maximumWords``.
    package func joined(with other: Self) -> Self { Self(folded: self.words + other.words) }

    /// The match of a reminder with the query; `nil` when a word occurs in no field.
    ///
    /// A word is searched in the title, then in the labels, then in the other texts, until one of them contains it.
    ///
    /// - Parameter others: returns the other texts with the names of their fields (`Reminder/searchTexts`); called
    ///   only if the title and the labels do not contain all words.
    package func match(
        title: String,
        labels: [String],
        others: () -> [(field: String, text: String)]
    ) -> SearchMatch? {
        var search = Search(self.words)
        search.find(in: title, "title")
        let isTitleOnly = search.missing.isEmpty
        if !isTitleOnly { for label in labels { search.find(in: label, "label") } }
        if !search.missing.isEmpty { for (field, text) in others() { search.find(in: text, field) } }
        guard search.missing.isEmpty else { return nil }
        let relevance: SearchMatch.Relevance =
            isTitleOnly ? .title : search.fields.contains("title") ? .titleAndMore : .elsewhere
        return SearchMatch(relevance: relevance, fields: search.fields)
    }

    /// The ranges in which the words occur in a text, in ascending order; overlapping ranges are joined.
    package func ranges(in text: String) -> [Range<String.Index>] {
        let folding = SearchFolding(text, keepsOrigins: true)
        let origins = folding.origins
        var found: [Range<Int>] = []
        for word in self.words {
            var start = 0
            while let place = folding.first(word, from: start) {
                start = place + word.count
                // If one letter folds to several, such as ß, the range includes the whole letter, and marks after it.
                var end = start
                while end < origins.count, origins[end] == origins[start - 1] { end += 1 }
                found.append(origins[place]..<(end < origins.count ? origins[end] : text.utf8.count))
            }
        }
        found.sort { $0.lowerBound == $1.lowerBound ? $0.upperBound > $1.upperBound : $0.lowerBound < $1.lowerBound }
        var joined: [Range<Int>] = []
        for range in found {
            if let last = joined.last, range.lowerBound < last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        let start = text.utf8.startIndex
        return joined.map {
            text.utf8.index(start, offsetBy: $0.lowerBound)..<text.utf8.index(start, offsetBy: $0.upperBound)
        }
    }
}

/// The match of a reminder with a query.
package struct SearchMatch: Hashable, Sendable {
    /// The quality of a match, ordered from the best to the worst.
    package enum Relevance: Int, Comparable, Sendable {
        /// The title contains all words.
        case title
        /// The title contains some of the words.
        case titleAndMore
        /// The title contains none of the words.
        case elsewhere

        /// Whether the first match is better than the second.
        package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// The quality of the match.
    package let relevance: Relevance
    /// The names of the fields that contain words of the query, in the order of the search; `label` for a label.
    package let fields: [String]
}

private struct Search {
    private(set) var missing: [[UInt8]]
    private(set) var fields: [String] = []

    init(_ words: [[UInt8]]) { self.missing = words }

    mutating func find(in text: String, _ field: String) {
        guard !self.missing.isEmpty, !text.isEmpty else { return }
        let folding = SearchFolding(text)
        let rest = self.missing.filter { folding.first($0) == nil }
        if rest.count < self.missing.count, self.fields.last != field { self.fields.append(field) }
        self.missing = rest
    }
}
