import Foundation
import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavBridge
@testable import RemindavStore

/// Compares the section of a reminder at the end of a day with ICU, on four hundred days in forty zones.
@Suite("today and upcoming at midnight")
struct SectionTests {
    private static func reader(_ zone: String, _ now: Instant) -> ReminderReader {
        let zones = Configuration.systemZones(environment: [:])
        return ReminderReader(Configuration(localZone: zone, zones: zones, storeFolder: "") { now })
    }

    private static func row(
        _ due: IndexedMoment? = nil,
        snoozed: Int64? = nil,
        start: IndexedMoment? = nil
    ) -> ObjectRow {
        let index = ObjectIndex(title: "x", due: due, snoozedUntil: snoozed, start: start)
        return ObjectRow(id: ObjectID(1), list: ListID(1), uid: "u", index: index)
    }

    @Test(
        "the last second of today is Today, the first of tomorrow is Upcoming",
        arguments: Cases.sample(PeerZone.names)
    )
    func midnight(name: String) throws {
        let peer = try #require(PeerZone(icu: name))
        let days = peer.startDays
        #expect(days.count >= 400)
        for (index, day) in days.enumerated() {
            // The first second of the day, the last one, and one between them.
            let time = [0, 86_399, 45_000][index % 3]
            let now = peer.utc(Int64(day) * 86_400 + Int64(time))
            let today = Int(peer.local(now) / 86_400)
            let reader = Self.reader(name, Instant(secondsSince1970: now))
            let comment = Comment(rawValue: "\(name), \(Instant(secondsSince1970: now))")
            func view(_ due: IndexedMoment, snoozed: Int64? = nil) -> ReminderView {
                reader.view(Self.row(due, snoozed: snoozed), list: "")
            }
            let midnight = Int64(today + 1) * 86_400
            // The first existing second of tomorrow, and the second before it.
            let tomorrow = peer.utc(midnight)
            try #require(view(.instant(seconds: tomorrow)).section == .upcoming, comment)
            try #require(view(.instant(seconds: tomorrow - 1)).section == .today, comment)
            try #require(view(.floating(localSeconds: midnight)).section == .upcoming, comment)
            try #require(view(.day(dayNumber: today)).section == .today, comment)
            try #require(view(.day(dayNumber: today + 1)).section == .upcoming, comment)
            // Overdue reminders are in Today: a moment from its time on, a date from the end of its day on.
            try #require(view(.day(dayNumber: today - 1)).section == .today, comment)
            try #require(view(.day(dayNumber: today - 1)).overdue && !view(.day(dayNumber: today)).overdue, comment)
            try #require(view(.instant(seconds: now)).overdue && !view(.instant(seconds: now + 1)).overdue, comment)
            try #require(view(.instant(seconds: now - 400 * 86_400)).section == .today, comment)
            // For a snoozed reminder the end of the snooze counts.
            let snoozed = view(.instant(seconds: now - 60), snoozed: tomorrow)
            try #require(snoozed.section == .upcoming && !snoozed.overdue, comment)
            // A start is later until its moment, and a date until the first moment of its day.
            func startsLater(_ start: IndexedMoment) -> Bool {
                reader.view(Self.row(start: start), list: "").startsLater
            }
            try #require(startsLater(.day(dayNumber: today + 1)) && !startsLater(.day(dayNumber: today)), comment)
            try #require(startsLater(.instant(seconds: now + 1)) && !startsLater(.instant(seconds: now)), comment)
            try #require(startsLater(.floating(localSeconds: midnight)), comment)
            try #require(!startsLater(.floating(localSeconds: Int64(today) * 86_400)), comment)
        }
    }

    @Test(
        "a time in the local zone is stored as the moment that an independent program computes",
        arguments: PeerZone.names
    )
    func stored(name: String) throws {
        let peer = try #require(PeerZone(icu: name))
        let useCases = try Workplace.open(localZone: name)
        let zones = Configuration.systemZones(environment: [:])
        let resolver = TimeZoneResolver(database: zones, calendar: nil, local: "UTC")
        for day in peer.startDays {
            for minutes in [0, 1, 60, 150, 540, 1380, 1439] {
                let time = ClockTime(secondsOfDay: minutes * 60)
                let moment = useCases.moment(.local(CalendarDate(dayNumber: day), time))
                guard case .dateTime(let stored) = moment else { throw UseCaseError(.fileNotReadable) }
                let expected = peer.utc(Int64(day) * 86_400 + Int64(minutes * 60))
                try #require(resolver.instant(of: stored)?.secondsSince1970 == expected, "\(name), \(moment.wire)")
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
