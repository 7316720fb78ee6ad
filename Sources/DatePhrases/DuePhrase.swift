package import RemindavICalendar
import RemindavRecurrence
package import RemindavReminders

package struct DuePhrase: Hashable, Sendable {
    package var due: DueChoice?
    package var rule: RecurrenceRule?
    /// Whether the phrase repeats on dates that no rule expresses, so that it has only its first date.
    package var hasOtherDates = false
}

/// Parses a due time, a repetition or both, in English and in the forms of Todoist: `every monday at 9am`.
package struct DuePhraseParser: Sendable {
    private let now: Instant
    private let zone: LocalZone

    package init(now: Instant, zone: LocalZone) {
        self.now = now
        self.zone = zone
    }

    package func read(_ text: String) -> DuePhrase? {
        guard text.utf8.count <= PhraseTokens.longestText else { return nil }
        let words = Self.inOrder(TodoistWords.plain(text.split { $0 == " " || $0 == "\t" }.map(String.init)))
        guard words.count <= Self.maximumWords else { return nil }
        let spelled = TodoistWords.spelled(words)
        return self.days(spelled) ?? self.read(spelled) ?? self.workdays(spelled) ?? self.severalRules(spelled)
    }

    /// The words with the rule first: `starting 7 dec every mon` becomes `every mon starting 7 dec`.
    private static func inOrder(_ words: [String]) -> [String] {
        guard !words.isEmpty, self.bound(words, at: 0) != nil,
            let place = words.firstIndex(where: { ["every", "every!"].contains($0.lowercased()) })
        else { return words }
        return Array(words[place...] + words[..<place])
    }

    private func read(_ words: [String]) -> DuePhrase? {
        let plain = words.joined(separator: " ")
        if let due = self.nearestDue(plain) { return DuePhrase(due: due, rule: nil) }
        if let rule = self.rule(plain) { return self.series(rule, at: nil) }
        let bounds = words.indices.dropFirst().compactMap { place in
            Self.bound(words, at: place).map { (place, $0) }
        }
        guard var (rule, clock) = self.ruleAndTime(words[..<(bounds.first?.0 ?? words.count)]) else { return nil }
        var start: CalendarDate?
        var ends: [(Bound, String)] = []
        for (index, (place, bound)) in bounds.enumerated() {
            let end = index + 1 < bounds.count ? bounds[index + 1].0 : words.count
            let text = words[(place + 1)..<end].joined(separator: " ")
            guard bound == .start else {
                ends.append((bound, text))
                continue
            }
            switch self.nearestDue(text) {
            case .date(let date)? where start == nil: start = date
            case .local(let date, let time)? where start == nil: (start, clock) = (date, clock ?? time)
            default: return nil
            }
        }
        let first = self.series(rule, at: clock, from: start)
        for (bound, text) in ends {
            // A rule cannot have two ends.
            guard rule.until == nil, rule.count == nil else { return nil }
            guard let end = self.end(bound, text, from: first.due) else { return nil }
            rule.until = .date(end)
        }
        guard let due = first.due else { return nil }
        return start == nil ? DuePhrase(due: due, rule: rule) : self.advancing(rule, from: due)
    }

    /// The next date of a series that may have begun in the past, so that its later dates stay those of its first date.
    ///
    /// A series without a further date gets its last one. A rule that counts from the completion has no dates until
    /// then, so its task is due today.
    private func advancing(_ rule: RecurrenceRule, from first: DueChoice) -> DuePhrase? {
        let wall = self.zone.wallClock(at: self.now)
        let (begin, now): (CalendarDateOrDateTime, CalendarDateOrDateTime)
        switch first {
        case .date(let date) where date < wall.date:
            (begin, now) = (.date(date), .date(wall.date.adding(days: -1)))
        case .local(let date, let time) where (date, time) < (wall.date, wall.time):
            if rule.countsFromCompletion { return self.series(rule, at: time) }
            (begin, now) = (.of(date, time), .of(wall.date, wall.time))
        case .date, .local, .exact: return DuePhrase(due: first, rule: rule)
        }
        if rule.countsFromCompletion { return self.series(rule, at: nil) }
        let set = RecurrenceSet(start: begin, rules: [rule], resolver: .withoutZones)
        var rest = rule
        do {
            if let next = try set.next(after: now) {
                rest.count = try rule.count.map { try max(1, $0 - set.count(before: next, limit: $0)) }
                return DuePhrase(due: DueChoice(written: next), rule: rest)
            }
            let dates = try set.first(Self.maximumDates + 1)
            guard let last = dates.last, dates.count <= Self.maximumDates else { return nil }
            rest.count = rule.count.map { _ in 1 }
            return DuePhrase(due: DueChoice(written: last), rule: rest)
        } catch {
            return nil
        }
    }

    /// The maximum number of dates of a series that has ended, of which the last one becomes the due date; a phrase
    /// with more dates is not read.
    private static let maximumDates = 400

    /// The maximum number of words in a phrase, because the parser tries to split the phrase at each word.
    private static let maximumWords = 32

    /// The words after a rule that introduce its first date, its last date or its length.
    private enum Bound {
        case start, end, length
    }

    private static func bound(_ words: [String], at place: Int) -> Bound? {
        switch words[place].lowercased() {
        case "starting": .start
        // `every week weeks from sunday`: these words set the first day of the week, not the first date.
        case "from" where place > 0 && words[place - 1].lowercased() == "weeks" && place + 1 < words.count:
            Vocabulary.weekdays[words[place + 1].lowercased()] == nil ? .start : nil
        case "from": .start
        case "ending", "until": .end
        // `for 10 times` is the count of the rule, not a length of time.
        case "for": ["time", "times"].contains(words.last?.lowercased()) ? nil : .length
        default: nil
        }
    }

    /// Splits `every day 9am` into a rule and a time of day; the rule takes as many words as it can.
    private func ruleAndTime(_ words: ArraySlice<String>) -> (RecurrenceRule, ClockTime?)? {
        if let rule = self.rule(words.joined(separator: " ")) { return (rule, nil) }
        for place in words.indices.dropFirst().reversed() {
            guard let rule = self.rule(words[..<place].joined(separator: " ")),
                case .day(.soonest, .clock(let clock))? = try? When(words[place...].joined(separator: " "))
            else { continue }
            return (rule, clock)
        }
        return nil
    }

    /// The last day of the rule; `nil` if that day is before the first date or the text cannot be parsed.
    ///
    /// A day without a year is the first such day from the first date on.
    private func end(_ bound: Bound, _ text: String, from first: DueChoice?) -> CalendarDate? {
        guard let start = first?.writtenDay else { return nil }
        var end = bound == .length ? nil : self.due(text)?.writtenDay
        if bound == .end, case .day(let day, _)? = try? When(text), case .yearly = day {
            end = day.date(from: start) { $0 < start }
        }
        if bound == .length, case .day(let span, .whole)? = try? When("in \(text)") {
            // The span begins with the first date, so `for 3 weeks` ends one day earlier.
            end = span.date(from: start) { _ in false }.adding(days: -1)
        }
        return end.flatMap { $0 < start ? nil : $0 }
    }

    /// Parses a due time; a day without a year is the nearest such day, because a task of another program may be overdue.
    private func nearestDue(_ text: String) -> DueChoice? {
        guard case .day(.yearly(let month, let day), let time)? = try? When(text) else { return self.due(text) }
        let today = self.zone.wallClock(at: self.now).date
        let dates = (today.year - 1...today.year + 1).compactMap { CalendarDate(year: $0, month: month, day: day) }
        let nearest = dates.min { abs($0.dayNumber - today.dayNumber) < abs($1.dayNumber - today.dayNumber) }
        guard let nearest else { return self.due(text) }
        return When.day(.date(nearest), time).resolved(now: self.now, zone: self.zone)
    }

    private func due(_ text: String) -> DueChoice? {
        (try? When(text))?.resolved(now: self.now, zone: self.zone)
    }

    /// Parses a rule, also in the form of Todoist: `every 1st` means each month, and `every jan 5` means each year.
    private func rule(_ text: String) -> RecurrenceRule? {
        let days = text.hasPrefix("every ") ? text.dropFirst("every ".count) : ""
        let forms = [text] + (days.isEmpty ? [] : ["every month on \(days)", "every year on \(days)"])
        // `every second friday` can have several meanings, so the forms of Todoist are not tried.
        let isUnclear = ["second ", "third "].contains { days.hasPrefix($0) }
        for form in isUnclear ? [text] : forms {
            if let rule = RepeatParser.rule(form) { return rule }
        }
        return nil
    }

    /// Parses several days of the year: `every 14 jan, 14 jul`; they are one rule if all have the same number.
    private func days(_ words: [String]) -> DuePhrase? {
        guard words.first == "every" else { return nil }
        var tokens = PhraseTokens(words.dropFirst().joined(separator: " "))
        let named = tokens.yearlyDays()
        guard named.count > 1, tokens.isAtEnd, named.allSatisfy({ $0.year == nil }) else { return nil }
        let phrases = named.map { day in
            var rule = RecurrenceRule(frequency: .yearly)
            (rule.byMonth, rule.byMonthDay) = ([day.month], [day.day])
            return self.series(rule, at: nil)
        }
        let first = phrases.compactMap(\.due?.writtenDay).min().map { DueChoice.date($0) }
        let months = Set(named.map(\.month)).sorted()
        guard Set(named.map(\.day)).count == 1, months.count == named.count else {
            return DuePhrase(due: first, rule: nil, hasOtherDates: true)
        }
        var rule = RecurrenceRule(frequency: .yearly)
        (rule.byMonth, rule.byMonthDay) = (months, [named[0].day])
        let gap = 12 / months.count
        // English words can express months at equal distances.
        if months.count * gap == 12, months == months.indices.map({ months[0] + $0 * gap }) {
            rule = RecurrenceRule(frequency: .monthly, interval: gap)
            rule.byMonthDay = [named[0].day]
        }
        return DuePhrase(due: first, rule: rule)
    }

    /// Parses `every 3 workdays`, which is no rule because it counts only some days.
    private func workdays(_ words: [String]) -> DuePhrase? {
        guard words.count == 3, words[0] == "every", Vocabulary.count(words[1]) != nil,
            ["workday", "workdays", "weekday", "weekdays"].contains(words[2].lowercased())
        else { return nil }
        let first = self.series(.weekly(on: Weekday.workdays), at: nil)
        return DuePhrase(due: first.due, rule: nil, hasOtherDates: true)
    }

    /// Parses `every 1st wed jan, 3rd thu jul`: several rules, of which only the first date is known.
    private func severalRules(_ words: [String]) -> DuePhrase? {
        guard words.first == "every" else { return nil }
        let parts = words.dropFirst().joined(separator: " ").split(separator: ",").map { part in
            self.ruleAndTime(["every"] + part.split(separator: " ").map(String.init))
        }
        guard parts.count > 1, parts.allSatisfy({ $0?.0.until == nil && $0?.0.count == nil }) else { return nil }
        let rules = parts.compactMap(\.self)
        guard rules.count == parts.count else { return nil }
        let first = rules.compactMap { rule, clock in self.series(rule, at: clock).due }.min { $0.place < $1.place }
        return DuePhrase(due: first, rule: nil, hasOtherDates: true)
    }

    /// The rule with its first due time.
    ///
    /// Without `begin`, the first due time is not past. Without a time of day, the search begins at midnight today. The
    /// search for an hourly rule begins with the next full hour.
    ///
    /// - Parameter begin: the first date is not before this day, which may be past; `nil` means today.
    private func series(_ rule: RecurrenceRule, at clock: ClockTime?, from begin: CalendarDate? = nil) -> DuePhrase {
        let wall = self.zone.wallClock(at: self.now)
        let midnight = ClockTime(secondsOfDay: 0)
        let minute = rule.byMinute.first ?? 0
        let times = rule.byHour.compactMap { ClockTime(hour: $0, minute: minute, second: 0) }
        let clock = clock ?? times.first { begin == nil && $0 > wall.time } ?? times.first
        let isPast = clock.map { $0 <= wall.time } ?? false
        let soonest = isPast ? wall.date.adding(days: 1) : wall.date
        var start = DueChoice.local(begin ?? soonest, clock ?? midnight)
        if clock == nil, rule.frequency < .daily, begin.map({ $0 <= wall.date }) ?? true {
            let seconds = (wall.time.secondsOfDay / 3600 + 1) * 3600
            let isToday = seconds < ClockTime.secondsPerDay
            start = .local(
                isToday ? wall.date : wall.date.adding(days: 1),
                ClockTime(secondsOfDay: isToday ? seconds : 0)
            )
        }
        guard case .local(let date, let time) = rule.firstDue(from: start) else {
            return DuePhrase(due: start, rule: rule)
        }
        // An hourly rule needs a time of day for its first date.
        let isDay = clock == nil && rule.frequency >= .daily
        return DuePhrase(due: isDay ? .date(date) : .local(date, time), rule: rule)
    }
}

