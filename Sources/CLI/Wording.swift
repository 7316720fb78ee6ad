import Bridge
import DatePhrases
import ICalendar
import Reminders

extension Int {
    /// The number with its noun, as `1 reminder` or `2 reminders`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

enum DurationFormatter {
    /// A duration as `2 days, 1 hour`, without its sign; `no time` for a duration of zero.
    static func text(_ duration: CalendarDuration) -> String {
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
    static func signed(_ duration: CalendarDuration) -> String {
        "\(self.text(duration)) \(duration.isNegative ? "before" : "after")"
    }
}

extension Status {
    var words: String {
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
    func listed(atMost shown: Int) -> String {
        let rest = self.count - shown
        return self.prefix(shown).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

/// Writes moments in the local zone, in digits and words.
struct LocalText: Sendable {
    let zone: LocalZone
    let now: Instant

    /// A moment as `2026-11-27 09:00`, in the local zone.
    func short(_ instant: Instant) -> String { self.zone.text(instant) }

    /// Adds the form of ``short(_:)`` without an intermediate string, which is faster in a long list.
    func add(_ instant: Instant, to text: inout StyledText) {
        let wall = self.zone.wallClock(at: instant)
        self.add(wall.date, to: &text)
        text.append(" ")
        text.append(wall.time.hour, digits: 2)
        text.append(":")
        text.append(wall.time.minute, digits: 2)
    }

    func add(_ date: CalendarDate, to text: inout StyledText) {
        text.append(date.year, digits: 4)
        text.append("-")
        text.append(date.month, digits: 2)
        text.append("-")
        text.append(date.day, digits: 2)
    }

    /// A moment as `Fri 2026-11-27 09:00, in 6 days`.
    func long(_ instant: Instant) -> String {
        let wall = self.zone.wallClock(at: instant)
        return "\(self.weekday(wall.date)) \(wall.date) \(wall.time.hoursAndMinutes), \(self.distance(to: wall.date))"
    }

    /// A date as `Fri 2026-11-27, in 6 days`.
    func long(_ date: CalendarDate) -> String { "\(self.weekday(date)) \(date), \(self.distance(to: date))" }

    /// The due date or due time in the long form; `nil` for a reminder without a date.
    func due(_ reminder: ReminderView) -> String? {
        if let day = reminder.dueDay { return self.long(day) }
        return reminder.dueInstant.map { self.long($0) } ?? reminder.due
    }

    private func distance(to date: CalendarDate) -> String {
        let days = date.dayNumber - self.zone.wallClock(at: self.now).date.dayNumber
        return switch days {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        case 2...: "in \(days) days"
        default: "\(-days) days ago"
        }
    }

    private func weekday(_ date: CalendarDate) -> String { Vocabulary.weekdayNames[date.weekday.rawValue] }

    /// The alarms as `alarm when due`, `alarms 15 minutes before and when due`, or `no alarm`.
    func alarms(_ choices: [AlarmChoice]) -> String {
        let words = choices.map { choice in
            switch choice {
            case .atDue: "when due"
            case .beforeDue(let lead): "\(DurationFormatter.text(lead)) before"
            case .at(let instant): self.short(instant)
            }
        }
        if words.isEmpty { return "no alarm" }
        return (words.count == 1 ? "alarm " : "alarms ") + words.listed("and")
    }
}

extension String {
    /// The text as the last word of a printed command; `--` precedes it if it would be read as an option.
    var commandWord: String { self.hasPrefix("-") ? "-- \(self.shellWord)" : self.shellWord }

    /// The text as one word for the shell: in double quotes, unless all of its characters are letters, digits, `-`, `_` or `.`.
    var shellWord: String {
        let shown = Sanitizer.line(self)
        let isPlain = shown.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
            default: false
            }
        }
        if isPlain, !shown.isEmpty { return shown }
        return "\"" + shown.map { #"\"$`"#.contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
    }
}
