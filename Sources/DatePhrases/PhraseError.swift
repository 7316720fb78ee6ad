/// The reason why a phrase cannot be used.
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
