import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import Testing

@Suite("alarms after changes of the clock and the time zone")
struct ClockChangeTests {
    @Test("a clock that is set back by an hour repeats no alarm; by three days, every alarm")
    func putBack() throws {
        for (back, lines) in [("0800", []), ("20261119T090000Z", []), ("20261118T090000Z", [Bench.milkShown])] {
            let bench = try Bench.fired()
            let first = try bench.handle(.clock, back)
            // A notification for an alarm that is days in the future is closed.
            #expect(first == (lines.isEmpty ? [] : ["close 7"]))
            #expect(try bench.handle(.clock, "0900") == lines)
        }
    }

    @Test("a clock that is set ahead for a moment loses no alarm")
    func putAhead() throws {
        let bench = Bench(["milk": [Bench.dueAtNine]])
        try bench.start("0800")
        let ahead = try bench.handle(.clock, "20361121T080000Z")
        #expect(ahead == ["show milk/Missed: 2026-11-21 10:00 with sound"])
        try bench.shown("milk", 7, "20361121T080000Z")
        #expect(try bench.handle(.clock, "0801") == [])
        #expect(bench.wake == "20261121T090000Z")
        #expect(try bench.handle(.clock, "0900") == ["show milk/Due 10:00 replacing 7 with sound"])
    }

    @Test("an alarm that was not shown and is in the future again fires at its time")
    func putBackUnshown() throws {
        let bench = Bench(["milk": [Bench.dueAtNine]])
        try bench.start("0800", service: nil)
        #expect(try bench.handle(.clock, "0900") == [])
        #expect(try bench.handle(.clock, "0830") == [])
        #expect(try bench.handle(.service("dunst"), "0831") == [])
        #expect(bench.scheduler.nextAlarm == at("0900"))
        #expect(try bench.handle(.clock, "0900") == [Bench.milkShown])
    }

    @Test("after a clock error, past alarms are shown and future ones are not")
    func putBackBoth() throws {
        let bench = Bench(["milk": [Bench.dueAtNine, "RRULE:FREQ=DAILY"]])
        try bench.start("0800", service: nil)
        try bench.handle(.clock, "0900")
        try bench.handle(.clock, "20261126T120000Z")
        try bench.handle(.clock, "0901")
        #expect(bench.scheduler.nextAlarm?.wire == "20261122T090000Z")
        #expect(try bench.handle(.service("dunst"), "0901") == [Bench.milkShown])
    }

    @Test("a change of the zone to the west repeats no alarm, one to the east loses none")
    func journeys() throws {
        let west = try Bench.fired(["DUE:20261121T100000"])
        #expect(try west.handle(.zoneChanged("America/New_York"), "1200") == [])
        #expect(try west.handle(.clock, "1500") == [])
        let east = Bench(["milk": ["DUE:20261121T180000"]])
        try east.start("0800")
        let missed = "show milk/Missed: 2026-11-21 18:00 with sound"
        #expect(try east.handle(.zoneChanged("Asia/Tokyo"), "1200") == [missed])
        try east.shown("milk", 7, "1200")
        // Without a sound: in Berlin the alarm is in the future and was not missed.
        #expect(
            try east.handle(.zoneChanged("Europe/Berlin"), "1300") == ["show milk/Due 18:00 replacing 7"]
        )
        #expect(try east.handle(.clock, "1700") == [])
    }

    @Test("a time with a zone does not move with the local zone")
    func fixed() throws {
        let bench = Bench(["milk": ["DUE;TZID=Europe/Berlin:20261121T180000"]])
        try bench.start("0800")
        #expect(try bench.handle(.zoneChanged("Asia/Tokyo"), "1200") == [])
        #expect(try bench.handle(.clock, "1700") == [Bench.milkShown(due: "02:00")])
    }

    @Test("of two alarms an hour apart, the second fires after a change of the zone by one hour")
    func journeyOfAnHour() throws {
        let alarms = ["-PT1H", "PT0S"].flatMap {
            ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:\($0)", "END:VALARM"]
        }
        let bench = Bench(["milk": ["DUE:20261121T110000"] + alarms])
        try bench.start("0800")
        #expect(try bench.handle(.clock, "0900") == [Bench.milkShown(due: "11:00")])
        try bench.shown("milk", 7, "0900")
        #expect(try bench.handle(.zoneChanged("Europe/Dublin"), "0930") == [])
        #expect(try bench.handle(.clock, "1000") == [])
        #expect(try bench.handle(.clock, "1100") == ["show milk/Due 11:00 replacing 7 with sound"])
    }
}
