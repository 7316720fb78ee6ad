import Foundation
import RemindavBridge
import RemindavICalendar
import RemindavReminders
import RemindavTaskFormats
import RemindavTestSupport
import Testing

/// Imports and reads every file of `Fixtures/ics`, and compares the result with the expectation beside the file.
@Suite("files of real programs")
struct FixtureTests {
    static let names =
        (try? Fixture.names(in: "ics", endingWith: ".expected.json"))?.map { String($0.dropLast(14)) } ?? []

    /// The permitted keys of an expectation: a misspelled key would check nothing.
    private static let keys: [(of: String, known: Set<String>)] = [
        ("file", ["reminders", "issues", "refused", "note", "unsure"]),
        ("reminders", Set(texts.map(\.key)).union(["labels", "allDay", "alarmCount", "alarms", "parent"])),
        ("issues", ["line", "code"]),
    ]

    private static let refusals: [String: UseCaseError.Code] = [
        "notICalendar": .notCalendarData, "missingEnd": .fileCutShort, "utf16": .utf16,
    ]

    @Test("the files are found")
    func found() {
        #expect(Self.names.count >= 60)
    }

    @Test("an expectation has no key that the tests do not read", arguments: names)
    func expectation(name: String) throws {
        let expectation = try Self.expectation(name)
        #expect(expectation["reminders"] is [[String: Any]] || expectation["refused"] is Bool)
        for (part, known) in Self.keys {
            let objects = part == "file" ? [expectation] : expectation[part] as? [[String: Any]] ?? []
            for object in objects { #expect(Set(object.keys).subtracting(known) == [], "\(part) of \(name)") }
        }
    }

    @Test("a file is read as its expectation states", arguments: names)
    func reading(name: String) throws {
        let expectation = try Self.expectation(name)
        let useCases = try Workplace.open()
        let result = Result { try Self.load(name, into: useCases) }
        let reminders = try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
            .sorted { $0.id < $1.id }
        if expectation["refused"] as? Bool == true {
            let issues = expectation["issues"] as? [[String: Any]] ?? []
            // An import reads more formats than iCalendar: a file of no known format has its own error.
            let isUnknown = name == "made-not-icalendar"
            let reason =
                try isUnknown
                ? .formatUnknown
                : #require(Self.refusals[issues.first?["code"] as? String ?? ""], "a reason in \(name)")
            #expect(throws: UseCaseError(reason)) { try result.get() }
            return #expect(reminders.isEmpty)
        }
        let report = try result.get()
        let expected = expectation["reminders"] as? [[String: Any]] ?? []
        #expect(reminders.count == expected.count, "reminders of \(name)")
        let parents = try Self.parents(useCases)
        for (reminder, keys) in zip(reminders, expected) {
            Self.compare(reminder, keys)
            guard let parent = keys["parent"] as? String else { continue }
            #expect(parents[reminder.uid] == parent, "parent of \(reminder.uid)")
        }
        Self.compare(report.issues, expectation["issues"] as? [[String: Any]] ?? [])
    }

    @Test(
        "imported to-dos are exported byte for byte, and imported again unchanged",
        arguments: Cases.sample(names)
    )
    func exporting(name: String) throws {
        guard try Self.expectation(name)["refused"] == nil else { return }
        let useCases = try Workplace.open()
        let report = try Self.load(name, into: useCases)
        let exported = try Workplace.export(useCases)
        let again = try useCases.importCalendar(
            Workplace.source(exported),
            list: nil,
            dryRun: false,
            progress: { _ in }
        )
        #expect(again.unchanged == report.added)
        #expect(again.added == 0 && again.updated == 0)
    }

    @Test("a line of the list has the same values as the reminder", arguments: Cases.sample(names))
    func listing(name: String) throws {
        let useCases = try Workplace.open()
        _ = try? Self.load(name, into: useCases)
        let filter = ReminderFilter(includesCompleted: true)
        let lines = try useCases.reminders(matching: filter, detail: .line)
        let reminders = try useCases.reminders(matching: filter)
        #expect(lines.map(\.id) == reminders.map(\.id))
        for (line, reminder) in zip(lines, reminders) {
            #expect(line.title == reminder.title && line.status == reminder.status)
            #expect(line.priority == reminder.priority && line.labels == reminder.labels)
            #expect(line.snoozedInstant == reminder.snoozedUntil.flatMap { RFC3339.parse($0)?.instant })
            #expect((line.dueInstant == nil) == (reminder.due == nil))
            guard let due = reminder.due, !reminder.allDay else { continue }
            #expect(line.dueInstant == RFC3339.parse(due)?.instant)
        }
    }

    private static func load(_ name: String, into useCases: UseCases) throws -> ImportReport {
        try useCases.importCalendar(
            Workplace.source(self.bytes(name)),
            list: nil,
            dryRun: false,
            progress: { _ in }
        )
    }

    private static func bytes(_ name: String) throws -> [UInt8] {
        if let bytes = try? Fixture.bytes("ics/\(name).ics") { return bytes }
        return try Fixture.bytes("ics/\(name).txt")
    }

    private static func expectation(_ name: String) throws -> [String: Any] {
        let data = Data(try Fixture.bytes("ics/\(name).expected.json"))
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    private static let texts: [(key: String, read: @Sendable (ReminderView) -> String?)] = [
        ("uid", { $0.uid }), ("title", { $0.title }), ("notes", { $0.notes }), ("due", { $0.due }),
        ("dueZone", { $0.dueZone }), ("start", { $0.start }), ("repeat", { $0.repeatRule }),
        ("repeatFrom", { $0.repeatsFromCompletion ? "completion" : nil }),
        ("status", { $0.status.rawValue }), ("priority", { $0.priority.rawValue }),
        ("completedAt", { $0.completedAt }), ("snoozedUntil", { $0.snoozedUntil }),
        ("createdAt", { $0.createdAt }), ("updatedAt", { $0.updatedAt }),
    ]

    /// Returns the parent of each reminder in an export.
    private static func parents(_ useCases: UseCases) throws -> [String: String] {
        var bytes: [UInt8] = []
        _ = try useCases.exportReminders(as: .json, words: { $0 }) { bytes += $0 }
        let whole = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
        let objects = whole["reminders"] as? [[String: Any]] ?? []
        let pairs = objects.compactMap { object in
            (object["parent"] as? String).map { (object["uid"] as? String ?? "", $0) }
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private static func compare(_ reminder: ReminderView, _ expected: [String: Any]) {
        for (key, read) in Self.texts {
            let actual = read(reminder)
            guard let value = expected[key] else { continue }
            let wanted = value as? String
            #expect(Self.normal(actual, like: wanted) == wanted.flatMap { Self.normal($0, like: $0) }, "\(key)")
        }
        if let labels = expected["labels"] as? [String] { #expect(reminder.labels == labels) }
        if let alarms = expected["alarms"] as? [String] { #expect(reminder.alarms == alarms) }
        if let allDay = expected["allDay"] as? Bool { #expect(reminder.allDay == allDay) }
        if let count = expected["alarmCount"] as? Int { #expect(reminder.alarms.count == count, "alarms") }
    }

    /// Returns a time in a comparable form: `Z` equals `+00:00`, and a floating time has no offset.
    private static func normal(_ text: String?, like wanted: String?) -> String? {
        guard var text else { return nil }
        if text.hasSuffix("+00:00") { text = text.dropLast(6) + "Z" }
        let isTime = text.count >= 19 && text.dropFirst(10).first == "T"
        let isFloating = wanted.map { $0.count == 19 && $0.dropFirst(10).first == "T" } ?? false
        return isTime && isFloating ? String(text.prefix(19)) : text
    }

    private static func compare(_ issues: [IssueView], _ expected: [[String: Any]]) {
        let actual = issues.map(\.code).sorted()
        #expect(actual == expected.compactMap { $0["code"] as? String }.sorted(), "codes")
        for issue in expected {
            guard let line = issue["line"] as? Int, let code = issue["code"] as? String else { continue }
            #expect(issues.contains { $0.line == line && $0.code == code }, "\(code) at \(line)")
        }
    }
}
