enum PhraseReading<Value> {
    case understood(Value)
    /// All words are known, but the phrase is impossible or ambiguous; the reason.
    case refused(String)
    /// A word is unknown or missing.
    case unknown
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
