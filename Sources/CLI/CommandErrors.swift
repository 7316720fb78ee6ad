import RemindavDatePhrases
import RemindavRecurrence

struct FileError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        case notFound = "there is no such file"
        case notPermitted = "you have no permission to open it"
        case isFolder = "it is a folder"
        case notPlain = "it is not a regular file"
        case exists = "it already exists"
        case folderNotFound = "its folder does not exist"
        case folderNotPermitted = "you have no permission to create a file in its folder"
        case readOnly = "it is read-only"
        case leadsNowhere = "it is a link to a file that does not exist"
        case tooLarge = "it is too large"
        case diskFull = "there is no space left on the disk"
        case failed = "it cannot be read or written"
        case interrupted = "interrupted"
    }

    let code: Code
    let path: String

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}

struct OutputError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        /// The program that reads standard output has ended, as after `remindav list | head -1`.
        case brokenPipe = "standard output is closed"
        case diskFull = "there is no space left for the output"
        case failed = "the output cannot be written"
    }

    let code: Code
}

struct PasswordError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        case noTerminal = """
            There is no terminal to ask for the password. Use --password-command CMD, or --password-stdin and send the \
            password to standard input.
            """
        /// A command of a tenant would run with the rights of the host.
        case noTerminalForTenant = """
            There is no terminal to ask for the password. Use --password-stdin and send the password to standard input.
            """
        case empty = "The password is empty. Nothing was changed."
        case tooLong = "The password is too long for a server. Nothing was changed."
    }

    let code: Code
}

struct ExpansionError: Error, Hashable, Sendable {
    let cause: RecurrenceError
}

/// An error while an account is added, which the program does not know yet.
struct NewAccountError: Error {
    let underlying: any Error
}

/// The words of a title that no completed reminder has, for a command that reopens reminders.
struct NoCompletedReminder: Error {
    let text: String
}

struct InputLineError: Error {
    /// The number of the line on standard input, counted from 1.
    let line: Int
    let underlying: any Error
}

/// An error in the arguments; two errors are equal if their codes are equal.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Code: String, Sendable {
        case unknownCommand, unknownOption, missingValue, unexpectedValue, repeatedOption
        case missingOperand, tooManyOperands, badValue, badWhen, mustBeInFuture, titleRequired, nothingToChange
        case needsYes, needsTerminal
    }

    let code: Code
    /// The problem and the advice for the user.
    let sentence: String
    /// The name of the command; `nil` before it is known.
    var command: String?

    init(_ code: Code, _ sentence: String, command: String? = nil) {
        self.code = code
        self.sentence = sentence
        self.command = command
    }

    init(_ error: PhraseError, command: String? = nil) {
        let code: Code =
            switch error.code {
            case .badWhen: .badWhen
            case .badValue: .badValue
            case .mustBeInFuture: .mustBeInFuture
            }
        self.init(code, error.sentence, command: command)
    }

    static func phrase<Value>(_ body: () throws(PhraseError) -> Value) throws(UsageError) -> Value {
        do throws(PhraseError) { return try body() } catch { throw UsageError(error) }
    }

    var description: String { self.sentence }

    static let shiftWithRule = Self(
        .badValue,
        "A shift of the due time and a new repetition cannot be combined. Use two commands."
    )

    /// The words after a complete value of an option could be its value too: `--due friday saturday`.
    static func secondValue(_ second: OptionValue, _ first: String, _ advice: String) -> Self {
        let (word, value) = (Sanitizer.excerpt(second.value ?? ""), Sanitizer.excerpt(first))
        return Self(.repeatedOption, "'\(word)' is a second value of '\(second.name)', which is '\(value)'. \(advice)")
    }

    static let noHomeFolder = Self(
        .badValue,
        "There is no home folder for the store. Set HOME, or use --store DIR."
    )

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
