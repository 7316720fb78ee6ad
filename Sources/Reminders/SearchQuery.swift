/// What somebody looks for: words that must all occur, each somewhere in a reminder.
public struct SearchQuery: Hashable, Sendable {
    /// More words than anybody types; each is looked for in each reminder.
    public static let maximumWords = 32

    /// The words as they are compared, in UTF-8.
    let words: [[UInt8]]

    /// - Parameter words: each may hold spaces; it is then looked for as it is.
    /// - Returns: `nil` without words, with one of which nothing is left to look for, and with more than ``maximumWords``.
    public init?(_ words: [String]) {
        let folded = words.map { SearchFolding($0.trimmingWhiteSpace).bytes }
        guard !folded.isEmpty, folded.count <= Self.maximumWords, folded.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.words = folded
    }

    /// How a reminder matches; `nil` when a word occurs nowhere in it.
    ///
    /// A word counts where it is found first: in the title, a label, the place, the link, the notes.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - labels: the labels.
    ///   - others: the other texts; asked for only when a word is in neither.
    public func match(title: String, labels: [String], others: () -> SearchTexts) -> SearchMatch? {
        var search = Search(self.words)
        search.look(in: title, .title)
        let isTitleOnly = search.missing.isEmpty
        if !isTitleOnly { for label in labels { search.look(in: label, .label) } }
        if !search.missing.isEmpty {
            let texts = others()
            search.look(in: texts.place, .place)
            search.look(in: texts.link, .link)
            search.look(in: texts.notes, .notes)
        }
        guard search.missing.isEmpty else { return nil }
        let relevance: SearchMatch.Relevance =
            isTitleOnly ? .title : search.fields.contains(.title) ? .titleAndMore : .elsewhere
        return SearchMatch(relevance: relevance, fields: search.fields)
    }

    /// Where the words stand in a text, in its order; where two overlap, one range has both.
    public func ranges(in text: String) -> [Range<String.Index>] {
        let folding = SearchFolding(text, keepsOrigins: true)
        let origins = folding.origins
        var found: [Range<Int>] = []
        for word in self.words {
            var start = 0
            while let place = folding.first(word, from: start) {
                start = place + word.count
                // What was left out behind the last letter, such as its mark, belongs to it; and so does all of a letter
                // that is several without case, such as ß.
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

/// The texts of a reminder besides its title and its labels.
public struct SearchTexts: Sendable {
    /// Where it is to be done; empty for nowhere.
    public var place: String
    /// An address to look at; empty for none.
    public var link: String
    /// The notes; empty for none.
    public var notes: String

    /// Everything at once; what is left out is empty.
    public init(place: String = "", link: String = "", notes: String = "") {
        self.place = place
        self.link = link
        self.notes = notes
    }
}

/// How a reminder matches a query.
public struct SearchMatch: Hashable, Sendable {
    /// How good a match is, the best first.
    public enum Relevance: Int, Comparable, Sendable {
        /// All words are in the title.
        case title
        /// Some are.
        case titleAndMore
        /// None is.
        case elsewhere

        /// The best first.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// A part of a reminder in which is looked; the raw value is the word in JSON.
    public enum Field: String, CaseIterable, Sendable {
        /// The title.
        case title
        /// A label.
        case label
        /// Where it is to be done.
        case place = "location"
        /// An address to look at.
        case link
        /// The notes.
        case notes
    }

    /// How good it is.
    public let relevance: Relevance
    /// Where words were found, in the order in which was looked; each once.
    public let fields: [Field]
}

/// Which words are still to be found.
private struct Search {
    private(set) var missing: [[UInt8]]
    private(set) var fields: [SearchMatch.Field] = []

    init(_ words: [[UInt8]]) { self.missing = words }

    mutating func look(in text: String, _ field: SearchMatch.Field) {
        guard !self.missing.isEmpty, !text.isEmpty else { return }
        let folding = SearchFolding(text)
        let rest = self.missing.filter { folding.first($0) == nil }
        if rest.count < self.missing.count, self.fields.last != field { self.fields.append(field) }
        self.missing = rest
    }
}
