/// Finds the most similar word for a spelling mistake.
package enum Spelling {
    /// The most similar candidate; `nil` if each candidate has more mistakes than allowed.
    ///
    /// Of equally similar candidates, it is the one with the longest common beginning: `--limt` is `--limit`, not `--list`.
    ///
    /// - Parameter slips: the limit of extra, missing, wrong or exchanged letters. `nil` means two, or one for a word
    ///   of at most three letters.
    package static func nearest(to word: String, among candidates: [String], slips most: Int? = nil) -> String? {
        let letters = Array(word.lowercased().unicodeScalars.prefix(Self.longest))
        let allowed = most ?? (letters.count { $0 != "-" } <= 3 ? 1 : 2)
        var best: (rank: (slips: Int, rest: Int), candidate: String)?
        for candidate in candidates {
            let others = Array(candidate.unicodeScalars)
            let slips = Self.slips(letters, others)
            let rank = (slips: slips, rest: letters.count - zip(letters, others).prefix { $0 == $1 }.count)
            if slips <= allowed, best.map({ rank < $0.rank }) ?? true { best = (rank, candidate) }
        }
        return best?.candidate
    }

    /// The most similar of the names of lists, labels or accounts, in its own spelling; `nil` if none is similar.
    package static func nearestName(to name: String, among names: [String]) -> String? {
        // With two wrong letters, a word of four letters is similar to unrelated names: `nope` to `home`.
        let near = self.nearest(to: name, among: names.map { $0.lowercased() }, slips: name.count > 4 ? 2 : 1)
        return near.flatMap { word in names.first { $0.lowercased() == word } }
    }

    /// The maximum number of compared letters of a word, because the time grows with the product of two lengths.
    private static let longest = 64

    private static func slips(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var rows = [Array(0...right.count)]
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                let wrong = left[i] == right[j] ? 0 : 1
                var least = min(rows[i][j] + wrong, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
