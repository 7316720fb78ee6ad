import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders
import RemindavTaskFormats
import RemindavTestSupport
import Testing

@testable import RemindavBridge

@Suite("data that the format of another program cannot express")
struct ExportLossTests {
    private static func store(_ text: String) throws -> UseCases {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        _ = try Workplace.take(text, into: useCases)
        return useCases
    }

    /// The titles of each loss, and the text of the export with rules in words.
    private static func export(_ useCases: UseCases, _ form: ExportForm) throws -> (String, ExportResult) {
        let zones = Configuration.systemZones(environment: [:])
        let sentence = RuleSentence(
            zone: try #require(LocalZone.named("Europe/Berlin", zones: zones, now: Workplace.now))
        )
        var bytes: [UInt8] = []
        let result = try useCases.exportReminders(as: form, words: { sentence.text($0) }) { bytes += $0 }
        return (String(decoding: bytes, as: UTF8.self), result)
    }

    private static func reminder(_ title: String, due: String, rule: String?, from: String? = nil) -> String {
        let zone = due.contains("T") ? "\"Europe/Berlin\"" : "null"
        return """
            {"uid":"\(title)","title":"\(title)","due":"\(due)","dueZone":\(zone),\
            "repeat":\(rule.map { "\"\($0)\"" } ?? "null"),"repeatFrom":\(from.map { "\"\($0)\"" } ?? "null"),\
            "labels":[]}
            """
    }

    /// A rule with its words in Todoist's file; `nil` if the file cannot contain the rule.
    struct RuleCase: Sendable {
        let due: String
        let rule: String
        var from: String?
        let date: String?
    }