extension DueChoice {
    /// The date, or the time in the user's zone.
    fileprivate init(written moment: CalendarDateOrDateTime) {
        switch moment {
        case .date(let date): self = .date(date)
        case .dateTime(let time): self = .local(time.date, time.time)
        }
    }

    /// The position among the due times in the user's zone, of which a rule has no exact instants.
    fileprivate var place: (day: Int, second: Int) {
        switch self {
        case .date(let date): (date.dayNumber, 0)
        case .local(let date, let time): (date.dayNumber, time.secondsOfDay)
        case .exact: (.max, 0)
        }
    }

    /// The date of the due time in the user's zone; `nil` for an exact instant.
    var writtenDay: CalendarDate? {
        switch self {
        case .date(let date), .local(let date, _): date
        case .exact: nil
        }
    }

    /// Whether both are times of the user's zone, and this one is earlier.
    func isBefore(_ other: Self) -> Bool {
        guard case .local(let date, let time) = self, case .local(let day, let clock) = other else { return false }
        return (date, time) < (day, clock)
    }
}

extension RecurrenceRule {
    /// The first date of the rule from `start` on: the due time of a repeating reminder for which the user gave none.
    ///
    /// The interval is ignored, so `every 2 weeks on mon` begins with the first Monday. If the rule's dates cannot be
    /// computed, the result is `start`.
    package func firstDue(from start: DueChoice) -> DueChoice {
        guard let date = start.writtenDay else { return start }
        let time = if case .local(_, let clock) = start { clock } else { ClockTime(secondsOfDay: 0) }
        // An hourly rule has no all-day dates.
        if case .date = start, self.frequency < .daily || !self.byHour.isEmpty { return start }
        var rule = self
        rule.interval = 1
        rule.count = nil
        rule.until = nil
        let moment = CalendarDateOrDateTime.dateTime(CalendarDateTime(date: date, time: time, zone: .floating))
        let dates = try? RecurrenceSet(start: moment, rules: [rule], resolver: .withoutZones).first(1)
        guard case .dateTime(let first)? = dates?.first else { return start }
        if case .date = start { return .date(first.date) }
        return .local(first.date, first.time)
    }
}
