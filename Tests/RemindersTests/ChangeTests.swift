import RemindavICalendar
import RemindavReminders
import Testing

@Suite("editing a reminder")
struct ChangeTests {
    @Test("a draft with the current values changes no byte")
    func nothing() throws {
        let old = try #require(
            reminder(
                "SUMMARY:a",
                "PRIORITY:3",
                "CATEGORIES:Home",
                "DTSTART;TZID=Europe/Berlin:20260101T090000",
                "DUE;TZID=Europe/Berlin:20260101T090000",
                "RRULE:FREQ=WEEKLY;COUNT=5;BYDAY=MO"
            )
        )
        var change = ReminderChange()
        change.title = "a"
        change.notes = .clear
        change.priority = .set(.high)
        change.labels = .set(["home"])
        change.due = .set(try #require(old.due))
        change.recurrenceRule = .set(try RecurrenceRule(wire: "FREQ=WEEKLY;BYDAY=MO;COUNT=5"))
        #expect(old.applying(change, in: context).object.document.bytes == old.object.document.bytes)
    }

    @Test("a title changes its line and the stamps")
    func title() {
        var change = ReminderChange()
        change.title = "b, c"
        let changed = reminder("SUMMARY;LANGUAGE=de:a", "X-FOREIGN:x", "SEQUENCE:2")?.applying(change, in: context)
        #expect(changed?.lines == [#"SUMMARY;LANGUAGE=de:b\, c"#, "X-FOREIGN:x", "SEQUENCE:3"] + stamps)
    }

    @Test("an edit of the notes also changes their HTML form")
    func notes() {
        var change = ReminderChange()
        change.notes = .clear
        let old = reminder("DESCRIPTION:a", "X-ALT-DESC;FMTTYPE=text/html:<b>a</b>")
        #expect(old?.applying(change, in: context).lines == stamps)
    }

