/// Advice for common words that the parsers do not accept; each sentence begins with a space.
enum PhraseAdvice {
    static func when(_ word: String) -> String? {
        if PhraseTokens.isWeekdayRange(word) {
            return " Write the first day, such as '\(word.prefix { $0.isLetter })'."
        }
        let digits = word.dropFirst().dropLast()
        if word.hasPrefix("+"), word.hasSuffix("m"), let count = Vocabulary.positive(String(digits), digits: 4) {
            return " Write '+\(count)mo' for months or '+\(count)min' for minutes."
        }
        return self.days[word]
    }

    private static let days = Self.table([
        (["tonight", "morning", "afternoon", "evening", "night"], "Write the hour, such as 'today 20:00'."),
        (["now"], "The earliest time is 'in 1 min'."),
        (["soon", "sometime", "asap", "whenever"], "For no date write 'none'."),
        (["ago", "past"], "Write a past day as a date, such as '2026-01-31'."),
        (["weekend"], "Write 'this weekend' or 'saturday'."),
        (["24:00"], "Write '23:59', or '00:00' of the next day."),
        (["fortnight"], "Write 'in 2 weeks'."),
        (["half", "quarter"], "Write '9:30'."),
        (["a.m.", "p.m.", "a.m", "p.m", "o'clock"], "Write '9am', '9pm' or 'at 9'."),
        (["christmas", "xmas"], "Write '25 dec'."),
        (["2morrow"], "Write 'tomorrow'."),
        (["heute", "aujourd'hui", "hoy", "oggi", "hoje", "vandaag"], "Write English: 'today'."),
        (["morgen", "demain", "mañana", "domani", "amanhã"], "Write English: 'tomorrow'."),
        (
            ["before", "after", "until", "by", "from", "since", "around", "about"],
            "Write the day or the time without it."
        ),
        (["every", "each", "daily", "weekly", "monthly", "yearly"], "Use '--repeat' for a repetition."),
    ])

    static let repeats = Self.table([
        (["at", "noon", "midnight"], "A time stands after the days, such as 'every mon at 9:30'."),
        (["bi-weekly"], "Write 'every 2 weeks' or 'every mon and thu'."),
        (["bimonthly", "bi-monthly"], "Write 'every 2 months' or 'every month on the 1st and 15th'."),
        (["decade"], "Write 'every 10 years'."),
        (["or", "&"], "Write 'and'."),
        (["until", "ending"], "Write the last day as 'until 31 dec'."),
        (["after"], "To count from the completion, write 'every 3 days after done'."),
        (["from", "starting", "beginning", "since"], "Write the first date as 'starting 1 dec', or use '--due'."),
        (["forever", "always"], "A rule without an end repeats forever."),
        (["except", "unless", "excluding", "but"], "A rule cannot have exceptions."),
    ])

    private static func table(_ rows: [(words: [String], advice: String)]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: rows.flatMap { row in row.words.map { ($0, " " + row.advice) } })
    }

    static func isBareHour(_ word: String) -> Bool { Vocabulary.number(word, digits: 2).map { $0 <= 24 } ?? false }
}
