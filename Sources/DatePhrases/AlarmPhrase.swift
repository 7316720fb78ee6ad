package import RemindavICalendar
package import RemindavReminders

/// An alarm as the user writes it, before the current time and the time zone are known.
package enum AlarmPhrase: Hashable, Sendable {
    case choice(AlarmChoice)
    case moment(When)
}

extension AlarmPhrase {
    /// Parses one alarm, or several with commas between them.
    ///
    /// - Parameter name: the name of the field at the beginning of the error sentence.
    package static func read(_ text: String, called name: String) throws(PhraseError) -> [Self] {
        if let choices = AlarmFormatter.choices(text), !choices.isEmpty { return choices.map { .choice($0) } }
        // The comma in `dec 24, 2027 9:00` does not separate two alarms.
        if let moment = self.alarmMoment(text) { return [.moment(moment)] }
        var phrases: [Self] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map({ String($0).trimmingWhiteSpace })
        {
            if let choice = AlarmFormatter.choice(part.lowercased()) ?? self.lead(part) {
                phrases.append(.choice(choice))
            } else if let moment = self.alarmMoment(part) {
                phrases.append(.moment(moment))
            } else {
                throw PhraseError(
                    .badValue,
                    "\(name) must be due, a time before the due time such as 15m, 1h or 1d (at most a year), a day "
                        + "with a time such as 'tomorrow 8:00', or only none, not '\(part)'."
                )
            }
        }
        return phrases
    }

    /// - Throws: if the alarm has a fixed time, and this time is past.
    package func choice(now: Instant, zone: LocalZone, dayTime: ClockTime) throws(PhraseError) -> AlarmChoice? {
        switch self {
        case .choice(let choice): return choice
        case .moment(let when):
            var due = when.resolved(now: now, zone: zone)
            if case .date(let date)? = due { due = .local(date, dayTime) }
            guard let due else { return nil }
            switch try due.checkedToBeInFuture(now: now, zone: zone) {
            case .date: return nil
            case .local(let date, let time): return .at(zone.instant(date, time))
            case .exact(let instant): return .at(instant)
            }
        }
    }

    /// The time before the due time that `15 minutes` and `1h30m` mean; `nil` for any other text.
    private static func lead(_ text: String) -> AlarmChoice? {
        guard let when = try? When(text), self.isCountAlone(when, text) else { return nil }
        let duration: CalendarDuration
        switch when {
        case .later(let seconds): duration = CalendarDuration(seconds: seconds)
        case .day(.days(let days), .whole): duration = CalendarDuration(days: days)
        case .absent, .day, .exact: return nil
        }
        let seconds = duration.days * ClockTime.secondsPerDay + duration.seconds
        let isValid = 1...AlarmChoice.longestLead.days * ClockTime.secondsPerDay ~= seconds
        return isValid ? .beforeDue(duration) : nil
    }

    /// The moment of an alarm; `nil` for a text that is no date, and for a count such as `15 minutes`.
    private static func alarmMoment(_ text: String) -> When? {
        guard let when = try? When(text), when != .absent else { return nil }
        return self.isCountAlone(when, text) ? nil : when
    }

    /// Whether a text is a count such as `15 minutes` without `in`; as an alarm, it is a time before the due time.
    private static func isCountAlone(_ when: When, _ text: String) -> Bool {
        switch when {
        case .later, .day(.days, _), .day(.months, _): break
        case .absent, .day, .exact: return false
        }
        guard text.trimmingWhiteSpace.first?.isPhraseDigit == true else { return false }
        // `isTitlePhrase` is true for a count with `in`, and for a moment such as `9am tomorrow`.
        return !When.isTitlePhrase(text)
    }
}

extension When {
    /// The end of a snooze; a day without a time ends at `dayTime`.
    ///
    /// - Throws: if the end is not in the future, or more than `longest` seconds from now.
    package func endOfSnooze(
        now: Instant,
        zone: LocalZone,
        dayTime: ClockTime,
        longest: Int64
    ) throws(PhraseError) -> Instant {
        let until: Instant
        switch self {
        case .later(let seconds): until = now.adding(seconds: seconds)
        case .day, .exact, .absent:
            switch self.resolved(now: now, zone: zone) {
            case .date(let day)?: until = zone.instant(day, dayTime)
            case .local(let day, let time)?: until = zone.instant(day, time)
            case .exact(let instant)?: until = instant
            case nil: until = now
            }
            guard until > now else {
                throw PhraseError(
                    .mustBeInFuture,
                    "The end of a snooze must be in the future: \(zone.text(until)) is past. Give a later day or time."
                )
            }
        }
        guard until <= now.adding(seconds: Int(longest)) else {
            throw PhraseError(.badValue, "A snooze may last at most a hundred years.")
        }
        return until
    }
}
