import RemindavICalendar
import RemindavReminders
import RemindavStore
import Testing

@testable import RemindavBridge

@Suite("clearing all fired alarms")
struct AlarmClearingTests {
    private let useCases: UseCases
    init() throws { self.useCases = try Workplace.open() }

    // It is 2026-11-20 20:00 in UTC.
    private static let now = "20261120T200000Z"

    private func load(_ todos: [String], list: String? = nil) throws {
        let text = "BEGIN:VCALENDAR | VERSION:2.0 | " + todos.joined(separator: " | ") + " | END:VCALENDAR | "
        try Workplace.load(text.replacing(" | ", with: "\r\n"), into: self.useCases, list: list)
    }

    private static func todo(_ uid: String, _ lines: String...) -> String {
        (["BEGIN:VTODO", "UID:\(uid)", "SUMMARY:\(uid)"] + lines + ["END:VTODO"]).joined(separator: " | ")
    }

    /// Returns the text of one reminder, with `|` between its lines.
    private func text(_ uid: String) throws -> String {
        let all = String(decoding: try Workplace.export(self.useCases), as: UTF8.self)
        return all.replacing("\r\n ", with: "").split(separator: "BEGIN:VTODO\r\n").dropFirst()
            .filter { $0.contains("UID:\(uid)\r\n") }.joined().replacing("\r\n", with: "|")
    }

    private func alarm(_ trigger: String) -> String {
        "BEGIN:VALARM | ACTION:DISPLAY | DESCRIPTION:x | TRIGGER\(trigger) | END:VALARM"
    }

    @Test("fired alarms are acknowledged in both dialects; future, completed and muted reminders stay to the byte")
    func cleared() throws {
        try self.load([
            Self.todo("late", "DUE:20261120T190000Z"),
            Self.todo("alarmed", "DUE:20261120T190000Z", self.alarm(":PT0S"), self.alarm(":PT14H")),
            Self.todo("daily", "DTSTART:20261118T190000Z", "DUE:20261118T190000Z", "RRULE:FREQ=DAILY"),
            Self.todo("putoff", "DUE:20261120T190000Z", "X-MOZ-SNOOZE-TIME:20261120T210000Z"),
            Self.todo("snoozed", "DUE:20261120T170000Z", "X-MOZ-SNOOZE-TIME:20261120T190000Z"),
            Self.todo("seen", "DUE:20261120T190000Z", "X-MOZ-LASTACK:20261120T190100Z"),
            Self.todo("done", "DUE:20261120T190000Z", "STATUS:COMPLETED"),
            Self.todo("soon", "DUE:20261120T210000Z"),
        ])
        #expect(try self.useCases.status().unacknowledged == 4)
        let pending = try self.useCases.pendingAlarms().map { "\($0.alarm.title) \($0.alarm.fires)" }
        let untouched = try ["putoff", "seen", "done", "soon"].map(self.text)

        let plan = try self.useCases.clearAlarms(isDryRun: true)
        #expect(plan.cleared.map(\.title) == ["late", "alarmed", "daily", "snoozed"])
        #expect(plan.run == nil)
        #expect(try self.useCases.status().unacknowledged == 4, "a rehearsal changes nothing")

        let clearing = try self.useCases.clearAlarms()
        #expect(clearing.cleared == plan.cleared && clearing.kept.isEmpty && clearing.run != nil)
        #expect(try self.useCases.status().unacknowledged == 0)
        for uid in ["late", "alarmed", "daily", "snoozed"] {
            #expect(try self.text(uid).contains("|X-MOZ-LASTACK:\(Self.now)|"), "\(uid)")
            #expect(try !self.text(uid).contains("COMPLETED"), "\(uid)")
        }
        let alarms = try self.text("alarmed").split(separator: "BEGIN:VALARM").dropFirst()
        #expect(alarms.map { $0.contains("|ACKNOWLEDGED:\(Self.now)|") } == [true, false], "only what has rung")
        #expect(try ["putoff", "seen", "done", "soon"].map(self.text) == untouched)
        #expect(try self.useCases.pendingAlarms().map { "\($0.alarm.title) \($0.alarm.fires)" } == pending)
        #expect(try self.useCases.clearAlarms() == AlarmClearing(), "there is nothing left to clear")
    }

