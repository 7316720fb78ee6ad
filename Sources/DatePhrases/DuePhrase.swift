package import ICalendar
import Recurrence
package import Reminders

package struct DuePhrase: Hashable, Sendable {
    package var due: DueChoice?
    package var rule: RecurrenceRule?
}

/// Reads a phrase with a due time, a repetition or both, in English and in the forms of Todoist: `every monday at 9am`.
package struct DuePhraseParser: Sendable {
    private let now: Instant
    private let zone: LocalZone

    package init(now: Instant, zone: LocalZone) {
        self.now = now
        self.zone = zone
    }

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
        guard let start = first?.writtenDay else { return nil }
        var end = bound == .length ? nil : self.due(text)?.writtenDay
        if bound == .length, case .day(let span, .whole)? = try? When("in \(text)") {
            // `for 3 weeks` counts from the first date, which is one of them.
            end = span.date(from: start) { _ in false }.adding(days: -1)
        }
        return end.flatMap { $0 < start ? nil : $0 }
    }

    private func due(_ text: String) -> DueChoice? {
        (try? When(text))?.resolved(now: self.now, zone: self.zone)
    }

    /// Also in the form of Todoist, where `every 1st` is a day of each month, and `every jan 5` a day of each year.
    private func rule(_ text: String) -> RecurrenceRule? {
        let days = text.hasPrefix("every ") ? text.dropFirst("every ".count) : ""
        let forms = [text] + (days.isEmpty ? [] : ["every month on \(days)", "every year on \(days)"])
        // A bare number is a count, as in `every 3`, and `every second friday` can be every other one.
        let isUnclear = days.allSatisfy(\.isPhraseDigit) || ["second ", "third "].contains { days.hasPrefix($0) }
        for form in isUnclear ? [text] : forms {
            if let rule = try? RepeatParser.rule(form) { return rule }
        }
        return nil
    }

    /// From today on, or from now on if there is a time.
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

extension DueChoice {
    /// `nil` for an exact moment.
    fileprivate var writtenDay: CalendarDate? {
        switch self {
        case .date(let date), .local(let date, _): date
        case .exact: nil
        }
    }
}

extension RecurrenceRule {
    /// The first due time of a repeating reminder without a due time: the first date of the rule from `start` on.
    ///
    /// The interval counts from that date, so that `every 2 weeks on mon` begins with the first Monday. A rule without
    /// computable dates begins at `start`.
    package func firstDue(from start: DueChoice) -> DueChoice {
        guard let date = start.writtenDay else { return start }
        let time = if case .local(_, let clock) = start { clock } else { ClockTime(secondsOfDay: 0) }
        // An hourly rule has no whole days.
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
