import ICalendar

/// Lengths of time in words.
enum DurationFormatter {
    /// `2 days, 1 hour`, without a sign; `no time` for none.
    static func text(_ duration: CalendarDuration) -> String {
        let days = abs(duration.days)
        let seconds = abs(duration.seconds)
        let isWeeks = days > 0 && days % 7 == 0
        let parts = [
            (isWeeks ? days / 7 : days, isWeeks ? "week" : "day"), (seconds / 3600, "hour"),
            (seconds / 60 % 60, "minute"), (seconds % 60, "second"),
        ]
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return words.isEmpty ? "no time" : words.joined(separator: ", ")
    }
}
