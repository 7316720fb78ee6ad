import Bridge
import ICalendar
import Recurrence

/// Words that say in one go when something is due and how it repeats, as Todoist's do: `every monday at 9am`.
///
/// English only.
struct DuePhrase {
    let now: Instant
    let zone: LocalZone

    /// - Returns: `nil` for words that are not understood.
    func reading(_ text: String) -> ImportPhrase? {
        guard text.utf8.count <= PhraseWords.longestText else { return nil }
        let words = text.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() == "ev" ? "every" : String($0) }
        guard words.count <= Self.maximumWords else { return nil }
        let plain = words.joined(separator: " ")
        if let due = self.due(plain) { return ImportPhrase(due: due, rule: nil) }
        if let rule = self.rule(plain) { return self.series(rule, at: nil) }
        // `every day starting 1 may`, `every day 9am`: the rule is as long as it can be.
        for place in words.indices.dropFirst().reversed() {
            guard let rule = self.rule(words[..<place].joined(separator: " ")) else { continue }
            let rest = words[place...]
            if rest.count > 1, ["starting", "from"].contains(rest[place].lowercased()) {
                guard let due = self.due(rest.dropFirst().joined(separator: " ")) else { continue }
                return ImportPhrase(due: due, rule: rule)
            }
            guard case .day(.soonest, .clock(let clock))? = try? When(rest.joined(separator: " ")) else { continue }
            return self.series(rule, at: clock)
        }
        return nil
    }

    /// More words than anybody needs to say when; each place is tried.
    private static let maximumWords = 32

    private func due(_ text: String) -> DueChoice? {
        (try? When(text))?.resolved(now: self.now, zone: self.zone)
    }

    private func rule(_ text: String) -> RecurrenceRule? {
        var parser = RepeatParser(text)
        return try? parser.parse()
    }

    /// The first date that the rule names, from today on, or from now on where a time is named.
    private func series(_ rule: RecurrenceRule, at clock: ClockTime?) -> ImportPhrase {
        let wall = self.zone.wallClock(at: self.now)
        let midnight = ClockTime(secondsOfDay: 0)
        let isPast = clock.map { $0 <= wall.time } ?? false
        let start = DueChoice.local(isPast ? wall.date.adding(days: 1) : wall.date, clock ?? midnight)
        guard case .local(let date, let time) = rule.firstDue(from: start) else {
            return ImportPhrase(due: start, rule: rule)
        }
        // What repeats by the hour needs a time to count from.
        let isDay = clock == nil && rule.frequency >= .daily
        return ImportPhrase(due: isDay ? .date(date) : .local(date, time), rule: rule)
    }
}
