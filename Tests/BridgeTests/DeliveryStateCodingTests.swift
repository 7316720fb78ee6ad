import ICalendar
import Notifications
import Reminders
import SQLiteStore
import Store
import Testing

@testable import Bridge

@Suite("what rang, as rows")
struct DeliveryStateCodingTests {
    private func at(_ seconds: Int64) -> Instant { Instant(secondsSince1970: seconds) }

    private var alarmBasis: AlarmBasis {
        let alarms = AlarmSettings(dayTime: ClockTime(secondsOfDay: 27_000), ringsWhenDue: false)
        return AlarmBasis(local: "America/Argentina/Buenos_Aires", alarms: alarms)
    }

    private var changes: [DeliveryState.Change] {
        let alarms = [
            DeliveredAlarm(occurrence: "20261120T080000Z", fires: self.at(7)),
            DeliveredAlarm(occurrence: nil, fires: self.at(8)),
        ]
        var full = Slot(place: .own, shown: DeliveredAlarm(occurrence: "20261119", fires: self.at(6)), unshown: alarms)
        full.isMissed = true
        full.unlisted = self.at(-5)
        full.notification = NotificationID(number: .max, service: "0123:1.42")
        let single = Slot(place: .summary, shown: DeliveredAlarm(occurrence: nil, fires: self.at(6)))
        let bare = Slot(place: .held, unshown: [DeliveredAlarm(occurrence: nil, fires: self.at(8))])
        let notification = NotificationID(number: 1, service: "0123:1.42")
        return [
            .clock(SchedulerClock(heard: self.at(1_795_204_800), by: self.alarmBasis)),
            .told("1", DeliveredAlarm(occurrence: nil, fires: self.at(0))),
            .told("1", DeliveredAlarm(occurrence: "20261120", fires: self.at(-1))),
            .told("2", DeliveredAlarm(occurrence: "", fires: self.at(1))), .slot("1", full), .slot("2", bare),
            .slot("3", single), .summary(notification), .closing(notification),
            .action(3, .acknowledge(reminder: "1", occurrence: nil, upTo: self.at(9))),
            .action(4, .snooze(reminder: "1", occurrence: "20261120", at: self.at(8), until: self.at(9))),
            .action(5, .complete(reminder: "2", occurrence: "20261120T080000Z")),
        ]
    }

    @Test("everything that is kept comes back as it was")
    func roundTrip() {
        var records = DeliveryState()
        for change in self.changes { records.apply(change) }
        #expect(DeliveryStateCoding.records(self.changes.map(DeliveryStateCoding.row)) == records)
    }

    @Test("a clock that was kept without what a person had chosen about alarms counts by what is usual")
    func clockWithoutChoice() {
        let row = DeliveryStateRow(kind: "clock", key: "", value: "7\tEurope/Berlin")
        #expect(
            DeliveryStateCoding.records([row]).clock
                == SchedulerClock(heard: self.at(7), by: AlarmBasis(local: "Europe/Berlin"))
        )
    }

    @Test("what could not be shown comes back as it was, beside all else, and one that nobody can read is none")
    func trouble() {
        let open = DeliveryFailure(since: self.at(5), count: 3, reason: "it refuses (org.x)")
        for trouble in [open, DeliveryFailure(since: self.at(-5), over: self.at(9), count: 1, reason: "")] {
            let row = DeliveryStateCoding.row(trouble)
            #expect(DeliveryStateCoding.trouble(self.changes.map(DeliveryStateCoding.row) + [row]) == trouble)
            #expect(DeliveryStateCoding.records([row]) == DeliveryState())
        }
        #expect(
            DeliveryStateCoding.row(open).name
                == DeliveryStateCoding.row(DeliveryFailure(since: self.at(1), count: 1, reason: "b")).name
        )
        #expect(DeliveryStateCoding.trouble(self.changes.map(DeliveryStateCoding.row)) == nil)
        for value in ["", "5\t", "5\t\tx\tr", "x\t\t1\tr", "5\ty\t1\tr", "5\t\t1"] {
            #expect(
                DeliveryStateCoding.trouble([DeliveryStateRow(kind: "trouble", key: "", value: value)]) == nil,
                "\(value)"
            )
        }
    }

    @Test("what is taken away takes its row away")
    func removal() {
        let undone: [DeliveryState.Change] = [
            .forgotten("1", DeliveredAlarm(occurrence: "20261120", fires: self.at(-1))), .slot("1", nil), .summary(nil),
            .gone(NotificationID(number: 1, service: "0123:1.42")), .action(4, nil),
        ]
        let kept = self.changes.map(DeliveryStateCoding.row)
        for row in undone.map(DeliveryStateCoding.row) {
            #expect(row.value == nil)
            #expect(kept.contains { $0.kind == row.kind && $0.key == row.key })
        }
    }

    @Test("the kinds of rows keep their stored names, so that a file of an older program is read")
    func storedKinds() {
        let kinds = Set(self.changes.map { DeliveryStateCoding.row($0).kind })
        #expect(kinds == ["clock", "told", "slot", "summary", "closing", "deed"])
    }

    @Test(
        "a row that nobody can read is left out",
        arguments: [
            ("clock", "", "x\tUTC"), ("clock", "", "1"), ("told", "1", ""), ("told", "1\tx\t2", ""),
            ("slot", "1", "nowhere\t\t\t\t\t\t\t\t5"), ("slot", "1", "own\t\t\t\t\t\t"),
            ("slot", "1", "own\t\t\t\t\t\t\t\tx"),
            ("summary", "", "-1\ta"), ("closing", "4294967296\ta", ""),
            ("deed", "a", "complete\t1\t"), ("deed", "1", "eat\t1\t"), ("deed", "1", "snooze\t1\t\t5\tx"),
            ("later", "", ""),
        ]
    )
    func unreadable(kind: String, key: String, value: String) {
        #expect(DeliveryStateCoding.records([DeliveryStateRow(kind: kind, key: key, value: value)]) == DeliveryState())
    }
}
