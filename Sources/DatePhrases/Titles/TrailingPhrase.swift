import RemindavICalendar

/// The phrase at the end of a title: a due time, a repeat rule, or both.
struct TrailingPhrase {
    /// The number of words before the phrase.
    let start: Int
    var due: (when: When, words: Range<Int>)?
    var rule: (rule: RecurrenceRule, words: [Range<Int>])?
    /// The time of day that the words of the rule contain: 09:00 in `every morning`.
    var clock: ClockTime?
    /// The end of the rule, if it depends on the first date or on the current day.
    var end: OpenEnd?
    /// Has the meaning of ``ParsedTitle/isStart``.
    var isStart = false

    /// The due time with the time of day of the rule.
    var when: When? {
        guard let clock = self.clock else { return self.due?.when }
        switch self.due?.when {
        case nil: return .day(.soonest, .clock(clock))
        case .day(let day, .whole): return .day(day, .clock(clock))
        // In `every evening at 8`, `8` means 20:00.
        case .day(let day, .clock(let time)): return .day(day, .clock(time.inEvening(of: clock)))
        case let when: return when
        }
    }
}

/// Finds the longest phrase at the end of a title; a phrase that belongs to the words before it stays in the title.
struct TrailingPhraseReader {
    var words: [TitleTokens.Word]
    let kinds: Set<ParsedTitle.Kind>
    /// The current day; a date in an earlier year stays in the title.
    let today: CalendarDate
    /// Whether a time is past, so that its words stay in the title: `Invoice 2025-12-01`.
    let isBygone: (When) -> Bool

    /// - Throws: if a phrase matches the grammar, but is impossible or ambiguous.
    func read() throws(PhraseError) -> TrailingPhrase? {
        // A line that is only a phrase is the title itself.
        guard let tail = try self.tail(before: self.words.count), tail.start > 0 else { return nil }
        // Two phrases contradict each other, so both stay in the title.
        let earlier = Self.withoutNames(Array(self.words[..<tail.start])).count
        guard try self.tail(before: earlier) == nil else { return nil }
        return self.fullDates(before: tail.start).isEmpty ? tail : nil
    }

    /// The phrase that the whole text is; `nil` if the text contains other words.
    static func whole(_ text: String) -> TrailingPhrase? {
        let words = TitleTokens(text).words
        let isPlain = words.allSatisfy { $0.form == .plain }
        guard isPlain, !words.isEmpty, words.count <= Self.maximumWords else { return nil }
        let first = CalendarDate(dayNumber: CalendarDate.firstDayNumber)
        let reader = Self(words: words, kinds: [.due, .rule], today: first, isBygone: { _ in false })
        return reader.reading(words.indices).value
    }

    /// Whether the title ends with a phrase that is not a past date; `friday` in `Prepare for friday` is a phrase too.
    var endsInPhrase: Bool {
        let end = self.words.count
        return self.starts(before: end).contains { start in
            if self.isVerse(start) { return false }
            return switch self.reading(start..<end) {
            case .unknown: false
            case .refused: true
            case .understood(let tail): !(tail.due.map { self.isBygone($0.when) } ?? false)
            }
        }
    }

    /// The positions before `end` at which a phrase can begin.
    func starts(before end: Int) -> Range<Int> {
        let words = self.words[..<end].reversed().prefix(Self.maximumWords)
        return (end - words.prefix { $0.form == .plain && $0.text.utf8.count <= Self.longestWord }.count)..<end
    }

    /// The maximum number of words in a phrase, because the parser tries to begin the phrase at each word.
    private static let maximumWords = 32
    /// The maximum length of a word in bytes: `monday,tuesday,wednesday,thursday,friday` has 40.
    static let longestWord = 64

    private func tail(before end: Int) throws(PhraseError) -> TrailingPhrase? {
        // In `Read John 3:16 tomorrow`, the verse belongs to the title.
        for start in self.starts(before: end) where !self.isVerse(start) {
            switch self.reading(start..<end) {
            case .unknown: continue
            case .understood(let tail):
                if let dated = self.withWeekday(tail) { return dated }
                return self.belongsToTitle(start..<end, tail) ? nil : tail
            case .refused(let reason):
                if self.belongsToTitle(start..<end, nil) { return nil }
                let advice = "Change the phrase, or keep the title unchanged with --literal."
                throw PhraseError(.badValue, "\(reason) \(advice)")
            }
        }
        return nil
    }

