package import RemindavICalendar
package import RemindavReminders

/// A repetition as the user states it: a rule, and the due time that the same words contain.
package struct RepeatPhrase: Hashable, Sendable {
    package let rule: RecurrenceRule
    /// The due time in the words: `9am` in `every monday at 9am`.
    package var when: When?
    /// Whether ``when`` is only the earliest time for the rule's dates, as in `every monday at 9am`.
    package var isStart = false
    /// The end of the rule, if it depends on the first date or on the current day; ``rule`` has no end then.
    package var end: OpenEnd?

    package init(rule: RecurrenceRule, when: When? = nil, isStart: Bool = false, end: OpenEnd? = nil) {
        self.rule = rule
        self.when = when
        self.isStart = isStart
        self.end = end
    }
}

/// The end of a repetition that depends on its first date or on the current day.
package enum OpenEnd: Hashable, Sendable {
    /// `until 31 dec`: the first such day that is not past, with the time of day if the words contain one.
    case day(DayPhrase, ClockTime?)
    /// `for 3 weeks`: the span begins with the first date, so the last day is one day before its end.
    case span(DayPhrase)

    /// - Throws: if the end is before the first date.
    func until(first: CalendarDate, today: CalendarDate) throws(PhraseError) -> CalendarDateOrDateTime {
        switch self {
        case .span(let span): return .date(span.date(from: first) { _ in false }.adding(days: -1))
        case .day(let day, let time):
            let date = day.date(from: today) { $0 < today }
            guard date >= first else {
                throw PhraseError(
                    .badValue,
                    "The repetition ends on \(date), before its first date \(first). Write the end with its year."
                )
            }
            return .of(date, time)
        }
    }
}

extension RepeatPhrase {
    static let forms = """
        '--repeat' is none, words such as 'every 2 weeks on mon,thu', 'every weekday at 9am' or \
        'monthly on the 15th until 2027-06-01', or a rule such as 'FREQ=WEEKLY;BYDAY=MO,TH'.
        """

    /// Parses a rule in English or as an RRULE value, with or without `RRULE:`; `nil` for `none` and `never`.
    ///
    /// The English words may contain a due time, in the forms that the end of a title accepts. `every` may be missing.
    package static func read(_ text: String) throws(PhraseError) -> Self? {
        let text = text.trimmingWhiteSpace
        if ["none", "never"].contains(text.lowercased()) { return nil }
        let hasPrefix = text.uppercased().hasPrefix("RRULE:")
        guard hasPrefix || text.contains("=") else { return try self.words(text) }
        guard let rule = try? RecurrenceRule(wire: hasPrefix ? String(text.dropFirst(6)) : text) else {
            throw PhraseError(.badValue, "'\(text)' is not a rule that remindav understands. \(Self.forms)")
        }
        return Self(rule: rule)
    }

    /// Whether the text is a complete phrase with a rule for the end of a title; `week` without `every` is none.
    package static func isTitlePhrase(_ text: String) -> Bool { TrailingPhraseReader.whole(text)?.rule != nil }

    private static func words(_ text: String) throws(PhraseError) -> Self {
        if let rule = self.repeater(text) ?? self.duration(text) { return Self(rule: rule) }
        // In `every day until 2027-06-01 at 8am`, the time belongs to the reminder, as in a title.
        let words = text.lowercased().split(separator: " ")
        if let until = words.firstIndex(of: "until"), words[until...].contains("at"), let phrase = self.timed(text) {
            return phrase
        }
        do throws(PhraseError) { return try RepeatParser.phrase(text) } catch {
            guard PhraseTokens.refusalOfLength(text) == nil else { throw error }
            let forms = [text, "every \(text)"]
            if let phrase = try? RepeatParser.phrase(forms[1]) { return phrase }
            for form in forms { if let phrase = self.timed(form) { return phrase } }
            throw error
        }
    }

    /// Parses a rule with a time of day, or with its first date after `starting` or `from`.
    private static func timed(_ text: String) -> Self? {
        guard let last = text.last, !",.!".contains(last), let tail = TrailingPhraseReader.whole(text), tail.isStart
        else { return nil }
        return tail.rule.map { Self(rule: $0.rule, when: tail.when, isStart: true, end: tail.end) }
    }

