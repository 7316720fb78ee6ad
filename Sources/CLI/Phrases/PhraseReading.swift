/// What a parser makes of a phrase.
enum PhraseReading<Value> {
    case understood(Value)
    /// Every word is known, and what they say cannot be, or can be several things: why.
    case refused(String)
    /// A word is not known, or one is missing.
    case unknown
}

/// How much a phrase has to say for it to be one.
enum PhraseCaution: Hashable, Sendable {
    /// The value of an option: nothing else can be meant.
    case trusting
    /// The end of a title, behind the words of a rule: `9:30` there can only be a time.
    case behindRule
    /// The end of a title, before the words of a rule: a time has `at`, `am` or `pm`.
    case beforeRule
    /// The end of a title: a time alone is no bare hour, either.
    case alone

    /// Whether it is the end of a title.
    var isInTitle: Bool { self != .trusting }
}
