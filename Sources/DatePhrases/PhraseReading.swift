enum PhraseReading<Value> {
    case understood(Value)
    /// The phrase matches the grammar, but it is impossible or ambiguous. The text is the reason.
    case refused(String)
    case unknown

    var value: Value? { if case .understood(let value) = self { value } else { nil } }
}

/// The context of a phrase; in some contexts a phrase needs more words, because shorter ones may have another meaning.
enum PhraseCaution: Hashable, Sendable {
    /// The phrase is the whole value of an option, so `9:30` needs no `at`, and `3 days` needs no `in`.
    case trusting
    /// The phrase ends a title and follows a repeat rule, so `9:30` can only be a time.
    case behindRule
    /// The phrase stands in a title before a repeat rule. A time without a day needs `at`, `am` or `pm`.
    case beforeRule
    /// The phrase alone ends a title. A time without a day must have a form such as `9am`, `at 9:30` or `09:30`.
    case alone

    var isInTitle: Bool { self != .trusting }
}

package struct PhraseError: Error, Hashable, Sendable {
    package enum Code: Sendable {
        /// `badWhen`: the text is no due time. `badValue`: the text is no rule, or contradicts itself.
        /// `mustBeInFuture`: the time is past.
        case badWhen, badValue, mustBeInFuture
    }

    package let code: Code
    /// Complete sentences that state the problem and a remedy.
    package let sentence: String

    package init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    // Two errors with the same code are equal, so that a test need not repeat the sentence.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
