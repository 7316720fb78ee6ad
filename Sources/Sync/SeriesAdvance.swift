import RemindavICalendar
import RemindavReminders
import RemindavStore

/// Compares how far each side has moved a series to later dates since the last sync.
enum SeriesAdvance {
    /// The side that has moved the series further, and so includes the completions of the other side.
    /// - Returns: `nil` unless both sides moved the series to different later dates and did not change the time zone.
    static func furtherSide(base: Component?, local: Component, remote: Component) -> SyncSide? {
        guard let base else { return nil }
        let versions = [base, local, remote]
        guard versions.allSatisfy({ $0.first(.rrule) != nil && $0.recurrenceID == nil }) else { return nil }
        for name in [Name.dtstart, .due] {
            let moments = versions.compactMap { $0.first(name)?.moment }
            guard moments.count == versions.count else { continue }
            let seconds = moments.map(\.seconds)
            guard Set(moments.map(\.clock)).count == 1, seconds[1] != seconds[2] else { return nil }
            guard min(seconds[1], seconds[2]) > seconds[0] else { return nil }
            return seconds[1] > seconds[2] ? .local : .remote
        }
        return nil
    }
}

extension PropertyGroup {
    /// Whether a completion, which moves dates and alarms and lowers COUNT, may have caused the change.
    func isMovedByRolling(base: Component?, local: Component, remote: Component) -> Bool {
        if self.names.contains(.dtstart) || self.names == [.trigger] { return true }
        guard self.names.contains(.rrule),
            Set([base, local, remote].map { $0?.first(.repeatFrom)?.value }).count == 1
        else { return false }
        let rules = [base, local, remote].map { $0?.first(.rrule).flatMap { try? RecurrenceRule(wire: $0.value) } }
        let uncounted = rules.map { rule in
            var rule = rule
            rule?.count = nil
            return rule
        }
        return uncounted.allSatisfy { $0 != nil && $0 == uncounted[0] }
    }
}

extension CalendarDateOrDateTime {
    /// The time zone; `nil` for a date.
    fileprivate var clock: ZoneReference? { if case .dateTime(let time) = self { time.zone } else { nil } }

    fileprivate var seconds: Int64 {
        switch self {
        case .date(let date): Int64(date.dayNumber) * Int64(ClockTime.secondsPerDay)
        case .dateTime(let time): time.localSeconds
        }
    }
}
