import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport
import Testing

@testable import RemindavReminders

/// Edits of alarms that the program or another program wrote.
@Suite("edits of alarms")
struct AlarmEditTests {
    private static let foreign = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "X-OTHER:1", "END:VALARM"]
    private static let mail = ["BEGIN:VALARM", "ACTION:EMAIL", "TRIGGER:-PT15M", "END:VALARM"]
    private static let after = ["BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER;RELATED=END:PT1H", "END:VALARM"]

    private func made(_ lines: [String]) throws -> Reminder {
        try #require(reminder(lines.joined(separator: "\r\n")))
    }

    private func choices(_ reminder: Reminder) -> [AlarmChoice] {
        reminder.alarmChoices(dayTime: AlarmSettings.standardDayTime, zones: zones(reminder))
    }

    private func edited(_ old: Reminder, _ change: ReminderChange) -> Reminder {
        old.applying(change, in: context, zones: zones(old))
    }

    private func triggers(_ reminder: Reminder) -> [String] {
        reminder.lines.filter { $0.hasPrefix("TRIGGER") }
    }

    @Test(
        "each alarm corresponds to a choice, by its time before the due time",
        arguments: [
            ("DUE:20261201T160000Z", "TRIGGER;RELATED=END:-PT15M", .beforeDue(CalendarDuration(seconds: 900))),
            ("DUE:20261201T160000Z", "TRIGGER:-P1D", .beforeDue(CalendarDuration(days: 1))),
            ("DUE:20261201T160000Z", "TRIGGER:PT0S", .atDue),
            ("DUE:20261201T160000Z", "TRIGGER;VALUE=DATE-TIME:20261201T160000Z", .atDue),
            ("DUE;VALUE=DATE:20261201", "TRIGGER;RELATED=END:PT9H", .atDue),
            ("DUE;VALUE=DATE:20261201", "TRIGGER:-P1D", .beforeDue(CalendarDuration(days: 1))),
            ("DUE;VALUE=DATE:20261201", "TRIGGER;RELATED=END:-PT15H", .beforeDue(CalendarDuration(days: 1))),
            ("DUE;VALUE=DATE:20261201", "TRIGGER;RELATED=END:PT8H", .beforeDue(CalendarDuration(seconds: 3600))),
        ] as [(String, String, AlarmChoice)]
    )
    func choice(due: String, trigger: String, choice: AlarmChoice) throws {
        let old = try self.made([due, "BEGIN:VALARM", "ACTION:DISPLAY", trigger, "END:VALARM"])
        #expect(self.choices(old) == [choice])
        #expect(self.edited(old, ReminderChange(alarms: .set([choice]))).lines.contains(trigger))
    }

    @Test("a trigger that no choice can express stays until it is removed")
    func existing() throws {
        let old = try self.made(["DUE:20261201T160000Z"] + Self.after + Self.foreign)
        let choices = self.choices(old)
        #expect(choices.count == 2 && choices.last == .beforeDue(CalendarDuration(seconds: 900)))
        guard case .existing = choices[0] else { return #expect(Bool(false), "\(choices)") }
        let same = self.edited(old, ReminderChange(alarms: .set(choices)))
        #expect(same.object.document.bytes == old.object.document.bytes)
        let one = self.edited(old, ReminderChange(alarms: .set([choices[0]])))
        #expect(self.triggers(one) == ["TRIGGER;RELATED=END:PT1H"])
    }

    @Test("an adjustment adds and removes single alarms, and all others keep their bytes")
    func adjusted() throws {
        let old = try self.made(["DUE:20261201T160000Z"] + Self.foreign + Self.mail + Self.after)
        var change = ReminderChange()
        let hour = AlarmChoice.beforeDue(CalendarDuration(seconds: 3600))
        change.alarmAdjustment = AlarmAdjustment(added: [hour])
        let more = self.edited(old, change)
        let kept = Self.foreign + Self.mail + Self.after
        #expect(
            Array(more.lines.filter { !stamps.contains($0) }.prefix(old.lines.count)) == ["DUE:20261201T160000Z"] + kept
        )
        #expect(self.triggers(more).count == 4)
        change.alarmAdjustment = AlarmAdjustment(removed: [hour])
        let less = self.edited(more, change)
        #expect(less.lines.filter { !stamps.contains($0) } == old.lines)
        change.alarmAdjustment = AlarmAdjustment(removed: [.beforeDue(CalendarDuration(seconds: 900))])
        #expect(self.triggers(self.edited(old, change)) == ["TRIGGER:-PT15M", "TRIGGER;RELATED=END:PT1H"])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let choice: AlarmChoice
        let timed: String
        let allDay: String
        var testDescription: String { self.name }
    }

    static let kinds = [
        Case(
            name: "at the due time",
            choice: .atDue,
            timed: "TRIGGER;VALUE=DATE-TIME:20261205T160000Z",
            allDay: "TRIGGER;VALUE=DATE-TIME:20261204T080000Z"
        ),
        Case(
            name: "15 minutes before",
            choice: .beforeDue(CalendarDuration(seconds: 900)),
            timed: "TRIGGER;RELATED=END:-PT15M",
            allDay: "TRIGGER;RELATED=END:PT8H45M"
        ),
        Case(
            name: "an hour before",
            choice: .beforeDue(CalendarDuration(seconds: 3600)),
            timed: "TRIGGER;RELATED=END:-PT1H",
            allDay: "TRIGGER;RELATED=END:PT8H"
        ),
        Case(
            name: "a day before",
            choice: .beforeDue(CalendarDuration(days: 1)),
            timed: "TRIGGER;RELATED=END:-P1D",
            allDay: "TRIGGER;RELATED=END:-PT15H"
        ),
        Case(
            name: "a week before",
            choice: .beforeDue(CalendarDuration(days: 7)),
            timed: "TRIGGER;RELATED=END:-P7D",
            allDay: "TRIGGER;RELATED=END:-PT159H"
        ),
    ]

    @Test("an alarm of this program keeps its meaning when a due date gets a time, and back", arguments: kinds)
    func kind(_ test: Case) throws {
        let date = try #require(moment("20261204"))
        let time = try #require(moment("20261205T160000Z"))
        let draft = ReminderDraft(title: "x", due: date, alarms: [test.choice])
        let resolver = zones(try self.made(["SUMMARY:x"]))
        let made = try #require(Reminder(draft, uid: "u", in: context, zones: resolver))
        let timed = self.edited(made, ReminderChange(due: .set(time)))
        let back = self.edited(timed, ReminderChange(due: .set(date)))
        for (reminder, trigger) in [(made, test.allDay), (timed, test.timed), (back, test.allDay)] {
            #expect(self.triggers(reminder).map { $0.replacing("-P1W", with: "-P7D") } == [trigger])
            #expect(self.choices(reminder) == [test.choice])
        }
        #expect(back.lines.filter { $0.hasPrefix("UID") } == made.lines.filter { $0.hasPrefix("UID") })
    }

    @Test("an alarm of another program keeps its bytes when a due date gets a time")
    func foreignKind() throws {
        let old = try self.made(["DUE;VALUE=DATE:20261204"] + Self.foreign + Self.after)
        let new = self.edited(old, ReminderChange(due: .set(try #require(moment("20261205T160000Z")))))
        #expect(self.triggers(new) == self.triggers(old))
    }
}
