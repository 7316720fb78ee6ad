import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavCLI

/// Imports every file of `Fixtures/task-formats` in Berlin, and compares the messages and to-dos with the files beside
/// it.
@Suite("files of other programs")
struct TaskFormatFixtureTests {
    static let names =
        ((try? Fixture.names(in: "task-formats", endingWith: ".json")) ?? [])
        + ((try? Fixture.names(in: "task-formats", endingWith: ".csv")) ?? [])
        + ((try? Fixture.names(in: "task-formats", endingWith: ".txt")) ?? [])

    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: self.folder.path, zone: .berlin)
    }

    private func load(_ name: String) throws {
        self.world.setFile(name, try Fixture.bytes("task-formats/\(name)"))
    }

    /// Returns the to-dos of an export, without the time zones, which depend on this machine.
    private func exported(_ world: TestWorld) async -> String {
        _ = world.takeAnswers()
        _ = await world.run("export")
        let bytes = Array(world.takeAnswers().utf8)
        return ICalendarDocument(bytes).all(.vtodo).map { String(decoding: $0.bytes, as: UTF8.self) }
            .joined().replacing("\r\n", with: "\n")
    }

    @Test("the files are found")
    func found() { #expect(Self.names.count >= 10) }

    @Test("a file becomes the to-dos of the fixture beside it", arguments: names)
    func reading(name: String) async throws {
        try self.load(name)
        let status = await self.world.run("import", name)
        let said = self.world.takeComplaints() + self.world.takeAnswers()
        let text = "\(said)status \(status.rawValue)\n\n\(await self.exported(self.world))"
        expectSnapshot(text, "\(name).expected", in: "task-formats")
    }

    @Test("a dry run prints the same and changes nothing", arguments: names)
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

    @Test(
        "a second import with or without lists reports no difference for an unchanged task",
        arguments: ["todoist-project.csv", "taskwarrior-2.6-export.json"],
        [["--lists"], []]
    )
    func otherPlace(name: String, options: [String]) async throws {
        try self.load(name)
        func imported(_ options: [String]) async {
            _ = await self.world.run(options.isEmpty ? ["import", name] : ["import", name] + options)
        }
        await imported(options)
        let first = await self.exported(self.world)
        _ = self.world.takeComplaints()
        await imported(options.isEmpty ? ["--lists"] : [])
        #expect(!self.world.takeComplaints().contains("the local reminder differs"))
        #expect(self.world.takeAnswers().hasPrefix("0 added, 0 updated, "))
        #expect(await self.exported(self.world) == first)
    }

    @Test("a mark in front, other line ends and UTF-16 with a mark make no difference", arguments: names)
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
        let other = TestWorld(store: "\(self.folder.path)/wide", zone: .berlin)
        other.setFile(name, wide)
        _ = await other.run("import", name)
        #expect(await self.exported(other) == plain)
        self.world.setFile("half", wide.dropLast())
        #expect(await self.world.run("import", "half") == .failure)
        #expect(self.world.takeComplaints().contains("UTF-16"))
    }

    @Test("a truncated file is read up to its end, or refused completely", arguments: names)
    func cut(name: String) async throws {
        let bytes = try Fixture.bytes("task-formats/\(name)")
        for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / Cases.count(40))) {
            self.world.setFile("cut", Array(bytes.prefix(length)))
            let status = await self.world.run("import", "cut", "--dry-run")
            #expect([.success, .partial, .failure].contains(status), "\(length) bytes")
        }
        #expect(await self.exported(self.world) == "")
    }
}
