import Bridge
import DatePhrases
import ICalendar
import Reminders

/// An alarm as written on the command line, before the time and the zone are known.
enum AlarmPhrase: Hashable, Sendable {
    /// One that counts from the due time.
    case choice(AlarmChoice)
    /// One at a time of its own.
    case moment(When)
}

extension ArgumentValues {
    /// The values of repeated `--alarm`: each is an alarm, or several with commas between them; `none` stands alone.
    static func alarmChange(_ texts: [String]) throws(UsageError) -> FieldChange<[AlarmPhrase]> {
        if texts.isEmpty { return .keep }
        if texts.contains(where: { $0.lowercased() == "none" }) {
            guard texts.count == 1 else {
                throw UsageError(
                    .badValue,
                    "'--alarm none' removes all alarms and cannot stand beside another --alarm."
                )
            }
            return .clear
        }
        var phrases: [AlarmPhrase] = []
        for text in texts {
            for phrase in try self.alarms(text) where !phrases.contains(phrase) { phrases.append(phrase) }
        }
        guard phrases.count <= AlarmChoice.maximumCount else {
            throw UsageError(
                .badValue,
                "A reminder can have \(AlarmChoice.maximumCount) alarms, not \(phrases.count). Leave some out."
            )
        }
        return .set(phrases)
    }

    private static func alarms(_ text: String) throws(UsageError) -> [AlarmPhrase] {
        if let choices = AlarmFormatter.choices(text), !choices.isEmpty { return choices.map { .choice($0) } }
        // `dec 24, 2027 9:00` has a comma of its own.
        if let moment = self.alarmMoment(text) { return [.moment(moment)] }
        var phrases: [AlarmPhrase] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map({ String($0).trimmingWhiteSpace })
        {
            if let choice = AlarmFormatter.choice(part.lowercased()) {
                phrases.append(.choice(choice))
            } else if let moment = self.alarmMoment(part) {
                phrases.append(.moment(moment))
            } else {
                throw UsageError(
                    .badValue,
                    "'--alarm' is due, a time before it such as 15m, 1h or 1d (at most a year), a day with a time such as "
                        + "'tomorrow 8:00', or none, not '\(Sanitizer.excerpt(part))'."
                )
            }
        }
        return phrases
    }

    /// A time of its own; no date at all is none.
    private static func alarmMoment(_ text: String) -> When? {
        guard let when = try? When(text), when != .absent else { return nil }
        return self.isCountAlone(when, text) ? nil : when
    }

    /// Whether a text is a number and a unit without `in`: `400d`, `15 minutes`.
    ///
    /// For `--due` this counts from now. For an alarm, people mean the time before the due time, so it must not become a
    /// moment that counts from now.
    private static func isCountAlone(_ when: When, _ text: String) -> Bool {
        switch when {
        case .later, .day(.days, _), .day(.months, _): break
        case .absent, .day, .exact: return false
        }
        guard text.trimmingWhiteSpace.first?.isPhraseDigit == true else { return false }
        // In a title such a phrase needs `in`; `9am tomorrow` is a moment there, too.
        return !When.isTitlePhrase(text)
    }

    /// The default date of the setting `due` and of `lists set`.
    static func defaultDue(_ text: String, called name: String) throws(UsageError) -> DefaultDue {
        guard let due = DefaultDue(rawValue: text.lowercased()) else {
            throw UsageError(.badValue, "'\(name)' is tomorrow or none, not '\(Sanitizer.excerpt(text))'.")
        }
        return due
    }

    /// The default alarms of the setting `alarm` and of `lists set`.
    static func defaultAlarms(_ text: String, called name: String) throws(UsageError) -> [AlarmChoice] {
        guard let alarms = AlarmFormatter.choices(text), alarms.count <= AlarmChoice.maximumCount else {
            throw UsageError(
                .badValue,
                "'\(name)' is due, times before it such as 15m, 1h or 1d with commas between them, or none, "
                    + "not '\(Sanitizer.excerpt(text))'."
            )
        }
        return alarms
    }
}

extension AlarmPhrase {
    /// The alarm that is meant at `now` in `zone`.
    ///
    /// - Parameter dayTime: the time of an alarm on a day without one.
    /// - Throws: when its own time is past.
    func choice(now: Instant, zone: LocalZone, dayTime: ClockTime) throws(UsageError) -> AlarmChoice? {
        switch self {
        case .choice(let choice): return choice
        case .moment(let when):
            switch when.resolved(now: now, zone: zone) {
            case nil: return nil
            case .date(let date): return try Self.checked(.local(date, dayTime), now, zone)
            case .some(let other): return try Self.checked(other, now, zone)
            }
        }
    }

    private static func checked(_ due: DueChoice, _ now: Instant, _ zone: LocalZone) throws(UsageError) -> AlarmChoice?
    {
        let due = try UsageError.phrase { () throws(PhraseError) in try due.checkedToBeInFuture(now: now, zone: zone) }
        switch due {
        case .date: return nil
        case .local(let date, let time): return .at(zone.instant(date, time))
        case .exact(let instant): return .at(instant)
        }
    }
}

extension FieldChange where Value == [AlarmPhrase] {
    /// The alarms that are meant now.
    func resolved(in context: Context, _ zone: LocalZone) throws -> FieldChange<[AlarmChoice]> {
        switch self {
        case .keep: return .keep
        case .clear: return .clear
        case .set(let phrases):
            let dayTime = context.settings.alarmTime
            var choices: [AlarmChoice] = []
            for phrase in phrases {
                let choice = try phrase.choice(now: context.now, zone: zone, dayTime: dayTime)
                if let choice, !choices.contains(choice) { choices.append(choice) }
            }
            return .set(choices)
        }
    }
}

extension LocalText {
    /// `alarm when due`, `alarms 15 minutes before and when due`, `no alarm`.
    func alarms(_ choices: [AlarmChoice]) -> String {
        let words = choices.map { choice in
            switch choice {
            case .atDue: "when due"
            case .beforeDue(let lead): "\(DurationFormatter.text(lead)) before"
            case .at(let instant): self.short(instant)
            }
        }
        guard let last = words.last else { return "no alarm" }
        if words.count == 1 { return "alarm \(last)" }
        return "alarms \(words.dropLast().joined(separator: ", ")) and \(last)"
    }
}
