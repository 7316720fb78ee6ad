import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

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
        try UsageError.phrase { () throws(PhraseError) in try AlarmPhrase.read(text, called: "'--alarm'") }
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
            let choices = try phrases.compactMap { phrase in
                try UsageError.phrase { () throws(PhraseError) in
                    try phrase.choice(now: context.now, zone: zone, dayTime: dayTime)
                }
            }
            return .set(choices.enumerated().filter { choices.firstIndex(of: $1) == $0 }.map(\.element))
        }
    }
}
