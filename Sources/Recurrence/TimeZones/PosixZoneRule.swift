import RemindavICalendar

/// The rule in a TZif footer, for changes after the last listed one (RFC 9636 §3.3): `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixZoneRule: Hashable, Sendable {
    enum Day: Hashable, Sendable {
        /// `Jn`: the day 1 to 365 of a year; 29 February is never counted.
        case julian(Int)
        /// `n`: the day 0 to 365 of a year; 29 February is counted.
        case yearDay(Int)
        /// `Mm.w.d`: the weekday d of the month m for the w-th time; 5 means the last time.
        case weekday(month: Int, week: Int, weekday: Weekday)

        func dayNumber(in year: Int) -> Int {
            switch self {
            case .julian(let number):
                let first = CalendarDate.dayNumber(year: year, month: 1, day: 1)
                return first + number - 1 + (CalendarDate.isLeap(year) && number >= 60 ? 1 : 0)
            case .yearDay(let number):
                return CalendarDate.dayNumber(year: year, month: 1, day: 1) + number
            case .weekday(let month, let week, let weekday):
                let first = CalendarDate.dayNumber(year: year, month: month, day: 1)
                let day = first + weekday.days(after: CalendarDate.weekday(dayNumber: first)) + (week - 1) * 7
                return day < first + CalendarDate.daysInMonth(month, year: year) ? day : day - 7
            }
        }
    }

    struct Change: Hashable, Sendable {
        var day: Day
        /// Seconds after midnight of ``day``, from -167 to 167 hours, in local time before the change.
        var seconds: Int

        func localSeconds(in year: Int) -> Int {
            self.day.dayNumber(in: year) * ClockTime.secondsPerDay + self.seconds
        }
    }

    struct Saving: Hashable, Sendable {
        var type: LocalTimeType
        var start: Change
        var end: Change
    }

    var standard: LocalTimeType
    /// Daylight saving time; `nil` for a time zone without further changes.
    var saving: Saving?

    /// The clock changes with a local date in `year`, earliest first.
    private func transitions(in year: Int) -> [ZoneTransition] {
        guard let saving = self.saving else { return [] }
        let start = saving.start.localSeconds(in: year) - self.standard.offset
        let end = saving.end.localSeconds(in: year) - saving.type.offset
        let forward = ZoneTransition(at: start, before: self.standard, after: saving.type)
        let back = ZoneTransition(at: end, before: saving.type, after: self.standard)
        return start <= end ? [forward, back] : [back, forward]
    }

    /// The clock changes in `from ..< to`, in seconds since 1970, earliest first.
    ///
    /// If daylight saving time lasts the whole year, its end and its next beginning are no change (RFC 9636 §3.3.1).
    func transitions(from: Int, to: Int) -> [ZoneTransition] {
        guard self.saving != nil, from < to else { return [] }
        // In UTC, a change near New Year may be in the year before or after.
        let years = (ZoneClock.year(of: from) - 1)...(ZoneClock.year(of: to) + 1)
        // The sort is stable: of two changes at one moment, the change of the later year comes last and applies.
        let all = years.flatMap(self.transitions(in:)).sorted { $0.at < $1.at }
        var found: [ZoneTransition] = []
        var before: LocalTimeType?
        for (index, change) in all.enumerated() {
            guard index + 1 == all.count || all[index + 1].at > change.at else { continue }
            if change.after != before, change.at >= from, change.at < to {
                found.append(ZoneTransition(at: change.at, before: before ?? change.before, after: change.after))
            }
            before = change.after
        }
        return found
    }

    /// - Parameter utc: in seconds since 1970.
    func type(at utc: Int) -> LocalTimeType {
        guard let saving = self.saving, self.isSaving(at: utc, saving) else { return self.standard }
        return saving.type
    }

    private func isSaving(at utc: Int, _ saving: Saving) -> Bool {
        let year = ZoneClock.year(of: utc + self.standard.offset)
        var latest = Int.min
        var isSaving = false
        // Of two changes at one moment, the change of the later year applies.
        for near in (year - 1)...(year + 1) {
            let start = saving.start.localSeconds(in: near) - self.standard.offset
            let end = saving.end.localSeconds(in: near) - saving.type.offset
            let changes = start <= end ? [(start, true), (end, false)] : [(end, false), (start, true)]
            for (at, begins) in changes where at <= utc && at >= latest { (latest, isSaving) = (at, begins) }
        }
        return isSaving
    }
}

