import ICalendar
import Notifications
import Reminders
import Store
import Testing

@testable import Bridge

@Suite("what rang, as rows")
struct RingRowsTests {
    private func at(_ seconds: Int64) -> Instant { Instant(secondsSince1970: seconds) }

    private var reckoning: Reckoning {
        let alarms = AlarmSettings(dayTime: ClockTime(secondsOfDay: 27_000), ringsWhenDue: false)
        return Reckoning(local: "America/Argentina/Buenos_Aires", alarms: alarms)
    }

    private var changes: [RingRecords.Change] {
        let alarms = [
            ToldAlarm(occurrence: "20261120T080000Z", fires: self.at(7)), ToldAlarm(occurrence: nil, fires: self.at(8)),
        ]
        var full = Slot(place: .own, shown: ToldAlarm(occurrence: "20261119", fires: self.at(6)), unshown: alarms)
        full.isMissed = true
        full.unlisted = self.at(-5)
        full.bubble = ShownBubble(number: .max, service: "0123:1.42")
        let single = Slot(place: .summary, shown: ToldAlarm(occurrence: nil, fires: self.at(6)))
        let bare = Slot(place: .held, unshown: [ToldAlarm(occurrence: nil, fires: self.at(8))])
        let bubble = ShownBubble(number: 1, service: "0123:1.42")
        return [
            .clock(RingClock(heard: self.at(1_795_204_800), by: self.reckoning)),
            .told("1", ToldAlarm(occurrence: nil, fires: self.at(0))),
            .told("1", ToldAlarm(occurrence: "20261120", fires: self.at(-1))),
            .told("2", ToldAlarm(occurrence: "", fires: self.at(1))), .slot("1", full), .slot("2", bare),
            .slot("3", single), .summary(bubble), .closing(bubble),
            .deed(3, .acknowledge(reminder: "1", occurrence: nil, upTo: self.at(9))),
            .deed(4, .snooze(reminder: "1", occurrence: "20261120", at: self.at(8), until: self.at(9))),
            .deed(5, .complete(reminder: "2", occurrence: "20261120T080000Z")),
        ]
    }

    @Test("everything that is kept comes back as it was")
    func roundTrip() {
        var records = RingRecords()
        for change in self.changes { records.apply(change) }
        #expect(RingRows.records(self.changes.map(RingRows.row)) == records)
    }

    @Test("a clock that was kept without what a person had chosen about alarms counts by what is usual")
    func clockWithoutChoice() {
        let row = RingRow(kind: "clock", key: "", value: "7\tEurope/Berlin")
        #expect(RingRows.records([row]).clock == RingClock(heard: self.at(7), by: Reckoning(local: "Europe/Berlin")))
    }

    @Test("what could not be shown comes back as it was, beside all else, and one that nobody can read is none")
    func trouble() {
        let open = AlarmTrouble(since: self.at(5), count: 3, reason: "it refuses (org.x)")
        for trouble in [open, AlarmTrouble(since: self.at(-5), over: self.at(9), count: 1, reason: "")] {
            let row = RingRows.row(trouble)
            #expect(RingRows.trouble(self.changes.map(RingRows.row) + [row]) == trouble)
            #expect(RingRows.records([row]) == RingRecords())
        }
        #expect(RingRows.row(open).name == RingRows.row(AlarmTrouble(since: self.at(1), count: 1, reason: "b")).name)
        #expect(RingRows.trouble(self.changes.map(RingRows.row)) == nil)
        for value in ["", "5\t", "5\t\tx\tr", "x\t\t1\tr", "5\ty\t1\tr", "5\t\t1"] {
            #expect(RingRows.trouble([RingRow(kind: "trouble", key: "", value: value)]) == nil, "\(value)")
        }
    }

    @Test("what is taken away takes its row away")
    func removal() {
        let undone: [RingRecords.Change] = [
            .forgotten("1", ToldAlarm(occurrence: "20261120", fires: self.at(-1))), .slot("1", nil), .summary(nil),
            .gone(ShownBubble(number: 1, service: "0123:1.42")), .deed(4, nil),
        ]
        let kept = self.changes.map(RingRows.row)
        for row in undone.map(RingRows.row) {
            #expect(row.value == nil)
            #expect(kept.contains { $0.kind == row.kind && $0.key == row.key })
        }
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
        #expect(RingRows.records([RingRow(kind: kind, key: key, value: value)]) == RingRecords())
    }
}
