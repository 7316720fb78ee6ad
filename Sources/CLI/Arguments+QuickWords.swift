import RemindavDatePhrases
import RemindavReminders

extension Arguments {
    /// Reads the operands that stand for filters, such as `+home`, as options of `list`.
    mutating func readFilterWords() throws(UsageError) {
        try self.readOperands(as: { QuickWord($0)?.filter() })
    }

    /// Reads the operands as ``readFilterWords()``, for a command whose operands are no titles.
    ///
    /// - Throws: for an operand that stands for a change, such as `recur:weekly`.
    mutating func readOnlyFilterWords() throws(UsageError) {
        try self.readFilterWords()
        guard let word = self.plainOperands.first(where: { QuickWord($0) != nil }) else { return }
        throw UsageError(
            .badValue,
            """
            '\(Sanitizer.excerpt(word))' is no filter. Filters are +label, @list, p1, /text, pri:H, due:friday, \
            project:LIST, tag:LABEL, status:pending and status:completed.
            """
        )
    }

    /// Reads the operands of `edit` that stand for options: a filter at the beginning, and changes after it, after IDs, or
    /// after the first word of a title.
    ///
    /// - Parameter hasFilter: whether an option selects the reminders, so that all operands are changes.
    /// - Returns: the word that selects the reminders as a filter; `nil` for none.
    mutating func readEditWords(hasFilter: Bool) throws(UsageError) -> String? {
        let first = self.plainOperands.first
        let filter = hasFilter ? nil : first.flatMap { QuickWord($0)?.filter(ofEdit: true) }
        if let filter {
            self.removeOperands(0..<1)
            try self.give(filter)
        }
        let isTitle = !hasFilter && filter == nil && first.map(NumberList.isNumber) == false
        try self.readOperands(behind: isTitle ? 1 : 0, as: { QuickWord($0)?.change })
        return filter == nil ? nil : first
    }

    /// Reads the operands of `edit` after IDs, filters or the words of a title as a due time, a repetition, or both.
    ///
    /// At least one number is an ID. Of the other numbers, as many as possible belong to the date: `edit 12 24 dec`. After
    /// a title, the phrase is as long as possible, as in `snooze`.
    ///
    /// - Throws: if the operands after IDs or filters are none of them.
    mutating func readEditTime(hasFilter: Bool) throws(UsageError) {
        let words = self.plainOperands
        let numbers = words.prefix(while: NumberList.isNumber).count
        guard hasFilter || numbers < words.count else { return }
        let isTitle = !hasFilter && numbers == 0
        for start in hasFilter ? 0...0 : 1...(isTitle ? max(words.count - 1, 1) : numbers) {
            guard let options = Self.editTime(words[start...]) else { continue }
            for option in options {
                if let value = self.value(option.name) { throw .secondValue(option, value, "Write one of them.") }
            }
            return try self.give(options, for: start..<words.endIndex)
        }
        // IDs beside a filter have an error of their own.
        if isTitle || hasFilter && numbers > 0 || words.isEmpty { return }
        let text = words[numbers...].joined(separator: " ")
        let whole = words.joined(separator: " ")
        if numbers > 0, Self.editTime(words) != nil {
            throw UsageError(.badValue, "Write the ID of the reminder before '\(whole)', such as 'edit 12 \(whole)'.")
        }
        for candidate in [words.dropFirst(hasFilter ? 0 : 1).joined(separator: " "), text] {
            if let reason = When.reasonOfRefusal(candidate) { throw UsageError(.badWhen, reason) }
        }
        _ = try UsageError.phrase { () throws(PhraseError) in try DueShift.read(text) }
        throw UsageError(
            .badValue,
            """
            '\(Sanitizer.excerpt(text))' is no date, repetition, +label, @list or p1 to p4. For a new title, write \
            --title \(text.shellWord).
            """
        )
    }

    private mutating func give(_ options: [OptionValue], for operands: Range<Int>) throws(UsageError) {
        self.removeOperands(operands)
        for option in options { try self.give(option) }
    }

    /// The options for a due time, a repetition, or both in any order; `nil` if the words are something else.
    private static func editTime(_ words: ArraySlice<String>) -> [OptionValue]? {
        guard !words.isEmpty, words.count <= Self.longestPhrase else { return nil }
        let text = words.joined(separator: " ")
        // `friday 10am weekly` is the end of a title, but no value of one option.
        if RepeatPhrase.isTitlePhrase(text), (try? RepeatPhrase.read(text)) != nil {
            return [OptionValue("--repeat", text)]
        }
        if Self.isDue(text) { return [OptionValue("--due", text)] }
        for place in words.indices.dropFirst() {
            let parts = [words[..<place], words[place...]].map { $0.joined(separator: " ") }
            for (due, rule) in [(parts[0], parts[1]), (parts[1], parts[0])] {
                if RepeatPhrase.isTitlePhrase(rule), (try? When(due)) != nil {
                    return [OptionValue("--due", due), OptionValue("--repeat", rule)]
                }
            }
        }
        return nil
    }

    /// Whether the text is a due time or a shift of it.
    static func isDue(_ text: String) -> Bool {
        (try? When(text)) != nil || (try? DueShift.read(text)).flatMap(\.self) != nil
    }
}
