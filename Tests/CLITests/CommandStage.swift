import RemindavTestSupport
import Testing

@testable import RemindavCLI

/// A store in its own folder, and the environment for commands on it.
struct CommandStage: Sendable {
    private let folder: TemporaryFolder
    let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: "\(self.folder.path)/store")
    }

    /// Returns a path beside the store.
    func path(_ name: String) -> String { "\(self.folder.path)/\(name)" }
}

/// A suite of commands.
protocol CommandSuite {
    var world: TestWorld { get }
}

/// A suite of commands in which each test has its own store.
protocol StoreSuite: CommandSuite {
    var stage: CommandStage { get }
}

extension StoreSuite {
    var world: TestWorld { self.stage.world }
}

extension CommandSuite {
    /// Runs the command of a line whose words have no spaces.
    func run(line: String) async -> (status: RemindavCLI.ExitStatus, answers: String, complaints: String) {
        await self.run(words: line.split(separator: " ").map(String.init))
    }

    func run(words: [String]) async -> (status: RemindavCLI.ExitStatus, answers: String, complaints: String) {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        return (status, self.world.takeAnswers(), self.world.takeComplaints())
    }

    /// Runs a command and returns its standard output.
    ///
    /// Expects success and no message.
    func answer(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async -> String {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        #expect(status == .success, "\(self.world.complaints)", sourceLocation: sourceLocation)
        #expect(self.world.takeComplaints() == "", sourceLocation: sourceLocation)
        return self.world.takeAnswers()
    }

    /// Runs a command and returns its error message.
    func complaint(
        _ words: String...,
        status expected: RemindavCLI.ExitStatus,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> String {
        await self.complaint(words, status: expected, sourceLocation: sourceLocation)
    }

    /// Runs a command and returns its error message.
    func complaint(
        _ words: [String],
        status expected: RemindavCLI.ExitStatus,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> String {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        #expect(status == expected, "\(words)", sourceLocation: sourceLocation)
        return self.world.takeComplaints()
    }

    /// Creates a file; `lines` has ` | ` between its lines.
    func file(_ name: String, _ lines: String) {
        self.world.setFile(name, Array((lines.replacing(" | ", with: "\r\n") + "\r\n").utf8))
    }

    /// Runs a command.
    ///
    /// Returns its status, its standard output, and its standard error.
    func run(_ words: String...) async -> (status: RemindavCLI.ExitStatus, answer: String, remarks: String) {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        return (status, self.world.takeAnswers(), self.world.takeComplaints())
    }
}
