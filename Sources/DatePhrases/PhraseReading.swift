enum PhraseReading<Value> {
    case understood(Value)
    /// All words are known, but the phrase is impossible or ambiguous; the reason.
    case refused(String)
    case unknown

    var value: Value? { if case .understood(let value) = self { value } else { nil } }
}

/// The context of a phrase, which decides how many words a valid phrase needs.
enum PhraseCaution: Hashable, Sendable {
    /// The value of an option.
    case trusting
    /// The end of a title, after a rule: `9:30` can only be a time.
    case behindRule
    /// The end of a title, before the words of a rule: a time has `at`, `am` or `pm`.
    case beforeRule
    /// The end of a title: a time without a day must have `at`, `am`, `pm` and minutes.
    case alone

    var isInTitle: Bool { self != .trusting }
}

package struct PhraseError: Error, Hashable, Sendable {
    package enum Code: Sendable {
        /// Not a time, not a rule, or contradictory; or a time that is past.
        case badWhen, badValue, mustBeInFuture
    }

    package let code: Code
    /// Complete sentences: the problem and the remedy.
    package let sentence: String

    init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    // Equal by the code, so that a test states the kind of an error and a reader its sentence.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
