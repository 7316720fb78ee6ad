import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import Testing

@Suite("alarms of repeating reminders")
struct SeriesAlarmTests {
    private static let daily = [
        "SUMMARY:of the rule", "DTSTART;TZID=Europe/Berlin:20261118T090000", "DUE;TZID=Europe/Berlin:20261118T090000",
        "RRULE:FREQ=DAILY",
    ]

    /// Returns a series with overrides; each component has these lines.
    private func series(_ lines: [String], _ overrides: [String]...) -> Reminder? {
        let todos = ([lines] + overrides).map {
            "BEGIN:VTODO\r\nUID:u\r\n\($0.joined(separator: "\r\n"))\r\nEND:VTODO\r\n"
        }
        return Reminder(ICalendarDocument("BEGIN:VCALENDAR\r\n\(todos.joined())END:VCALENDAR\r\n"))
    }

    private func id(_ day: String) -> String { "RECURRENCE-ID;TZID=Europe/Berlin:\(day)T090000" }

    @Test("each open occurrence fires once, also when an earlier one is not completed")
    func occurrences() throws {
        let plan = try #require(self.series(Self.daily)).plan()
        #expect(plan.pending("20261118T075959Z") == "20261118T080000Z due")
        #expect(plan.pending("20261118T080000Z") == "20261119T080000Z due")
        #expect(plan.pending("20261201T120000Z") == "20261202T080000Z due")
        let three = plan.rings(from: "20261118T080000Z", to: "20261121T080000Z")
        #expect(three == ["20261119T080000Z due", "20261120T080000Z due", "20261121T080000Z due"])
    }

    @Test("each occurrence has its own identifier, for any form of its time")
    func identifiers() throws {
        let plan = try #require(self.series(Self.daily)).plan()
        let alarms = plan.alarms(after: at("20261118T000000Z"), upTo: at("20261120T080000Z"))
        let names = ["20261118T080000Z", "20261119T080000Z", "20261120T080000Z"]
        #expect(alarms.map(\.id.description) == names.map { "u@\($0)" })
        let days = self.series(["DUE;VALUE=DATE:20261118", "RRULE:FREQ=WEEKLY"])?.plan()
        #expect(days?.next(after: at("20261119T000000Z"))?.id == AlarmID(reminder: "u", occurrence: "20261125"))
    }

    @Test("a time of day stays when the clocks change; a skipped one is the moment after")
    func clockChanges() throws {
        let lines = ["DUE;TZID=Europe/Berlin:20261023T023000", "RRULE:FREQ=DAILY"]
        let autumn = try #require(self.series(lines)).plan()
        let three = ["20261024T003000Z due", "20261025T003000Z due", "20261026T013000Z due"]
        #expect(autumn.rings(from: "20261023T120000Z", to: "20261026T120000Z") == three)
        let spring = autumn.rings(from: "20270327T120000Z", to: "20270329T120000Z")
        #expect(spring == ["20270328T013000Z due", "20270329T003000Z due"])
    }

