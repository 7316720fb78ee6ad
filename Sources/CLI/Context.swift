import Bridge
import Daemon
import DatePhrases
import ICalendar
import Platform

/// The environment of a command.
///
/// Commands access the clock, the environment variables, files and the terminal only through it.
struct Context: Sendable {
    let output: Output
    let input: InputStream
    let files: Files
    let terminal: Terminal
    let editor: Editor
    let environment: [String: String]
    let options: GlobalOptions
    /// The start of the program.
    let now: Instant
    let localZone: @Sendable () throws -> LocalZone
    let openStore: @Sendable (OpenMode) throws -> UseCases
    /// Opens the store of these options read-only.
    let glance: @Sendable (_ options: GlobalOptions, _ withLocks: Bool) throws -> UseCases
    /// Opens an address with the desktop's default program; `false` without a desktop.
    let openInBrowser: @Sendable (_ address: String) -> Bool
    let session: Session
    /// The notification service.
    let desktop: Desktop
    /// Runs `work` until SIGINT or SIGTERM.
    let untilInterrupted: @Sendable (_ work: @escaping @Sendable () async throws -> Void) async throws -> Void
}

struct InputStream: Sendable {
    let isTerminal: Bool
    /// Reads at most `limit` bytes; empty at the end.
    let read: @Sendable (_ limit: Int) throws -> [UInt8]
}

struct Files: Sendable {
    /// Opens a file for reading.
    let source: @Sendable (_ path: String) throws -> ByteSource
    /// Opens a plain file for reading; a pipe or a device is none, and is not waited for.
    let plainSource: @Sendable (_ path: String) throws -> ByteSource
    /// Whether a regular file has contents that would be overwritten.
    let holdsSomething: @Sendable (_ path: String) -> Bool
    /// Writes a file atomically: under a temporary name first.
    let replace: @Sendable (_ path: String, _ content: (_ write: Write) throws -> Void) throws -> Void

    /// Takes the next bytes of a file.
    typealias Write = ([UInt8]) throws -> Void
}

struct Terminal: Sendable {
    /// Asks a question; the result is the answer without its line end, ``endOfInput`` after Ctrl-D, or `nil` without a
    /// terminal.
    let ask: @Sendable (_ question: String) throws -> String?
    /// Asks without echo; `nil` without a terminal.
    let askSecretly: @Sendable (_ question: String) throws -> String?

    /// The character of Ctrl-D, which a line cannot contain.
    static let endOfInput = "\u{4}"
}

struct Editor: Sendable {
    /// Opens a text in the editor and returns the edited text.
    let edit: @Sendable (_ text: [UInt8], _ name: String) throws -> [UInt8]
}

extension Context {
    var settings: Settings { self.options.file.settings }

    /// Opens the store; `need` decides about a missing store.
    func useCases(_ need: OpenMode = .existing) throws -> UseCases { try self.openStore(need) }

    /// The file with this path, or standard input for `-`.
    func source(_ path: String) throws -> ByteSource {
        path == "-" ? ByteSource(name: "standard input", read: self.input.read) : try self.files.source(path)
    }

    /// The folder of the store that the options, the environment or the settings name, else the usual one; `nil` where
    /// there is no home folder.
    var storeFolder: String? {
        Configuration.storeFolder(
            option: self.options.store,
            environment: self.environment,
            setting: self.settings.store
        )
    }

    /// Whether questions are possible.
    var isInteractive: Bool { self.input.isTerminal && self.output.complaints.isTerminal }

    /// Asks a yes-or-no question.
    ///
    /// - Parameter usual: the meaning of an empty answer.
    /// - Throws: without a terminal.
    func confirm(_ question: String, enter usual: Bool = false) throws -> Bool {
        guard let answer = try self.terminal.ask("\(question) [\(usual ? "Y/n" : "y/N")] ") else {
            throw UsageError(.needsYes, "There is no terminal for a question. Add --yes to confirm.")
        }
        let letters = answer.lowercased().filter { $0 != " " }
        return letters.isEmpty ? usual : ["y", "yes"].contains(letters)
    }
}
