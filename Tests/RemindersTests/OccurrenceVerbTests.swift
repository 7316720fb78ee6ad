import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import Testing

/// The actions of a notification, on the occurrence of its alarm.
@Suite("operations on one occurrence")
struct OccurrenceVerbTests {
    private static func at(_ wire: String) throws -> Instant { try #require(Instant(wire: wire)) }

    private static let daily = ["DTSTART:20261118T070000Z", "DUE:20261118T070000Z", "RRULE:FREQ=DAILY"]

    private func series() throws -> Reminder { try #require(reminder(Self.daily[0], Self.daily[1], Self.daily[2])) }

    private func rings(_ reminder: Reminder, from: String, to: String) throws -> [String] {
        let plan = AlarmPlan(reminder, zones: zones(reminder))
        return try plan.alarms(after: Self.at(from), upTo: Self.at(to)).map { CalendarDateTime(utc: $0.fires).wire }
    }

    // MARK: Acknowledging

    @Test("an acknowledged alarm is over up to its moment, and is written once")
    func acknowledged() throws {
        let old = try #require(reminder("SUMMARY:a", "DUE:20261120T190000Z"))
        let seen = old.acknowledging(upTo: try Self.at("20261120T190000Z"), in: context, zones: zones(old))
        #expect(seen.lines == ["SUMMARY:a", "DUE:20261120T190000Z", "X-MOZ-LASTACK:20261120T190000Z"] + stamps)
        #expect(try self.rings(seen, from: "20261101T000000Z", to: "20261231T000000Z").isEmpty)
        for moment in ["20261120T190000Z", "20261120T180000Z"] {
            let again = seen.acknowledging(upTo: try Self.at(moment), in: context, zones: zones(seen))
            #expect(again.object.document.bytes == seen.object.document.bytes)
        }
    }

    @Test("of several alarms the fired ones are acknowledged (RFC 9074 6.1)")
    func alarms() throws {
        let alarm = { (trigger: String) in
            ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:\(trigger)", "END:VALARM"].joined(separator: "\r\n")
        }
        let old = try #require(reminder("DUE:20261120T200000Z", alarm("-PT1H"), alarm("PT0S")))
        let seen = old.acknowledging(upTo: try Self.at("20261120T190000Z"), in: context, zones: zones(old))
        let marks = seen.object.main.components(.valarm).map { $0.first(.acknowledged)?.value }
        #expect(marks == ["20261120T190000Z", nil])
        #expect(try self.rings(seen, from: "20261120T000000Z", to: "20261121T000000Z") == ["20261120T200000Z"])
    }

    @Test("an all-day reminder fires at the configured time")
    func acknowledgedDay() throws {
        let lines = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:PT0S", "END:VALARM"]
        let old = try #require(reminder("DUE;VALUE=DATE:20261120", lines.joined(separator: "\r\n")))
        // At 07:00: the alarm at 09:00 is in the future.
        let moment = try #require(
            AlarmPlan(old, zones: zones(old), settings: .atSeven).next(after: Self.at("20261119T000000Z"))
        ).fires
        for (settings, mark) in [(AlarmSettings.atSeven, CalendarDateTime(utc: moment).wire), (AlarmSettings(), nil)] {
            let seen = old.acknowledging(upTo: moment, in: context, zones: zones(old), settings: settings)
            #expect(seen.object.main.components(.valarm).map { $0.first(.acknowledged)?.value } == [mark])
        }
    }

    @Test("later occurrences of a series fire, and an occurrence that is not open stays")
    func acknowledgedOccurrence() throws {
        let old = try self.series()
        let moment = try Self.at("20261119T070000Z")
        let seen = old.acknowledging(upTo: moment, occurrence: "20261119T070000Z", in: context, zones: zones(old))
        #expect(
            try self.rings(seen, from: "20261101T000000Z", to: "20261121T070000Z") == [
                "20261120T070000Z", "20261121T070000Z",
            ]
        )
        let absent = old.acknowledging(upTo: moment, occurrence: "20261119T080000Z", in: context, zones: zones(old))
        #expect(absent.object.document.bytes == old.object.document.bytes)
        let done = try old.completing(in: context, zones: zones(old)).reminder
        let late = done.acknowledging(
            upTo: try Self.at("20261118T070000Z"),
            occurrence: "20261118T070000Z",
            in: context,
            zones: zones(done)
        )
        #expect(late.object.document.bytes == done.object.document.bytes)
    }