    @Test("a label is removed at its place and added to the first property")
    func labels() {
        var change = ReminderChange()
        change.labels = .set(["Home", "c,d", "New"])
        let old = reminder(#"CATEGORIES:Home,Work"#, #"CATEGORIES:c\,d"#)
        let lines = old?.applying(change, in: context).lines
        #expect(lines == [#"CATEGORIES:Home,New"#, #"CATEGORIES:c\,d"#] + stamps)
    }

    @Test("an edit of single labels keeps the other labels, also in a text with a label of several spellings")
    func labelEdit() {
        var change = ReminderChange()
        change.labelEdit = LabelEdit(added: ["NEW", "home"], removed: ["work", "absent"])
        let old = reminder(#"CATEGORIES:Home,Work"#, #"CATEGORIES:WORK,c\,d"#)
        let lines = old?.applying(change, in: context).lines
        #expect(lines == [#"CATEGORIES:Home,NEW"#, #"CATEGORIES:c\,d"#] + stamps)
        change.labelEdit = LabelEdit(added: ["HOME"], removed: ["absent"])
        #expect(old?.applying(change, in: context).object.document.bytes == old?.object.document.bytes)
        change.labelEdit = LabelEdit()
        #expect(change.isEmpty)
    }

    @Test("a new due date keeps the distance of the start and its type")
    func due() {
        var change = ReminderChange()
        change.due = moment("20260110T120000Z").map { .set($0) } ?? .keep
        let timed = reminder("DTSTART:20260101T080000Z", "DUE:20260102T090000Z")?.applying(change, in: context)
        #expect(timed?.lines == ["DTSTART:20260109T110000Z", "DUE:20260110T120000Z"] + stamps)
        change.due = moment("20260110").map { .set($0) } ?? .keep
        let day = reminder("DTSTART:20260102T090000Z", "DUE:20260102T090000Z")?.applying(change, in: context)
        #expect(day?.lines == ["DTSTART;VALUE=DATE:20260110", "DUE;VALUE=DATE:20260110"] + stamps)
    }

    @Test("excluded dates stay excluded when the series moves")
    func exceptions() {
        var change = ReminderChange()
        change.due = moment("20260101T100000Z").map { .set($0) } ?? .keep
        let old = reminder(
            "DTSTART:20260101T090000Z",
            "DUE:20260101T090000Z",
            "RRULE:FREQ=WEEKLY",
            "EXDATE:20260108T090000Z,20260115T090000Z"
        )
        let lines = old?.applying(change, in: context).lines
        #expect(lines?.contains("EXDATE:20260108T100000Z,20260115T100000Z") == true)
        let blank = reminder("DUE:20260101T090000Z", "RRULE:FREQ=WEEKLY", "EXDATE:20260108T090000Z, 20260115T090000Z")
        let moved = blank?.applying(change, in: context).lines
        #expect(moved?.contains("EXDATE:20260108T100000Z,20260115T100000Z") == true)
    }

    @Test("a start in another zone than DUE moves as far as DUE does")
    func startInAnotherZone() {
        var change = ReminderChange()
        change.due = moment("20260103T030000Z").map { .set($0) } ?? .keep
        let old = reminder("DTSTART;TZID=Asia/Tokyo:20260101T100000", "DUE:20260101T020000Z")
        #expect(old?.applying(change, in: context).start == moment("20260103T110000", "Asia/Tokyo"))
    }

    @Test("a series that stops repeating has no dates left")
    func noLongerRepeating() {
        var change = ReminderChange()
        change.due = moment("20260101T100000Z").map { .set($0) } ?? .keep
        change.recurrenceRule = .clear
        let old = reminder("DUE:20260101T090000Z", "RRULE:FREQ=WEEKLY", "RDATE:20260103T090000Z")
        #expect(old?.applying(change, in: context).lines == ["DUE:20260101T100000Z"] + stamps)
    }

    @Test("excluded dates stay excluded when the series moves to another zone")
    func exceptionsInAnotherZone() {
        var change = ReminderChange()
        change.due = moment("20260101T080000Z").map { .set($0) } ?? .keep
        let old = reminder(
            "DTSTART;TZID=Europe/Berlin:20260101T090000",
            "DUE;TZID=Europe/Berlin:20260101T090000",
            "RRULE:FREQ=WEEKLY",
            "EXDATE;TZID=Europe/Berlin:20260108T090000"
        )
        #expect(old?.applying(change, in: context).lines.contains("EXDATE:20260108T080000Z") == true)
    }

    @Test("DUE replaces DURATION")
    func duration() {
        var change = ReminderChange()
        change.due = moment("20260110T120000Z").map { .set($0) } ?? .keep
        let changed = reminder("DTSTART:20260101T090000Z", "DURATION:PT1H")?.applying(change, in: context)
        #expect(changed?.lines == ["DTSTART:20260110T110000Z", "DUE:20260110T120000Z"] + stamps)
    }

    @Test("without a date there is no repetition and no snooze")
    func clearing() {
        var change = ReminderChange()
        change.due = .clear
        let old = reminder("DUE:20260101T090000Z", "RRULE:FREQ=DAILY", "X-MOZ-SNOOZE-TIME:20260101T100000Z")
        #expect(old?.applying(change, in: context).lines == stamps)
    }

    @Test("a missing time zone is added to the object")
    func zone() {
        var change = ReminderChange()
        change.due = moment("20260110T120000", "Europe/Berlin").map { .set($0) } ?? .keep
        let changed = reminder("SUMMARY:a")?.applying(change, in: context)
        #expect(changed?.object.document.all(.vtimezone).count == 1)
        #expect(changed?.lines.contains("DUE;TZID=Europe/Berlin:20260110T120000") == true)
    }

    static let movedAlarms: [(due: String, alarm: String, new: CalendarDateOrDateTime?, moved: String)] = [
        // The move crosses the end of summer time; local times count.
        (
            "DUE;TZID=Europe/Berlin:20261020T090000", "20261020T070000Z", moment("20261028T090000", "Europe/Berlin"),
            "20261028T080000Z"
        ),
        ("DUE:20261020T090000Z", "20261020T090000Z", moment("20261020T180000", "Asia/Tokyo"), "20261020T090000Z"),
        ("DUE;TZID=Europe/Berlin:20261020T090000", "20261020T070000Z", moment("20261021"), "20261021T070000Z"),
        // An alarm at a separate time, and a date as due time.
        ("DUE;TZID=Europe/Berlin:20261020T090000", "20261020T065900Z", moment("20261028T090000Z"), "20261020T065900Z"),
        ("DUE;VALUE=DATE:20261020", "20261019T220000Z", moment("20261028"), "20261019T220000Z"),
    ]

    @Test("an alarm at the old due moment moves with it (Apple), others at a fixed time stay", arguments: movedAlarms)
    func movedAlarm(due: String, alarm wire: String, new: CalendarDateOrDateTime?, moved: String) throws {
        let old = try #require(reminder(due, alarm("TRIGGER;VALUE=DATE-TIME:\(wire)"), alarm("TRIGGER:-PT5M")))
        var change = ReminderChange()
        change.due = .set(try #require(new))
        let triggers = { (reminder: Reminder) in reminder.alarms.map(\.trigger?.wire) }
        #expect(triggers(old.applying(change, in: context, zones: zones(old))) == [moved, "-PT5M"])
        #expect(triggers(old.applying(change, in: context)) == [wire, "-PT5M"])
    }

    @Test("RFC 9074 7.2: an alarm that is snoozed, and snoozed again")
    func snoozeAgain() throws {
        let original = [
            "UID:8297C37D-BA2D-4476-91AE-C1EAA364F8E1", "TRIGGER:-PT15M", "DESCRIPTION:Event reminder",
            "ACTION:DISPLAY",
        ]
        let alarm = (["BEGIN:VALARM"] + original + ["END:VALARM"]).joined(separator: "\r\n")
        var snoozed = try #require(reminder("SUMMARY:Meeting", "DUE:20261120T201500Z", alarm))
        for minutes in [5, 10] {
            snoozed = snoozed.snoozing(until: now.adding(seconds: minutes * 60), in: context, zones: zones(snoozed))
            let alarms = snoozed.object.main.components(.valarm)
            #expect(alarms.count == 2)
            let kept = alarms.first?.properties.map { "\($0.name.wire):\($0.value)" } ?? []
            #expect(kept == original + ["ACKNOWLEDGED:20261120T200000Z"])
            let snooze = try #require(alarms.last)
            #expect(snooze.first(.trigger)?.value == "20261120T20\(minutes < 10 ? "0" : "")\(minutes)00Z")
            #expect(snooze.first(.trigger)?.parameter(.value) == "DATE-TIME")
            #expect(snooze.first(.relatedTo)?.text == "8297C37D-BA2D-4476-91AE-C1EAA364F8E1")
            #expect(snooze.first(.relatedTo)?.parameter(.reltype) == "SNOOZE")
            #expect(snooze.first(.uid)?.text != alarms.first?.first(.uid)?.text)
            #expect(snooze.first(.action)?.value == "DISPLAY")
        }
    }

    @Test("a snooze is written in both dialects and is removed by completion")
    func snooze() throws {
        let old = reminder("DUE:20260101T090000Z", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "END:VALARM")
        let until = Instant(secondsSince1970: now.secondsSince1970 + 300)
        let snoozed = old.map { $0.snoozing(until: until, in: context, zones: zones($0)) }
        #expect(snoozed?.snoozedUntil == until)
        #expect(snoozed?.lines.contains("X-MOZ-SNOOZE-TIME:20261120T200500Z") == true)
        #expect(snoozed?.lines.contains("ACKNOWLEDGED:20261120T200000Z") == true)
        #expect(snoozed?.alarms.count == 1)
        let again = snoozed.map { $0.snoozing(until: until.adding(seconds: 60), in: context, zones: zones($0)) }
        #expect(again?.object.main.components(.valarm).count == 2)
        let done = try again.map { try $0.completing(in: context, zones: zones($0)).reminder }
        #expect(done?.snoozedUntil == nil)
    }
}
