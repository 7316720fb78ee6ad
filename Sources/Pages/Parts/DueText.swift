import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

/// Due times in the words of a page, such as `Tomorrow 09:00`.
struct DueText: Sendable {
    private let zone: LocalZone
    private let now: Instant
    private let today: CalendarDate

    init(zone: LocalZone, now: Instant) {
        self.zone = zone
        self.now = now
        self.today = zone.wallClock(at: now).date
    }

    /// The words for the due time, or for the end of a snooze that still lasts; `nil` without both.
    func words(_ reminder: ReminderView) -> String? {
        if reminder.section == .completed { return reminder.completedInstant.map { "completed \(self.words($0))" } }
        if reminder.isSnoozed { return reminder.snoozedInstant.map { "snoozed until \(self.words($0))" } }
        return self.due(reminder)
    }

    /// The words for the due time; `nil` without one.
    func due(_ reminder: ReminderView) -> String? {
        reminder.dueDay.map(self.words) ?? reminder.dueInstant.map(self.words)
    }

    /// The rule in English, such as `every 2 weeks on Mon`.
    func rule(_ rule: String, _ reminder: ReminderView) -> String {
        RuleSentence(zone: self.zone).text(rule, fromCompletion: reminder.repeatsFromCompletion)
    }

    /// A machine-readable form for the attribute `datetime`; `nil` without a date.
    func attribute(_ reminder: ReminderView) -> String? {
        if reminder.section != .completed, !reminder.isSnoozed, let day = reminder.dueDay { return day.description }
        let instant =
            reminder.section == .completed ? reminder.completedInstant : reminder.effectiveInstant
        return instant.map { RFC3339.string(from: $0, offset: UTCOffset(seconds: self.zone.offsetSeconds($0))) }
    }

    /// A moment in words, such as `Yesterday 18:30`, in the local zone.
    func moment(_ instant: Instant) -> String { self.words(instant) }

    /// The words inside of a sentence, such as `tomorrow 09:00`.
    static func inSentence(_ words: String) -> String {
        for day in ["Today", "Tomorrow", "Yesterday"] where words.hasPrefix(day) {
            return day.lowercased() + words.dropFirst(day.count)
        }
        return words
    }

    /// The month of the due time, as a heading such as `December 2026`; `nil` without a due time.
    func month(_ reminder: ReminderView) -> String? {
        let day = reminder.dueDay ?? reminder.effectiveInstant.map { self.zone.wallClock(at: $0).date }
        return day.map { "\(Self.months[$0.month - 1]) \($0.year)" }
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    /// A past moment in words, such as `2 min ago`; a day in the past has its date.
    func age(_ instant: Instant) -> String {
        switch self.now.secondsSince1970 - instant.secondsSince1970 {
        case ..<60: "just now"
        case let seconds where seconds < 3600: "\(seconds / 60) min ago"
        case let seconds where seconds < 86_400: "\(seconds / 3600) h ago"
        default: self.words(instant)
        }
    }

    func day(_ date: CalendarDate) -> String { self.words(date) }

    /// The day of a moment in words.
    func day(_ instant: Instant) -> String { self.words(self.zone.wallClock(at: instant).date) }

    private func words(_ instant: Instant) -> String {
        let wall = self.zone.wallClock(at: instant)
        return "\(self.words(wall.date)) \(wall.time.hoursAndMinutes)"
    }

    private func words(_ date: CalendarDate) -> String {
        switch date.dayNumber - self.today.dayNumber {
        case 0: "Today"
        case 1: "Tomorrow"
        case -1: "Yesterday"
        default:
            date.year == self.today.year
                ? "\(Vocabulary.weekdayNames[date.weekday.rawValue]) \(date.day) \(Vocabulary.monthNames[date.month - 1])"
                : "\(date.day) \(Vocabulary.monthNames[date.month - 1]) \(date.year)"
        }
    }
}
