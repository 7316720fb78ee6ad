/// What to write in the place of words that people try and no phrase knows: sentences with a blank before them.
enum PhraseAdvice {
    /// Behind the refusal of a word of WHEN.
    static func when(_ word: String) -> String { self.whenAdvice[word.lowercased()] ?? "" }

    /// Behind the refusal of a word of HOW something repeats.
    static func repeats(_ word: String) -> String { self.repeatAdvice[word.lowercased()] ?? "" }

    private static let whenAdvice = Self.table([
        (["tonight", "morning", "afternoon", "evening", "night"], "It names no hour: 'today 20:00' does."),
        (["now"], "The soonest is 'in 1 min'."),
        (["soon", "later", "someday", "sometime", "asap", "whenever"], "For no date write 'none'."),
        (["yesterday", "ago", "last", "past"], "It has to be a time to come."),
        (["weekend"], "Write 'saturday'."),
        (["fortnight"], "Write 'in 2 weeks'."),
        (["half", "quarter"], "Write '9:30'."),
        (["a.m.", "p.m.", "a.m", "p.m", "o'clock"], "Write '9am', '9pm' or 'at 9'."),
        (["christmas", "xmas"], "Write '25 dec'."),
        (["tmr", "tmrw", "2morrow", "tom"], "Write 'tomorrow'."),
        (["heute", "aujourd'hui", "hoy", "oggi", "hoje", "vandaag"], "Words are English: 'today'."),
        (["morgen", "demain", "mañana", "domani", "amanhã"], "Words are English: 'tomorrow'."),
        (
            ["before", "after", "until", "by", "from", "since", "around", "about"],
            "Write the day or the time without it."
        ),
        (["every", "each", "daily", "weekly", "monthly", "yearly"], "How it repeats is said by '--repeat'."),
    ])

    private static let repeatAdvice = Self.table([
        (
            ["at", "noon", "midnight", "morning", "afternoon", "evening", "night"],
            "The time of day is that of '--due'."
        ),
        (["fortnight", "fortnightly", "biweekly", "bi-weekly"], "Write 'every 2 weeks'."),
        (["quarter", "quarterly"], "Write 'every 3 months'."),
        (["decade"], "Write 'every 10 years'."),
        (["or", "&"], "Write 'and'."),
        (["from", "starting", "beginning", "since"], "The first date is that of '--due'."),
        (["forever", "always"], "Without an end it goes on."),
        (["except", "unless", "excluding", "but"], "A rule has no exceptions."),
    ])

    private static func table(_ rows: [(words: [String], advice: String)]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: rows.flatMap { row in row.words.map { ($0, " " + row.advice) } })
    }
}