    @Test("an override gets its own ACKNOWLEDGED, for programs that support no other form")
    func overrides() throws {
        try self.load([
            Self.todo("a", "DTSTART:20261118T190000Z", "DUE:20261118T190000Z", "RRULE:FREQ=DAILY", self.alarm(":PT0S")),
            Self.todo("a", "RECURRENCE-ID:20261119T190000Z", "DUE:20261119T193000Z", self.alarm(":PT0S")),
            Self.todo("a", "RECURRENCE-ID:20261121T190000Z", "DUE:20261121T193000Z", self.alarm(":PT0S")),
        ])
        _ = try self.useCases.clearAlarms()
        let components = try self.text("a").split(separator: "SUMMARY:a|")
        let acknowledged = components.map { $0.contains("ACKNOWLEDGED:\(Self.now)") }
        #expect(acknowledged.filter { $0 }.count == 2)
        let later = components.filter { $0.contains("DUE:20261121T193000Z") }
        #expect(later.count == 1 && later.allSatisfy { !$0.contains("ACKNOWLEDGED") }, "what is to come is not seen")
        #expect(try self.useCases.status().unacknowledged == 0)
        #expect(try self.useCases.pendingAlarms().map(\.alarm.fires.wire) == ["20261121T193000Z"])
    }

    @Test("a fired alarm is found behind any number of acknowledged occurrences")
    func manyAcknowledged() throws {
        // Hourly for more than a year: more than the search visits from the first occurrence.
        try self.load([
            Self.todo(
                "a",
                "DTSTART:20250920T190000Z",
                "DUE:20250920T190000Z",
                "RRULE:FREQ=HOURLY",
                "X-MOZ-LASTACK:20261120T183000Z"
            )
        ])
        #expect(try self.useCases.clearAlarms().cleared.count == 1)
        #expect(try self.text("a").contains("X-MOZ-LASTACK:\(Self.now)"))
        #expect(try self.useCases.status().unacknowledged == 0)
    }

    @Test("with a past limit, alarms that fired later stay, also those of the same reminder")
    func upToAMoment() throws {
        try self.load([
            Self.todo("early", "DUE:20261120T190000Z"),
            Self.todo("at", "DUE:20261120T193000Z"),
            Self.todo("since", "DUE:20261120T193001Z"),
            Self.todo("both", "DUE:20261120T190000Z", self.alarm(":PT0S"), self.alarm(":PT45M")),
        ])
        let since = try self.text("since")
        let moment = try #require(Instant(wire: "20261120T193000Z"))
        #expect(try self.useCases.clearAlarms(upTo: moment, isDryRun: true).cleared.count == 3)
        #expect(try self.useCases.clearAlarms(upTo: moment).cleared.map(\.title) == ["early", "at", "both"])
        #expect(try self.text("since") == since)
        #expect(try self.text("early").contains("|X-MOZ-LASTACK:20261120T193000Z|"))
        let alarms = try self.text("both").split(separator: "BEGIN:VALARM").dropFirst()
        #expect(alarms.map { $0.contains("ACKNOWLEDGED") } == [true, false])
        #expect(try self.useCases.clearAlarms().cleared.map(\.title) == ["since", "both"])
    }

    @Test("clearing is one run in the journal, and undo restores the exact texts")
    func undone() throws {
        try self.load((0..<30).map { Self.todo("u\($0)", "DUE:20261120T190000Z") })
        let before = try Workplace.export(self.useCases)
        let run = try #require(try self.useCases.clearAlarms().run)
        let view = try #require(try self.useCases.log(limit: 1).first)
        #expect((view.id, view.operation, view.reminders) == (run, "acknowledge", 30))
        _ = try self.useCases.undo(.last)
        #expect(try Workplace.export(self.useCases) == before)
        #expect(try self.useCases.status().unacknowledged == 30)
    }

    @Test("muted alarms do not count as fired; alarms of read-only lists are counted and kept")
    func keptAndMuted() async throws {
        for name in ["Home", "Shared", "Quiet"] {
            _ = try await self.useCases.addList(named: name, account: nil, color: nil)
            try self.load([Self.todo(name, "DUE:20261120T190000Z")], list: name)
        }
        try self.useCases.store.write { transaction in
            var record = try transaction.list(named: "Shared")
            record.isReadOnly = true
            try transaction.update(record)
        }
        let before = try ["Shared", "Quiet"].map(self.text)
        let clearing = try self.useCases.clearAlarms(muted: MuteRules(lists: ["quiet"]))
        #expect(clearing.cleared.map(\.title) == ["Home"])
        #expect(clearing.kept.map { "\($0.list) \($0.count)" } == ["Shared 1"])
        #expect(try ["Shared", "Quiet"].map(self.text) == before)
        let again = try self.useCases.clearAlarms(muted: MuteRules(lists: ["quiet"]))
        #expect(again.cleared.isEmpty && again.kept.count == 1 && again.run == nil)
    }
}
