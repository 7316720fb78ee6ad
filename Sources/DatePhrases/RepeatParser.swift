import RemindavICalendar
import RemindavReminders

/// Reads the value of `--repeat`.
struct RepeatParser {
    private let text: String
    var words: PhraseTokens
    /// The reason why a phrase that matches the grammar is impossible or ambiguous.
    var refusal: String?
    /// The end of the rule, if it depends on the first date or on the current day.
    private(set) var openEnd: OpenEnd?
    /// The time of day in the words: 09:00 for `every morning`, and the first one of several times.
    private(set) var clock: ClockTime?

    init(_ text: String) {
        self.text = text
        self.words = PhraseTokens(text)
    }

    // repeat = base [ times-of-day ] [ done ] [ [","] weeks ] [ [","] end ] [ done ]
    // "every!" and "ev!" at the beginning have the meaning of `done`.
    mutating func reading() -> PhraseReading<RecurrenceRule> {
        guard PhraseTokens.refusalOfLength(self.text) == nil else { return .unknown }
        var countsFromCompletion = self.words.isFollowed(by: "every!") || self.words.isFollowed(by: "ev!")
        guard var rule = self.base() else { return .unknown }
        self.timesOfDay(&rule)
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

    /// The rule of words that contain neither a time of day nor an end that depends on other dates; else `nil`.
    static func rule(_ text: String) -> RecurrenceRule? {
        var parser = Self(text)
        guard let rule = parser.reading().value, parser.openEnd == nil else { return nil }
        return parser.clock == nil || !rule.byHour.isEmpty ? rule : nil
    }

    /// - Throws: an error; its message names the word that cannot be parsed.
    static func phrase(_ text: String) throws(PhraseError) -> RepeatPhrase {
        var parser = Self(text)
        if let rule = parser.reading().value {
            let when = parser.clock.map { When.day(.soonest, .clock($0)) }
            return RepeatPhrase(rule: rule, when: when, isStart: when != nil, end: parser.openEnd)
        }
        let hint = parser.words.obstacle.flatMap { PhraseAdvice.repeats[$0.lowercased()] } ?? ""
        // The advice about a word is better than a similar word.
        let words = parser.words.refusal(of: text, among: hint.isEmpty ? Vocabulary.repeatWords : [])
        let reason = PhraseTokens.refusalOfLength(text) ?? parser.refusal.map { "'\(text)' \($0)" } ?? words + hint
        // A guess is enough advice.
        throw PhraseError(
            .badValue,
            reason.contains(PhraseTokens.guessMark) ? reason : "\(reason) \(RepeatPhrase.forms)"
        )
    }

    // base = adverb [ on ] / "weekdays"
    //      / ( "every" / "every!" / "each" / "ev" / "ev!" / "evry" )
    //        ( interval [ on ] / week-days / yearly-day / every-item / part-of-day *( "and" part-of-day ) )
    private mutating func base() -> RecurrenceRule? {
        if let (frequency, interval) = self.words.next(Vocabulary.adverbs) {
            return self.on(RecurrenceRule(frequency: frequency, interval: interval))
        }
        if self.words.skip("weekdays") { return .weekly(on: Weekday.workdays) }
        guard self.words.next({ Self.everyWords.contains($0) ? true : nil }) != nil else { return nil }
        if let rule = self.interval() { return self.on(rule) }
        return self.weekDays() ?? self.yearlyDays(RecurrenceRule(frequency: .yearly)) ?? self.partsOfDay()
            ?? self.everyItem()
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

    /// Parses `morning` and `morning and evening` after `every`.
    private mutating func partsOfDay() -> RecurrenceRule? {
        let times = self.words.list { $0.next(Vocabulary.partsOfDay) }
        guard !times.isEmpty else { return nil }
        var rule = RecurrenceRule(frequency: .daily)
        self.set(times, in: &rule)
        return rule
    }

    // times-of-day = clock 1*( ( [","] "and" / "," ) clock );  after "at", a clock may be a number
    // A single time is no part of the rule.
    private mutating func timesOfDay(_ rule: inout RecurrenceRule) {
        let times = self.words.attempt { words -> [ClockTime]? in
            let isAnnounced = words.isFollowed(by: "at")
            let times = words.list { words in
                if let time = words.time() { return time }
                guard isAnnounced, let hour = words.next({ Vocabulary.number($0, digits: 2) }),
                    !words.isFollowed(by: "times"), !words.isFollowed(by: "time")
                else { return nil }
                return ClockTime(hour: hour, minute: 0, second: 0)
            }
            return times.count > 1 ? times : nil
        }
        guard let times else { return }
        if self.clock != nil { self.refusal = "contains a part of the day and times of day. Write only one of them." }
        self.set(times, in: &rule)
    }

    private mutating func set(_ times: [ClockTime], in rule: inout RecurrenceRule) {
        let times = Set(times).sorted()
        self.clock = times.first
        guard times.count > 1, let minute = times.first?.minute else { return }
        if rule.frequency < .daily { self.refusal = "contains times of day, but it repeats within the day." }
        if !rule.bySetPosition.isEmpty {
            self.refusal = "contains several times of day. A rule with the ordinal of a weekday has only one time."
        }
        if times.contains(where: { $0.minute != minute }) {
            self.refusal = "has times with different minutes. Add one reminder for each time."
        }
        rule.byHour = times.map(\.hour)
        rule.byMinute = [minute]
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

    // end = ( "until" / "ending" ) ( date / named-day ) [ time ] / [ "for" ] count "times" / "once" / "for" span
    // Returns false if no day follows "until".
    private mutating func end(_ rule: inout RecurrenceRule) -> Bool {
        let start = self.words.position
        self.words.skip(",")
        if self.words.skip("until") || self.words.skip("ending") {
            rule.until = self.until()
            return rule.until != nil || self.openEnd != nil
        }
        if let span = self.words.spanOfRule() {
            self.openEnd = .span(span)
            return true
        }
        rule.count = self.words.skip("once") ? 1 : self.words.times()
        if rule.count == nil { self.words.rewind(to: start) }
        return true
    }

    private mutating func until() -> CalendarDateOrDateTime? {
        if let date = self.words.date() { return .of(date, self.words.time()) }
        guard let named = self.words.namedDay() else { return nil }
        // The year 2000 is a leap year, so 29 February is accepted.
        let date = CalendarDate(year: named.year ?? 2000, month: named.month, day: named.day)
        if date == nil { self.refusal = "ends on a day that does not exist." }
        let time = self.words.time()
        guard named.year == nil else { return .of(date ?? CalendarDate(dayNumber: CalendarDate.lastDayNumber), time) }
        self.openEnd = .day(.yearly(month: named.month, day: named.day), time)
        return nil
    }
}

extension CalendarDateOrDateTime {
    /// The date, or a floating date-time if there is a time of day.
    static func of(_ date: CalendarDate, _ time: ClockTime?) -> Self {
        time.map { .dateTime(CalendarDateTime(date: date, time: $0, zone: .floating)) } ?? .date(date)
    }
}

extension PhraseTokens {
    // span = "for" count unit;  days, weeks, months or years
    fileprivate mutating func spanOfRule() -> DayPhrase? {
        self.attempt { words in
            guard words.skip("for"), let count = words.next({ Vocabulary.count($0) }) else { return nil }
            return words.next(Vocabulary.units).flatMap { DayPhrase.span(count, $0) }
        }
    }

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
        if let days = self.next(Self.weekdayRange) { return days }
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
