import RemindavReminders

/// Parses the pairs of taskwarrior and todo.txt: `due:friday`, `pri:H`, `project:Home` and `recur:weekly`.
extension TitleParser {
    /// Whether the line may contain the name of a list.
    package static func mayNameList(_ line: String) -> Bool {
        line.contains { "@#".contains($0) } || PairField.list.keys.contains { line.contains("\($0):") }
    }

    static func namesList(_ key: Substring) -> Bool { PairField(key: key) == .list }

    /// - Throws: if the value cannot be parsed, or if the pair has no field in a title.
    func consumePair(_ word: TitleTokens.Word, into result: inout ParsedTitle) throws(PhraseError) -> Bool {
        guard let (key, value) = Self.keyAndValue(word) else { return false }
        guard let field = PairField(key: key) else { return false }
        if self.kinds.contains(.due), let advice = Self.advice(field, value) {
            throw Self.refusal("'\(word.text)' is not valid in a title. \(advice)")
        }
        guard var kind = Self.kind(field) else { return false }
        if kind == .list, self.list(value[...]) == nil || !self.kinds.contains(.list) { kind = .label }
        guard self.kinds.contains(kind) else { return false }
        try self.set(kind, (key, value), word, in: &result)
        result.removed.append(.init(kind: kind, words: [word.text]))
        return true
    }

    /// The pair as one word, if it has a blank in its value: `project:"Home Garden"` for `project:Home Garden`, as the
    /// shell passes it; `nil` for any other word, and for `due:friday call Ben`, whose value is not a date as a whole.
    package static func quotedPair(_ word: String) -> String? {
        guard let colon = word.prefix(PairField.longestKey + 1).firstIndex(of: ":"),
            let field = PairField(key: word[..<colon])
        else { return nil }
        let value = word[word.index(after: colon)...]
        guard value.contains(where: \.isLineBlank), !value.contains("\""), value.first != "'",
            value.first?.isLineBlank == false
        else { return nil }
        let isWhole =
            switch field {
            case .list: true
            case .due: (try? When(String(value))) != nil
            case .rule: (try? RepeatPhrase.read(String(value))) != nil
            default: false
            }
        guard isWhole else { return nil }
        return "\(word[...colon])\"\(value)\""
    }

    private static func keyAndValue(_ word: TitleTokens.Word) -> (String, String)? {
        if case .pair(let key, let value) = word.form { return (String(key), String(value)) }
        guard word.form == .plain, let colon = word.text.prefix(PairField.longestKey + 1).firstIndex(of: ":") else {
            return nil
        }
        let value = String(word.text[colon...].dropFirst())
        // `due://` may be the beginning of an address.
        return value.isEmpty || value.hasPrefix("/") ? nil : (String(word.text[..<colon]), value)
    }

    private func set(
        _ kind: ParsedTitle.Kind,
        _ pair: (key: String, value: String),
        _ word: TitleTokens.Word,
        in result: inout ParsedTitle
    ) throws(PhraseError) {
        let (key, value) = pair
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
                let counts = key == "rec" && value.first?.isNumber == true
                result.rule = counts ? phrase.rule.countedFromCompletion() ?? phrase.rule : phrase.rule
            } catch { throw Self.refusal(error.sentence) }
        case .priority:
            guard let priority = Priority(word: value) else {
                throw Self.refusal("'\(word.text)' is not a priority. Write 'pri:H', 'pri:M' or 'pri:L'.")
            }
            result.priority = priority
        case .list: result.list = self.list(value[...])
        case .label, .alarm:
            // In taskwarrior, commas separate tags; the name of a project may contain one.
            let names = key.hasPrefix("tag") ? value.split(separator: ",").map(String.init) : [value]
            if names.isEmpty { throw Self.refusal("'\(word.text)' names no label.") }
            for name in names {
                guard let label = try? Label.checked(name: name) else {
                    throw Self.refusal("'\(name)' is not a valid name of a label.")
                }
                result.labels.append(label)
            }
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

    /// The kind of a field that a title may contain as a pair; `nil` for others.
    private static func kind(_ field: PairField) -> ParsedTitle.Kind? {
        switch field {
        case .due: .due
        case .priority: .priority
        case .list: .list
        case .rule: .rule
        case .label: .label
        case .status, .title, .dependencies, .wait, .start, .creation, .completion, .until: nil
        }
    }

    /// The form to use instead of a pair that a title does not accept; `nil` for a pair that it accepts, or that stays
    /// in the title.
    private static func advice(_ field: PairField, _ value: String) -> String? {
        switch field {
        case .due, .priority, .list, .rule, .label, .status, .title: return nil
        case .dependencies: return "Write the reminders to complete first with '--depends 3'."
        case .wait: return "Write the day on which the work begins with '--start'."
        case .until: return "Write the end of a repetition as 'every week until 2027-06-01'."
        // `start:button` and `end:game` may be words of a title.
        case .start where (try? When(value)) != nil:
            return """
                '--start monday' sets the day on which the work begins. 'remindav start ID' marks a reminder as in \
                progress.
                """
        case .creation where (try? When(value)) != nil:
            return "The creation time of a reminder is always the present."
        case .completion where (try? When(value)) != nil:
            return "'remindav done' completes a reminder at the present time."
        case .start, .creation, .completion: return nil
        }
    }
}
