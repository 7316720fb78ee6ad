package import RemindavDatePhrases
package import RemindavICalendar
package import RemindavReminders

extension Int {
    /// The number with its noun, as `1 reminder` or `2 reminders`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension String {
    /// The text with a capital letter at its beginning; an address stays as it is.
    package var capitalizedStart: String {
        self.hasPrefix("http:") || self.hasPrefix("https:") ? self : self.prefix(1).uppercased() + self.dropFirst()
    }
}

package enum DurationFormatter {
    /// A duration as `2 days, 1 hour`, without its sign; `no time` for a duration of zero.
    package static func text(_ duration: CalendarDuration) -> String {
        let days = abs(duration.days)
        let seconds = abs(duration.seconds)
        let isWeeks = days > 0 && days % 7 == 0
        let parts = [
            (isWeeks ? days / 7 : days, isWeeks ? "week" : "day"), (seconds / 3600, "hour"),
            (seconds / 60 % 60, "minute"), (seconds % 60, "second"),
        ]
        let words = parts.filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
        return words.isEmpty ? "no time" : words.joined(separator: ", ")
    }

    /// A duration with its sign in words, as `1 hour before`.
    package static func signed(_ duration: CalendarDuration) -> String {
        "\(self.text(duration)) \(duration.isNegative ? "before" : "after")"
    }
}

extension Status {
    package var words: String {
        switch self {
        case .pending: "open"
        case .inProgress: "in progress"
        case .completed: "completed"
        case .cancelled: "cancelled"
        }
    }
}

extension Collection<String> {
    /// The first names and the number of the others, as `a, b and 3 more`.
    package func listed(atMost shown: Int) -> String {
        let rest = self.count - shown
        return self.prefix(shown).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

/// Writes moments in the local zone, in digits and words.
package struct LocalText: Sendable {
    package let zone: LocalZone
    package let now: Instant

    package init(zone: LocalZone, now: Instant) {
        self.zone = zone
        self.now = now
    }

    /// A date, or a time in RFC 3339, in the form of ``short(_:)-(Instant)``.
    package func short(_ moment: String) -> String { RFC3339.parse(moment).map { self.short($0.instant) } ?? moment }

    /// A date, or a time in RFC 3339, in the form of ``long(_:)-(Instant)``.
    package func long(_ moment: String) -> String {
        if let time = RFC3339.parse(moment) { return self.long(time.instant) }
        return CalendarDate(wire: moment.filter { $0 != "-" }).map { self.long($0) } ?? moment
    }

    /// A moment as `2026-11-27 09:00`, in the local zone.
    package func short(_ instant: Instant) -> String { self.zone.text(instant) }

    /// A moment as `Fri 2026-11-27 09:00, in 6 days`.
    package func long(_ instant: Instant) -> String {
        let wall = self.zone.wallClock(at: instant)
        return "\(self.weekday(wall.date)) \(wall.date) \(wall.time.hoursAndMinutes), \(self.distance(to: wall.date))"
    }

    /// A date as `Fri 2026-11-27, in 6 days`.
    package func long(_ date: CalendarDate) -> String { "\(self.weekday(date)) \(date), \(self.distance(to: date))" }

    /// The due date or due time in the long form; `nil` for a reminder without a date.
    package func due(_ reminder: ReminderView) -> String? {
        if let day = reminder.dueDay { return self.long(day) }
        return reminder.dueInstant.map { self.long($0) } ?? reminder.due
    }

    /// A past moment as `2026-11-27 09:00, 5 minutes ago`.
    package func past(_ instant: Instant) -> String { "\(self.short(instant)), \(self.age(instant))" }

    private func age(_ instant: Instant) -> String {
        let seconds = self.now.secondsSince1970 - instant.secondsSince1970
        return switch seconds {
        case ..<60: "just now"
        case ..<7200: "\(Int(seconds / 60).counted("minute")) ago"
        case ..<172_800: "\(Int(seconds / 3600).counted("hour")) ago"
        default: "\(seconds / 86_400) days ago"
        }
    }

    /// The due time in the reminder's own zone, as `2026-11-27 09:00 UTC`; `nil` if it equals the local time.
    package func dueInOwnZone(_ reminder: ReminderView) -> String? {
        guard let zone = reminder.dueZone, let due = reminder.due, let instant = reminder.dueInstant else { return nil }
        let wall = "\(due.prefix(10)) \(due.dropFirst(11).prefix(5))"
        return wall == self.short(instant) ? nil : "\(wall) \(zone)"
    }

    private func distance(to date: CalendarDate) -> String {
        let days = date.dayNumber - self.zone.wallClock(at: self.now).date.dayNumber
        return switch days {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        case 2...: "in \(Self.span(days))"
        default: "\(Self.span(-days)) ago"
        }
    }

    /// A number of days as people say it: in days up to two weeks, then in weeks, months and years, rounded.
    private static func span(_ days: Int) -> String {
        switch days {
        case ..<15: days.counted("day")
        case ..<60: ((days + 3) / 7).counted("week")
        case ..<700: Int((Double(days) / Self.daysPerMonth).rounded()).counted("month")
        default: Int((Double(days) / (Self.daysPerMonth * 12)).rounded()).counted("year")
        }
    }

    /// The mean of the Gregorian calendar.
    private static let daysPerMonth = 146_097.0 / 4800

    private func weekday(_ date: CalendarDate) -> String { Vocabulary.weekdayNames[date.weekday.rawValue] }

    /// The time of an alarm, such as `15 minutes before it is due`.
    package func words(_ trigger: Trigger) -> String {
        switch trigger {
        case .absolute(let instant): return self.long(instant)
        case .relative(let duration, let anchor):
            let event = anchor == .start ? "it starts" : "it is due"
            return duration == .zero ? "when \(event)" : "\(DurationFormatter.signed(duration)) \(event)"
        }
    }

    /// The alarm as one word or phrase without a comma; an option and the editor form accept all but existing ones.
    package func phrase(_ alarm: AlarmChoice) -> String {
        switch alarm {
        case .atDue, .beforeDue: AlarmFormatter.text([alarm])
        case .at(let instant): self.short(instant)
        case .existing(let trigger): self.words(trigger).replacing(",", with: " and")
        }
    }

    /// The time of an alarm, such as `15 minutes before`.
    package func words(_ alarm: AlarmChoice) -> String {
        switch alarm {
        case .atDue: "when due"
        case .beforeDue(let lead): "\(DurationFormatter.text(lead)) before"
        case .at(let instant): self.short(instant)
        case .existing(let trigger): self.words(trigger)
        }
    }

    /// The alarms as `alarm when due`, `alarms 15 minutes before and when due`, or `no alarm`.
    package func alarms(_ choices: [AlarmChoice]) -> String {
        let words = choices.map(self.words)
        if words.isEmpty { return "no alarm" }
        return (words.count == 1 ? "alarm " : "alarms ") + words.listed("and")
    }
}
