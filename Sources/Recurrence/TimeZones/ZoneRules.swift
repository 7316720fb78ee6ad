package import ICalendar

/// What the clocks of a zone show for a while: how far from UTC, whether in summer time, under which name.
struct LocalTimeType: Hashable, Sendable {
    /// Seconds east of Greenwich.
    var offset: Int
    var isDaylight = false
    var abbreviation = ""
}

/// A change of a zone's clocks.
struct ZoneTransition: Hashable, Sendable {
    /// Seconds since 1970 from which ``after`` holds.
    var at: Int
    var before: LocalTimeType
    var after: LocalTimeType
}

/// The clocks of one zone for all time.
package struct ZoneRules: Sendable {
    /// When the clocks changed, seconds since 1970, ascending.
    let times: [Int]
    /// What holds from the time of the same index on.
    let types: [LocalTimeType]
    /// What held before the first change.
    let first: LocalTimeType
    /// What holds after the last change; `nil` when the last one stays.
    let footer: PosixZoneRule?

    /// How far the clocks are ahead of UTC at `instant`.
    package func offset(at instant: Instant) -> UTCOffset {
        UTCOffset(seconds: self.type(at: Int(instant.secondsSince1970)).offset)
    }

    /// What the clocks show at `utc`, seconds since 1970.
    func type(at utc: Int) -> LocalTimeType {
        var low = 0
        var high = self.times.count
        while low < high {
            let middle = (low + high) / 2
            if self.times[middle] > utc { high = middle } else { low = middle + 1 }
        }
        if low == self.times.count, let footer = self.footer {
            // Some years are more than any calendar has; the footer's arithmetic needs numbers that a calendar has.
            return footer.type(at: min(max(utc, ZoneClock.firstSecond), ZoneClock.lastSecond))
        }
        return low == 0 ? self.first : self.types[low - 1]
    }

    /// The clock changes with `from` ≤ time < `to`, seconds since 1970, earliest first.
    func transitions(from: Int, to: Int) -> [ZoneTransition] {
        var found: [ZoneTransition] = []
        for index in self.times.indices where self.times[index] >= from && self.times[index] < to {
            let before = index == 0 ? self.first : self.types[index - 1]
            found.append(ZoneTransition(at: self.times[index], before: before, after: self.types[index]))
        }
        guard let footer = self.footer, footer.saving != nil else { return found }
        let begin = max(from, self.times.last.map { $0 + 1 } ?? from)
        let years = [begin, to].map { CalendarDate(dayNumber: $0.flooredQuotient(by: ClockTime.secondsPerDay)).year }
        guard begin < to else { return found }
        for year in (years[0] - 1)...(years[1] + 1) {
            found += footer.transitions(in: year).filter { $0.at >= begin && $0.at < to }
        }
        return found
    }
}

/// The arithmetic between local time and UTC that all kinds of zones share (RFC 5545 §3.3.5).
enum ZoneClock {
    static let firstSecond = CalendarDate.firstDayNumber * ClockTime.secondsPerDay
    static let lastSecond = (CalendarDate.lastDayNumber + 1) * ClockTime.secondsPerDay

    /// The UTC second of a local one.
    ///
    /// A local time that comes twice is the first of the two; one that is left out counts with the offset before the
    /// gap.
    ///
    /// - Parameters:
    ///   - local: local seconds.
    ///   - offset: seconds east of Greenwich at a UTC second.
    static func utc(local: Int, offset: (Int) -> Int) -> Int {
        // No offset is as long as a day, so one of these lies before any change that could matter and one after it.
        let before = offset(local - ClockTime.secondsPerDay)
        if offset(local - before) == before { return local - before }
        let after = offset(local + ClockTime.secondsPerDay)
        return offset(local - after) == after ? local - after : local - before
    }
}
