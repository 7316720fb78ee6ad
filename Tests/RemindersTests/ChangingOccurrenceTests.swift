import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavTestSupport
import Testing

/// A change of one date of a series, whose rule and other dates stay.
@Suite("changes of one date of a series")
struct ChangingOccurrenceTests {
    private static let daily = ["SUMMARY:Walk", "DTSTART:20261121T080000Z", "DUE:20261121T080000Z", "RRULE:FREQ=DAILY"]

    private func series(_ lines: [String] = daily) throws -> Reminder {
        try #require(
            Reminder(
                ICalendarDocument(
                    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:u\r\n"
                        + lines.map { $0 + "\r\n" }.joined() + "END:VTODO\r\nEND:VCALENDAR\r\n"
                )
            )
        )
    }

    private func postponed(_ old: Reminder, to due: String) throws -> Reminder {
        let change = ReminderChange(due: .set(try #require(moment(due))))
        return try old.applyingToCurrentOccurrence(change, in: context, zones: zones(old))
    }

    private func lines(_ component: Component) -> [String] {
        String(decoding: component.bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    @Test("the postponed date is an override, and the bytes of the series stay (RFC 5545 3.8.4.4)")
    func override() throws {
        let old = try self.series()
        let new = try self.postponed(old, to: "20261121T170000Z")
        #expect(Array(new.object.main.bytes) == Array(old.object.main.bytes))
        let override = try #require(new.object.overrides.first)
        #expect(
            Set(self.lines(override)) == [
                "BEGIN:VTODO", "UID:u", "SUMMARY:Walk", "RECURRENCE-ID:20261121T080000Z", "DTSTART:20261121T170000Z",
                "DUE:20261121T170000Z", stamps[0], stamps[1], "END:VTODO",
            ]
        )
        let current = new.current(zones: zones(new))
        #expect(current.due == moment("20261121T170000Z") && current.replacedDate == moment("20261121T080000Z"))
    }

    @Test("a skipped date is left out, and the last date cannot be skipped", arguments: CompletionShape.allCases)
    func skipped(_ shape: CompletionShape) throws {
        for old in [try self.series(), try self.postponed(try self.series(), to: "20261121T170000Z")] {
            let skip = try old.completing(in: context, zones: zones(old), shape: shape, skips: true)
            let next = skip.reminder.current(zones: zones(skip.reminder))
            #expect(next.due == moment("20261122T080000Z") && skip.copy != nil)
            #expect(skip.reminder.object.overrides.isEmpty)
            let text = String(decoding: skip.reminder.object.document.bytes, as: UTF8.self)
            #expect(text.contains("EXDATE:20261121T080000Z") == (shape == .override) && !text.contains("COMPLETED"))
        }
        let last = try self.series(
            ["SUMMARY:Walk", "DTSTART:20261121T080000Z", "DUE:20261121T080000Z"] + ["RRULE:FREQ=DAILY;COUNT=1"]
        )
        let refused = try last.completing(in: context, zones: zones(last), shape: shape, skips: true)
        #expect(refused.copy == nil && refused.reminder.object.document.bytes == last.object.document.bytes)
    }

    @Test(
        "after the postponed date the rule continues, and the copy has the postponed date",
        arguments: CompletionShape.allCases
    )
    func completed(_ shape: CompletionShape) throws {
        let new = try self.postponed(try self.series(), to: "20261121T170000Z")
        let done = try new.completing(in: context, zones: zones(new), shape: shape)
        let next = done.reminder.current(zones: zones(done.reminder))
        #expect(next.due == moment("20261122T080000Z") && next.replacedDate == nil)
        if shape == .roll {
            #expect(done.copy?.due == moment("20261121T170000Z") && done.reminder.object.overrides.isEmpty)
        }
    }

    @Test("a date that is postponed past the next one follows it, and each date is completed once")
    func passed() throws {
        var series = try self.postponed(try self.series(), to: "20261122T170000Z")
        var dates: [CalendarDateOrDateTime?] = []
        for _ in 0..<3 {
            dates.append(series.current(zones: zones(series)).due)
            series = try series.completing(in: context, zones: zones(series)).reminder
        }
        #expect(
            dates == [moment("20261122T080000Z"), moment("20261122T170000Z"), moment("20261123T080000Z")]
        )
    }

    @Test("an all-day date can get a time, and RECURRENCE-ID keeps the type of DTSTART of the series")
    func time() throws {
        let old = try self.series([
            "DTSTART;VALUE=DATE:20261121", "DUE;VALUE=DATE:20261121", "RRULE:FREQ=WEEKLY",
        ])
        let new = try self.postponed(old, to: "20261123T170000Z")
        let override = try #require(new.object.overrides.first)
        #expect(self.lines(override).contains("RECURRENCE-ID;VALUE=DATE:20261121"))
        #expect(self.lines(override).contains("DUE:20261123T170000Z"))
        let done = try new.completing(in: context, zones: zones(new)).reminder
        #expect(done.current(zones: zones(done)).due == moment("20261128"))
    }

    @Test("the same date is changed again in the same override")
    func again() throws {
        let first = try self.postponed(try self.series(), to: "20261121T170000Z")
        let second = try self.postponed(first, to: "20261121T190000Z")
        #expect(second.object.overrides.count == 1)
        #expect(second.current(zones: zones(second)).due == moment("20261121T190000Z"))
    }

    @Test("other fields change for this date only, and a change without effect adds no override")
    func fields() throws {
        let old = try self.series()
        let change = ReminderChange(title: "Long walk", labels: .set(["park"]), priority: .set(.high))
        let new = try old.applyingToCurrentOccurrence(change, in: context, zones: zones(old))
        let current = new.current(zones: zones(new))
        #expect(current.title == "Long walk" && current.labels == ["park"] && current.priority == .high)
        #expect(current.due == old.due)
        let done = try new.completing(in: context, zones: zones(new))
        #expect(done.reminder.title == "Walk" && done.reminder.labels.isEmpty && done.copy?.title == "Long walk")
        let same = ReminderChange(title: "Walk", due: .set(try #require(old.due)))
        let unchanged = try old.applyingToCurrentOccurrence(same, in: context, zones: zones(old))
        #expect(unchanged.object.document.bytes == old.object.document.bytes)
    }

    @Test("the alarms of the date move with it, and those of the later dates stay")
    func alarms() throws {
        let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:-PT1H", "END:VALARM"]
        let old = try self.series(Self.daily + alarm)
        let new = try self.postponed(old, to: "20261121T170000Z")
        let plan = AlarmPlan(new, zones: zones(new))
        let end = try #require(Instant(wire: "20261123T000000Z"))
        #expect(
            plan.alarms(after: now, upTo: end).map { CalendarDateTime(utc: $0.fires).wire } == [
                "20261121T160000Z", "20261122T070000Z",
            ]
        )
    }

    @Test("the snooze of a postponed date ends, and the snooze of another date stays")
    func snoozes() throws {
        let old = try self.series()
        let until = now.adding(seconds: 7200)
        let snoozed = old.snoozing(until: until, in: context, zones: zones(old))
        #expect(snoozed.current(zones: zones(snoozed)).snoozedUntil == until)
        let new = try self.postponed(snoozed, to: "20261121T170000Z")
        #expect(new.current(zones: zones(new)).snoozedUntil == nil)
        let later = old.snoozing(occurrence: "20261122T080000Z", until: until, in: context, zones: zones(old))
        let moved = try self.postponed(later, to: "20261121T170000Z")
        let done = try moved.completing(in: context, zones: zones(moved)).reminder
        #expect(done.current(zones: zones(done)).snoozedUntil == until)
    }

    @Test("the first date of an override of all later dates is changed alone")
    func future() throws {
        let old = try #require(
            Reminder(
                ICalendarDocument(
                    """
                    BEGIN:VCALENDAR\r
                    VERSION:2.0\r
                    BEGIN:VTODO\r
                    UID:u\r
                    SUMMARY:Walk\r
                    DTSTART:20261121T080000Z\r
                    DUE:20261121T080000Z\r
                    RRULE:FREQ=DAILY\r
                    END:VTODO\r
                    BEGIN:VTODO\r
                    UID:u\r
                    SUMMARY:Run\r
                    RECURRENCE-ID;RANGE=THISANDFUTURE:20261121T080000Z\r
                    DTSTART:20261121T090000Z\r
                    DUE:20261121T090000Z\r
                    END:VTODO\r
                    END:VCALENDAR\r

                    """
                )
            )
        )
        let new = try self.postponed(old, to: "20261121T170000Z")
        #expect(new.object.overrides.count == 2)
        #expect(new.current(zones: zones(new)).due == moment("20261121T170000Z"))
        let done = try new.completing(in: context, zones: zones(new)).reminder
        let next = done.current(zones: zones(done))
        #expect(next.due == moment("20261122T090000Z") && next.title == "Run")
    }

    @Test("a reminder that does not repeat has one date, which is changed")
    func single() throws {
        let old = try self.series(["SUMMARY:Walk", "DUE:20261121T080000Z"])
        let new = try self.postponed(old, to: "20261121T170000Z")
        #expect(new.object.overrides.isEmpty && new.due == moment("20261121T170000Z"))
    }
}
