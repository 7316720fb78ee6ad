/// Advice for common words that no phrase accepts: sentences with a space before them.
enum PhraseAdvice {
    static func when(_ word: String) -> String { self.whenAdvice[word.lowercased()] ?? "" }

    /// For a word in the value of `--repeat`.
    static func repeats(_ word: String) -> String { self.repeatAdvice[word.lowercased()] ?? "" }

    private static let whenAdvice = Self.table([
        (["tonight", "morning", "afternoon", "evening", "night"], "Write the hour, such as 'today 20:00'."),
        (["now"], "The soonest is 'in 1 min'."),
        (["soon", "later", "someday", "sometime", "asap", "whenever"], "For no date write 'none'."),
        (["yesterday", "ago", "last", "past"], "The time must be in the future."),
        (["weekend"], "Write 'saturday'."),
        (["fortnight"], "Write 'in 2 weeks'."),
        (["half", "quarter"], "Write '9:30'."),
        (["a.m.", "p.m.", "a.m", "p.m", "o'clock"], "Write '9am', '9pm' or 'at 9'."),
        (["christmas", "xmas"], "Write '25 dec'."),
        (["tmr", "tmrw", "2morrow", "tom"], "Write 'tomorrow'."),
        (["heute", "aujourd'hui", "hoy", "oggi", "hoje", "vandaag"], "Write English: 'today'."),
        (["morgen", "demain", "mañana", "domani", "amanhã"], "Write English: 'tomorrow'."),
        (
            ["before", "after", "until", "by", "from", "since", "around", "about"],
            "Write the day or the time without it."
        ),
        (["every", "each", "daily", "weekly", "monthly", "yearly"], "Use '--repeat' for a repetition."),
    ])

    private static let repeatAdvice = Self.table([
        (
            ["at", "noon", "midnight", "morning", "afternoon", "evening", "night"],
            "Use '--due' for the time of day."
        ),
        (["fortnight", "fortnightly", "biweekly", "bi-weekly"], "Write 'every 2 weeks'."),
        (["quarter", "quarterly"], "Write 'every 3 months'."),
        (["decade"], "Write 'every 10 years'."),
        (["or", "&"], "Write 'and'."),
        (["from", "starting", "beginning", "since"], "Use '--due' for the first date."),
        (["forever", "always"], "A rule without an end repeats forever."),
        (["except", "unless", "excluding", "but"], "A rule cannot have exceptions."),
    ])

    private static func table(_ rows: [(words: [String], advice: String)]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: rows.flatMap { row in row.words.map { ($0, " " + row.advice) } })
    }
}