    private static let units: [Character: RecurrenceRule.Frequency] = [
        "h": .hourly, "d": .daily, "w": .weekly, "m": .monthly, "y": .yearly,
    ]

    /// The rule of `P3D`, `P1M` and `PT4H` (ISO 8601); `nil` for any other text, also with several units.
    private static func duration(_ text: String) -> RecurrenceRule? {
        let text = text.lowercased()
        let isTime = text.hasPrefix("pt")
        guard text.hasPrefix("p"), let unit = text.last.flatMap({ self.units[$0] }), (unit < .daily) == isTime,
            let count = Vocabulary.positive(String(text.dropFirst(isTime ? 2 : 1).dropLast()), digits: 4)
        else { return nil }
        return RecurrenceRule(frequency: unit, interval: count)
    }

    /// The rule of `+3d`, `++1w` and `.+3d`, the repeaters of Org mode; `nil` for any other text.
    ///
    /// `m` means months. `.+` counts from the completion.
    private static func repeater(_ text: String) -> RecurrenceRule? {
        let plus = text.prefix { ".+".contains($0) }
        let digits = text.dropFirst(plus.count).dropLast()
        guard ["+", "++", ".+"].contains(plus), let unit = text.last.flatMap({ self.units[$0] }),
            let count = Vocabulary.positive(String(digits), digits: 4)
        else { return nil }
        let rule = RecurrenceRule(frequency: unit, interval: count)
        return plus == ".+" ? rule.countedFromCompletion() : rule
    }

    /// The first due time of a reminder, and its rule with the end.
    ///
    /// RFC 5545 §3.8.5.3 does not define the dates of a rule that excludes its start. The due time therefore moves to the
    /// first date of the rule. `moved` is the day that the user stated, or `nil` if the rule has a date on it.
    ///
    /// - Parameters:
    ///   - when: the due time of another option; a day without a time gets the time of the repetition.
    ///   - standard: the due time if neither `when` nor the repetition has one; the rule then chooses the date.
    /// - Throws: if both contain a time, if the time is past, or if the rule ends before the first date.
    package func firstDue(_ when: When?, standard: When, now: Instant, zone: LocalZone) throws(PhraseError) -> First {
        let stated = try self.combined(when)
        let resolved = self.soonest(stated ?? standard).compactMap { $0.resolved(now: now, zone: zone) }
            .min { $0.isBefore($1) }
        guard let due = stated?.mayBePast ?? false ? resolved : try resolved?.checkedToBeInFuture(now: now, zone: zone)
        else { return First(due: nil, rule: self.rule, moved: nil) }
        let first = self.rule.firstDue(from: due)
        let isOpen = stated == nil || when == nil && self.isStart
        let rule = try self.ended(from: first, now: now, zone: zone)
        return First(due: first, rule: rule, moved: isOpen || first == due ? nil : due.writtenDay)
    }

    /// The due time of a new repetition.
    package struct First {
        package let due: DueChoice?
        package let rule: RecurrenceRule
        /// The stated day, if the rule has no date on it.
        package let moved: CalendarDate?
    }

    /// The rule with its end.
    ///
    /// - Parameter first: the first due time; a span is counted from it, or from today without it.
    package func ended(from first: DueChoice?, now: Instant, zone: LocalZone) throws(PhraseError) -> RecurrenceRule {
        guard let end = self.end else { return self.rule }
        let today = zone.wallClock(at: now).date
        var rule = self.rule
        rule.until = try end.until(first: first?.writtenDay ?? today, today: today)
        return rule
    }

    /// The phrase, or one phrase for each time of a rule with several times, if a time without a day is the start.
    private func soonest(_ when: When) -> [When] {
        guard case .day(.soonest, .clock) = when, self.rule.byHour.count > 1 else { return [when] }
        return self.rule.byHour.compactMap { hour in
            ClockTime(hour: hour, minute: self.rule.byMinute.first ?? 0, second: 0).map { .day(.soonest, .clock($0)) }
        }
    }

    private func combined(_ when: When?) throws(PhraseError) -> When? {
        guard let when, let own = self.when else { return when ?? self.when }
        if case .day(let day, .whole) = when, case .day(.soonest, let time) = own { return .day(day, time) }
        throw PhraseError(
            .badValue,
            "The due time and the repetition both contain a date or a time of day. Remove it from one of them."
        )
    }
}
