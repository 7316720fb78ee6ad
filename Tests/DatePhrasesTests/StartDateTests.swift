import Foundation
import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavDatePhrases

/// Compares the default date of a draft, and the meanings of phrases for days and times, with ICU on four hundred days
/// in forty zones.
@Suite("start dates in forty zones")
struct StartDateTests {
    /// Times of day for the current moment: around midnight, nine o'clock, and clock changes.
    private static let times: [Int64] = [0, 1, 32_399, 32_400, 32_401, 5400, 9000, 43_200, 86_340, 86_399]

    private static func day(_ local: Int64) -> Int { Int(local >= 0 ? local / 86_400 : (local - 86_399) / 86_400) }

    private static func instant(_ choice: DueChoice?, _ zone: LocalZone) -> Int64? {
        switch choice {
        case .local(let date, let time)?: zone.instant(date, time).secondsSince1970
        case .exact(let instant)?: instant.secondsSince1970
        case .date?, nil: nil
        }
    }

    private static func text(_ local: Int64) -> String {
        let time = ClockTime(secondsOfDay: Int(local - Int64(self.day(local)) * 86_400))
        return "\(CalendarDate(dayNumber: self.day(local))) \(time.hoursAndMinutes)"
    }

    @Test(
        "default, day with time, and time from now are the moments that an independent program computes",
        arguments: PeerZone.names
    )
    func moments(name: String) throws {
        let peer = try #require(PeerZone(icu: name))
        let zone = try #require(LocalZone(name: name, zones: .installed, now: .test))
        let days = peer.startDays
        #expect(days.count >= 400)
        for (index, day) in Cases.sample(days).enumerated() {
            let now = Instant(secondsSince1970: peer.utc(Int64(day) * 86_400 + Self.times[index % Self.times.count]))
            let local = peer.local(now.secondsSince1970)
            let comment = Comment(rawValue: "\(name), \(now)")
            // Today.
            let wall = zone.wallClock(at: now)
            try #require(wall.date.dayNumber == Self.day(local), comment)
            try #require(Int64(wall.date.dayNumber) * 86_400 + Int64(wall.time.secondsOfDay) == local, comment)
            // The default is tomorrow at nine. If the clocks skip nine, it is later by the length of the gap.
            let nine = peer.utc(Int64(Self.day(local) + 1) * 86_400 + 32_400)
            let due = When.defaultDue().resolved(now: now, zone: zone)
            try #require(Self.instant(due, zone) == nine, comment)
            guard case .local(let date, let time)? = due else { throw PhraseError(.badWhen, "no time on the wall") }
            try #require(Int64(date.dayNumber) * 86_400 + Int64(time.secondsOfDay) == peer.local(nine), comment)
            // A day and a time give that time on that day, or the time after a gap, with zero seconds.
            for minutes in [0, 30, 90, 150, 540, 1439] {
                let named = Int64(day) * 86_400 + Int64(minutes * 60)
                let combined = try When(Self.text(named)).resolved(now: now, zone: zone)
                let expected = peer.utc(named)
                try #require(Self.instant(combined, zone) == expected, "\(name), \(Self.text(named))")
                try #require(peer.local(expected) >= named, comment)
                let isPast = (try? combined?.checkedToBeInFuture(now: now, zone: zone)) == nil
                try #require(isPast == (expected <= now.secondsSince1970), comment)
            }
            // Times from now are exact: an hour is an hour, also across a clock change.
            let later = try When("in 2 hours").resolved(now: now, zone: zone)
            let minute = (now.secondsSince1970 + 7200 + 59) / 60 * 60
            try #require(Self.instant(later, zone) == minute, comment)
            for snooze in [300, 900, 1800, 3600] {
                let until = now.adding(seconds: snooze)
                let shown = zone.text(until)
                try #require(shown == Self.text(peer.local(until.secondsSince1970)), comment)
            }
        }
    }
}

extension PeerZone {
    /// Creates the zone with the offsets of ICU; `nil` for an unknown name.
    fileprivate init?(icu name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.init(name) { Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval($0)))) }
    }
}
