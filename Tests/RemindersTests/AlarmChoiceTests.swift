import RemindavICalendar
import RemindavRecurrence
import Testing

@testable import RemindavReminders

@Suite("requested alarms")
struct AlarmChoiceTests {
    private static let berlin = TimeZoneResolver(database: database, calendar: nil, local: "Europe/Berlin")

    private static func made(
        due: CalendarDateOrDateTime?,
        rule: RecurrenceRule? = nil,
        _ alarms: AlarmChoice...
    ) throws -> Reminder {
        var draft = ReminderDraft(title: "Pick up parcel")
        draft.due = due
        draft.recurrenceRule = rule
        draft.alarms = alarms
        return try #require(Reminder(draft, uid: "u", in: context, zones: Self.berlin))
    }

    private static func triggers(_ reminder: Reminder) -> [String] {
        reminder.object.main.components(.valarm).compactMap { alarm in
            alarm.first(.trigger).map { String(decoding: $0.bytes, as: UTF8.self).filter { !$0.isNewline } }
        }
    }

    private static func fires(_ reminder: Reminder, from moment: String = "20261101T000000Z") throws -> [String] {
        let from = try #require(Instant(wire: moment))
        let plan = AlarmPlan(reminder, zones: zones(reminder))
        let alarms = plan.alarms(after: from, upTo: from.adding(seconds: 400 * 86_400))
        return alarms.map { "\(CalendarDateTime(utc: $0.fires).wire) \($0.cause)" }
    }

    private static let afternoon = moment("20261201T170000", "Europe/Berlin")
    private static let day = moment("20261201")

    @Test("an alarm at the due time is one VALARM with all that RFC 5545 §3.6.6 requires, at a fixed moment")
    func atDue() throws {
        let made = try Self.made(due: Self.afternoon, .atDue)
        let alarm = try #require(made.object.main.components(.valarm).first)
        #expect(made.object.main.components(.valarm).count == 1)
        #expect(Self.triggers(made) == ["TRIGGER;VALUE=DATE-TIME:20261201T160000Z"])
        #expect(alarm.first(.action)?.value == "DISPLAY" && alarm.first(.description)?.text == "Reminder")
        #expect(alarm.first(.uid)?.text.count == 36)
        #expect(made.lines.contains("X-REMINDAV-DUE-ALARM:20261201T160000Z"))
        #expect(try Self.fires(made) == ["20261201T160000Z alarm"])
        #expect(try Self.made(due: Self.afternoon, .atDue).object.document.bytes == made.object.document.bytes)
        #expect(made.foreignProperties(limit: 9).isEmpty && made.foreignPropertyCount == 0)
    }

    @Test("the alarm of an all-day reminder is at the configured time of that day")
    func wholeDay() throws {
        let made = try Self.made(due: Self.day, .atDue)
        #expect(Self.triggers(made) == ["TRIGGER;VALUE=DATE-TIME:20261201T080000Z"])
        #expect(try Self.fires(made) == ["20261201T080000Z alarm"])
        var early = context
        early.dayTime = ClockTime(secondsOfDay: 7 * 3600)
        var draft = ReminderDraft(title: "A")
        draft.due = Self.day
        draft.alarms = [.atDue]
        let other = try #require(Reminder(draft, uid: "u", in: early, zones: Self.berlin))
        #expect(Self.triggers(other) == ["TRIGGER;VALUE=DATE-TIME:20261201T060000Z"])
    }

    @Test("alarms before the due time count from it; for an all-day reminder from the configured time")
    func before() throws {
        let leads: [AlarmChoice] = [
            .beforeDue(CalendarDuration(seconds: 900)), .beforeDue(CalendarDuration(days: 1)),
        ]
        let timed = try Self.made(due: Self.afternoon, leads[0], leads[1])
        #expect(Self.triggers(timed) == ["TRIGGER;RELATED=END:-PT15M", "TRIGGER;RELATED=END:-P1D"])
        #expect(try Self.fires(timed) == ["20261130T160000Z alarm", "20261201T154500Z alarm"])
        let whole = try Self.made(due: Self.day, leads[0], leads[1])
        #expect(Self.triggers(whole) == ["TRIGGER;RELATED=END:PT8H45M", "TRIGGER;RELATED=END:-PT15H"])
        #expect(try Self.fires(whole) == ["20261130T080000Z alarm", "20261201T074500Z alarm"])
    }

    @Test("without a due time only an alarm with its own time exists")
    func withoutDue() throws {
        let instant = try #require(Instant(wire: "20261201T100000Z"))
        let made = try Self.made(due: nil, .atDue, .beforeDue(CalendarDuration(days: 1)), .at(instant))
        #expect(Self.triggers(made) == ["TRIGGER;VALUE=DATE-TIME:20261201T100000Z"])
        #expect(!made.lines.contains { $0.hasPrefix("X-REMINDAV") })
    }