    @Test("all fired alarms are acknowledged, for the occurrence that fired last")
    func acknowledgedAll() throws {
        let alarm = { (trigger: String) in
            ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:\(trigger)", "END:VALARM"].joined(separator: "\r\n")
        }
        // Tomorrow's first alarm fired at 11:00 today, today's second one at 07:00; the third one has not fired.
        let moment = try Self.at("20261119T120000Z")
        let lines = Self.daily + [alarm("-PT20H"), alarm("PT0S"), alarm("P3D")]
        let old = try #require(reminder(lines[0], lines[1], lines[2], lines[3], lines[4], lines[5]))
        let seen = old.acknowledgingAll(upTo: moment, in: context, zones: zones(old))
        let marks = seen.object.main.components(.valarm).map { $0.first(.acknowledged)?.value }
        #expect(marks == ["20261119T120000Z", "20261119T120000Z", nil])
        #expect(try self.rings(seen, from: "20261101T000000Z", to: "20261119T120000Z").isEmpty)
        #expect(try self.rings(seen, from: "20261119T120000Z", to: "20261120T080000Z") == ["20261120T070000Z"])
        let again = seen.acknowledgingAll(upTo: moment, in: context, zones: zones(seen))
        #expect(again.object.document.bytes == seen.object.document.bytes)
    }

    @Test("a completed reminder has no alarm to acknowledge")
    func acknowledgedTooLate() throws {
        let old = try #require(reminder("DUE:20261120T190000Z", "STATUS:COMPLETED"))
        let seen = old.acknowledging(upTo: now, in: context, zones: zones(old))
        #expect(seen.object.document.bytes == old.object.document.bytes)
    }

    // MARK: Done