    @Test("overrides: completed, cancelled, moved, with alarms of its own, excluded")
    func overrides() throws {
        let reminder = try #require(
            self.series(
                Self.daily + ["EXDATE;TZID=Europe/Berlin:20261122T090000", alarm("TRIGGER;RELATED=END:-PT30M")],
                [self.id("20261118"), "STATUS:COMPLETED"],
                [self.id("20261119"), "STATUS:CANCELLED"],
                [self.id("20261120"), "SUMMARY:moved", "DUE;TZID=Europe/Berlin:20261123T180000"],
                [self.id("20261121"), "DUE;TZID=Europe/Berlin:20261121T090000", alarm("TRIGGER:-PT2H")]
            )
        )
        let plan = reminder.plan()
        let expected = [
            "20261121T060000Z alarm", "20261123T073000Z alarm", "20261123T170000Z due", "20261124T073000Z alarm",
        ]
        #expect(plan.rings(from: "20261101T000000Z", to: "20261124T120000Z") == expected)
        let moved = plan.next(after: at("20261123T080000Z"))
        #expect(moved?.title == "moved")
        #expect(moved?.id.occurrence == "20261120T080000Z")
    }

    @Test("an override with THISANDFUTURE gives its time and its alarms to all later occurrences")
    func thisAndFuture() throws {
        let reminder = try #require(
            self.series(
                Self.daily,
                [
                    "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261120T090000",
                    "DTSTART;TZID=Europe/Berlin:20261120T100000", "DUE;TZID=Europe/Berlin:20261120T100000",
                    alarm("TRIGGER:-PT5M"),
                ]
            )
        )
        let rings = reminder.plan().rings(from: "20261118T120000Z", to: "20261121T120000Z")
        #expect(rings == ["20261119T080000Z due", "20261120T085500Z alarm", "20261121T085500Z alarm"])
    }

    @Test("an alarm at a moment has that distance from each occurrence, in local time")
    func absolute() throws {
        let lines = [
            "DUE;TZID=Europe/Berlin:20261023T090000", "RRULE:FREQ=DAILY",
            alarm("TRIGGER;VALUE=DATE-TIME:20261023T060000Z"),
        ]
        let plan = try #require(self.series(lines)).plan()
        let three = ["20261023T060000Z alarm", "20261024T060000Z alarm", "20261025T070000Z alarm"]
        #expect(plan.rings(from: "20261022T000000Z", to: "20261025T120000Z") == three)
    }

    @Test("alarms long before and long after their occurrences are found, for any occurrence")
    func farFromTheirOccurrence() throws {
        let lines = [
            "DUE;TZID=Europe/Berlin:20200101T090000", "RRULE:FREQ=DAILY", alarm("TRIGGER;RELATED=END:-P30D"),
            alarm("TRIGGER;RELATED=END:P45D"),
        ]
        let plan = try #require(self.series(lines)).plan()
        let alarms = plan.alarms(after: at("20261120T000000Z"), upTo: at("20261120T120000Z"))
        #expect(alarms.map(\.fires.wire) == ["20261120T080000Z", "20261120T080000Z"])
        #expect(alarms.map(\.id.occurrence) == ["20261006T070000Z", "20261220T080000Z"])
        #expect(plan.pending("20261120T080000Z") == "20261121T080000Z alarm")
    }

    @Test("a snooze that names an occurrence snoozes that one and no other (Thunderbird)")
    func namedSnooze() throws {
        // 1795248000 is 2026-11-21T08:00:00Z.
        let lines = Self.daily + ["X-MOZ-SNOOZE-TIME-1795248000000000:20261121T083000Z"]
        let plan = try #require(self.series(lines)).plan()
        let rings = plan.rings(from: "20261120T000000Z", to: "20261122T120000Z")
        #expect(rings == ["20261120T080000Z due", "20261121T083000Z snooze", "20261122T080000Z due"])
        #expect(plan.next(after: at("20261121T080000Z"))?.id.occurrence == "20261121T080000Z")
        // The snooze belongs to that occurrence also if it ends long after.
        let late = Self.daily + ["X-MOZ-SNOOZE-TIME-1795248000000000:20261231T083000Z"]
        let found = try #require(self.series(late)).plan().next(after: at("20261231T081500Z"))
        #expect(found?.fires == at("20261231T083000Z"))
        #expect(found?.id.occurrence == "20261121T080000Z")
    }

    @Test("a snooze may name an occurrence at a skipped local time")
    func namedSnoozeInGap() throws {
        // The number is the moment after the gap, 2026-03-29T01:30:00Z.
        for start in ["20260329", "20260320"] {
            let lines = ["DUE;TZID=Europe/Berlin:\(start)T023000", "RRULE:FREQ=DAILY"]
            let snooze = "X-MOZ-SNOOZE-TIME-1774747800000000:20260329T175730Z"
            let found = try #require(self.series(lines + [snooze])).plan().next(after: at("20260329T120000Z"))
            #expect(found?.fires == at("20260329T175730Z"))
            #expect(found?.id.occurrence == "20260329T013000Z")
        }
    }

    @Test("a snooze of an occurrence that is completed, excluded or not part of the series is over")
    func namedSnoozeOfNothing() throws {
        let snooze = "X-MOZ-SNOOZE-TIME-1795248000000000:20261121T083000Z"
        let done = self.series(Self.daily + [snooze], [self.id("20261121"), "STATUS:COMPLETED"])
        let left = self.series(Self.daily + [snooze, "EXDATE:20261121T080000Z"])
        let odd = self.series(Self.daily + [snooze.replacing("8000", with: "8001")])
        let later = self.series(Self.daily.map { $0.replacing("20261118", with: "20261122") } + [snooze])
        for (reminder, next) in [(done, "20261122"), (left, "20261122"), (odd, "20261122"), (later, "20261122")] {
            let plan = try #require(reminder).plan()
            #expect(plan.pending("20261121T081500Z") == "\(next)T080000Z due")
        }
    }

    @Test("a snooze without a name belongs to the first open occurrence (Tasks.org)")
    func unnamedSnooze() throws {
        let lines = Self.daily + ["X-MOZ-SNOOZE-TIME:20261121T083000Z"]
        let plan = try #require(self.series(lines, [self.id("20261118"), "STATUS:COMPLETED"])).plan()
        let rings = plan.alarms(after: at("20261120T120000Z"), upTo: at("20261121T120000Z"))
        #expect(rings.map(\.fires.wire) == ["20261121T080000Z", "20261121T083000Z"])
        #expect(rings.map(\.id.occurrence) == ["20261121T080000Z", "20261119T080000Z"])
    }

    @Test("a snooze in an override is its own; with THISANDFUTURE it belongs to the first of its occurrences")
    func snoozeInOverride() throws {
        let single = self.series(
            Self.daily,
            [self.id("20261120"), "DUE;TZID=Europe/Berlin:20261120T090000", "X-MOZ-SNOOZE-TIME:20261125T083000Z"]
        )
        let found = try #require(single).plan().next(after: at("20261125T080000Z"))
        #expect(found?.fires == at("20261125T083000Z"))
        #expect(found?.id.occurrence == "20261120T080000Z")
        let future = self.series(
            Self.daily,
            [
                "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261120T090000",
                "DUE;TZID=Europe/Berlin:20261120T090000", "X-MOZ-SNOOZE-TIME:20261125T083000Z",
            ]
        )
        let first = try #require(future).plan().next(after: at("20261125T080000Z"))
        #expect(first?.id.occurrence == "20261120T080000Z")
        #expect(try #require(future).plan().pending("20261125T083000Z") == "20261126T080000Z due")
    }

    @Test("a snooze that this program writes is read as one of that occurrence, completed or not")
    func ownSnooze() throws {
        let daily = try #require(self.series(Self.daily))
        let editing = EditingContext(now: at("20261118T081000Z")) { _ in nil }
        let snoozed = daily.snoozing(until: at("20261118T084000Z"), in: editing, zones: zones(daily))
        #expect(snoozed.plan().pending("20261118T081000Z") == "20261118T084000Z snooze")
        #expect(snoozed.plan().pending("20261118T084000Z") == "20261119T080000Z due")
        // Thunderbird completes the occurrence, and leaves the snooze without a name.
        let text = String(decoding: snoozed.object.document.bytes, as: UTF8.self).replacing(
            "END:VCALENDAR",
            with: "BEGIN:VTODO\r\nUID:u\r\n\(self.id("20261118"))\r\nSTATUS:COMPLETED\r\nEND:VTODO\r\nEND:VCALENDAR"
        )
        let done = try #require(Reminder(ICalendarDocument(text)))
        #expect(done.plan().pending("20261118T081000Z") == "20261119T080000Z due")
    }

    @Test("an alarm that was acknowledged up to a moment is over in each occurrence")
    func acknowledged() throws {
        let plan = try #require(self.series(Self.daily + ["X-MOZ-LASTACK:20261120T081500Z"])).plan()
        let rings = plan.rings(from: "20261101T000000Z", to: "20261122T080000Z")
        #expect(rings == ["20261121T080000Z due", "20261122T080000Z due"])
    }

    @Test("a series that is over, completed or cancelled does not fire")
    func over() throws {
        let twice = Self.daily.map { $0.replacing("DAILY", with: "DAILY;COUNT=2") }
        let ended = try #require(self.series(twice)).plan()
        #expect(ended.pending("20261118T120000Z") == "20261119T080000Z due")
        #expect(ended.pending("20261119T080000Z") == nil)
        for status in ["COMPLETED", "CANCELLED"] {
            let plan = try #require(self.series(Self.daily + ["STATUS:\(status)"])).plan()
            #expect(plan.pending("20261101T000000Z") == nil)
        }
        let days = ["20261118", "20261119"].map { [self.id($0), "STATUS:COMPLETED"] }
        #expect(try #require(self.series(twice, days[0], days[1])).plan().pending("20261101T000000Z") == nil)
    }

    @Test("KOrganizer's next date: earlier occurrences are completed")
    func korganizer() throws {
        let next = "X-KDE-LIBKCAL-DTRECURRENCE;TZID=Europe/Berlin:20261121T090000"
        #expect(
            try #require(self.series(Self.daily + [next])).plan().pending("20261118T000000Z") == "20261121T080000Z due"
        )
    }

    @Test("if the dates cannot be determined, the alarms of the to-do count")
    func unknownDates() throws {
        let due = "DUE;TZID=Nowhere:20261121T090000"
        #expect(try #require(self.series([due, "RRULE:FREQ=DAILY"])).plan().pending("20261120T000000Z") != nil)
        let broken = Self.daily.map { $0.replacing("FREQ=DAILY", with: "FREQ=SOMETIMES") }
        #expect(try #require(self.series(broken)).plan().rings == ["20261118T080000Z due"])
        let never = Self.daily.map { $0.replacing("FREQ=DAILY", with: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30") }
        #expect(try #require(self.series(never)).plan().rings == ["20261118T080000Z due"])
    }

    @Test("no file makes the search long: an alarm for each second, up to a limit")
    func eachSecond() throws {
        let plan = try #require(self.series(["DUE:20200101T090000Z", "RRULE:FREQ=SECONDLY"])).plan()
        #expect(plan.pending("20261120T000000Z") == "20261120T000001Z due")
        #expect(plan.alarms(after: at("20261120T000000Z"), upTo: at("20271120T000000Z")).count == 9_999)
    }

    @Test("no file makes the search long: all alarms acknowledged for ever")
    func acknowledgedForEver() throws {
        let lines = Self.daily + [alarm("TRIGGER:PT0S", "ACKNOWLEDGED:99990101T000000Z")]
        #expect(try #require(self.series(lines)).plan().pending("20261120T000000Z") == nil)
    }

    @Test("no file makes the search long: snoozes by the thousand, by name and in overrides")
    func manySnoozes() throws {
        let named = (0..<2000).map { "X-MOZ-SNOOZE-TIME-\(1_795_248_000 + $0)000000:20991121T083000Z" }
        #expect(try #require(self.series(Self.daily + named)).plan().pending("20261120T000000Z") != nil)
        let overrides = (0..<2000).map { number in
            ["RECURRENCE-ID:\(20_261_118 + number)T08\(number % 60)0Z", "X-MOZ-SNOOZE-TIME:20991121T083000Z"]
        }
        let todos = ([Self.daily] + overrides).map {
            "BEGIN:VTODO\r\nUID:u\r\n\($0.joined(separator: "\r\n"))\r\nEND:VTODO\r\n"
        }
        let text = "BEGIN:VCALENDAR\r\n\(todos.joined())END:VCALENDAR\r\n"
        #expect(try #require(Reminder(ICalendarDocument(text))).plan().pending("20261120T000000Z") != nil)
    }
}
