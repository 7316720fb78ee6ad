import ICalendar

/// The parts that a time of day needs besides its hour.
enum TimeNeed: Hashable, Sendable {
    case nothing
    /// `at`, `am` or `pm`.
    case sign
    /// Minutes, or `am` or `pm`; noon and midnight have them.
    case minutes
    case signAndMinutes
}

/// The rules about times of day.
///
/// Each method reads the rule that stands above it.
extension PhraseTokens {
    // time = "at" hour / [ "at" ] ( hour ":" 2DIGIT / 12hour [ ":" 2DIGIT ] ( "am" / "pm" ) / "noon" / "midnight" )
    mutating func time(needs: TimeNeed = .nothing) -> ClockTime? {
        self.attempt { words in
            let isAnnounced = words.skip("at")
            let needsSign = [.sign, .signAndMinutes].contains(needs)
            if needsSign, !isAnnounced, words.isFollowed(by: "noon") || words.isFollowed(by: "midnight") { return nil }
            if words.skip("noon") { return ClockTime(hour: 12, minute: 0, second: 0) }
            if words.skip("midnight") { return ClockTime(hour: 0, minute: 0, second: 0) }
            guard let clock = words.next({ Self.hourAndMinute($0, alone: isAnnounced) }) else { return nil }
            let half = 1...12 ~= clock.hour ? words.next { ["am": 0, "pm": 12][$0] } : nil
            if half == nil, clock.minute == nil, !isAnnounced || words.isTwelveHourPart { return nil }
            if needsSign, !isAnnounced, half == nil { return nil }
            if [.minutes, .signAndMinutes].contains(needs), half == nil, clock.minute == nil { return nil }
            return ClockTime(
                hour: half.map { clock.hour % 12 + $0 } ?? clock.hour,
                minute: clock.minute ?? 0,
                second: 0
            )
        }
    }

    /// Whether `am` or `pm` is next, which then belongs to an hour that no such clock shows.
    private var isTwelveHourPart: Bool {
        mutating get { self.attempt { $0.next { ["am", "pm"].contains($0) ? true : nil } } ?? false }
    }

    /// `9:30`; and `9`, to 24 where it may stand `alone`, else to 12.
    private static func hourAndMinute(_ word: String, alone: Bool) -> (hour: Int, minute: Int?)? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let hour = parts.first.flatMap({ Vocabulary.number($0, digits: 2) }), hour < 24 else { return nil }
        guard parts.count == 2 else { return parts.count == 1 && (alone || 1...12 ~= hour) ? (hour, nil) : nil }
        guard parts[1].count == 2, let minute = Vocabulary.number(parts[1], digits: 2), minute < 60 else { return nil }
        return (hour, minute)
    }
}
