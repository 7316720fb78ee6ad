package import RemindavICalendar

/// A local time type: the offset from UTC, whether it is daylight saving time, and its abbreviation.
struct LocalTimeType: Hashable, Sendable {
    /// Seconds east of Greenwich.
    var offset: Int
    var isDaylight = false
    var abbreviation = ""
}

/// A clock change: from ``at`` on, in seconds since 1970, ``after`` applies.
struct ZoneTransition: Hashable, Sendable {
    var at: Int
    var before: LocalTimeType
    var after: LocalTimeType
}

/// The source of the clock changes outside ``ZoneRules/listed``.
enum ZoneTail: Sendable {
    case constant
    case footer(PosixZoneRule)
    /// The rules of a VTIMEZONE; they also apply before the listed range.
    case definition(TimeZoneDefinition)
}

/// The offsets of a time zone: within ``listed``, by one search in a sorted list; outside, ``tail`` computes them.
package final class ZoneRules: Sendable {
    /// The listed clock changes in seconds since 1970, ascending.
    let times: [Int]
    /// The local time type after the change with the same index in ``times``.
    let types: [LocalTimeType]
    let first: LocalTimeType
    let tail: ZoneTail
    /// The range, in seconds since 1970, in which ``times`` contains every change.
    let listed: Range<Int>
    /// The offset before the first change, then the offset after each change in ``times``.
    private let offsets: [Int]
    /// The local second from which the offset after each change in ``times`` applies.
    private let localStarts: [Int]
    /// The local seconds for which ``localStarts`` gives the offset; the range is empty if changes are so close
    /// together that their order is ambiguous in local time.
    private let locallyListed: Range<Int>

    /// - Parameters:
    ///   - times: ascending, in the years 1 to 9999, with one element for each of `types`.
    ///   - listed: the range in which `times` contains every change; `nil` if there are no other changes.
    init(times: [Int], types: [LocalTimeType], first: LocalTimeType, tail: ZoneTail, listed: Range<Int>? = nil) {
        let offsets = [first.offset] + types.map(\.offset)
        self.times = times
        self.types = types
        self.first = first
        self.tail = tail
        self.offsets = offsets
        // A local time that a change skips or repeats uses the offset before the change.
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

    /// - Parameter utc: in seconds since 1970.
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

    /// The UTC second of a local second.
    ///
    /// A local second that a clock change repeats means the first of its two moments. For a local second that a clock
    /// change skips, the offset before the change applies (RFC 5545 §3.3.5).
    func utc(local: Int) -> Int {
        guard self.locallyListed.contains(local) else { return self.searchedUTC(local: local) }
        return local - self.offsets[self.localStarts.firstIndex(after: local)]
    }

    /// The same result as ``utc(local:)``, but computed from the clock changes within two days of `local`.
    private func searchedUTC(local: Int) -> Int {
        let from = local - ZoneClock.vagueSeconds
        var offset = self.offset(at: from)
        // The two yearly changes of a footer are months apart. So equal offsets two days before and two days after
        // `local` mean that there is no change between.
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

    /// The clock changes in `from ..< to`, in seconds since 1970, earliest first.
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

    /// The moments of the clock changes in `from ..< to`, earliest first.
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

enum ZoneClock {
    static let firstSecond = CalendarDate.firstDayNumber * ClockTime.secondsPerDay
    static let lastSecond = (CalendarDate.lastDayNumber + 1) * ClockTime.secondsPerDay
    /// A time longer than any difference between local time and UTC, which is less than 26 hours (RFC 9636 §3.2).
    static let vagueSeconds = 2 * ClockTime.secondsPerDay
    /// The end of the listed changes of a rule without end; later changes are computed when they are needed.
    static let horizon = Self.start(of: 2101)

    /// Limits seconds since 1970 to the years 1 to 9999.
    static func clamped(_ seconds: Int64) -> Int { min(max(Int(seconds), self.firstSecond), self.lastSecond) }

    static func year(of seconds: Int) -> Int {
        CalendarDate(dayNumber: seconds.flooredQuotient(by: ClockTime.secondsPerDay)).year
    }

    static func start(of year: Int) -> Int {
        CalendarDate.dayNumber(year: year, month: 1, day: 1) * ClockTime.secondsPerDay
    }
}
