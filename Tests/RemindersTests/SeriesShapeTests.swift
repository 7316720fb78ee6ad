import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavTestSupport
import Testing

/// The forms that programs write for a completed occurrence.
///
/// Each is read as one series and continued in both shapes.
@Suite("shapes of a series")
struct SeriesShapeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let file: String
        var uid: String?
        /// The current occurrence, the next one, and their time zone.
        let due: String
        let next: String
        var zone: String?
        let title: String
        var nextTitle: String?
        /// The rule after the series has advanced.
        var rule: String?
        var testDescription: String { self.file }
    }

    static let rows = [
        Row(
            file: "tasks.org-rolled-snoozed-series",
            due: "20261120T090001",
            next: "20261127T090001",
            zone: "Europe/Berlin",
            title: "Water the ficus",
            rule: "FREQ=WEEKLY;COUNT=2;BYDAY=FR"
        ),
        Row(
            file: "nextcloud-tasks-rolled-series",
            due: "20261126T070000Z",
            next: "20261203T070000Z",
            title: "Take out the paper",
            rule: "FREQ=WEEKLY;COUNT=3"
        ),
        Row(
            file: "apple-reminders-completed-copy",
            uid: "8D0A3C52-9F5B-4E0B-9B4B-6B6A5B0A1C05",
            due: "20261117T180000",
            next: "20261124T180000",
            zone: "Europe/Oslo",
            title: "Water the plants",
            rule: "FREQ=WEEKLY"
        ),
        Row(
            file: "thunderbird-completed-override",
            due: "20261120T080000",
            next: "20261127T080000",
            zone: "Europe/Berlin",
            title: "Put out the bins",
            rule: "FREQ=WEEKLY;BYDAY=FR"
        ),
        Row(
            file: "thunderbird-moved-occurrence",
            due: "20261126T100000",
            next: "20261127T150000",
            zone: "Europe/Berlin",
            title: "Call the office",
            nextTitle: "Call the office about the contract",
            rule: "FREQ=WEEKLY;BYDAY=TH"
        ),
        Row(
            file: "evolution-rolled-series",
            due: "20261203",
            next: "20270103",
            title: "Pay the rent",
            rule: "FREQ=MONTHLY;COUNT=2"
        ),
        Row(
            file: "korganizer-next-occurrence",
            due: "20261127T190000",
            next: "20261204T190000",
            zone: "Europe/Berlin",
            title: "Pay the cleaner",
            rule: "FREQ=WEEKLY;BYDAY=FR"
        ),
        Row(
            file: "todoman-rolled-series",
            uid: "todoman-series-next@desk",
            due: "20261118",
            next: "20261125",
            title: "Back up the disk",
            rule: "FREQ=WEEKLY"
        ),
        Row(
            file: "em-client-completed-occurrence",
            due: "20261212T090000",
            next: "20270112T090000",
            zone: "Europe/Prague",
            title: "Change the filter",
            rule: "FREQ=MONTHLY;BYMONTHDAY=12"
        ),
        Row(
            file: "python-caldav-completed-safely",
            uid: "pycaldav-2",
            due: "20270120T110000Z",
            next: "20270320T110000Z",
            title: "Descale the kettle",
            rule: "FREQ=MONTHLY;COUNT=1;INTERVAL=2"
        ),
        Row(
            file: "python-caldav-completed-this-and-future",
            due: "20261109T120000Z",
            next: "20261116T120000Z",
            title: "Clean the filter",
            rule: "FREQ=WEEKLY;COUNT=2"
        ),
        Row(
            file: "python-caldav-this-and-future",
            due: "20261101T110000Z",
            next: "20261202T110000Z",
            title: "Clean the oven",
            nextTitle: "Clean the oven and the hob",
            rule: "FREQ=MONTHLY;COUNT=5"
        ),
        Row(
            file: "planify-rolled-series",
            due: "20261121",
            next: "20261123",
            title: "Read a chapter",
            rule: "FREQ=DAILY;INTERVAL=2"
        ),
    ]

    @Test("the current occurrence, and the next one in both shapes", arguments: rows)
    func reading(_ row: Row) throws {
        let old = try Self.reminder(row.file, row.uid)
        let resolver = zones(old)
        let shown = old.current(zones: resolver)
        #expect(shown.due == moment(row.due, row.zone))
        #expect(shown.title == row.title)
        #expect(shown.status == .pending)
        let rolled = try old.completing(in: context, zones: resolver)
        #expect(rolled.copy?.due == shown.due)
        #expect(rolled.copy?.title == shown.title)
        #expect(rolled.copy?.status == .completed)
        #expect(rolled.reminder.recurrenceRule?.wire == row.rule)
        let override = try old.completing(in: context, zones: resolver, shape: .override)
        #expect(override.copy == nil)
        #expect(override.reminder.recurrenceText == old.recurrenceText)
        for reminder in [rolled.reminder, override.reminder] {
            let next = reminder.current(zones: zones(reminder))
            #expect(next.due == moment(row.next, row.zone))
            #expect(next.title == row.nextTitle ?? row.title)
            #expect(next.status == .pending)
        }
    }

    @Test("reopened after the other shape, each one is at its occurrence", arguments: rows)
    func reopening(_ row: Row) throws {
        let old = try Self.reminder(row.file, row.uid)
        let resolver = zones(old)
        let done = try old.completing(in: context, zones: resolver, shape: .override).reminder
        let back = done.reopening(in: context, zones: resolver)
        #expect(back.current(zones: resolver).due == moment(row.due, row.zone))
    }

    @Test("several rules are shown and not moved; an override leaves the rules unchanged")
    func severalRules() throws {
        let old = try Self.reminder("zimbra-several-rules", nil)
        let resolver = zones(old)
        #expect(old.hasSeveralRules)
        #expect(throws: RecurrenceError.severalRules) { try old.completing(in: context, zones: resolver) }
        let done = try old.completing(in: context, zones: resolver, shape: .override).reminder
        #expect(done.current(zones: resolver).due == moment("20261130T093000", "Europe/Berlin"))
    }

    @Test("an override in a resource of its own is part of the series")
    func joining() throws {
        let master = try Self.object("nextcloud-tasks-rolled-series")
        let override = try Self.object("nextcloud-tasks-override-resource")
        for resources in [[master, override], [override, master]] {
            let joined = try #require(CalendarObject.joining(resources).flatMap { Reminder($0) })
            let text = String(decoding: joined.object.document.bytes, as: UTF8.self)
            #expect(text.contains(String(decoding: override.main.bytes, as: UTF8.self)))
            #expect(text.contains(String(decoding: master.main.bytes, as: UTF8.self)))
            #expect(joined.current(zones: zones(joined)).due == moment("20261203T070000Z"))
        }
        #expect(CalendarObject.joining([master, master]) == nil)
        #expect(CalendarObject.joining([master, try Self.object("planify-rolled-series")]) == nil)
    }

    @Test("of two overrides for one moment, in UTC and in a zone, the one with the last change is used")
    func joiningForms() throws {
        let rules =
            "BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n"
        let zone = "BEGIN:VTIMEZONE\r\nTZID:A/B\r\n\(rules)END:VTIMEZONE\r\n"
        let series = "BEGIN:VTODO\r\nUID:u\r\nRRULE:FREQ=DAILY\r\nDTSTART;TZID=A/B:20260101T010000\r\nEND:VTODO\r\n"
        func override(_ form: String, _ stamp: String) -> String {
            "BEGIN:VTODO\r\nUID:u\r\nRECURRENCE-ID\(form)\r\nLAST-MODIFIED:\(stamp)T000000Z\r\nEND:VTODO\r\n"
        }
        let own = override(";TZID=A/B:20260102T010000", "20260102")
        func object(_ parts: String...) throws -> CalendarObject {
            let text = "BEGIN:VCALENDAR\r\n\(parts.joined())END:VCALENDAR\r\n"
            return try #require(CalendarObject(ICalendarDocument(text)))
        }
        let master = try object(zone, series, own)
        for (stamp, isNewer) in [("20260103", true), ("20260101", false)] {
            let other = override(":20260102T000000Z", stamp)
            let joined = try #require(CalendarObject.joining([master, try object(other)]))
            let texts = joined.overrides.map { String(decoding: $0.bytes, as: UTF8.self) }
            #expect(texts == [isNewer ? other : own])
        }
    }

    @Test("an override of one occurrence supplies title, date, urgency, labels and alarms, and its texts for the copy")
    func overrideFields() throws {
        let old = try Self.reminder("thunderbird-moved-occurrence", nil)
        let resolver = zones(old)
        let first = old.current(zones: resolver)
        // The alarm of the series, at the fixed time that it has before the occurrence.
        #expect(first.alarms.map(\.trigger) == [Instant(wire: "20261126T073000Z").map(Trigger.absolute)])
        let second = try old.completing(in: context, zones: resolver).reminder
        let shown = second.current(zones: resolver)
        #expect(shown.priority == .high)
        #expect(shown.labels == ["Work", "Contract"])
        #expect(shown.alarms.map(\.trigger) == [.relative(CalendarDuration(seconds: -3600), to: .end)])
        let third = try second.completing(in: context, zones: resolver)
        #expect(third.copy?.title == "Call the office about the contract")
        #expect(third.copy?.due == moment("20261127T150000", "Europe/Berlin"))
        #expect(third.copy?.todo.first(.recurrenceID) == nil)
        #expect(third.reminder.current(zones: resolver).due == moment("20261203T100000", "Europe/Berlin"))
        // The override of Thunderbird's completion stays.
        #expect(third.reminder.object.overrides.map { $0.first(.status)?.value } == ["COMPLETED"])
    }

    @Test("an occurrence that was moved before others is completed once, and the others stay")
    func movedForward() throws {
        let old = try #require(
            Self.series(
                ["DUE:20261120T090000Z", "RRULE:FREQ=DAILY;COUNT=4"],
                ["RECURRENCE-ID:20261123T090000Z", "SUMMARY:earlier", "DUE:20261119T090000Z"]
            )
        )
        let resolver = zones(old)
        #expect(old.current(zones: resolver).title == "earlier")
        let rolled = try old.completing(in: context, zones: resolver)
        #expect(rolled.copy?.title == "earlier")
        #expect(rolled.reminder.lines.contains("EXDATE:20261123T090000Z"))
        #expect(rolled.reminder.object.overrides.isEmpty)
        var current = rolled.reminder
        for due in ["20261120T090000Z", "20261121T090000Z", "20261122T090000Z"] {
            #expect(current.current(zones: resolver).due == moment(due))
            current = try current.completing(in: context, zones: resolver).reminder
        }
        #expect(current.status == .completed)
    }

    @Test("a series that other overrides have finished is completed, and reopened at the last one")
    func finishedByOverrides() throws {
        let old = try #require(
            Self.series(
                ["DUE:20261120T090000Z", "RRULE:FREQ=DAILY;COUNT=2"],
                ["RECURRENCE-ID:20261120T090000Z", "DUE:20261120T090000Z", "COMPLETED:20261120T100000Z"],
                ["RECURRENCE-ID:20261121T090000Z", "DUE:20261121T090000Z", "COMPLETED:20261121T100000Z"]
            )
        )
        let resolver = zones(old)
        let shown = old.current(zones: resolver)
        #expect(shown.status == .completed)
        #expect(shown.completedAt == Instant(wire: "20261121T100000Z"))
        #expect(shown.due == moment("20261121T090000Z"))
        let back = old.reopening(in: context, zones: resolver)
        #expect(back.current(zones: resolver).status == .pending)
        #expect(back.current(zones: resolver).due == moment("20261121T090000Z"))
        #expect(back.reopening(in: context, zones: resolver).current(zones: resolver).due == moment("20261120T090000Z"))
    }

    @Test("with too many exceptions the search stops: the reminder is at its own dates")
    func tooManyDates() throws {
        let values = Array(repeating: "20261120T090000Z", count: 10_000).joined(separator: ",")
        let old = try #require(Self.series(["DUE:20261120T090000Z", "RRULE:FREQ=DAILY", "EXDATE:\(values)"]))
        #expect(old.current(zones: zones(old)).due == moment("20261120T090000Z"))
        #expect(throws: RecurrenceError.tooManyDates) { try old.completing(in: context, zones: zones(old)) }
    }

    @Test("KOrganizer's next date advances with an override, and is removed when the to-do advances")
    func kdeNextDate() throws {
        let old = try Self.reminder("korganizer-next-occurrence", nil)
        let resolver = zones(old)
        let line = "X-KDE-LIBKCAL-DTRECURRENCE;TZID=Europe/Berlin:"
        let override = try old.completing(in: context, zones: resolver, shape: .override).reminder
        #expect(override.lines.contains(line + "20261204T180000"))
        #expect(override.reopening(in: context, zones: resolver).lines.contains(line + "20261127T180000"))
        let rolled = try old.completing(in: context, zones: resolver).reminder
        #expect(!rolled.lines.contains { $0.hasPrefix("X-KDE-LIBKCAL-DTRECURRENCE") })
        #expect(rolled.lines.contains("DTSTART;TZID=Europe/Berlin:20261204T180000"))
    }

    @Test("a snooze belongs to its occurrence: Thunderbird's form of an earlier one does not count")
    func snoozeOfAnOccurrence() throws {
        // 1795158000 is 20 November 2026, 07:00 UTC.
        let lines = ["DTSTART:20261120T070000Z", "DUE:20261120T070000Z", "RRULE:FREQ=DAILY"]
        let snooze = "X-MOZ-SNOOZE-TIME-1795158000000000:20261120T071500Z"
        let own = try #require(Self.series(lines + [snooze]))
        #expect(own.current(zones: zones(own)).snoozedUntil == Instant(wire: "20261120T071500Z"))
        let done = ["RECURRENCE-ID:20261120T070000Z", "STATUS:COMPLETED"]
        let earlier = try #require(Self.series(lines + [snooze], done))
        #expect(earlier.current(zones: zones(earlier)).snoozedUntil == nil)
    }

    @Test(
        "a series is snoozed for Tasks.org and for Thunderbird, and completion removes the snooze",
        arguments: CompletionShape.allCases
    )
    func snoozing(_ shape: CompletionShape) throws {
        let lines = ["DTSTART:20261118T070000Z", "DUE:20261118T070000Z", "RRULE:FREQ=DAILY"]
        let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "END:VALARM"]
        let done = ["RECURRENCE-ID:20261118T070000Z", "STATUS:COMPLETED"]
        let old = try #require(Self.series(lines + alarm, done))
        let until = now.adding(seconds: 600)
        let snoozed = old.snoozing(until: until, in: context, zones: zones(old))
        #expect(snoozed.lines.contains("X-MOZ-SNOOZE-TIME:20261120T201000Z"))
        // 1795071600 is 19 November 2026, 07:00 UTC.
        #expect(snoozed.lines.contains("X-MOZ-SNOOZE-TIME-1795071600000000:20261120T201000Z"))
        #expect(snoozed.current(zones: zones(snoozed)).snoozedUntil == until)
        let next = try snoozed.completing(in: context, zones: zones(snoozed), shape: shape)
        #expect(next.reminder.current(zones: zones(next.reminder)).snoozedUntil == nil)
        let text = String(decoding: next.reminder.object.document.bytes, as: UTF8.self)
        #expect(!text.contains("SNOOZE"))
        #expect(next.reminder.current(zones: zones(next.reminder)).alarms.count == 1)
    }

    @Test("an override that completes an occurrence has Thunderbird's form")
    func override() throws {
        let old = try #require(
            Self.series([
                "DTSTART;TZID=Europe/Berlin:20261120T090000", "DUE;TZID=Europe/Berlin:20261120T100000",
                "RRULE:FREQ=DAILY", "X-FOREIGN:kept",
            ])
        )
        let done = try old.completing(in: context, zones: zones(old), shape: .override).reminder
        #expect(done.object.main.bytes.elementsEqual(old.object.main.bytes))
        let override = try #require(done.object.overrides.first)
        let lines = override.properties.map { String(decoding: $0.bytes.dropLast(2), as: UTF8.self) }
        #expect(
            lines == [
                "UID:u", "DTSTART;TZID=Europe/Berlin:20261120T090000", "DUE;TZID=Europe/Berlin:20261120T100000",
                "X-FOREIGN:kept", "RECURRENCE-ID;TZID=Europe/Berlin:20261120T090000", "STATUS:COMPLETED",
                "COMPLETED:20261120T200000Z", "PERCENT-COMPLETE:100", "DTSTAMP:20261120T200000Z",
                "LAST-MODIFIED:20261120T200000Z",
            ]
        )
    }

    @Test("an edit changes the shown component: the override alone, or the whole series")
    func editing() throws {
        let old = try #require(
            Self.series(
                ["SUMMARY:rule", "DTSTART:20261120T090000Z", "DUE:20261120T090000Z", "RRULE:FREQ=DAILY"],
                ["RECURRENCE-ID:20261120T090000Z", "DTSTART:20261120T110000Z", "DUE:20261120T110000Z", "SUMMARY:one"],
                ["RECURRENCE-ID:20261121T090000Z", "STATUS:COMPLETED"]
            )
        )
        let resolver = zones(old)
        var change = ReminderChange()
        change.title = "two"
        change.due = try .set(#require(moment("20261120T120000Z")))
        let edited = old.current(zones: resolver).applying(change, in: context)
        #expect(edited.lines.contains("SUMMARY:rule"))
        #expect(edited.current(zones: resolver).title == "two")
        #expect(edited.current(zones: resolver).due == moment("20261120T120000Z"))
        let next = try edited.completing(in: context, zones: resolver, shape: .override).reminder
        change.title = "three"
        change.due = try .set(#require(moment("20261122T100000Z")))
        let moved = next.current(zones: resolver).applying(change, in: context)
        #expect(moved.current(zones: resolver).title == "three")
        #expect(moved.current(zones: resolver).due == moment("20261122T100000Z"))
        #expect(moved.lines.contains("DTSTART:20261120T100000Z"))
    }

    @Test("a changed or removed rule begins with the current occurrence")
    func otherRule() throws {
        let old = try Self.reminder("thunderbird-completed-override", nil)
        let resolver = zones(old)
        var change = ReminderChange()
        change.recurrenceRule = .clear
        let once = old.current(zones: resolver).applying(change, in: context)
        #expect(once.due == moment("20261120T080000", "Europe/Berlin"))
        #expect(once.status == .pending && once.object.todos.count == 1 && once.recurrenceText == nil)
        change.recurrenceRule = .set(try RecurrenceRule(wire: "FREQ=DAILY"))
        let daily = old.current(zones: resolver).applying(change, in: context)
        #expect(daily.lines.contains("DTSTART;TZID=Europe/Berlin:20261120T070000"))
        #expect(daily.current(zones: resolver).due == moment("20261120T080000", "Europe/Berlin"))
    }

    @Test("an occurrence has one copy, for each name of its override and each moved time")
    func sameCopy() throws {
        let master = ["DTSTART;TZID=Europe/Berlin:20261120T090000", "RRULE:FREQ=DAILY"]
        let names = ["", ";TZID=Europe/Berlin:20261120T090000", ":20261120T080000Z", ":20261120T090000"]
        let copies = try names.map { name in
            let override = ["RECURRENCE-ID\(name)", "SUMMARY:a", "DTSTART:20261121T060000Z"]
            let old = try #require(name.isEmpty ? Self.series(master) : Self.series(master, override))
            return try old.completing(in: context, zones: zones(old)).copy?.uid
        }
        #expect(Set(copies).count == 1 && copies.first != .some(nil))
    }

    /// Returns a series with overrides.
    private static func series(_ master: [String], _ overrides: [String]...) -> Reminder? {
        let todos = ([master] + overrides).map { ["BEGIN:VTODO", "UID:u"] + $0 + ["END:VTODO"] }
        let lines = ["BEGIN:VCALENDAR", "VERSION:2.0"] + todos.flatMap { $0 } + ["END:VCALENDAR"]
        return Reminder(ICalendarDocument(lines.map { $0 + "\r\n" }.joined()))
    }

    private static func object(_ file: String) throws -> CalendarObject {
        try #require(CalendarObject(ICalendarDocument(try Fixture.bytes("ics/\(file).ics"))))
    }

    /// Returns the reminder of a UID, as an import of a file with several reminders creates it.
    private static func reminder(_ file: String, _ uid: String?) throws -> Reminder {
        let document = ICalendarDocument(try Fixture.bytes("ics/\(file).ics"))
        let todos = document.all(.vtodo).filter { uid == nil || $0.first(.uid)?.text == uid }
        let source = CalendarObject.assemble(
            header: Array("VERSION:2.0\r\n".utf8),
            zones: document.all(.vtimezone).map { Array($0.bytes) },
            components: todos.map { Array($0.bytes) }
        )
        return try #require(Reminder(ICalendarDocument(source)))
    }
}
