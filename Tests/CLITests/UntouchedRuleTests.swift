import RemindavBridge
import RemindavDatePhrases
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("an unchanged rule")
struct UntouchedRuleTests {
    /// More than 300 rules in the forms of real programs.
    private static func rules() throws -> [String] {
        let phrases = try Fixture.rows("cli/repeat-phrases.tsv").filter {
            !"?!.".contains($0[1].prefix(1))
        }
        let written = phrases.map { $0[0].contains("=") && !$0[0].contains(":") ? $0[0] : $0[1] }
        let examples = try ["rfc5545-3.3.10", "rfc5545-3.8.5.3", "rfc7529"].flatMap { name in
            try Fixture.text("rrule/\(name).txt").split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
                line in
                line.split(separator: "|").first?.split(separator: " ").last.map(String.init)
            }
        }
        return (written + examples).filter { $0.uppercased().contains("FREQ=") }
    }

    @Test("an edit of the title leaves the RRULE of every reminder to the byte")
    func kept() async throws {
        let folder = try TemporaryFolder()
        let rules = try Self.rules()
        #expect(rules.count > 300)
        let todos = rules.enumerated().map { index, rule in
            """
            BEGIN:VTODO
            UID:\(index)
            DTSTAMP:20260101T000000Z
            SUMMARY:old
            DTSTART:19900101T090000
            DUE:19900101T090000
            RRULE:\(rule)
            END:VTODO
            """
        }
        let file = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//x//EN"] + todos + ["END:VCALENDAR", ""]
        let text = file.joined(separator: "\n").split(separator: "\n").joined(separator: "\r\n") + "\r\n"
        let world = TestWorld(input: text, store: "\(folder.path)/store")
        #expect(await world.run("import", "-") == .success, "\(world.complaints)")
        let cases = try world.context().useCases()
        for number in 1...rules.count { _ = try cases.edit(Int64(number), ReminderChange(title: "new")) }
        _ = world.takeAnswers()
        #expect(await world.run("export") == .success)
        let lines = world.takeAnswers().replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
        let kept = lines.filter { $0.hasPrefix("RRULE:") }.sorted()
        #expect(kept.count == rules.count)
        for (kept, rule) in zip(kept, rules.map { "RRULE:\($0)" }.sorted()) { #expect(kept == rule) }
        #expect(lines.count { $0 == "SUMMARY:new" } == rules.count)
    }

    /// Returns the rows of the table, each as the lines of a to-do with line ends.
    private static func beyondWords() throws -> [String] {
        try Fixture.text("rrule/made-beyond-words.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            row in
            let lines = row.replacing("<fold>", with: "\r\n ").replacing("<tab>", with: "\r\n\t")
            return lines.split(separator: " || ").map { "\($0)\r\n" }.joined()
        }
    }

    @Test("a rule without a phrase, or an invalid rule, survives every edit of another field, with its folds")
    func withoutPhrase() async throws {
        let rows = try Self.beyondWords()
        #expect(Set(rows).count >= 300)
        for row in rows {
            let rule = row.replacing("\r\n ", with: "").replacing("\r\n\t", with: "")
            guard rule.hasPrefix("RRULE:"), rule.split(separator: "\r\n").count == 1 else { continue }
            // The row must have a rule.
            let text = String(rule.dropFirst(6).dropLast())
            #expect(RuleSentence(zone: .utc).text(text) == text, "\(row)")
        }
        let folder = try TemporaryFolder()
        let todos = rows.enumerated().map { index, row in
            """
            BEGIN:VTODO\r\nUID:row-\(index)\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:old\r\n\
            DTSTART;TZID=Europe/Berlin:20290101T090000\r\nDUE;TZID=Europe/Berlin:20290101T100000\r\n\
            X-RULES:begin\r\n\(row)X-RULES:end\r\nEND:VTODO\r\n
            """
        }
        let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\n\(todos.joined())END:VCALENDAR\r\n"
        let world = TestWorld(input: text, store: "\(folder.path)/store")
        _ = await world.run("import", "-")
        _ = world.takeComplaints()
        let cases = try world.context().useCases()
        #expect(try cases.reminderCount() == rows.count)
        for number in 1...rows.count {
            _ = try cases.edit(Int64(number), ReminderChange(title: "new"))
            var more = ReminderChange(notes: .set("notes"), priority: .set(.high))
            more.labels = .set(["label"])
            _ = try cases.edit(Int64(number), more)
        }
        _ = world.takeAnswers()
        _ = await world.run("export")
        let exported = world.takeAnswers()
        for (index, row) in rows.enumerated() {
            let todo = exported.split(separator: "UID:row-\(index)\r\n").last?.split(separator: "END:VTODO").first ?? ""
            #expect(todo.contains("X-RULES:begin\r\n\(row)X-RULES:end\r\n"), "\(row)\n\(todo)")
            #expect(todo.contains("SUMMARY:new\r\n") && todo.contains("DESCRIPTION:notes\r\n"), "\(row)")
            #expect(todo.contains("DUE;TZID=Europe/Berlin:20290101T100000\r\n"), "\(row)")
        }
    }
}