    @Test("the alarm at the due time moves with it, and is removed with the date")
    func moves() throws {
        let made = try Self.made(due: Self.afternoon, .atDue, .beforeDue(CalendarDuration(seconds: 900)))
        var change = ReminderChange()
        change.due = .set(try #require(moment("20261203T090000", "Europe/Berlin")))
        let moved = made.applying(change, in: context, zones: Self.berlin)
        #expect(
            Self.triggers(moved) == ["TRIGGER;VALUE=DATE-TIME:20261203T080000Z", "TRIGGER;RELATED=END:-PT15M"]
        )
        #expect(try Self.fires(moved) == ["20261203T074500Z alarm", "20261203T080000Z alarm"])
        change.due = .set(try #require(Self.day))
        let whole = moved.applying(change, in: context, zones: Self.berlin)
        #expect(Self.triggers(whole).first == "TRIGGER;VALUE=DATE-TIME:20261201T080000Z")
        change.due = .clear
        let undated = whole.applying(change, in: context, zones: Self.berlin)
        #expect(undated.object.main.components(.valarm).isEmpty)
        #expect(!undated.lines.contains { $0.hasPrefix("X-REMINDAV") })
    }

    @Test("a program that moves only DUE does not disable the alarm, and a moved alarm is obeyed")
    func elsewhere() throws {
        let made = String(decoding: try Self.made(due: Self.afternoon, .atDue).object.document.bytes, as: UTF8.self)
        let postponed = made.replacing("Europe/Berlin:20261201T170000", with: "Europe/Berlin:20261205T170000")
        let reminder = try #require(Reminder(ICalendarDocument(postponed)))
        #expect(try Self.fires(reminder) == ["20261205T160000Z alarm"])
        let earlier = made.replacing("DATE-TIME:20261201T160000Z", with: "DATE-TIME:20261201T120000Z")
        let other = try #require(Reminder(ICalendarDocument(earlier)))
        #expect(try Self.fires(other) == ["20261201T120000Z alarm"])
        var change = ReminderChange()
        change.due = .set(try #require(moment("20261203T090000", "Europe/Berlin")))
        let moved = other.applying(change, in: context, zones: Self.berlin)
        #expect(Self.triggers(moved) == ["TRIGGER;VALUE=DATE-TIME:20261201T120000Z"])
    }

    @Test("a repeating reminder has one alarm for each occurrence, also after it has advanced")
    func repeating() throws {
        var rule = RecurrenceRule(frequency: .weekly)
        rule.count = 3
        let made = try Self.made(due: Self.afternoon, rule: rule, .atDue)
        let all = ["20261201T160000Z alarm", "20261208T160000Z alarm", "20261215T160000Z alarm"]
        #expect(try Self.fires(made) == all)
        let done = try made.completing(in: context, zones: zones(made))
        #expect(Self.triggers(done.reminder) == ["TRIGGER;VALUE=DATE-TIME:20261208T160000Z"])
        #expect(done.reminder.lines.contains("X-REMINDAV-DUE-ALARM:20261208T160000Z"))
        #expect(try Self.fires(done.reminder) == Array(all.dropFirst()))
        let copy = try #require(done.copy)
        #expect(copy.object.main.components(.valarm).isEmpty)
        #expect(!copy.lines.contains { $0.hasPrefix("X-REMINDAV") })
    }

    @Test("an acknowledged or snoozed alarm does not notify a second time")
    func acknowledged() throws {
        let made = try Self.made(due: Self.afternoon, .atDue)
        let at = try #require(Instant(wire: "20261201T160000Z"))
        let later = EditingContext(now: at.adding(seconds: 30)) { _ in nil }
        let seen = made.acknowledging(upTo: at, in: later, zones: zones(made))
        #expect(try Self.fires(seen).isEmpty)
        #expect(seen.object.main.components(.valarm).first?.first(.acknowledged) != nil)
        let snoozed = made.snoozing(until: at.adding(seconds: 900), in: later, zones: zones(made))
        #expect(try Self.fires(snoozed) == ["20261201T161500Z snooze"])
    }

    @Test("requested alarms replace those that notify, and no others")
    func replaces() throws {
        let place =
            "BEGIN:VALARM\r\nUID:p\r\nACTION:DISPLAY\r\nX-APPLE-PROXIMITY:ARRIVE\r\n"
            + "TRIGGER;VALUE=DATE-TIME:19760401T005545Z\r\nEND:VALARM"
        let own = "BEGIN:VALARM\r\nUID:o\r\nACTION:DISPLAY\r\nTRIGGER;RELATED=END:-PT15M\r\nX-A:1\r\nEND:VALARM"
        let mail = "BEGIN:VALARM\r\nACTION:EMAIL\r\nTRIGGER:-PT5M\r\nEND:VALARM"
        let lines = "DUE;TZID=Europe/Berlin:20261201T170000"
        let old = try #require(reminder(lines, own, place, mail, "DALARM:20261201T150000Z;PT5M;2;A"))
        var change = ReminderChange()
        change.alarms = .set([.beforeDue(CalendarDuration(seconds: 900)), .atDue])
        let changed = old.applying(change, in: context, zones: Self.berlin)
        let text = String(decoding: changed.object.document.bytes, as: UTF8.self)
        // The existing alarm keeps its bytes.
        #expect(text.contains(own) && text.contains(place) && text.contains(mail) && !text.contains("DALARM"))
        #expect(try Self.fires(changed) == ["20261201T154500Z alarm", "20261201T160000Z alarm"])
        #expect(
            changed.applying(change, in: context, zones: Self.berlin).object.document.bytes
                == changed.object.document.bytes
        )
        change.alarms = .clear
        let cleared = changed.applying(change, in: context, zones: Self.berlin)
        let rest = String(decoding: cleared.object.document.bytes, as: UTF8.self)
        #expect(!rest.contains("UID:o") && rest.contains(place) && rest.contains(mail))
        #expect(!rest.contains("X-REMINDAV"))
    }
}
