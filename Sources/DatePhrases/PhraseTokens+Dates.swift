import ICalendar

/// Grammar rules for days that several phrases share.
///
/// Each method implements the grammar rule above it.
extension PhraseTokens {
    /// A day of some year, or of one that was named.
    struct NamedDay: Hashable {
        let year: Int?
        let month: Int
        let day: Int
    }

    // date = 4DIGIT "-" 2DIGIT "-" 2DIGIT
    mutating func date() -> CalendarDate? {
        self.next { word in
            let parts = word.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.count) == [4, 2, 2] else { return nil }
            let numbers = parts.compactMap { Vocabulary.number(String($0), digits: 4) }
            return numbers.count == 3 ? CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]) : nil
        }
    }

    // named-day = day-month [ year ];  day-month = day-number [ "of" ] month / month [ "the" ] day-number
    mutating func namedDay() -> NamedDay? {
        self.attempt { words in
            guard let (month, day) = words.dayThenMonth() ?? words.monthThenDay() else { return nil }
            return NamedDay(year: words.year(), month: month, day: day)
        }
    }

    private mutating func dayThenMonth() -> (month: Int, day: Int)? {
        self.attempt { words in
            guard let day = words.dayNumber() else { return nil }
            _ = words.skip("of")
            return words.next(Vocabulary.month).map { ($0, day) }
        }
    }

    private mutating func monthThenDay() -> (month: Int, day: Int)? {
        self.attempt { words in
            guard let month = words.next(Vocabulary.month) else { return nil }
            return words.dayNumber().map { (month, $0) }
        }
    }

    // day-number = [ "the" ] 1*2DIGIT [ "st" / "nd" / "rd" / "th" ];  the letters that fit
    mutating func dayNumber() -> Int? {
        self.attempt { words in
            _ = words.skip("the")
            // A day that no month has is read, so that the refusal can say so.
            guard let day = words.next({ Vocabulary.positive($0, digits: 2) }) else { return nil }
            _ = words.skip(day.ordinalLetters)
            return day
        }
    }

    // year = [","] 4DIGIT
    private mutating func year() -> Int? {
        self.attempt { words in
            _ = words.skip(",")
            return words.next { $0.count == 4 ? Vocabulary.number($0, digits: 4) : nil }
        }
    }
}

extension Int {
    /// The suffix of an ordinal number: `st` for 1 and 21, `th` for 11.
    var ordinalLetters: String {
        switch (self % 10, self / 10 % 10) {
        case (_, 1): "th"
        case (1, _): "st"
        case (2, _): "nd"
        case (3, _): "rd"
        default: "th"
        }
    }
}
