import RemindavBridge
import RemindavDaemon
import RemindavDatePhrases
import RemindavICalendar
import RemindavJSON
import RemindavPlatform

/// The environment of a command: its only access to the clock, variables, files and the terminal.
struct Context: Sendable {
    var output: Output
    let input: InputStream
    let files: Files
    let terminal: Terminal
    let editor: Editor
    let environment: [String: String]
    let options: GlobalOptions
    var now: Instant
    let localZone: @Sendable () throws -> LocalZone
    let openStore: @Sendable (OpenMode) throws -> UseCases
    /// Opens the store that `options` names, for reading only.
    let openReadOnly: @Sendable (_ options: GlobalOptions, _ withLocks: Bool) throws -> UseCases
    /// The surroundings of the use cases, without a store.
    let configuration: @Sendable () throws -> Configuration
    /// Opens an address in the browser; returns `false` without a desktop.
    let openInBrowser: @Sendable (_ address: String) -> Bool
    let session: Session
    let desktop: Desktop
    let untilInterrupted: @Sendable (_ work: @escaping @Sendable () async throws -> Void) async throws -> Void
}

struct InputStream: Sendable {
    let isTerminal: Bool
    /// Reads at most `limit` bytes; returns no bytes at the end of the input.
    let read: @Sendable (_ limit: Int) throws -> [UInt8]
}

struct Files: Sendable {
    let source: @Sendable (_ path: String) throws -> ByteSource
    /// Opens a regular file; throws for a pipe or a device, because reading it could wait forever.
    let plainSource: @Sendable (_ path: String) throws -> ByteSource
    /// Whether the path is a regular file that is not empty.
    let holdsSomething: @Sendable (_ path: String) -> Bool
    /// Creates a missing file and its folders so that only their owner can read them.
    ///
    /// Throws if the file exists and may not be written.
    let preparePrivate: @Sendable (_ path: String) throws -> Void
    let replace: @Sendable (_ path: String, _ content: (_ write: Write) throws -> Void) throws -> Void
    /// Replaces a file that all users may read, unless it has this content; returns whether it was written.
    let publish: @Sendable (_ path: String, _ content: [UInt8]) throws -> Bool

    typealias Write = ([UInt8]) throws -> Void
}

struct Terminal: Sendable {
    /// Asks, and returns the answer without its line end, ``endOfInput`` after Ctrl-D, or `nil` without a terminal.
    let ask: @Sendable (_ question: String) throws -> String?
    let askSecretly: @Sendable (_ question: String) throws -> String?

    /// The answer after Ctrl-D: the character EOT, which a typed line cannot contain.
    static let endOfInput = "\u{4}"
}

struct Editor: Sendable {
    let edit: @Sendable (_ text: [UInt8], _ name: String) throws -> [UInt8]
}

extension Context {
    var isJSON: Bool { self.options.flags.contains("--json") }
    var isDryRun: Bool { self.options.flags.contains("--dry-run") }
    var isSure: Bool { self.options.flags.contains("--yes") }

    /// Prints the value as JSON with `--json`; otherwise calls `print`.
    func answer(_ value: some JSONEncodable, else print: (Output) throws -> Void) throws -> ExitStatus {
        if self.isJSON { try self.output.print(json: value) } else { try print(self.output) }
        return .success
    }

    func answer(_ value: some JSONEncodable, note text: @autoclosure () throws -> StyledText) throws -> ExitStatus {
        try self.answer(value) { try $0.note(text()) }
    }

    func answer(
        _ items: [some JSONEncodable],
        ifNone: @autoclosure () throws -> StyledText,
        text: () throws -> StyledText
    ) throws -> ExitStatus {
        if self.isJSON {
            try self.output.print(json: items)
        } else {
            try items.isEmpty ? self.output.print(advice: ifNone()) : self.output.print(text())
        }
        return .success
    }

    /// Asks, unless `isSure` is true; if the user declines, prints that nothing was changed.
    func agrees(_ question: @autoclosure () -> String) throws -> Bool {
        if try self.isSure || self.confirm(question()) { return true }
        try self.output.note("Nothing was changed")
        return false
    }
}

extension Context {
    var settings: Settings { self.options.file.settings }

    func useCases(_ need: OpenMode = .existing) throws -> UseCases { try self.openStore(need) }

    /// The name of standard input in messages.
    static let standardInputName = "standard input"

    /// The file at a path, or standard input for `-`; on a terminal, a remark asks for the text.
    func source(_ path: String) throws -> ByteSource {
        guard path == "-" else { return try self.files.source(path) }
        if self.input.isTerminal { self.output.remark("Type the text; Ctrl-D on an empty line ends it.") }
        return ByteSource(name: Self.standardInputName, read: self.input.read)
    }

    /// The folder of the store; `nil` without a home folder.
    var storeFolder: String? {
        Configuration.storeFolder(
            option: self.options.store,
            environment: self.environment,
            setting: self.settings.store
        )
    }

    func localText() throws -> LocalText { LocalText(zone: try self.localZone(), now: self.now) }

    var isInteractive: Bool { self.input.isTerminal && self.output.complaints.isTerminal }

    /// - Throws: if there is no terminal to ask on.
    func confirm(_ question: String, enter usual: Bool = false) throws -> Bool {
        let letters = try self.letters(question, "[\(usual ? "Y/n" : "y/N")]")
        return letters.isEmpty ? usual : ["y", "yes"].contains(letters)
    }

    enum Answer {
        case yes, no
        /// Yes, also to the same question about the others.
        case all
    }

    /// - Parameter orAll: whether the same question follows about others, so that `a` answers all of them.
    func confirm(_ question: String, orAll: Bool) throws -> Answer {
        let letters = try self.letters(question, "[\(orAll ? "y/N/a for all" : "y/N")]")
        if orAll, ["a", "all"].contains(letters) { return .all }
        return ["y", "yes"].contains(letters) ? .yes : .no
    }

    private func letters(_ question: String, _ choices: String) throws -> String {
        guard let answer = try self.terminal.ask("\(question) \(choices) ") else {
            throw UsageError(
                .needsYes,
                "There is no terminal for the question '\(question)'. Add --yes to confirm."
            )
        }
        return answer.lowercased().filter { $0 != " " }
    }
}
