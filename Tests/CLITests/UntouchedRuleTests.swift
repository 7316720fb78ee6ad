import Bridge
import TestSupport
import Testing

@testable import CLI

@Suite("a rule that nobody touched")
struct UntouchedRuleTests {
    /// More than 300 rules, each as somebody wrote it.
    private static func rules() throws -> [String] {
        let phrases = try PhraseTable("cli/repeat-phrases.tsv", columns: 3).rows.filter {
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
        for number in 1...rules.count { _ = try cases.edit(Int64(number), ReminderEdit(title: "new")) }
        _ = world.takeAnswers()
        #expect(await world.run("export") == .success)
        let lines = world.takeAnswers().replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
        let kept = lines.filter { $0.hasPrefix("RRULE:") }.sorted()
        #expect(kept.count == rules.count)
        for (kept, rule) in zip(kept, rules.map { "RRULE:\($0)" }.sorted()) { #expect(kept == rule) }
        #expect(lines.count { $0 == "SUMMARY:new" } == rules.count)
    }
}
