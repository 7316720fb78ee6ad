import Reminders

/// Parses the pairs of taskwarrior and todo.txt: `due:friday`, `pri:H`, `project:Home` and `recur:weekly`.
extension TitleParser {
    /// Whether the line may contain the name of a list.
    package static func mayNameList(_ line: String) -> Bool {
        line.contains("@") || ["pro:", "proj:", "project:"].contains { line.contains($0) }
    }

    /// - Throws: if the value cannot be parsed, or if the pair has no field in a title.
    func consumePair(_ word: TitleTokens.Word, into result: inout ParsedTitle) throws(PhraseError) -> Bool {
        guard word.form == .plain, let colon = word.text.prefix(Self.longestKey + 1).firstIndex(of: ":") else {
            return false
        }
        let key = String(word.text[..<colon])
        let value = String(word.text[colon...].dropFirst())
        // `due://` may be the beginning of an address.
        guard !value.isEmpty, !value.hasPrefix("/") else { return false }
        if let advice = Self.otherForms[key], self.kinds.contains(.due) {
            throw Self.refusal("'\(word.text)' is not valid in a title. \(advice)")
        }
        guard var kind = Self.kindsOfKeys[key] else { return false }
        if kind == .list, self.list(value[...]) == nil || !self.kinds.contains(.list) { kind = .label }
        guard self.kinds.contains(kind) else { return false }
        try self.set(kind, value, word, in: &result)
        result.removed.append(.init(kind: kind, words: [word.text]))
        return true
    }

    private func set(
        _ kind: ParsedTitle.Kind,
        _ value: String,
        _ word: TitleTokens.Word,
        in result: inout ParsedTitle
    ) throws(PhraseError) {
        let isRepeated = kind != .label && result.removed.contains { $0.kind == kind }
        if isRepeated { throw Self.contradiction(kind, String(word.text), result) }
        switch kind {
        case .due: result.when = try self.due(value)
        case .rule:
            do throws(PhraseError) {
                guard let phrase = try RepeatPhrase.read(value), phrase.when == nil else {
                    throw Self.refusal("'\(word.text)' is not a rule without a time.")
                }
                // In todo.txt, `rec:1w` counts from the completion, and `rec:+1w` from the due date.
                let counts = word.text.lowercased().hasPrefix("rec:") && value.first?.isNumber == true
                result.rule = counts ? phrase.rule.countedFromCompletion() ?? phrase.rule : phrase.rule
            } catch { throw Self.refusal(error.sentence) }
        case .priority:
            guard let priority = Priority(word: value) else {
                throw Self.refusal("'\(word.text)' is not a priority. Write 'pri:H', 'pri:M' or 'pri:L'.")
            }
            result.priority = priority
        case .list: result.list = self.list(value[...])
        case .label, .alarm:
            guard let label = try? Label.checked(name: value) else {
                throw Self.refusal("'\(value)' is not a valid name of a label.")
            }
            result.labels.append(label)
        }
    }

    private func due(_ value: String) throws(PhraseError) -> When {
        do throws(PhraseError) {
            let when = try When(value)
            if !when.mayBePast {
                _ = try when.resolved(now: self.now, zone: self.zone)?
                    .checkedToBeInFuture(now: self.now, zone: self.zone)
            }
            return when
        } catch {
            throw PhraseError(error.code, "\(error.sentence) \(Self.remedy)")
        }
    }

    private static func refusal(_ sentence: String) -> PhraseError {
        PhraseError(.badValue, sentence.hasSuffix(self.remedy) ? sentence : "\(sentence) \(self.remedy)")
    }

    private static let remedy = "--literal keeps the title unchanged."
    /// The maximum length of a key in characters: `scheduled` has nine.
    private static let longestKey = 9
    private static let kindsOfKeys: [String: ParsedTitle.Kind] = [
        "due": .due, "pri": .priority, "priority": .priority, "pro": .list, "proj": .list, "project": .list,
        "recur": .rule, "rec": .rule,
    ]
    /// The pairs that a title does not accept, each with the form to use instead.
    private static let otherForms = [
        "wait": "Write the day on which the work begins with '--start'.",
        "scheduled": "Write the day on which the work begins with '--start'.",
        "until": "Write the end of a repetition as 'every week until 2027-06-01'.",
        "depends": "Write the reminders to complete first with '--depends 3'.",
    ]
}
