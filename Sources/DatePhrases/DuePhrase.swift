package import ICalendar
import Recurrence
package import Reminders

/// The meaning of a phrase with a due time, a repeat rule, or both.
package struct DuePhrase: Hashable, Sendable {
    /// `nil` if the phrase names no date.
    package var due: DueChoice?
    /// `nil` for a phrase that does not repeat.
    package var rule: RecurrenceRule?
}

/// Reads a phrase with a due time and a repetition, in the forms of Todoist: `every monday at 9am`.
///
/// English only.
package struct DuePhraseParser: Sendable {
    private let now: Instant
    private let zone: LocalZone

    package init(now: Instant, zone: LocalZone) {
        self.now = now
        self.zone = zone
    }

    /// - Returns: `nil` for a phrase that cannot be parsed.
    package func read(_ text: String) -> DuePhrase? {
        guard text.utf8.count <= PhraseTokens.longestText else { return nil }
        let words = text.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() == "ev" ? "every" : String($0) }
        guard words.count <= Self.maximumWords else { return nil }
        let plain = words.joined(separator: " ")
        if let due = self.due(plain) { return DuePhrase(due: due, rule: nil) }
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
            switch self.due(text) {
            case .date(let date)? where start == nil: start = date
            case .local(let date, let time)? where start == nil: (start, clock) = (date, clock ?? time)
            default: return nil
            }
        }
        let first = self.series(rule, at: clock, from: start)
        for (bound, text) in ends {
            // Two ends contradict each other.
            guard rule.until == nil, rule.count == nil else { return nil }
            guard let end = self.end(bound, text, from: first.due) else { return nil }
            rule.until = .date(end)
        }
        return DuePhrase(due: first.due, rule: rule)
    }

    /// More words than any useful phrase has; the parser tries each place.
    private static let maximumWords = 32

    /// The words after a rule that set its first or its last date.
    private enum Bound {
        case start, end, length
    }

    /// The bound that the word at that place begins; `nil` for other words.
    private static func bound(_ words: [String], at place: Int) -> Bound? {
        switch words[place].lowercased() {
        case "starting": .start
        // `weeks from sunday` sets the first day of the week.
        case "from": words[place - 1].lowercased() == "weeks" ? nil : .start
        case "ending", "until": .end
        // `for 10 times` is part of the rule.
        case "for": ["time", "times"].contains(words.last?.lowercased()) ? nil : .length
        default: nil
        }
    }

    /// `every day`, `every day 9am`: the rule is as long as it can be.
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

    /// The last day; `nil` if it is before the first date.
    private func end(_ bound: Bound, _ text: String, from first: DueChoice?) -> CalendarDate? {
        let start: CalendarDate
        switch first {
        case .date(let date), .local(let date, _): start = date
        case .exact, nil: return nil
        }
        let end: CalendarDate
        if bound == .length {
            // `for 3 weeks` counts from the first date, which is one of them.
            guard case .day(let span, .whole)? = try? When("in \(text)") else { return nil }
            end = span.date(from: start) { _ in false }.adding(days: -1)
        } else {
            switch self.due(text) {
            case .date(let date), .local(let date, _): end = date
            case .exact, nil: return nil
            }
        }
        return end < start ? nil : end
    }

    private func due(_ text: String) -> DueChoice? {
        (try? When(text))?.resolved(now: self.now, zone: self.zone)
    }

    /// The rule in our form or in Todoist's, where `every 1st` is a day of each month, `every 3rd friday` the third one of
    /// each month, and `every jan 5` a day of each year.
    private func rule(_ text: String) -> RecurrenceRule? {
        let days = text.hasPrefix("every ") ? text.dropFirst("every ".count) : ""
        let forms = [text] + (days.isEmpty ? [] : ["every month on \(days)", "every year on \(days)"])
        // A bare number is a count, as in `every 3`, and `every second friday` can be every other one.
        let isUnclear = days.allSatisfy(\.isPhraseDigit) || ["second ", "third "].contains { days.hasPrefix($0) }
        for form in isUnclear ? [text] : forms {
            var parser = RepeatParser(form)
            if let rule = try? parser.parse() { return rule }
        }
        return nil
    }

    /// The first date of the rule from today on, or from now on if there is a time.
    ///
    /// - Parameter begin: the earliest day, if it is later.
    private func series(_ rule: RecurrenceRule, at clock: ClockTime?, from begin: CalendarDate? = nil) -> DuePhrase {
        let wall = self.zone.wallClock(at: self.now)
        let midnight = ClockTime(secondsOfDay: 0)
        let isPast = clock.map { $0 <= wall.time } ?? false
        let soonest = isPast ? wall.date.adding(days: 1) : wall.date
        let start = DueChoice.local(max(soonest, begin ?? soonest), clock ?? midnight)
        guard case .local(let date, let time) = rule.firstDue(from: start) else {
            return DuePhrase(due: start, rule: rule)
        }
        // An hourly rule needs a start time.
        let isDay = clock == nil && rule.frequency >= .daily
        return DuePhrase(due: isDay ? .date(date) : .local(date, time), rule: rule)
    }
}