    private static let rules: [RuleCase] = [
        RuleCase(
            due: "2026-12-01",
            rule: "FREQ=WEEKLY;UNTIL=20270301",
            date: "every week starting 2026-12-01 until 2027-03-01"
        ),
        // 08:00 UTC is the time of the last date, and 22:59:59 UTC is the end of that day.
        RuleCase(
            due: "2026-12-01T09:00:00+01:00",
            rule: "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270302T080000Z",
            date: "every Tue at 09:00 starting 2026-12-01 until 2027-03-02"
        ),
        RuleCase(
            due: "2026-12-01T09:00:00+01:00",
            rule: "FREQ=DAILY;UNTIL=20261231T225959Z",
            date: "every day at 09:00 starting 2026-12-01 until 2026-12-31"
        ),
        RuleCase(
            due: "2026-12-01T09:00:00+01:00",
            rule: "FREQ=DAILY;UNTIL=20261231T070000Z",
            date: "every day at 09:00 starting 2026-12-01 until 2026-12-30"
        ),
        RuleCase(
            due: "2026-12-01",
            rule: "FREQ=DAILY;INTERVAL=3;UNTIL=20270301",
            from: "completion",
            date: "every! 3 days starting 2026-12-01 until 2027-03-01"
        ),
        RuleCase(
            due: "2026-12-01",
            rule: "FREQ=DAILY;COUNT=10",
            date: "every day starting 2026-12-01 until 2026-12-10"
        ),
        RuleCase(
            due: "2026-12-01T09:00:00+01:00",
            rule: "FREQ=WEEKLY;COUNT=3",
            date: "every week at 09:00 starting 2026-12-01 until 2026-12-15"
        ),
        RuleCase(due: "2026-12-01", rule: "FREQ=DAILY;COUNT=10", from: "completion", date: nil),
        RuleCase(due: "2026-12-15", rule: "FREQ=MONTHLY;BYMONTHDAY=15", date: "every 15th starting 2026-12-15"),
        RuleCase(
            due: "2026-12-24",
            rule: "FREQ=YEARLY;BYMONTHDAY=24;BYMONTH=12",
            date: "every 24 Dec starting 2026-12-24"
        ),
        RuleCase(
            due: "2026-12-01",
            rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
            date: "every 2 weeks starting 2026-12-01"
        ),
        RuleCase(due: "2026-12-01", rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR", date: nil),
        RuleCase(
            due: "2026-12-01",
            rule: "FREQ=WEEKLY;BYDAY=TU,FR",
            date: "\"every Tue, Fri starting 2026-12-01\""
        ),
        RuleCase(due: "2026-12-01", rule: "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", date: "every weekday starting 2026-12-01"),
        RuleCase(
            due: "2026-12-10",
            rule: "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=10",
            date: "every 2 months starting 2026-12-10"
        ),
        RuleCase(due: "2026-12-18", rule: "FREQ=MONTHLY;BYDAY=3FR", date: "every 3rd Fri starting 2026-12-18"),
        RuleCase(due: "2026-12-31", rule: "FREQ=MONTHLY;BYMONTHDAY=-1", date: "every last day starting 2026-12-31"),
        RuleCase(
            due: "2026-12-01",
            rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1",
            date: "\"every first workday, last workday starting 2026-12-01\""
        ),
        RuleCase(
            due: "2027-03-28T09:00:00+02:00",
            rule: "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
            date: "every last Sun Mar at 09:00 starting 2027-03-28"
        ),
        RuleCase(
            due: "2027-01-14",
            rule: "FREQ=YEARLY;BYMONTHDAY=14;BYMONTH=1,2",
            date: "\"every 14 Jan, 14 Feb starting 2027-01-14\""
        ),
        RuleCase(due: "2026-12-01", rule: "FREQ=YEARLY;BYWEEKNO=20", date: nil),
        RuleCase(due: "2026-12-01T09:00:00+01:00", rule: "FREQ=DAILY;BYHOUR=9,18", date: nil),
    ]

    @Test("a rule with an end is in Todoist's file, and a rule without words is reported", arguments: rules.indices)
    func todoistRules(index: Int) throws {
        let test = Self.rules[index]
        let useCases = try Self.store("[\(Self.reminder("Course", due: test.due, rule: test.rule, from: test.from))]")
        let (text, result) = try Self.export(useCases, .todoist)
        #expect(result.count == 1)
        guard let date = test.date else {
            #expect(result.losses == [.rule: ["Course"]])
            #expect(text.contains(",2026-12-01"))
            return
        }
        #expect(result.losses.isEmpty)
        #expect(text.contains(",\(date),"), "\(text)")
        let copy = try Self.store(text)
        let (first, second) = (try Workplace.only(useCases), try Workplace.only(copy))
        #expect(first.due == second.due && first.repeatsFromCompletion == second.repeatsFromCompletion)
        #expect(try Self.export(copy, .todoist).0 == text)
    }

    @Test("an imported rule with an end stays in Todoist's file after a completion")
    func todoistEnd() throws {
        let useCases = try Self.store("TYPE,CONTENT,INDENT,DATE\ntask,Pills,1,every day at 8am until 31 dec\n")
        _ = try useCases.complete(try Workplace.only(useCases).id)
        let (text, result) = try Self.export(useCases, .todoist)
        #expect(result.losses.isEmpty)
        #expect(text.contains(",every day at 08:00 starting 2026-11-22 until 2026-12-31,"), "\(text)")
    }

    @Test("a rule that an import could not convert stays in Todoist's file, and is not reported")
    func keptWords() throws {
        let useCases = try Self.store("TYPE,CONTENT,INDENT,DATE\ntask,Walk,1,every 3 workdays\n")
        let reminder = try Workplace.only(useCases)
        #expect(reminder.due == "2026-11-20" && reminder.repeatRule == nil)
        #expect(reminder.notes == "Todoist, date: every 3 workdays")
        let (text, result) = try Self.export(useCases, .todoist)
        #expect(text.contains(",every 3 workdays") && result.losses.isEmpty)
    }

    private static let several = """
        [\(reminder("Rule", due: "2026-12-01", rule: "FREQ=WEEKLY")),\
        \(reminder("Time", due: "2026-12-01T09:00:00+01:00", rule: nil)),\
        \(reminder("Both", due: "2026-12-01T09:00:00+01:00", rule: "FREQ=DAILY")),\
        \(reminder("Neither", due: "2026-12-01", rule: nil)),\
        \(reminder("Midnight", due: "2026-12-01T00:00:00+01:00", rule: nil)),\
        \(reminder("One", due: "2026-12-01T01:00:00+01:00", rule: nil)),\
        {"uid":"d","title":"Done","due":"2026-11-01T09:00:00+01:00","dueZone":"Europe/Berlin","repeat":null,\
        "status":"completed","labels":[]}]
        """

    @Test("Outlook's table has no rules and no times of day")
    func outlook() throws {
        let result = try Self.export(Self.store(Self.several), .outlook).1
        #expect(result.losses == [.rule: ["Rule", "Both"], .timeOfDay: ["Time", "Both", "Midnight", "One"]])
    }

    @Test("Google's file has no rules; an import reads midnight, here and in UTC, as a date")
    func google() throws {
        let useCases = try Self.store(Self.several)
        let (text, result) = try Self.export(useCases, .google)
        #expect(result.losses == [.rule: ["Rule", "Both"], .timeOfDay: ["Midnight", "One"]])
        let copy = try Self.store(text)
        let dues = try [useCases, copy].map { useCases in
            try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
                .map { "\($0.title) \($0.due ?? "")" }
        }
        #expect(Set(dues[0]).subtracting(dues[1]).count == 2 && dues[1].contains("Time 2026-12-01T09:00:00+01:00"))
        #expect(try Self.export(copy, .google).0 == text)
    }

    @Test("formats of our own lose nothing", arguments: [ExportForm.json, .csv, .markdown])
    func own(form: ExportForm) throws {
        #expect(try Self.export(Self.store(Self.several), form).1.losses.isEmpty)
    }

    @Test(
        "a title with words of todo.txt is reported, and a title with other words is not",
        arguments: [
            ("Ask about due:2026-12-01", true), ("Ask about +tag", true), ("Ask @home now", true), ("rec:1w", true),
            ("pri:A discussion", true), ("(A) essay", true), ("x ray", false), ("2026-12-01 party", false),
            ("Read a:b", false), ("due: when", false), ("1 + 1 @ noon", false), ("a@b.example", false),
        ]
    )
    func todoTxtTitles(title: String, isReported: Bool) throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        _ = try useCases.add(ReminderDraft(title: title))
        let (text, result) = try Self.export(useCases, .todoTxt)
        #expect(text.hasSuffix(" \(title)\n"))
        #expect(result.losses == (isReported ? [.titleWords: [title]] : [:]))
    }

