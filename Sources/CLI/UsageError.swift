import DatePhrases

/// The command line is not valid.
///
/// Two errors are equal if their codes are.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Code: String, Sendable {
        case missingCommand, unknownCommand, unknownOption, missingValue, unexpectedValue, repeatedOption
        case missingOperand, tooManyOperands, badValue, badWhen, mustBeInFuture, titleRequired, nothingToChange
        case needsYes, needsTerminal
    }

    let code: Code
    /// Complete sentences: the problem and the remedy.
    let sentence: String
    /// The command with the relevant help page; `nil` before a command is known.
    var command: String?

    init(_ code: Code, _ sentence: String, command: String? = nil) {
        self.code = code
        self.sentence = sentence
        self.command = command
    }

    /// The error of a date phrase, a repeat rule or a title, as an error of the command line.
    init(_ error: PhraseError, command: String? = nil) {
        let code: Code =
            switch error.code {
            case .badWhen: .badWhen
            case .badValue: .badValue
            case .mustBeInFuture: .mustBeInFuture
            }
        self.init(code, error.sentence, command: command)
    }

    /// Runs `body` and converts the error of a phrase.
    static func phrase<Value>(_ body: () throws(PhraseError) -> Value) throws(UsageError) -> Value {
        do throws(PhraseError) { return try body() } catch { throw UsageError(error) }
    }

    var description: String { self.sentence }

    static let noHomeFolder = Self(
        .badValue,
        "There is no home folder for the store. Set HOME, or use --store DIR."
    )

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
