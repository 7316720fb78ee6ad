import Bridge
import ICalendar
import Platform

/// Everything that a command may look at or change.
///
/// The clock, the environment, files and the terminal come in here; a command reaches for nothing by itself.
struct Context: Sendable {
    let output: Output
    let input: InputStream
    let files: Files
    let terminal: Terminal
    /// The person's editor.
    let editor: Editor
    let environment: [String: String]
    /// What the command line and the settings file say for all commands.
    let options: GlobalOptions
    /// Read once, when the program began.
    let now: Instant
    /// Loads the zone; asked only by commands that speak about time.
    let localZone: @Sendable () throws -> LocalZone
    /// Opens the store; asked only by commands that need it.
    let openStore: @Sendable (OpenMode) throws -> UseCases
    /// Opens the store that these options name, for a look that makes and changes nothing.
    let glance: @Sendable (_ options: GlobalOptions, _ withLocks: Bool) throws -> UseCases
    /// Opens an address with what the desktop has for it; whether there is a desktop.
    let openInBrowser: @Sendable (_ address: String) -> Bool
    /// Programs that manage the person's session, and the files that they read.
    let session: Session
    /// What shows notifications.
    let desktop: Desktop
    /// Runs work until somebody presses Ctrl-C or sends SIGTERM.
    let untilInterrupted: @Sendable (_ work: @escaping @Sendable () async throws -> Void) async throws -> Void
}

/// Standard input.
struct InputStream: Sendable {
    let isTerminal: Bool
    /// At most so many more bytes; none at the end.
    let read: @Sendable (_ limit: Int) throws -> [UInt8]
}

/// Files by their path.
struct Files: Sendable {
    /// Opens a file for reading.
    let source: @Sendable (_ path: String) throws -> ByteSource
    /// Opens a plain file for reading; a pipe or a device is none, and is not waited for.
    let plainSource: @Sendable (_ path: String) throws -> ByteSource
    /// Whether a plain file has something in it that would be gone if it were written anew.
    let holdsSomething: @Sendable (_ path: String) -> Bool
    /// Writes a file whole: under another name first, then in its place, so that nobody ever sees half of it.
    let replace: @Sendable (_ path: String, _ content: (_ write: Write) throws -> Void) throws -> Void

    /// Takes the next bytes of a file.
    typealias Write = ([UInt8]) throws -> Void
}

/// The person at the keyboard.
struct Terminal: Sendable {
    /// Asks a question; the answer without its line end, ``endOfInput`` when Ctrl-D was the answer, `nil` when there is no
    /// terminal to ask on.
    let ask: @Sendable (_ question: String) throws -> String?
    /// Asks without showing what is typed; `nil` when there is no terminal.
    let askSecretly: @Sendable (_ question: String) throws -> String?

    /// The answer of somebody who gives none: what Ctrl-D is as a character, which nobody can type into a line.
    static let endOfInput = "\u{4}"
}

/// Somebody's editor for a text of several lines.
struct Editor: Sendable {
    /// Lets the person change a text; what it is afterwards.
    let edit: @Sendable (_ text: [UInt8], _ name: String) throws -> [UInt8]
}

/// Why a file, or the terminal, could not be used.
struct FileError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        case notFound = "there is no such file"
        case notPermitted = "this user may not open it"
        case isFolder = "it is a folder"
        case notPlain = "it is no plain file"
        case exists = "it is there already"
        case folderNotFound = "its folder does not exist"
        case folderNotPermitted = "this user may not put a file into its folder"
        case leadsNowhere = "it is a link to a file that does not exist"
        case tooLarge = "it is too large"
        case diskFull = "there is no space left on the disk"
        case failed = "it cannot be read or written"
        case interrupted = "interrupted"
    }

    let code: Code
    /// As it was written on the command line.
    let path: String

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}

extension Context {
    /// What holds unless the command line says something else.
    var settings: Settings { self.options.file.settings }

    /// The store, as it is; `need` says what is right where there is none.
    func useCases(_ need: OpenMode = .existing) throws -> UseCases { try self.openStore(need) }

    /// The file with this path, or standard input for `-`.
    func source(_ path: String) throws -> ByteSource {
        path == "-" ? ByteSource(name: "standard input", read: self.input.read) : try self.files.source(path)
    }

    /// Everything from a source at once.
    ///
    /// - Throws: `tooLarge` when there is more than `limit` bytes.
    func contents(of source: ByteSource, limit: Int, line longest: Int = .max) throws -> [UInt8] {
        guard source.size <= limit else { throw FileError(code: .tooLarge, path: source.name) }
        // A file comes in one piece, which is then the answer: nothing is copied.
        var bytes = try source.read(max(source.size, Self.pieceBytes))
        if bytes.isEmpty { return bytes }
        var lineLength = source.size == 0 ? bytes.lengthOfLastLine : 0
        while bytes.count <= limit, lineLength <= longest {
            let piece = try source.read(Self.pieceBytes)
            if piece.isEmpty { return bytes }
            bytes += piece
            let end = piece.lengthOfLastLine
            lineLength = end == piece.count ? lineLength + end : end
        }
        throw FileError(code: .tooLarge, path: source.name)
    }

    private static let pieceBytes = 1 << 16

    /// The folder of the store that the options, the environment or the settings name, else the usual one; `nil` where
    /// there is no home folder.
    var storeFolder: String? {
        Configuration.storeFolder(
            option: self.options.store,
            environment: self.environment,
            setting: self.settings.store
        )
    }

    /// Whether somebody can be asked.
    var isInteractive: Bool { self.input.isTerminal && self.output.complaints.isTerminal }

    /// Asks a yes-or-no question.
    ///
    /// - Parameter usual: what an answer without a letter means.
    /// - Throws: when nobody can be asked; `--yes` is then the way.
    func confirm(_ question: String, enter usual: Bool = false) throws -> Bool {
        guard let answer = try self.terminal.ask("\(question) [\(usual ? "Y/n" : "y/N")] ") else {
            throw UsageError(.needsYes, "There is no terminal to ask on. Add --yes to do it without a question.")
        }
        let letters = answer.lowercased().filter { $0 != " " }
        return letters.isEmpty ? usual : ["y", "yes"].contains(letters)
    }
}

extension [UInt8] {
    /// The number of bytes after the last line end.
    fileprivate var lengthOfLastLine: Int {
        self.count - (self.lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0)
    }
}
