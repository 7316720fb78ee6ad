import Recurrence

/// A file, or the terminal, cannot be used.
struct FileError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        case notFound = "there is no such file"
        case notPermitted = "this user may not open it"
        case isFolder = "it is a folder"
        case notPlain = "it is not a regular file"
        case exists = "it already exists"
        case folderNotFound = "its folder does not exist"
        case folderNotPermitted = "this user may not create a file in its folder"
        case leadsNowhere = "it is a link to a file that does not exist"
        case tooLarge = "it is too large"
        case diskFull = "there is no space left on the disk"
        case failed = "it cannot be read or written"
        case interrupted = "interrupted"
    }

    let code: Code
    /// As on the command line.
    let path: String

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}

struct OutputError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        /// The reader has ended, as after `remindav list | head -1`.
        case brokenPipe = "standard output is closed"
        case diskFull = "there is no space left for the output"
        case failed = "the output cannot be written"
    }

    let code: Code
}

/// There is no usable password.
struct PasswordError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        case noTerminal = """
            There is no terminal to ask for the password. Use --password-command CMD, or --password-stdin and send the \
            password to standard input.
            """
        case empty = "The password is empty. Nothing was changed."
        case tooLong = "The password is too long for a server. Nothing was changed."
    }

    let code: Code
}

/// The dates of a rule cannot be computed.
struct ExpansionError: Error, Hashable, Sendable {
    let cause: RecurrenceError
}

/// A line of standard input is not usable; nothing was added.
struct InputLineError: Error {
    /// Counted from 1.
    let line: Int
    let underlying: any Error
}
