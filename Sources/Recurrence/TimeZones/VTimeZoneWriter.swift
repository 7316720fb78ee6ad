import ICalendar

/// Writes the VTIMEZONE that goes along with a time in a zone (RFC 5545 §3.6.5).
///
/// It is short: what holds from the year before the reminder's on, by the rule that the zone follows for good. A zone
/// whose clocks change without a rule that RRULE can say gets the changes of ``listedYears`` years one by one.
package enum VTimeZoneWriter {
    /// Years of listed changes: reminders seldom lie further ahead.
    static let listedYears = 20

    /// The lines from `BEGIN:VTIMEZONE` to `END:VTIMEZONE`, none longer than 75 bytes and none with a line end.
    ///
    /// - Parameters:
    ///   - name: the TZID, a zoneinfo name.
    ///   - rules: its rules.
    ///   - year: the year of the earliest time that needs the zone.
    package static func lines(name: String, rules: ZoneRules, year: Int) -> [String] {
        let from = CalendarDate.dayNumber(year: max(year - 1, 1), month: 1, day: 1) * ClockTime.secondsPerDay
        let to = CalendarDate.dayNumber(year: min(year + self.listedYears, 9999), month: 1, day: 1)
        let transitions = rules.transitions(from: from, to: to * ClockTime.secondsPerDay)
        var lines = ["BEGIN:VTIMEZONE", "TZID:\(name)"]
        if transitions.isEmpty {
            let type = rules.type(at: from)
            lines += self.observance(ZoneTransition(at: from - type.offset, before: type, after: type), onsets: [])
        } else if let repeating = self.repeating(transitions, rules.footer) {
            lines += repeating
        } else {
            lines += self.listed(transitions, from: from)
        }
        return lines + ["END:VTIMEZONE"]
    }

    /// One observance for each of the footer's two changes; `nil` when they do not tell all `transitions`.
    private static func repeating(_ transitions: [ZoneTransition], _ footer: PosixZoneRule?) -> [String]? {
        guard let footer, let saving = footer.saving, let first = transitions.first, let last = transitions.last,
            let starting = self.rule(of: saving.start), let ending = self.rule(of: saving.end)
        else { return nil }
        let years = [first, last].map {
            CalendarDate(dayNumber: $0.at.flooredQuotient(by: ClockTime.secondsPerDay)).year
        }
        let told = ((years[0] - 1)...(years[1] + 1)).flatMap { footer.transitions(in: $0) }
            .filter { $0.at >= first.at && $0.at <= last.at }
        guard told == transitions, transitions.count >= 2 else { return nil }
        return transitions.prefix(2).flatMap { change in
            self.observance(change, rule: change.after.isDaylight ? starting : ending, onsets: [])
        }
    }

    /// The value of RRULE for a footer's change; `nil` when RRULE cannot say it.
    private static func rule(of change: PosixZoneRule.Change) -> String? {
        // A time before midnight or from 24:00 on is one of another day.
        let shift = change.seconds.flooredQuotient(by: ClockTime.secondsPerDay)
        guard case .weekday(let month, let week, let weekday) = change.day else { return nil }
        let shifted = Weekday(rawValue: (weekday.rawValue + shift).flooredRemainder(by: 7)) ?? weekday
        if shift == 0 {
            return "FREQ=YEARLY;BYMONTH=\(month);BYDAY=\(week == 5 ? -1 : week)\(weekday.wire)"
        }
        let first = week == 5 ? -7 + shift : (week - 1) * 7 + 1 + shift
        let days = Array(first...(first + 6))
        let isInMonth = week == 5 ? days[6] <= -1 && first >= -28 : first >= 1 && days[6] <= 28
        guard isInMonth else { return nil }
        let list = days.map(String.init).joined(separator: ",")
        return "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(list);BYDAY=\(shifted.wire)"
    }

    /// Each change by its own date: one observance for the time before the first, one for each kind of change.
    private static func listed(_ transitions: [ZoneTransition], from: Int) -> [String] {
        var kinds: [(first: ZoneTransition, onsets: [Int])] = []
        for change in transitions {
            let place = kinds.firstIndex { $0.first.before == change.before && $0.first.after == change.after }
            if let place { kinds[place].onsets.append(change.at) } else { kinds.append((change, [change.at])) }
        }
        let before = transitions[0].before
        let start = ZoneTransition(at: from - before.offset, before: before, after: before)
        return self.observance(start, onsets: [])
            + kinds.flatMap { self.observance($0.first, onsets: Array($0.onsets.dropFirst())) }
    }

    private static func observance(_ change: ZoneTransition, rule: String? = nil, onsets: [Int]) -> [String] {
        // Dublin's data calls the winter the saving time; to everybody else the later clock is.
        let isLater = change.after.offset > change.before.offset
        let name = isLater && (change.after.isDaylight || change.before.isDaylight) ? "DAYLIGHT" : "STANDARD"
        var lines = ["BEGIN:\(name)"]
        if !change.after.abbreviation.isEmpty { lines.append("TZNAME:\(TextValue.escape(change.after.abbreviation))") }
        lines.append("TZOFFSETFROM:\(UTCOffset(seconds: change.before.offset).wire)")
        lines.append("TZOFFSETTO:\(UTCOffset(seconds: change.after.offset).wire)")
        lines.append("DTSTART:\(self.local(change.at, change.before))")
        if let rule { lines.append("RRULE:\(rule)") }
        lines += onsets.map { "RDATE:\(self.local($0, change.before))" }
        return lines + ["END:\(name)"]
    }

    private static func local(_ utc: Int, _ type: LocalTimeType) -> String {
        CalendarDateTime(localSeconds: Int64(utc + type.offset), zone: .floating).wire
    }
}