    /// The phrase with the weekday before it, if its day has no year and is this weekday: `fri 4 dec`; else `nil`.
    private func withWeekday(_ tail: TrailingPhrase) -> TrailingPhrase? {
        guard tail.rule == nil, tail.start > 0, case .day(let day, _)? = tail.due?.when, case .yearly = day,
            self.words[tail.start - 1].form == .plain,
            let weekday = Vocabulary.weekdays[self.bare(tail.start - 1)],
            day.date(from: self.today, isPast: { $0 < self.today }).weekday == weekday
        else { return nil }
        let isAnnounced = tail.start > 1 && ["on", "by"].contains(self.bare(tail.start - 2))
        let start = tail.start - (isAnnounced ? 2 : 1)
        guard start > 0, !Self.needsMore(self.words[start - 1].text.lowercased()) else { return nil }
        guard let due = tail.due else { return nil }
        return TrailingPhrase(start: start, due: (due.when, start..<due.words.upperBound))
    }

    /// A phrase split into a due time and a rule; one of them may be empty.
    private struct Division {
        var due: Range<Int>
        /// One range, or two ranges with the due time between them: `every day` and `until 2027-06-01`.
        var rule: [Range<Int>]
        var isRuleFirst: Bool { self.rule.first.map { $0.lowerBound < self.due.lowerBound } ?? false }
    }

    // tail = due / rule / due rule / rule [ "starting" / "from" ] due / rule time end-of-rule
    func reading(_ range: Range<Int>) -> PhraseReading<TrailingPhrase> {
        let none = range.upperBound..<range.upperBound
        var divisions = self.divisionsByTime(range) + self.divisionsByStart(range)
        divisions += [Division(due: range, rule: []), Division(due: none, rule: [range])]
        // The longest rule comes first: in `every week on friday 9am`, the day belongs to the rule.
        for split in range.dropFirst().reversed() {
            divisions.append(Division(due: split..<range.upperBound, rule: [range.lowerBound..<split]))
        }
        for split in range.dropFirst() {
            divisions.append(Division(due: range.lowerBound..<split, rule: [split..<range.upperBound]))
        }
        var refusal: String?
        for division in divisions {
            switch self.parts(division) {
            case .understood(let tail): return .understood(tail)
            case .refused(let reason): refusal = refusal ?? reason
            case .unknown: continue
            }
        }
        return refusal.map { .refused($0) } ?? .unknown
    }

    /// Splits `every day until 2027-06-01 at 8am`; a time with `at` is the time of the reminder, not of the rule's end.
    private func divisionsByTime(_ range: Range<Int>) -> [Division] {
        guard let place = range.dropFirst().last(where: { self.small($0) == "at" }) else { return [] }
        let ends = (place + 1..<range.upperBound).filter { self.beginsEnd($0) } + [range.upperBound]
        return ends.compactMap { end in
            let due = place..<end
            guard case .day(.soonest, _)? = self.when(due, .behindRule) else { return nil }
            let rest = end..<range.upperBound
            return Division(due: due, rule: [range.lowerBound..<place] + (rest.isEmpty ? [] : [rest]))
        }
    }

    /// Splits `every mon at 9am starting 7 dec until 1 feb`, where the end of the rule follows its first date.
    private func divisionsByStart(_ range: Range<Int>) -> [Division] {
        guard let place = range.dropFirst().first(where: { ["starting", "from"].contains(self.small($0)) }) else {
            return []
        }
        let ends = range.filter { $0 > place + 1 && self.beginsEnd($0) }
        return ends.flatMap { end in
            (range.lowerBound + 1...place).reversed().map { begin in
                Division(due: begin..<end, rule: [range.lowerBound..<begin, end..<range.upperBound])
            }
        }
    }

    private func beginsEnd(_ place: Int) -> Bool {
        if ["until", "ending", "for", "once", "after"].contains(self.small(place)) { return true }
        return place + 1 < self.words.count && ["times", "time"].contains(self.small(place + 1))
    }

