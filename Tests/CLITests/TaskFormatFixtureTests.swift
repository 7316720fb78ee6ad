import Bridge
import ICalendar
import TestSupport
import Testing

@testable import CLI

/// Every file of `Fixtures/task-formats`, imported in Berlin, against what lies beside it: what is said, and the to-dos that it
/// becomes.
@Suite("files of other programs")
struct TaskFormatFixtureTests {
    static let names =
        ((try? Fixture.names(in: "task-formats", endingWith: ".json")) ?? [])
        + ((try? Fixture.names(in: "task-formats", endingWith: ".csv")) ?? [])

    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: self.folder.path, zone: .berlin)
    }

    private func load(_ name: String) throws {
        self.world.setFile(name, try Fixture.bytes("task-formats/\(name)"))
    }

    /// The to-dos that an export writes, without the zones, which are those of this machine.
    private func exported(_ world: TestWorld) async -> String {
        _ = world.takeAnswers()
        _ = await world.run("export")
        let bytes = Array(world.takeAnswers().utf8)
        return ICalendarDocument(bytes).all(.vtodo).map { String(decoding: $0.bytes, as: UTF8.self) }
            .joined().replacing("\r\n", with: "\n")
    }

    @Test("the files are found")
    func found() { #expect(Self.names.count >= 7) }

    @Test("a file becomes the to-dos that lie beside it", arguments: names)
    func reading(name: String) async throws {
        try self.load(name)
        let status = await self.world.run("import", name)
        let said = self.world.takeComplaints() + self.world.takeAnswers()
        let text = "\(said)status \(status.rawValue)\n\n\(await self.exported(self.world))"
        expectSnapshot(text, "\(name).expected", in: "task-formats")
    }

    @Test("a dry run says the same and changes nothing", arguments: names)
    func dryRun(name: String) async throws {
        try self.load(name)
        _ = await self.world.run("import", name, "--dry-run", "--json")
        let rehearsal = self.world.takeAnswers()
        #expect(await self.exported(self.world) == "")
        _ = await self.world.run("import", name, "--json")
        #expect(self.world.takeAnswers() == rehearsal.replacing("\"run\": null}", with: "\"run\": 1}"))
    }

    @Test("a second import adds and changes nothing", arguments: names)
    func twice(name: String) async throws {
        try self.load(name)
        _ = await self.world.run("import", name)
        let first = await self.exported(self.world)
        _ = await self.world.run("import", name)
        #expect(self.world.takeAnswers().hasPrefix("0 added, 0 updated, "))
        #expect(await self.exported(self.world) == first)
    }

    @Test("a mark in front and other line ends make no difference; UTF-16 is refused", arguments: names)
    func spelling(name: String) async throws {
        try self.load(name)
        _ = await self.world.run("import", name)
        let plain = await self.exported(self.world)
        let lines = String(decoding: try Fixture.bytes("task-formats/\(name)"), as: UTF8.self).replacing(
            "\r\n",
            with: "\n"
        )
        for (index, text) in ["\u{FEFF}" + lines, lines.replacing("\n", with: "\r\n")].enumerated() {
            let other = TestWorld(store: "\(self.folder.path)/\(index)", zone: .berlin)
            other.setFile(name, Array(text.utf8))
            _ = await other.run("import", name)
            #expect(await self.exported(other) == plain)
        }
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in lines.utf16 { wide += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
        self.world.setFile("wide", wide)
        #expect(await self.world.run("import", "wide") == .failure)
        #expect(self.world.takeComplaints().contains("UTF-16"))
    }

    @Test("a file that ends anywhere is read as far as it goes, or refused whole", arguments: names)
    func cut(name: String) async throws {
        let bytes = try Fixture.bytes("task-formats/\(name)")
        for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
            self.world.setFile("cut", Array(bytes.prefix(length)))
            let status = await self.world.run("import", "cut", "--dry-run")
            #expect([.success, .partial, .failure].contains(status), "\(length) bytes")
        }
        #expect(await self.exported(self.world) == "")
    }
}

