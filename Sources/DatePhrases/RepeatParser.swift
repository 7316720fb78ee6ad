import ICalendar
import Reminders

/// Reads the value of `--repeat`.
struct RepeatParser {
    private let text: String
    var words: PhraseTokens
    /// The reason why a phrase that matches the grammar is impossible or ambiguous.
    var refusal: String?

    init(_ text: String) {
        self.text = text
        self.words = PhraseTokens(text)
    }

    // repeat = base [ done ] [ [","] weeks ] [ [","] end ] [ done ]
    // "every!" and "ev!" at the beginning have the meaning of `done`.
    mutating func reading() -> PhraseReading<RecurrenceRule> {
        guard PhraseTokens.refusalOfLength(self.text) == nil else { return .unknown }
        var countsFromCompletion = self.words.isFollowed(by: "every!") || self.words.isFollowed(by: "ev!")
        guard var rule = self.base() else { return .unknown }
        if self.done() { countsFromCompletion = true }
        rule.weekStart = self.weeks() ?? .monday
        guard self.end(&rule) else { return .unknown }
        if self.done() { countsFromCompletion = true }
        guard self.words.isAtEnd else { return .unknown }
        if countsFromCompletion {
            if let counted = rule.countedFromCompletion() { rule = counted } else { self.refuseCounting() }
        }
        return self.refusal.map { .refused("'\(self.text)' \($0)") } ?? .understood(rule)
    }

    /// The rule of at least three weekdays without `every`: `mon wed fri`; two weekdays may be alternatives.
    mutating func weekdaysAlone() -> RecurrenceRule? {
        let days = self.words.weekdays()
        guard days.count > 2, Set(days).count == days.count, self.words.isAtEnd else { return nil }
        return .weekly(on: days)
    }

    /// - Throws: an error; its message names the word that cannot be parsed.
    static func rule(_ text: String) throws(PhraseError) -> RecurrenceRule {
        var parser = Self(text)
        if let rule = parser.reading().value { return rule }
        let words = parser.words.refusal(of: text, among: Vocabulary.repeatWords)
        let hint = parser.words.obstacle.flatMap { PhraseAdvice.repeats[$0.lowercased()] } ?? ""
        let reason = PhraseTokens.refusalOfLength(text) ?? parser.refusal.map { "'\(text)' \($0)" } ?? words + hint
        // A guess is enough advice.
        throw PhraseError(
            .badValue,
            reason.contains(PhraseTokens.guessMark) ? reason : "\(reason) \(RepeatPhrase.forms)"
        )
    }

    // base = adverb [ on ] / "weekdays"
    //      / ( "every" / "every!" / "each" / "ev" / "ev!" / "evry" )
    //        ( interval [ on ] / week-days / yearly-day / every-item )
    private mutating func base() -> RecurrenceRule? {
        if let (frequency, interval) = self.words.next(Vocabulary.adverbs) {
            return self.on(RecurrenceRule(frequency: frequency, interval: interval))
        }
        if self.words.skip("weekdays") { return .weekly(on: Weekday.workdays) }
        guard self.words.next({ Self.everyWords.contains($0) ? true : nil }) != nil else { return nil }
        if let rule = self.interval() { return self.on(rule) }
        return self.weekDays() ?? self.yearlyDay() ?? self.everyItem()
    }

    /// The words that begin a repetition; `ev` is the abbreviation of Todoist, and `evry` is a common mistake.
    static let everyWords: Set = ["every", "every!", "each", "ev", "ev!", "evry"]

    // interval = [ "other" / count / ordinal ] unit
    private mutating func interval() -> RecurrenceRule? {
        self.words.attempt { words in
            let ordinal = words.skip("other") ? 2 : words.ordinal()
            let count = ordinal ?? words.next { Vocabulary.count($0) }
            guard ordinal.map({ $0 > 1 }) ?? true else { return nil }
            if let (unit, length) = words.next(Self.longUnits) {
                return RecurrenceRule(frequency: unit, interval: (count ?? 1) * length)
            }
            // `3m` means minutes in a due time, but `every 3m` may be read as months.
            guard let unit = words.next({ $0 != "m" && (count != nil || $0.count > 2) ? Vocabulary.units[$0] : nil }),
                !words.isFollowed(by: "of")
            else { return nil }
            return RecurrenceRule(frequency: unit, interval: count ?? 1)
        }
    }