    @Test(
        "an occurrence is completed in turn and out of turn, and the others stay open",
        arguments: ["20261118T070000Z", "20261119T070000Z", "20261122T070000Z"],
        CompletionShape.allCases
    )
    func completed(_ name: String, _ shape: CompletionShape) throws {
        let old = try self.series()
        let all = try self.rings(old, from: "20261101T000000Z", to: "20261125T000000Z")
        #expect(all.contains(name))
        let done = try old.completing(occurrence: name, in: context, zones: zones(old), shape: shape)
        #expect(
            try self.rings(done.reminder, from: "20261101T000000Z", to: "20261125T000000Z")
                == all.filter { $0 != name }
        )
        if shape == .roll {
            #expect(done.copy?.status == .completed)
            #expect(done.copy?.due == CalendarDateOrDateTime(wire: name, tzid: nil))
        }
        // A second click, or another device, changes nothing.
        let again = try done.reminder.completing(occurrence: name, in: context, zones: zones(old), shape: shape)
        #expect(again.copy == nil)
        #expect(again.reminder.object.document.bytes == done.reminder.object.document.bytes)
    }

    @Test("a moved occurrence is completed out of turn, with its override")
    func completedOverride() throws {
        let lines = Self.daily.joined(separator: "\r\n")
        let text = """
            BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u\r\n\(lines)\r\nEND:VTODO\r
            BEGIN:VTODO\r\nUID:u\r\nRECURRENCE-ID:20261120T070000Z\r\nDUE:20261120T100000Z\r\nSUMMARY:moved\r
            END:VTODO\r\nEND:VCALENDAR\r\n
            """
        let old = try #require(Reminder(ICalendarDocument(text)))
        let done = try old.completing(occurrence: "20261120T070000Z", in: context, zones: zones(old))
        #expect(done.copy?.title == "moved")
        #expect(done.reminder.object.overrides.isEmpty)
        #expect(
            try self.rings(done.reminder, from: "20261101T000000Z", to: "20261121T120000Z") == [
                "20261118T070000Z", "20261119T070000Z", "20261121T070000Z",
            ]
        )
    }

    @Test("a missing occurrence cannot be completed, and a reminder that does not repeat has no occurrences")
    func nothingToComplete() throws {
        let old = try self.series()
        let absent = try old.completing(occurrence: "20261118T080000Z", in: context, zones: zones(old))
        #expect(absent.reminder.object.document.bytes == old.object.document.bytes)
        let single = try #require(reminder("DUE:20261118T070000Z"))
        let wrong = try single.completing(occurrence: "20261118T070000Z", in: context, zones: zones(single))
        #expect(wrong.reminder.status == .pending)
    }

    // MARK: Put off

    @Test("an occurrence is snoozed, for any order of completion")
    func snoozed() throws {
        let old = try self.series()
        let until = now.adding(seconds: 300)
        let name = "20261120T070000Z"
        let snoozed = old.snoozing(occurrence: name, until: until, in: context, zones: zones(old))
        let plan = AlarmPlan(snoozed, zones: zones(snoozed))
        let next = try #require(plan.next(after: now))
        #expect(next.id.occurrence == name)
        #expect(next.fires == until)
        #expect(next.cause == .snooze)
        #expect(plan.next(after: until)?.id.occurrence == "20261121T070000Z")
        let absent = old.snoozing(occurrence: "20261120T080000Z", until: until, in: context, zones: zones(old))
        #expect(absent.object.document.bytes == old.object.document.bytes)
    }

    @Test("an alarm that fired after a snooze is not acknowledged, although the snooze is written later")
    func snoozedBefore() throws {
        let old = try #require(reminder("DUE:20261120T190000Z"))
        let said = now.adding(seconds: -300)
        let snoozed = old.snoozing(at: said, until: now.adding(seconds: 300), in: context, zones: zones(old))
        #expect(snoozed.object.main.first(.mozLastAck)?.value == CalendarDateTime(utc: said).wire)
    }

    @Test("an alarm that is snoozed too late is not snoozed twice")
    func snoozedTwice() throws {
        let old = try self.series()
        let name = "20261118T070000Z"
        let (said, until) = (now.adding(seconds: -300), now.adding(seconds: -60))
        let late = now.adding(seconds: 1)
        let snoozed = old.snoozing(at: said, until: late, in: context, zones: zones(old))
        func wasSnoozed(_ one: Reminder, _ name: String, at said: Instant, until: Instant) -> Bool {
            one.wasSnoozed(occurrence: name, at: said, until: until, now: now, zones: zones(old))
        }
        #expect(!wasSnoozed(old, name, at: said, until: until))
        #expect(wasSnoozed(snoozed, name, at: said, until: until))
        #expect(wasSnoozed(snoozed, name, at: said, until: late))
        // It was snoozed again, before this was written.
        #expect(!wasSnoozed(snoozed, name, at: said.adding(seconds: 1), until: until))
        #expect(!wasSnoozed(snoozed, name, at: said, until: now.adding(seconds: 2)))
        // Another occurrence was not snoozed, although both snoozes end at the same time.
        #expect(!wasSnoozed(snoozed, "20261119T070000Z", at: said, until: late))
        #expect(!wasSnoozed(snoozed, "20261119T070000Z", at: said, until: until))
    }

    @Test("an acknowledgement of another device stays when a snooze is written late")
    func snoozedAfterOthers() throws {
        let stamp = CalendarDateTime(utc: now.adding(seconds: -60)).wire
        let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "ACKNOWLEDGED:\(stamp)", "END:VALARM"]
        let lines = ["DUE:20261120T190000Z", "X-MOZ-LASTACK:\(stamp)"] + alarm
        let old = try #require(reminder(lines.joined(separator: "\r\n")))
        let said = now.adding(seconds: -300)
        let snoozed = old.snoozing(at: said, until: now.adding(seconds: 300), in: context, zones: zones(old))
        #expect(snoozed.object.main.first(.mozLastAck)?.value == stamp)
        #expect(snoozed.lines.filter { $0.hasPrefix("ACKNOWLEDGED:") } == ["ACKNOWLEDGED:\(stamp)"])
    }

    @Test(
        "a snooze without a name stays with the first occurrence when a later one is snoozed",
        arguments: [[], Self.alarm]
    )
    func unnamedSnoozeOfTheFirst(_ alarm: [String]) throws {
        let lines = Self.daily + ["X-MOZ-SNOOZE-TIME:20261120T210000Z"] + alarm
        let old = try #require(reminder(lines.joined(separator: "\r\n")))
        let sooner = try Self.at("20261120T203000Z")
        let snoozed = old.snoozing(occurrence: "20261120T070000Z", until: sooner, in: context, zones: zones(old))
        #expect(self.next(snoozed) == "20261120T070000Z snooze 20261120T203000Z")
        #expect(self.next(snoozed, after: sooner) == "20261118T070000Z snooze 20261120T210000Z")
    }

    private static let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:PT0S", "END:VALARM"]

    private func next(_ reminder: Reminder, after moment: Instant = now) -> String? {
        AlarmPlan(reminder, zones: zones(reminder)).next(after: moment).map { alarm in
            "\(alarm.id.occurrence ?? "") \(alarm.cause) \(CalendarDateTime(utc: alarm.fires).wire)"
        }
    }

    @Test(
        "a snooze is removed with its occurrence that is completed out of turn, in each dialect",
        arguments: [[], Self.alarm]
    )
    func snoozedAndCompleted(_ alarm: [String]) throws {
        let old = try #require(reminder((Self.daily + alarm).joined(separator: "\r\n")))
        let until = try Self.at("20261120T210000Z")
        let name = "20261120T070000Z"
        let snoozed = old.snoozing(occurrence: name, until: until, in: context, zones: zones(old))
        #expect(self.next(snoozed) == "20261120T070000Z snooze 20261120T210000Z")
        for shape in CompletionShape.allCases {
            let done = try snoozed.completing(occurrence: name, in: context, zones: zones(old), shape: shape).reminder
            #expect(self.next(done)?.hasSuffix("20261121T070000Z") == true, "\(shape)")
            #expect(!String(decoding: done.object.document.bytes, as: UTF8.self).contains("SNOOZE"))
        }
    }

    @Test(
        "a snooze without a name stays when another occurrence is completed out of turn",
        arguments: CompletionShape.allCases
    )
    func unnamedSnoozeStays(_ shape: CompletionShape) throws {
        let lines = Self.daily + ["X-MOZ-SNOOZE-TIME:20261120T210000Z"]
        let old = try #require(reminder(lines.joined(separator: "\r\n")))
        let name = "20261120T070000Z"
        let done = try old.completing(occurrence: name, in: context, zones: zones(old), shape: shape).reminder
        #expect(self.next(done) == "20261118T070000Z snooze 20261120T210000Z")
    }

    @Test("of two occurrences that are snoozed until the same moment, one is completed and the other fires")
    func snoozedAlike() throws {
        let old = try self.series()
        let until = try Self.at("20261120T210000Z")
        let names = ["20261119T070000Z", "20261120T070000Z"]
        let snoozed = names.reduce(old) { $0.snoozing(occurrence: $1, until: until, in: context, zones: zones(old)) }
        let done = try snoozed.completing(occurrence: names[1], in: context, zones: zones(old)).reminder
        #expect(self.next(done) == "20261119T070000Z snooze 20261120T210000Z")
    }

    @Test("snoozing one occurrence keeps the snooze of another", arguments: ["20261119T070000Z", nil])
    func snoozedTwo(_ other: String?) throws {
        let old = try self.series()
        let until = try Self.at("20261120T210000Z")
        let sooner = try Self.at("20261120T203000Z")
        let first = old.snoozing(occurrence: "20261120T070000Z", until: until, in: context, zones: zones(old))
        let both = first.snoozing(occurrence: other, until: sooner, in: context, zones: zones(old))
        #expect(self.next(both) == "\(other ?? "20261118T070000Z") snooze 20261120T203000Z")
        #expect(self.next(both, after: sooner) == "20261120T070000Z snooze 20261120T210000Z")
        // A second snooze replaces the first one, and past ones are removed.
        let later = EditingContext(now: try Self.at("20261120T204500Z")) { _ in nil }
        let evening = try Self.at("20261120T220000Z")
        let again = both.snoozing(occurrence: "20261120T070000Z", until: evening, in: later, zones: zones(old))
        #expect(self.next(again, after: sooner) == "20261120T070000Z snooze 20261120T220000Z")
        #expect(again.lines.filter { $0.hasPrefix("X-MOZ-SNOOZE-TIME-") }.count == 1)
    }

    @Test("completing the first occurrence keeps the snoozes of open ones", arguments: CompletionShape.allCases)
    func snoozedAndOthersCompleted(_ shape: CompletionShape) throws {
        // 1795071600 is 19 November 2026, 07:00 UTC. No other occurrence is open with a future alarm.
        let snoozes = [
            "X-MOZ-SNOOZE-TIME-1795071600000000:20261119T110000Z",
            "X-MOZ-SNOOZE-TIME-1795071660000000:20261120T230000Z",
        ]
        let lines = Self.daily + snoozes + ["X-MOZ-LASTACK:20261119T120000Z"]
        let old = try #require(reminder(lines.joined(separator: "\r\n")))
        let until = try Self.at("20261120T210000Z")
        let first = old.snoozing(occurrence: "20261120T070000Z", until: until, in: context, zones: zones(old))
        let both = first.snoozing(until: try Self.at("20261120T203000Z"), in: context, zones: zones(old))
        let done = try both.completing(in: context, zones: zones(both), shape: shape).reminder
        #expect(self.next(done) == "20261120T070000Z snooze 20261120T210000Z")
        // 1795158000 is 20 November 2026, 07:00 UTC.
        let left = done.lines.filter { $0.hasPrefix("X-MOZ-SNOOZE-TIME") }
        #expect(left == ["X-MOZ-SNOOZE-TIME-1795158000000000:20261120T210000Z"])
    }
}

extension AlarmSettings {
    fileprivate static let atSeven = AlarmSettings(dayTime: ClockTime(secondsOfDay: 7 * 3600))
}
