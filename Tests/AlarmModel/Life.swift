import RemindavICalendar
import RemindavReminders
import RemindavTestSupport

/// The reminder in the reference model, with its due time, alarms, completions, acknowledgement and snooze.
///
/// The model does not use iCalendar: it lists every occurrence and every alarm, with local times from ICU.
struct Life {
    enum Form: Hashable {
        case utc
        case zoned(String)
        case floating
        case day
    }

    struct Alarm {
        var days = 0
        var seconds = 0
        var repeats = 0
        var interval = 0
    }

    /// One alarm of an occurrence.
    ///
    /// The time zone changes only `fires`.
    struct Ring: Hashable {
        let occurrence: Int
        /// The index of the alarm; -1 for the due time without an alarm, -2 for the end of a snooze.
        let alarm: Int
        let count: Int
        let fires: Int64
    }

    var form: Form
    /// The first due time, in seconds of local time.
    var start: Int64
    /// Days from one occurrence to the next; `nil` without a repetition.
    var step: Int?
    var count = 1
    var alarms: [Alarm] = []
    var done: Set<Int> = []
    var snooze: (occurrence: Int, until: Int64)?
    var acknowledged: Int64?
    var title = 0
    var isInMutedList = false
    var hasMutedLabel = false
    /// Counts the edits.
    var version = 0

    func local(_ occurrence: Int) -> Int64 { self.start + Int64(occurrence * (self.step ?? 0)) * 86_400 }

    private func clock(_ wall: Clock, _ clocks: [String: Clock]) -> Clock {
        switch self.form {
        case .utc: clocks["UTC"] ?? wall
        case .zoned(let name): clocks[name] ?? wall
        case .floating, .day: wall
        }
    }

    /// Returns all alarms in order, for a local zone and the alarm settings.
    func rings(_ wall: Clock, _ clocks: [String: Clock], _ chosen: AlarmSettings) -> [Ring] {
        let clock = self.clock(wall, clocks)
        var rings: [Ring] = []
        for occurrence in 0..<self.count where !self.done.contains(occurrence) {
            let until = self.snooze.flatMap { $0.occurrence == occurrence ? $0.until : nil }
            var times: [(fires: Int64, alarm: Int, count: Int)] = []
            let dayTime = self.form == .day ? Int64(chosen.dayTime.secondsOfDay) : 0
            for (place, alarm) in self.alarms.enumerated() {
                let day = self.local(occurrence) + Int64(alarm.days) * 86_400
                // For an all-day reminder, hours count from midnight in local time, and days from the configured time.
                let onWall = self.form == .day && alarm.seconds != 0
                let first =
                    onWall
                    ? clock.utc(day + Int64(alarm.seconds)) : clock.utc(day + dayTime) + Int64(alarm.seconds)
                for count in 0...alarm.repeats { times.append((first + Int64(count * alarm.interval), place, count)) }
            }
            if self.alarms.isEmpty, chosen.notifiesWhenDue {
                times.append((clock.utc(self.local(occurrence) + dayTime), -1, 0))
            }
            if let until { times = [(until, -2, 0)] + times.filter { $0.fires > until } }
            var seen: Set<Int64> = []
            for time in times where seen.insert(time.fires).inserted && time.fires > self.acknowledged ?? .min {
                rings.append(
                    Ring(occurrence: occurrence, alarm: time.alarm, count: time.count, fires: time.fires)
                )
            }
        }
        return rings.sorted { $0.fires == $1.fires ? $0.occurrence < $1.occurrence : $0.fires < $1.fires }
    }

    /// Returns the name of an occurrence in `AlarmID`.
    func name(_ occurrence: Int, _ clocks: [String: Clock]) -> String? {
        guard self.step != nil else { return nil }
        let local = self.local(occurrence)
        switch self.form {
        case .utc: return Instant(secondsSince1970: local).wire
        case .zoned(let name): return Instant(secondsSince1970: clocks[name]?.utc(local) ?? local).wire
        case .floating: return CalendarDateTime(localSeconds: local, zone: .floating).wire
        case .day: return CalendarDateTime(localSeconds: local, zone: .utc).date.wire
        }
    }

    /// Returns the reminder as an iCalendar text of another program.
    func text(_ uid: String) -> String {
        var lines = ["UID:\(uid)", "SUMMARY:\(self.title)", "DUE\(self.value(self.local(0)))"]
        if let step { lines.append("RRULE:FREQ=DAILY;INTERVAL=\(step);COUNT=\(self.count)") }
        if self.step == nil {
            if !self.done.isEmpty { lines.append("STATUS:COMPLETED") }
        } else {
            lines += self.done.sorted().map { "EXDATE\(self.value(self.local($0)))" }
        }
        if let snooze {
            let until = Instant(secondsSince1970: snooze.until).wire
            let suffix = self.step == nil ? "" : "-\(self.local(snooze.occurrence) * 1_000_000)"
            lines.append("X-MOZ-SNOOZE-TIME\(suffix):\(until)")
        }
        if let acknowledged { lines.append("X-MOZ-LASTACK:\(Instant(secondsSince1970: acknowledged).wire)") }
        for alarm in self.alarms {
            let duration = CalendarDuration(days: alarm.days, seconds: alarm.seconds).wire
            lines += ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:\(duration)"]
            if alarm.repeats > 0 {
                lines += ["REPEAT:\(alarm.repeats)", "DURATION:PT\(alarm.interval)S"]
            }
            lines.append("END:VALARM")
        }
        let body = lines.joined(separator: "\r\n")
        return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\n\(body)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    }

    private func value(_ local: Int64) -> String {
        let time = CalendarDateTime(localSeconds: local, zone: .floating)
        switch self.form {
        case .utc: return ":\(time.wire)Z"
        case .zoned(let name): return ";TZID=\(name):\(time.wire)"
        case .floating: return ":\(time.wire)"
        case .day: return ";VALUE=DATE:\(time.date.wire)"
        }
    }
}

/// A time zone with the offsets of ICU.
final class Clock: Sendable {
    let name: String
    private let begins: [Int64]
    private let offsets: [Int64]
    /// The days from 2005 to 2080.
    private static let days = 12_784..<40_177

    init(_ zone: PeerZone) {
        var begins: [Int64] = [.min]
        var offsets = [zone.offset(Int64(Self.days.lowerBound) * 86_400)]
        for day in Self.days {
            let end = zone.offset(Int64(day + 1) * 86_400)
            guard end != offsets.last else { continue }
            var (low, high) = (Int64(day) * 86_400, Int64(day + 1) * 86_400)
            while high - low > 1 {
                let middle = (low + high) / 2
                if zone.offset(middle) == end { high = middle } else { low = middle }
            }
            begins.append(high)
            offsets.append(end)
        }
        self.name = zone.name
        self.begins = begins
        self.offsets = offsets
    }

    func offset(_ utc: Int64) -> Int64 {
        var (low, high) = (0, self.begins.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if self.begins[middle] <= utc { low = middle } else { high = middle }
        }
        return self.offsets[low]
    }

    func utc(_ local: Int64) -> Int64 { PeerZone(self.name) { self.offset($0) }.utc(local) }

    func local(_ utc: Int64) -> Int64 { utc + self.offset(utc) }
}
