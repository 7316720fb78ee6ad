import TestSupport
import Testing

@testable import CLI

/// A store in a folder of its own, and the world in which commands are run on it.
struct CommandStage: Sendable {
    private let folder: TemporaryFolder
    let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: "\(self.folder.path)/store")
    }

    /// A path beside the store.
    func path(_ name: String) -> String { "\(self.folder.path)/\(name)" }
}

/// A suite of commands.
protocol CommandSuite {
    var world: TestWorld { get }
}

/// A suite of commands, each test on a store of its own.
protocol StoreSuite: CommandSuite {
    var stage: CommandStage { get }
}

extension StoreSuite {
    var world: TestWorld { self.stage.world }
}

extension CommandSuite {
    /// Runs a line and returns its answer; expects success and silence.
    func answer(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async -> String {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        #expect(status == .success, "\(self.world.complaints)", sourceLocation: sourceLocation)
        #expect(self.world.takeComplaints() == "", sourceLocation: sourceLocation)
        return self.world.takeAnswers()
    }

    /// Runs a line and returns its complaint.
    func complaint(
        _ words: String...,
        status expected: CLI.ExitStatus,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> String {
        await self.complaint(words, status: expected, sourceLocation: sourceLocation)
    }

    /// Runs a line and returns its complaint.
    func complaint(
        _ words: [String],
        status expected: CLI.ExitStatus,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> String {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        #expect(status == expected, "\(words)", sourceLocation: sourceLocation)
        return self.world.takeComplaints()
    }

    /// A file of lines that are written with ` | ` between them.
    func file(_ name: String, _ lines: String) {
        self.world.setFile(name, Array((lines.replacing(" | ", with: "\r\n") + "\r\n").utf8))
    }

    /// Runs a line: its status, its answer, and what it said beside.
    func run(_ words: String...) async -> (status: CLI.ExitStatus, answer: String, remarks: String) {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        return (status, self.world.takeAnswers(), self.world.takeComplaints())
    }
}
