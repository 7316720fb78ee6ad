package import ICalendar
package import Reminders

/// A repetition as the user states it: a rule, and the due time that the same words contain.
package struct RepeatPhrase: Hashable, Sendable {
    package let rule: RecurrenceRule
    /// The due time in the words: `9am` in `every monday at 9am`.
    package var when: When?
    /// Whether ``when`` is only the earliest time for the rule's dates, as in `every monday at 9am`.
    package var isStart = false

    package init(rule: RecurrenceRule, when: When? = nil, isStart: Bool = false) {
        self.rule = rule
        self.when = when
        self.isStart = isStart
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
        if let rule = self.repeater(text) { return Self(rule: rule) }
        // In `every day until 2027-06-01 at 8am`, the time belongs to the reminder, as in a title.
        let words = text.lowercased().split(separator: " ")
        if let until = words.firstIndex(of: "until"), words[until...].contains("at"), let phrase = self.timed(text) {
            return phrase
        }
        do throws(PhraseError) { return Self(rule: try RepeatParser.rule(text)) } catch {
            guard PhraseTokens.refusalOfLength(text) == nil else { throw error }
            let forms = [text, "every \(text)"]
            if let rule = try? RepeatParser.rule(forms[1]) { return Self(rule: rule) }
            for form in forms { if let phrase = self.timed(form) { return phrase } }
            throw error
        }
    }

    /// Parses a rule with a time of day, or with its first date after `starting` or `from`.
    private static func timed(_ text: String) -> Self? {
        guard let last = text.last, !",.!".contains(last), let tail = TrailingPhraseReader.whole(text), tail.isStart
        else { return nil }
        return tail.rule.map { Self(rule: $0.rule, when: tail.due?.when, isStart: true) }
    }

    /// The rule of `+3d`, `++1w` and `.+3d`, the repeaters of Org mode; `nil` for any other text.
    ///
    /// `m` means months. `.+` counts from the completion.
    private static func repeater(_ text: String) -> RecurrenceRule? {
        let units: [Character: RecurrenceRule.Frequency] = [
            "h": .hourly, "d": .daily, "w": .weekly, "m": .monthly, "y": .yearly,
        ]
        let plus = text.prefix { ".+".contains($0) }
        let digits = text.dropFirst(plus.count).dropLast()
        guard ["+", "++", ".+"].contains(plus), let unit = text.last.flatMap({ units[$0] }),
            let count = Vocabulary.positive(String(digits), digits: 4)
        else { return nil }
        let rule = RecurrenceRule(frequency: unit, interval: count)
        return plus == ".+" ? rule.countedFromCompletion() : rule
    }

    /// The first due time of a reminder.
    ///
    /// RFC 5545 §3.8.5.3 does not define the dates of a rule that excludes its start. The due time therefore moves to the
    /// first date of the rule. `moved` is the day that the user stated, or `nil` if the rule has a date on it.
    ///
    /// - Parameters:
    ///   - when: the due time of another option; a day without a time gets the time of the repetition.
    ///   - standard: the due time if neither `when` nor the repetition has one; the rule then chooses the date.
    /// - Throws: if both contain a time, or if the time is past.
    package func firstDue(_ when: When?, standard: When, now: Instant, zone: LocalZone) throws(PhraseError)
        -> (due: DueChoice?, moved: CalendarDate?)
    {
        let stated = try self.combined(when)
        let resolved = (stated ?? standard).resolved(now: now, zone: zone)
        guard let due = stated?.mayBePast ?? false ? resolved : try resolved?.checkedToBeInFuture(now: now, zone: zone)
        else { return (nil, nil) }
        let first = self.rule.firstDue(from: due)
        let isOpen = stated == nil || when == nil && self.isStart
        return (first, isOpen || first == due ? nil : due.writtenDay)
    }

    private func combined(_ when: When?) throws(PhraseError) -> When? {
        guard let when, let own = self.when else { return when ?? self.when }
        if case .day(let day, .whole) = when, case .day(.soonest, let time) = own { return .day(day, time) }
        throw PhraseError(
            .badValue,
            "'--due' and '--repeat' both contain a date or a time of day. Remove it from one of them."
        )
    }
}