    private func small(_ place: Int) -> String { self.words[place].text.lowercased() }

    func when(_ range: Range<Int>, _ caution: PhraseCaution = .alone) -> When? {
        WhenParser.read(self.text(range), caution).value
    }

    /// Whether the words are a time of day without a day.
    func isTime(_ range: Range<Int>, _ caution: PhraseCaution = .alone) -> Bool {
        if !range.isEmpty, case .day(.soonest, .clock)? = self.when(range, caution) { true } else { false }
    }

    private func parts(_ division: Division) -> PhraseReading<TrailingPhrase> {
        let (due, rule) = (division.due, division.rule)
        var tail = TrailingPhrase(start: min(due.lowerBound, rule.first?.lowerBound ?? .max))
        var refusal: String?
        if !rule.isEmpty {
            // `Charge EV monday` is about an electric vehicle.
            guard self.kinds.contains(.rule), !rule.contains(where: { self.words[$0.lowerBound].text == "EV" }) else {
                return .unknown
            }
            let text = rule.map { self.text($0) }.joined(separator: " ")
            var parser = RepeatParser(text)
            switch parser.reading() {
            case .unknown:
                // In `mon wed fri 7am`, the time shows that the days repeat. Without a time they may be only a list.
                var days = RepeatParser(text)
                guard division.isRuleFirst, let weekly = days.weekdaysAlone(), self.isTime(due, .behindRule) else {
                    return .unknown
                }
                tail.rule = (weekly, rule)
            case .refused(let reason): refusal = reason
            case .understood(let read):
                tail.rule = (read, rule)
                (tail.clock, tail.end) = (parser.clock, parser.openEnd)
                // `every day at 8 and 20` has its times already.
                if !read.byHour.isEmpty, self.isTime(due, .behindRule) { return .unknown }
                tail.isStart = parser.clock != nil && due.isEmpty
            }
        }
        if !due.isEmpty {
            guard self.kinds.contains(.due) else { return .unknown }
            let isRuleFirst = division.isRuleFirst
            let caution: PhraseCaution = rule.isEmpty ? .alone : isRuleFirst ? .behindRule : .beforeRule
            let start = isRuleFirst ? due.first { ["starting", "from"].contains(self.small($0)) } : nil
            if let start, start + 1 == due.upperBound { return .unknown }
            // `7pm starting 3 dec` becomes `3 dec 7pm`.
            let parts = start.map { [$0 + 1..<due.upperBound, due.lowerBound..<$0] } ?? [due]
            let text = parts.filter { !$0.isEmpty }.map(self.text).joined(separator: " ")
            if caution == .alone, due.count == 1, Self.isEnglishWord(text) { return .unknown }
            switch RFC3339.parse(text).map({ .understood(.exact($0.instant)) }) ?? WhenParser.read(text, caution) {
            case .unknown: return .unknown
            case .refused(let reason): refusal = refusal ?? reason
            case .understood(let when):
                // `every 15 mar, 15 sep` is a list of days, not a rule with its first date.
                if isRuleFirst, start == nil, self.words[due.lowerBound - 1].text.last == "," {
                    guard case .day(.soonest, _) = when else { return .unknown }
                }
                // `every 2nd friday` is not `every 2nd` from Friday.
                if isRuleFirst, start == nil, case .day(.weekday, _) = when, tail.rule?.rule.byMonthDay.isEmpty == false
                {
                    return .unknown
                }
                tail.due = (when, due)
                if case .day(.soonest, _) = when { tail.isStart = !rule.isEmpty }
                if start != nil { tail.isStart = true }
            }
        }
        return refusal.map { .refused($0) } ?? .understood(tail)
    }

    /// The words of a phrase without punctuation at its end; `2026-12-01T14:00` is split into a date and a time.
    func text(_ range: Range<Int>) -> String {
        var text = self.words[range].map { Self.dateWithTime($0.text) ?? String($0.text) }.joined(separator: " ")
        let isDotted = range.last.map { Self.isDotted(self.words[$0].text) } ?? false
        while let last = text.last, ",.!".contains(last), !isDotted { text.removeLast() }
        return text
    }
}