@Suite("words of a date in a file of another program")
struct DuePhraseTests {
    // Friday, 20 November 2026, 18:05 in Berlin.
    private static let cases: [(text: String, due: String?, rule: String?)] = [
        ("tomorrow", "2026-11-21", nil), ("fri", "2026-11-27", nil), ("17 Aug", "2027-08-17", nil),
        ("tomorrow at 5pm", "2026-11-21 17:00", nil), ("every monday", "2026-11-23", "FREQ=WEEKLY;BYDAY=MO"),
        ("every friday", "2026-11-20", "FREQ=WEEKLY;BYDAY=FR"),
        ("every friday at 9am", "2026-11-27 09:00", "FREQ=WEEKLY;BYDAY=FR"),
        ("ev day 20:00", "2026-11-20 20:00", "FREQ=DAILY"), ("every day at 9", "2026-11-21 09:00", "FREQ=DAILY"),
        ("every 3 days starting 1 dec", "2026-12-01", "FREQ=DAILY;INTERVAL=3"),
        ("every month on the 15th", "2026-12-15", "FREQ=MONTHLY;BYMONTHDAY=15"), ("daily", "2026-11-20", "FREQ=DAILY"),
        ("every 1st", "2026-12-01", "FREQ=MONTHLY;BYMONTHDAY=1"),
        ("every 15th at 9am", "2026-12-15 09:00", "FREQ=MONTHLY;BYMONTHDAY=15"),
        ("every 1st, 15th", "2026-12-01", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
        ("every 3rd friday", "2026-11-20", "FREQ=MONTHLY;BYDAY=3FR"),
        ("every last day", "2026-11-30", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("every jan 5", "2027-01-05", "FREQ=YEARLY;BYMONTHDAY=5;BYMONTH=1"),
        ("every 5 jan", "2027-01-05", "FREQ=YEARLY;BYMONTHDAY=5;BYMONTH=1"),
        ("every monday starting 1 dec", "2026-12-07", "FREQ=WEEKLY;BYDAY=MO"),
        ("every 1st starting feb 2", "2027-03-01", "FREQ=MONTHLY;BYMONTHDAY=1"),
        ("every day starting 5 jan 2026", "2026-11-20", "FREQ=DAILY"),
        ("every day ending 5 dec", "2026-11-20", "FREQ=DAILY;UNTIL=20261205"),
        ("every day at 9am until jan 20", "2026-11-21 09:00", "FREQ=DAILY;UNTIL=20270120"),
        ("every day starting 1 dec at 9am ending 5 dec", "2026-12-01 09:00", "FREQ=DAILY;UNTIL=20261205"),
        ("every day 9am starting 1 dec for 2 weeks", "2026-12-01 09:00", "FREQ=DAILY;UNTIL=20261214"),
        ("every day for 3 weeks", "2026-11-20", "FREQ=DAILY;UNTIL=20261210"),
        ("every day for 10 times", "2026-11-20", "FREQ=DAILY;COUNT=10"),
        ("every day starting 1 dec ending 25 nov", nil, nil), ("every day ending", nil, nil), ("every 3", nil, nil),
        ("every day starting soon", nil, nil), ("every day starting 1 dec starting 2 dec", nil, nil),
        ("every day until 5 dec ending 6 dec", nil, nil), ("every 32nd", nil, nil),
        ("every second friday", nil, nil), ("every feb 30", nil, nil),
        ("sometime", nil, nil), ("every blue moon", nil, nil), ("jeden Montag", nil, nil), ("", nil, nil),
        (String(repeating: "every day ", count: 1000), nil, nil),
    ]

    @Test("each is read as the whole day, unless it names a time", arguments: cases.indices)
    func reading(index: Int) {
        let test = Self.cases[index]
        let phrase = DuePhrase(now: .test, zone: .berlin).reading(test.text)
        let due: String? =
            switch phrase?.due {
            case .date(let date)?: date.description
            case .local(let date, let time)?: "\(date) \(time.hoursAndMinutes)"
            case .exact(let instant)?: instant.description
            case nil: nil
            }
        #expect(due == test.due, "\(test.text)")
        #expect(phrase?.rule?.wire == test.rule, "\(test.text)")
    }
}
