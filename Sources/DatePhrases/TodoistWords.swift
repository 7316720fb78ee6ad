import RemindavICalendar

/// Replaces words of Todoist by words of the grammar.
enum TodoistWords {
    /// The days that Todoist knows by name.
    private static let days: [(words: [String], day: String)] = [
        (["new", "year", "day"], "1 jan"), (["new", "year's", "day"], "1 jan"), (["new", "years", "day"], "1 jan"),
        (["new", "year", "eve"], "31 dec"), (["new", "year's", "eve"], "31 dec"), (["new", "years", "eve"], "31 dec"),
        (["valentine"], "14 feb"), (["valentine's", "day"], "14 feb"), (["halloween"], "31 oct"),
    ]

    /// The words with `every` for `ev` and `everyday`, and with a colon in a time such as `at 2300`.
    static func plain(_ words: [String]) -> [String] {
        var result: [String] = []
        for word in words {
            switch word.lowercased() {
            case "ev": result.append("every")
            case "ev!": result.append("every!")
            case "everyday": result += ["every", "day"]
            case let known where known == "every" || known == "every!": result.append(known)
            case let digits
            where digits.count == 4 && digits.allSatisfy(\.isPhraseDigit) && result.last?.lowercased() == "at":
                result.append("\(digits.prefix(2)):\(digits.suffix(2))")
            default: result.append(word)
            }
        }
        return result
    }

    /// The words with the day of a holiday in digits, and with a time of day for `every morning` and `in the evening`.
    static func spelled(_ words: [String]) -> [String] { self.clocks(self.holidays(words)) }

    private static func holidays(_ words: [String]) -> [String] {
        var result: [String] = []
        var rest = words[...]
        while let word = rest.first {
            let lower = rest.prefix(3).map { $0.lowercased().replacing("\u{2019}", with: "'") }
            if let (name, day) = self.days.first(where: { lower.starts(with: $0.words) }) {
                result.append(contentsOf: day.split(separator: " ").map(String.init))
                rest = rest.dropFirst(name.count)
            } else {
                result.append(word)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static func clocks(_ words: [String]) -> [String] {
        guard words.first == "every" else { return words }
        var result: [String] = []
        for word in words {
            guard let clock = Vocabulary.partsOfDay[word.lowercased()] else {
                result.append(word)
                continue
            }
            for preposition in [["in", "the"], ["in"], ["at"]]
            where result.suffix(preposition.count).map({ $0.lowercased() }) == preposition {
                result.removeLast(preposition.count)
                break
            }
            result += (result == ["every"] ? ["day"] : []) + ["at", clock.hoursAndMinutes]
        }
        return result
    }
}
