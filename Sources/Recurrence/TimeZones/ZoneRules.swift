package import ICalendar

/// A local time type: the offset from UTC, whether it is summer time, and its name.
struct LocalTimeType: Hashable, Sendable {
    /// Seconds east of Greenwich.
    var offset: Int
    var isDaylight = false
    var abbreviation = ""
}

/// From ``at`` on, in seconds since 1970, ``after`` holds.
struct ZoneTransition: Hashable, Sendable {
    var at: Int
    var before: LocalTimeType
    var after: LocalTimeType
}

/// The source of clock changes outside the list.
enum ZoneTail: Sendable {
    case constant
    case footer(PosixZoneRule)
    /// The rules of a VTIMEZONE, which also apply before the list.
    case definition(TimeZoneDefinition)
}

/// The offsets of one zone for all time.
///
/// Within ``listed`` each query is one search in a sorted list; outside, ``tail`` computes the result.
package final class ZoneRules: Sendable {
    /// Of the clock changes, seconds since 1970, ascending.
    let times: [Int]
    /// The type from the time of the same index on.
    let types: [LocalTimeType]
    let first: LocalTimeType
    let tail: ZoneTail
    /// The range in seconds since 1970 in which ``times`` has every change.
    let listed: Range<Int>
    /// Before the first change, then from each of ``times`` on.
    private let offsets: [Int]
    /// The local second from which the offset after each of ``times`` applies.
    private let localStarts: [Int]
    /// The local seconds for which ``localStarts`` gives the offset; empty if changes are so close together that their
    /// order is ambiguous in local time.
    private let locallyListed: Range<Int>

    /// - Parameters:
    ///   - times: ascending, within the years of a calendar; of the same length as `types`.
    ///   - listed: `nil` if there are no changes besides `times`.
    init(times: [Int], types: [LocalTimeType], first: LocalTimeType, tail: ZoneTail, listed: Range<Int>? = nil) {
        let offsets = [first.offset] + types.map(\.offset)
        self.times = times
        self.types = types
        self.first = first
        self.tail = tail
        self.offsets = offsets
        // A skipped time and a repeated time both use the offset before.
        self.localStarts = times.indices.map { times[$0] + max(offsets[$0], offsets[$0 + 1]) }
        let listed = listed ?? Int.min..<Int.max
        let start = listed.lowerBound == .min ? .min : listed.lowerBound + ZoneClock.vagueSeconds
        let end = listed.upperBound == .max ? .max : listed.upperBound - ZoneClock.vagueSeconds
        self.listed = listed
        self.locallyListed = Self.areApart(times, offsets) && start < end ? start..<end : 0..<0
    }

    convenience init(fixed seconds: Int) {
        self.init(times: [], types: [], first: LocalTimeType(offset: seconds), tail: .constant)
    }

    private static func areApart(_ times: [Int], _ offsets: [Int]) -> Bool {
        times.indices.dropFirst().allSatisfy { index in
            let before = abs(offsets[index] - offsets[index - 1])
            let after = abs(offsets[index + 1] - offsets[index])
            return times[index] - times[index - 1] >= before + after
        }
    }
}

extension ZoneRules {
    package func offset(at instant: Instant) -> UTCOffset {
        UTCOffset(seconds: self.offset(at: ZoneClock.clamped(instant.secondsSince1970)))
    }

    func offset(at utc: Int) -> Int {
        guard self.listed.contains(utc) else { return self.typeOutside(utc).offset }
        return self.offsets[self.times.firstIndex(after: utc)]
    }

    /// - Parameter utc: seconds since 1970.
    func type(at utc: Int) -> LocalTimeType {
        guard self.listed.contains(utc) else { return self.typeOutside(utc) }
        let index = self.times.firstIndex(after: utc)
        return index == 0 ? self.first : self.types[index - 1]
    }

    private func typeOutside(_ utc: Int) -> LocalTimeType {
        switch self.tail {
        case .constant: self.types.last ?? self.first
        case .footer(let rule): rule.type(at: utc)
        case .definition(let definition): definition.type(at: utc)
        }
    }

    /// A repeated local time is the first of the two; a skipped one uses the offset before the gap (RFC 5545 §3.3.5).
    func utc(local: Int) -> Int {
        guard self.locallyListed.contains(local) else { return self.searchedUTC(local: local) }
        return local - self.offsets[self.localStarts.firstIndex(after: local)]
    }

    /// The same by examining each change nearby.
    private func searchedUTC(local: Int) -> Int {
        let from = local - ZoneClock.vagueSeconds
        var offset = self.offset(at: from)
        // The two changes of a footer are months apart: equal offsets before and after mean no change in between.
        if case .footer = self.tail, !self.listed.contains(from),
            self.offset(at: local + ZoneClock.vagueSeconds) == offset
        {
            return local - offset
        }
        for change in self.transitions(from: from + 1, to: local + ZoneClock.vagueSeconds + 1) {
            let after = change.after.offset
            if local < change.at + max(offset, after) { return local - offset }
            offset = after
        }
        return local - offset
    }

    /// The clock changes with `from` ≤ time < `to`, seconds since 1970, earliest first.
    func transitions(from: Int, to: Int) -> [ZoneTransition] {
        guard from < to else { return [] }
        var found: [ZoneTransition] = []
        if from < self.listed.lowerBound {
            found += self.transitionsOutside(from: from, to: min(to, self.listed.lowerBound))
        }
        var index = self.times.firstIndex(after: from - 1)
        while index < self.times.count, self.times[index] < to {
            let before = index == 0 ? self.first : self.types[index - 1]
            found.append(ZoneTransition(at: self.times[index], before: before, after: self.types[index]))
            index += 1
        }
        if to > self.listed.upperBound {
            found += self.transitionsOutside(from: max(from, self.listed.upperBound), to: to)
        }
        return found
    }

    /// Of the clocks, with `from` ≤ moment < `to`, earliest first.
    package func changes(from: Instant, to: Instant) -> [Instant] {
        self.transitions(from: ZoneClock.clamped(from.secondsSince1970), to: ZoneClock.clamped(to.secondsSince1970))
            .map { Instant(secondsSince1970: Int64($0.at)) }
    }

    private func transitionsOutside(from: Int, to: Int) -> [ZoneTransition] {
        switch self.tail {
        case .constant: []
        case .footer(let rule): rule.transitions(from: from, to: to)
        case .definition(let definition): definition.transitions(from: from, to: to)
        }
    }
}

/// Constants of all kinds of zones.
enum ZoneClock {
    static let firstSecond = CalendarDate.firstDayNumber * ClockTime.secondsPerDay
    static let lastSecond = (CalendarDate.lastDayNumber + 1) * ClockTime.secondsPerDay
    /// The maximum difference between local time and UTC: an offset has less than 26 hours (RFC 9636 §3.2).
    static let vagueSeconds = 2 * ClockTime.secondsPerDay
    /// The end of the listed changes of a rule: later reminders are rare, and are computed.
    static let horizon = Self.start(of: 2101)

    /// Limits `seconds` to the years of a calendar.
    static func clamped(_ seconds: Int64) -> Int { min(max(Int(seconds), self.firstSecond), self.lastSecond) }

    static func year(of seconds: Int) -> Int {
        CalendarDate(dayNumber: seconds.flooredQuotient(by: ClockTime.secondsPerDay)).year
    }

    static func start(of year: Int) -> Int {
        CalendarDate.dayNumber(year: year, month: 1, day: 1) * ClockTime.secondsPerDay
    }
}