    /// Units of several months or weeks, each with its length.
    static let longUnits: [String: (RecurrenceRule.Frequency, Int)] = [
        "fortnight": (.weekly, 2), "fortnights": (.weekly, 2), "quarter": (.monthly, 3), "quarters": (.monthly, 3),
    ]

    // yearly-day = named-day;  without a year
    private mutating func yearlyDay() -> RecurrenceRule? {
        self.words.namedDay().map {
            self.adding(
                $0,
                to: RecurrenceRule(frequency: .yearly),
                refusalOfYear: "contains a year, but it repeats every year."
            )
        }
    }

    // done = ( "after" / "from" ) ( "completion" / "completed" / "done" )
    private mutating func done() -> Bool {
        self.words.attempt { words in
            guard words.skip("after") || words.skip("from") else { return nil }
            return words.skip("completion") || words.skip("completed") || words.skip("done") ? true : nil
        } ?? false
    }

    private mutating func refuseCounting() {
        self.refusal =
            self.refusal ?? """
                names its dates, so they cannot count from the completion. Write only a length, such as 'every week after \
                done', or leave out the words for the completion.
                """
    }

    // weeks = "weeks" "from" weekday
    private mutating func weeks() -> Weekday? {
        self.words.attempt { words in
            words.skip(",")
            return words.skip("weeks", "from") ? words.next(Vocabulary.weekdays) : nil
        }
    }

    // end = ( "until" / "ending" ) ( date / named-day ) [ time ] / [ "for" ] count "times" / "once"
    // Returns false if no day follows "until".
    private mutating func end(_ rule: inout RecurrenceRule) -> Bool {
        let start = self.words.position
        self.words.skip(",")
        if self.words.skip("until") || self.words.skip("ending") {
            rule.until = self.until()
            return rule.until != nil
        }
        rule.count = self.words.skip("once") ? 1 : self.words.times()
        if rule.count == nil { self.words.rewind(to: start) }
        return true
    }

    private mutating func until() -> CalendarDateOrDateTime? {
        guard let date = self.words.date() ?? self.untilNamedDay() else { return nil }
        guard let time = self.words.time() else { return .date(date) }
        return .dateTime(CalendarDateTime(date: date, time: time, zone: .floating))
    }

    private mutating func untilNamedDay() -> CalendarDate? {
        guard let named = self.words.namedDay() else { return nil }
        guard let year = named.year else {
            self.refusal = "does not contain the year of its end."
            return CalendarDate(dayNumber: CalendarDate.lastDayNumber)
        }
        let date = CalendarDate(year: year, month: named.month, day: named.day)
        if date == nil { self.refusal = "ends on a day that does not exist." }
        return date ?? CalendarDate(dayNumber: CalendarDate.lastDayNumber)
    }
}

extension PhraseTokens {
    // times = [ "for" ] count ( "times" / "time" )
    fileprivate mutating func times() -> Int? {
        self.attempt { words in
            words.skip("for")
            guard let count = words.next({ Vocabulary.count($0) }) else { return nil }
            return words.skip("times") || words.skip("time") ? count : nil
        }
    }

    // list = item *( ( [","] "and" / "," ) item )
    mutating func list<Item>(_ item: (inout Self) -> Item?) -> [Item] {
        guard let first = item(&self) else { return [] }
        var items = [first]
        while let next = self.attempt({ words in
            let hasComma = words.skip(",")
            return words.skip("and") || hasComma ? item(&words) : nil
        }) {
            items.append(next)
        }
        return items
    }

    // weekdays = weekday *( [ [","] "and" / "," ] weekday )
    mutating func weekdays() -> [Weekday] {
        var days = self.list { $0.next(Vocabulary.weekdays) }
        while !days.isEmpty {
            let more = self.list { $0.next(Vocabulary.weekdays) }
            if more.isEmpty { break }
            days += more
        }
        return days
    }

    // ordinal = "first" / … / "last" / 1*2DIGIT ( "st" / "nd" / "rd" / "th" );  -1 is "last"
    mutating func ordinal() -> Int? {
        self.attempt { words in
            if let ordinal = words.next(Vocabulary.ordinals) { return ordinal }
            guard let number = words.next({ Vocabulary.positive($0, digits: 2) }) else { return nil }
            return words.skip(number.ordinalLetters) ? number : nil
        }
    }
}

extension RecurrenceRule {
    static func weekly(on days: [Weekday], interval: Int = 1) -> Self {
        var rule = Self(frequency: .weekly, interval: interval)
        rule.byDay = days.map { WeekdayItem(weekday: $0) }
        return rule
    }
}

extension Weekday {
    static let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
}
