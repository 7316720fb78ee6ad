import Bridge
import DatePhrases
import ICalendar
import Reminders

/// An alarm as the user writes it, before the current time and the time zone are known.
enum AlarmPhrase: Hashable, Sendable {
    case choice(AlarmChoice)
    case moment(When)
}

extension ArgumentValues {
    /// Each text is one alarm, or several with commas between them; `none` cannot be combined with an alarm.
    static func alarmChange(_ texts: [String]) throws(UsageError) -> FieldChange<[AlarmPhrase]> {
        if texts.isEmpty { return .keep }
        if texts.contains(where: { $0.lowercased() == "none" }) {
            if texts.count == 1 { return .clear }
            throw UsageError(.badValue, "'--alarm none' removes all alarms. Remove the other --alarm.")
        }
        var phrases: [AlarmPhrase] = []
        for text in texts {
            for phrase in try self.alarms(text) where !phrases.contains(phrase) { phrases.append(phrase) }
        }
        guard phrases.count <= AlarmChoice.maximumCount else {
            throw UsageError(
                .badValue,
                "A reminder can have at most \(AlarmChoice.maximumCount) alarms, not \(phrases.count). Remove some."
            )
        }
        return .set(phrases)
    }

    /// The alarms of `+15m` and `-1h`, to add and to remove; `nil` if no value begins with a sign.
    static func alarmAdjustment(_ texts: [String]) throws(UsageError) -> (added: [AlarmPhrase], removed: [AlarmPhrase])?
    {
        let parts = texts.flatMap { $0.split(separator: ",").map { String($0).trimmingWhiteSpace } }
        guard parts.contains(where: { $0.hasPrefix("+") || $0.hasPrefix("-") }) else { return nil }
        var phrases: (added: [AlarmPhrase], removed: [AlarmPhrase]) = ([], [])
        for part in parts {
            let rest = String(part.dropFirst()).trimmingWhiteSpace
            switch part.first {
            case "+": phrases.added += try self.alarms(rest)
            case "-": phrases.removed += try self.alarms(rest)
            default:
                throw UsageError(
                    .badValue,
                    "'--alarm \(Sanitizer.excerpt(part))' replaces all alarms, and '+15m' or '-15m' changes one. "
                        + "Use one of the two forms."
                )
            }
        }
        return phrases
    }

    private static func alarms(_ text: String) throws(UsageError) -> [AlarmPhrase] {
        if let choices = AlarmFormatter.choices(text), !choices.isEmpty { return choices.map { .choice($0) } }
        // The comma in `dec 24, 2027 9:00` does not separate two alarms.
        if let moment = self.alarmMoment(text) { return [.moment(moment)] }
        var phrases: [AlarmPhrase] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map({ String($0).trimmingWhiteSpace })
        {
            if let choice = AlarmFormatter.choice(part.lowercased()) ?? self.lead(part) {
                phrases.append(.choice(choice))
            } else if let moment = self.alarmMoment(part) {
                phrases.append(.moment(moment))
            } else {
                throw UsageError(
                    .badValue,
                    "'--alarm' must be due, a time before the due time such as 15m, 1h or 1d (at most a year), a day "
                        + "with a time such as 'tomorrow 8:00', or only none, not '\(Sanitizer.excerpt(part))'."
                )
            }
        }
        return phrases
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

    static func defaultDue(_ text: String, called name: String) throws(UsageError) -> DefaultDue {
        if let due = DefaultDue(rawValue: text.lowercased()) { return due }
        throw UsageError(.badValue, "'\(name)' must be tomorrow or none, not '\(Sanitizer.excerpt(text))'.")
    }

    static func defaultAlarms(_ text: String, called name: String) throws(UsageError) -> [AlarmChoice] {
        if let alarms = AlarmFormatter.choices(text), alarms.count <= AlarmChoice.maximumCount { return alarms }
        let valid = "due, times before the due time such as 15m, 1h or 1d, separated by commas, or none"
        throw UsageError(.badValue, "'\(name)' must be \(valid), not '\(Sanitizer.excerpt(text))'.")
    }
}

extension AlarmPhrase {
    /// - Throws: if the alarm has a fixed time, and this time is past.
    func choice(now: Instant, zone: LocalZone, dayTime: ClockTime) throws(UsageError) -> AlarmChoice? {
        switch self {
        case .choice(let choice): return choice
        case .moment(let when):
            var due = when.resolved(now: now, zone: zone)
            if case .date(let date)? = due { due = .local(date, dayTime) }
            guard let due else { return nil }
            switch try UsageError.phrase({ () throws(PhraseError) in try due.checkedToBeInFuture(now: now, zone: zone) }
            ) {
            case .date: return nil
            case .local(let date, let time): return .at(zone.instant(date, time))
            case .exact(let instant): return .at(instant)
            }
        }
    }
}

extension [AlarmPhrase] {
    func resolved(in context: Context) throws -> [AlarmChoice] {
        guard case .set(let choices) = try FieldChange.set(self).resolved(in: context, context.localZone()) else {
            return []
        }
        return choices
    }
}

extension FieldChange where Value == [AlarmPhrase] {
    func resolved(in context: Context, _ zone: LocalZone) throws -> FieldChange<[AlarmChoice]> {
        switch self {
        case .keep: return .keep
        case .clear: return .clear
        case .set(let phrases):
            let dayTime = context.settings.alarms.dayTime
            let choices = try phrases.compactMap { try $0.choice(now: context.now, zone: zone, dayTime: dayTime) }
            return .set(choices.enumerated().filter { choices.firstIndex(of: $1) == $0 }.map(\.element))
        }
    }
}