extension PosixZoneRule {
    /// Parses the footer; `nil` if it is not a rule.
    init?(_ text: [UInt8]) {
        var reader = PosixZoneReader(text)
        // Up to 167 hours are allowed for the time of a change, but not for an offset (RFC 9636 §3.3.1, POSIX).
        guard let name = reader.name(), let offset = reader.offset(), abs(offset) <= UTCOffset.maximumSeconds else {
            return nil
        }
        // POSIX offsets are positive to the west of Greenwich.
        self.init(standard: LocalTimeType(offset: -offset, abbreviation: name), saving: nil)
        guard !reader.isAtEnd else { return }
        guard let savingName = reader.name() else { return nil }
        let savingOffset = reader.offset().map { -$0 } ?? self.standard.offset + 3600
        var start = Change(day: .weekday(month: 3, week: 2, weekday: .sunday), seconds: 7200)
        var end = Change(day: .weekday(month: 11, week: 1, weekday: .sunday), seconds: 7200)
        if !reader.isAtEnd {
            guard let first = reader.change(), let second = reader.change() else { return nil }
            (start, end) = (first, second)
        }
        guard reader.isAtEnd, abs(savingOffset) <= UTCOffset.maximumSeconds else { return nil }
        let type = LocalTimeType(offset: savingOffset, isDaylight: true, abbreviation: savingName)
        self.saving = Saving(type: type, start: start, end: end)
    }
}

/// Reads a POSIX TZ string, one method per rule of its grammar.
private struct PosixZoneReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { self.place == self.bytes.count }
    private var next: UInt8? { self.isAtEnd ? nil : self.bytes[self.place] }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard self.next == byte else { return false }
        self.place += 1
        return true
    }

    // std, dst: three or more letters, or <letters, digits, signs>
    mutating func name() -> String? {
        let isQuoted = self.skip(UInt8(ascii: "<"))
        let rest = self.bytes[self.place...]
        let name = isQuoted ? rest.prefix { $0 != UInt8(ascii: ">") } : rest.prefix { 0x61...0x7A ~= $0 | 0x20 }
        self.place += name.count
        guard name.count >= 3, name.count <= 16, !isQuoted || self.skip(UInt8(ascii: ">")) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func number(upTo maximum: Int) -> Int? {
        var number = 0
        let start = self.place
        while let byte = self.next, (0x30...0x39).contains(byte), self.place - start < 4 {
            number = number * 10 + Int(byte - 0x30)
            self.place += 1
        }
        return self.place > start && number <= maximum ? number : nil
    }

    // offset, time: [+-]hh[:mm[:ss]], hours to 167 (RFC 9636 §3.3.1)
    mutating func offset() -> Int? {
        let isNegative = self.skip(UInt8(ascii: "-"))
        if !isNegative { _ = self.skip(UInt8(ascii: "+")) }
        guard let hours = self.number(upTo: 167) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where self.skip(UInt8(ascii: ":")) {
            guard let number = self.number(upTo: 59) else { return nil }
            seconds += number * unit
        }
        return isNegative ? -seconds : seconds
    }

    // ,date[/time]
    mutating func change() -> PosixZoneRule.Change? {
        guard self.skip(UInt8(ascii: ",")), let day = self.day() else { return nil }
        guard self.skip(UInt8(ascii: "/")) else { return PosixZoneRule.Change(day: day, seconds: 7200) }
        return self.offset().map { PosixZoneRule.Change(day: day, seconds: $0) }
    }

    private mutating func day() -> PosixZoneRule.Day? {
        if self.skip(UInt8(ascii: "J")) {
            return self.number(upTo: 365).flatMap { $0 >= 1 ? .julian($0) : nil }
        }
        guard self.skip(UInt8(ascii: "M")) else { return self.number(upTo: 365).map { .yearDay($0) } }
        guard let month = self.number(upTo: 12), month >= 1, self.skip(UInt8(ascii: ".")),
            let week = self.number(upTo: 5), week >= 1, self.skip(UInt8(ascii: ".")),
            let number = self.number(upTo: 6), let weekday = Weekday(rawValue: number)
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
    }
}
