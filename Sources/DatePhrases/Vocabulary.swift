import RemindavICalendar

/// The English words that the parsers know, in lower case, with their meanings.
package enum Vocabulary {
    static let weekdays: [String: Weekday] = [
        "mon": .monday, "monday": .monday, "tue": .tuesday, "tues": .tuesday, "tuesday": .tuesday,
        "wed": .wednesday, "wednesday": .wednesday, "thu": .thursday, "thur": .thursday, "thurs": .thursday,
        "thursday": .thursday, "fri": .friday, "friday": .friday, "sat": .saturday, "saturday": .saturday,
        "sun": .sunday, "sunday": .sunday,
    ]
    static let months = [
        "jan": 1, "january": 1, "feb": 2, "february": 2, "mar": 3, "march": 3, "apr": 4, "april": 4, "may": 5,
        "jun": 6, "june": 6, "jul": 7, "july": 7, "aug": 8, "august": 8, "sep": 9, "sept": 9, "september": 9,
        "oct": 10, "october": 10, "nov": 11, "november": 11, "dec": 12, "december": 12,
    ]
    // `m` means minutes, as in the times of `snooze`, and `mo` means months.
    static let units: [String: RecurrenceRule.Frequency] = [
        "m": .minutely, "min": .minutely, "mins": .minutely, "minute": .minutely, "minutes": .minutely,
        "h": .hourly, "hr": .hourly, "hrs": .hourly, "hour": .hourly, "hours": .hourly,
        "d": .daily, "day": .daily, "days": .daily,
        "w": .weekly, "wk": .weekly, "wks": .weekly, "week": .weekly, "weeks": .weekly,
        "mo": .monthly, "month": .monthly, "months": .monthly,
        "y": .yearly, "yr": .yearly, "yrs": .yearly, "year": .yearly, "years": .yearly,
    ]
    /// The frequency and the interval of each adverb.
    static let adverbs: [String: (RecurrenceRule.Frequency, Int)] = [
        "hourly": (.hourly, 1), "daily": (.daily, 1), "weekly": (.weekly, 1), "fortnightly": (.weekly, 2),
        "biweekly": (.weekly, 2),
        "monthly": (.monthly, 1), "quarterly": (.monthly, 3), "yearly": (.yearly, 1), "annually": (.yearly, 1),
        "annual": (.yearly, 1), "semiannual": (.monthly, 6),
    ]
    static let ordinals = ["first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1]
    static let halves = ["am": 0, "pm": 12]
    /// The manual and the help of `add` contain these hours too, so they must change together.
    static let partsOfDay = ["morning": 9, "afternoon": 15, "evening": 19, "night": 21].mapValues {
        ClockTime(secondsOfDay: $0 * 3600)
    }
    static let tonight = ClockTime(secondsOfDay: 20 * 3600)
    package static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    package static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static let counts = [
        "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
        "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    ]

    /// The count that `a`, `twelve` or `12` stands for; it is at least 1.
    static func count(_ word: String, digits: Int = 4) -> Int? {
        self.counts[word] ?? self.positive(word, digits: digits)
    }

    static func positive(_ word: String, digits: Int) -> Int? {
        self.number(word, digits: digits).flatMap { $0 > 0 ? $0 : nil }
    }

    /// The value of one to `digits` ASCII digits; `nil` for any other word.
    static func number(_ word: String, digits: Int) -> Int? {
        word.count <= digits && word.allSatisfy(\.isPhraseDigit) ? Int(word) : nil
    }

    /// The words of WHEN, the text of a due time, that an error message may suggest for a misspelled word.
    static let whenWords =
        Set(["today", "tomorrow", "next", "noon", "midnight", "none"]).union(longWords).sorted()
    /// The words of `--repeat` that an error message may suggest for a misspelled word.
    static let repeatWords =
        Set(["until", "times", "every", "other", "none"])
        .union(RepeatParser.dayWords).union(longWords).union(ordinals.keys).union(adverbs.keys).sorted()
    private static let longWords =
        [Array(weekdays.keys), Array(months.keys), Array(units.keys)].joined().filter { $0.count > 3 }
}
