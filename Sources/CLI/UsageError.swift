/// Why the words on the command line cannot be used.
///
/// Two errors are equal when their codes are: a test states the code, a person reads the sentence.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Code: String, Sendable {
        case missingCommand, unknownCommand, unknownOption, missingValue, unexpectedValue, repeatedOption
        case missingOperand, tooManyOperands, badValue, badWhen, mustBeInFuture, titleRequired, nothingToChange
        case needsYes, needsTerminal
    }

    let code: Code
    /// Whole sentences: what is wrong, and what would be right.
    let sentence: String
    /// The command whose help page explains it; `nil` before a command is known.
    var command: String?

    init(_ code: Code, _ sentence: String, command: String? = nil) {
        self.code = code
        self.sentence = sentence
        self.command = command
    }

    var description: String { self.sentence }

    /// Nobody has said where the store is, and there is no usual place.
    static let noHomeFolder = Self(
        .badValue,
        "There is no home folder to keep reminders in. Set HOME, or give --store DIR."
    )

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
