import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("alarms in the title, the editor and the details")
struct AlarmEditingTests {
    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(
            environment: ["NO_COLOR": "1"],
            isTerminal: true,
            store: "\(self.folder.path)/store",
            zone: .berlin
        )
    }

    private func run(_ words: String...) async -> (status: RemindavCLI.ExitStatus, answers: String, complaints: String)
    {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        return (status, self.world.takeAnswers(), self.world.takeComplaints())
    }

    private func triggers() async -> [String] {
        let text = await self.run("export").answers
        return text.split(whereSeparator: \.isNewline).map(String.init).filter { $0.hasPrefix("TRIGGER") }
    }

    @Test(
        "a title can name alarms, and an option takes precedence",
        arguments: [
            (["Dentist 2026-12-01 17:00 *15m"], "Dentist", ["TRIGGER;RELATED=END:-PT15M"]),
            (
                ["Dentist *1d,1h 2026-12-01 17:00"], "Dentist",
                ["TRIGGER;RELATED=END:-P1D", "TRIGGER;RELATED=END:-PT1H"]
            ),
            (
                ["*1d Dentist *1h 2026-12-01 17:00"], "Dentist",
                ["TRIGGER;RELATED=END:-P1D", "TRIGGER;RELATED=END:-PT1H"]
            ),
            (["Dentist *none 2026-12-01"], "Dentist", []),
            (
                ["Dentist *15m", "--alarm", "1h", "--due", "2026-12-01 17:00"], "Dentist *15m",
                ["TRIGGER;RELATED=END:-PT1H"]
            ),
            (["Footnote *1 *x", "--due", "none"], "Footnote *1 *x", []),
            (["Dentist *15m", "--literal", "--due", "none"], "Dentist *15m", []),
        ]
    )
    func title(words: [String], title: String, triggers: [String]) async {
        let status = await RemindavCommand.run(["add"] + words) { self.world.context($0) }
        #expect(status == .success, "\(self.world.takeComplaints())")
        #expect(self.world.takeAnswers().hasPrefix("Added 1: \(title)"))
        #expect(await self.triggers() == triggers)
    }

    @Test("the editor form has the alarms, and a kept alarm keeps its bytes")
    func form() async {
        _ = await self.run("add", "Dentist", "--due", "2026-12-01 17:00", "--alarm", "1d,2026-11-30 08:00")
        let before = await self.triggers()
        self.world.willEdit { text in
            #expect(text.contains("\nAlarms: 1d, 2026-11-30 08:00\n"), "\(text)")
            return text.replacing("Alarms: 1d,", with: "Alarms: due, 1d,")
        }
        #expect(await self.run("edit", "1").answers.hasPrefix("Changed 1: Dentist"))
        #expect(await self.triggers() == before + ["TRIGGER;VALUE=DATE-TIME:20261201T160000Z"])
        self.world.willEdit { $0.replacing("Alarms: 1d,", with: "Alarms: soon,") }
        self.world.willReply("n")
        let refused = await self.run("edit", "1")
        #expect(refused.status == .usage && refused.complaints.contains("line 9: '--alarm' must be due"), "\(refused)")
        self.world.willEdit { text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.map { $0.hasPrefix("Alarms:") ? "Alarms:" : String($0) }.joined(separator: "\n")
        }
        _ = await self.run("edit", "1")
        #expect(await self.triggers() == [])
    }

    @Test("--alarm +15m adds one alarm, -15m removes one, and the two forms are not mixed")
    func adjusted() async {
        _ = await self.run("add", "Dentist", "--due", "2026-12-01 17:00")
        _ = await self.run("edit", "1", "--alarm", "+15m,+1h")
        #expect(await self.triggers().count == 3)
        _ = await self.run("edit", "1", "--alarm", "-due", "--alarm", "-1h")
        #expect(await self.triggers() == ["TRIGGER;RELATED=END:-PT15M"])
        #expect(await self.run("edit", "1", "--alarm", "-2h").answers.hasPrefix("Unchanged 1"))
        let mixed = await self.run("edit", "1", "--alarm", "+15m,1h")
        #expect(mixed.status == .usage)
        #expect(mixed.complaints.contains("'--alarm 1h' replaces all alarms, and '+15m' or '-15m' changes one."))
    }

    @Test("show has the moment of each relative alarm, and names the fields that it cannot set")
    func shown() async {
        let text = """
            BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:u\r\nSUMMARY:Plan\r\nDUE:20261201T160000Z\r
            CLASS:PRIVATE\r\nPERCENT-COMPLETE:40\r\nCOMMENT:first\r\nCOMMENT:second\\, third\r\nCONTACT:Ada\r
            BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT90M\r\nEND:VALARM\r\nEND:VTODO\r\nEND:VCALENDAR\r\n
            """
        self.world.setFile("plan.ics", Array(text.utf8))
        _ = await self.run("import", "plan.ics")
        let shown = await self.run("show", "1").answers
        for line in [
            "Alarms      1 hour, 30 minutes before it starts: 2026-12-01 15:30", "Privacy     PRIVATE",
            "Progress    40", "Comments    first\n              second, third", "Contact     Ada",
        ] { #expect(shown.contains("  \(line)\n"), "\(shown)") }
        let json = await self.run("show", "1", "--json").answers
        #expect(json.contains(#""fires": "2026-12-01T14:30:00Z""#), "\(json)")
        #expect(json.contains(#"{"name": "comments", "values": ["first", "second, third"]}"#), "\(json)")
    }
}