    @Test(
        "a repetition with a date that is left out is reported, and a past exception is not",
        arguments: [("EXDATE;VALUE=DATE:20261208", true), ("EXDATE;VALUE=DATE:20261124", false), ("PRIORITY:1", false)]
    )
    func exceptions(line: String, isReported: Bool) throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        let lines = "SUMMARY:Bins\r\nDTSTART;VALUE=DATE:20261201\r\nDUE;VALUE=DATE:20261201\r\nRRULE:FREQ=WEEKLY\r\n"
        try Workplace.load(ImportTests.calendar(ImportTests.todo("1", lines + line)), into: useCases)
        for form in [ExportForm.csv, .todoTxt, .todoist] {
            #expect(try Self.export(useCases, form).1.losses == (isReported ? [.exceptions: ["Bins"]] : [:]))
        }
    }

    @Test("the reminders of several lists in one project of Todoist are reported")
    func severalLists() throws {
        let useCases = try Self.store("[\(Self.reminder("One", due: "2026-12-01", rule: nil))]")
        #expect(try Self.export(useCases, .todoist).1.losses.isEmpty)
        try Workplace.load(ImportTests.calendar(ImportTests.todo("2", "SUMMARY:Two")), into: useCases, list: "Work")
        #expect(try Self.export(useCases, .todoist).1.losses == [.severalLists: ["Reminders", "Work"]])
    }

    @Test("an own series that began in the past keeps its dates in Todoist's file")
    func pastSeries() throws {
        let bins = Self.reminder("Bins", due: "2026-11-03", rule: "FREQ=WEEKLY;INTERVAL=2")
        let (text, result) = try Self.export(Self.store("[\(bins)]"), .todoist)
        #expect(result.losses.isEmpty && text.contains(",every 2 weeks starting 2026-11-03,"))
        #expect(try Workplace.only(Self.store(text)).due == "2026-12-01")
    }

    @Test(
        "only dates from the due time on count as left out, in whatever zone they are",
        arguments: [
            // Due on 2 December at 00:30 in Berlin, which is 23:30 UTC on the day before.
            ("EXDATE:20261201T235000Z", true), ("EXDATE:20261201T231000Z", false),
            ("EXDATE;TZID=Europe/Berlin:20261202T001000", false), ("EXDATE;TZID=Europe/Berlin:20261202T005000", true),
            ("EXDATE;TZID=America/New_York:20261201T185000", true),
        ]
    )
    func exceptions(line: String, isLoss: Bool) throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        let rule = "RRULE:FREQ=MINUTELY;INTERVAL=20"
        let dates = ["DTSTART", "DUE"].map { "\($0);TZID=Europe/Berlin:20261202T003000" } + [rule, line]
        let todo = ImportTests.todo("1", "SUMMARY:a\r\n\(dates.joined(separator: "\r\n"))")
        try Workplace.load(ImportTests.calendar(todo), into: useCases)
        #expect(try Self.export(useCases, .csv).1.losses[.exceptions] == (isLoss ? ["a"] : nil))
    }
}
