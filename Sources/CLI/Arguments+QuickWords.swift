import DatePhrases

extension Arguments {
    /// Reads the operands that stand for filters, such as `+home`, as options of `list`.
    mutating func readFilterWords() throws(UsageError) {
        try self.readOperands(as: { QuickWord($0)?.filter() })
    }

    /// Reads the operands of `edit` that stand for options: a filter at the beginning, and changes after it or after IDs.
    ///
    /// - Parameter hasFilter: whether an option selects the reminders, so that all operands are changes.
    /// - Returns: whether an option selects the reminders now.
    mutating func readEditWords(hasFilter: Bool) throws(UsageError) -> Bool {
        let filter = hasFilter ? nil : self.plainOperands.first.flatMap { QuickWord($0) }
        if let filter {
            self.removeOperands(0..<1)
            try self.give(filter.filter(ofEdit: true))
        }
        let isFiltered = hasFilter || filter != nil
        // Words of a title select a reminder.
        if isFiltered || self.plainOperands.first.map(NumberList.isNumber) == true {
            try self.readOperands(as: { QuickWord($0)?.change })
        }
        return isFiltered
    }

    /// Reads the operands of `edit` after IDs or filters as a due time or a repetition.
    ///
    /// At least one number is an ID. Of the other numbers, as many as possible belong to the date: `edit 12 24 dec`.
    ///
    /// - Throws: if they are neither.
    mutating func readEditTime(hasFilter: Bool) throws(UsageError) {
        let words = Array(self.plainOperands)
        let numbers = words.prefix(while: NumberList.isNumber).count
        guard hasFilter || numbers > 0, numbers < words.count else { return }
        for start in hasFilter ? 0...0 : 1...numbers {
            guard let option = Self.timeOption(words[start...].joined(separator: " ")) else { continue }
            self.removeOperands(start..<words.count)
            return try self.give(option)
        }
        // IDs beside a filter have an error of their own.
        if hasFilter, numbers > 0 { return }
        let text = words[numbers...].joined(separator: " ")
        let whole = words.joined(separator: " ")
        if numbers > 0, Self.timeOption(whole) != nil {
            throw UsageError(.badValue, "Write the ID of the reminder before '\(whole)', such as 'edit 12 \(whole)'.")
        }
        for candidate in [words.dropFirst(hasFilter ? 0 : 1).joined(separator: " "), text] {
            if let reason = When.reasonOfRefusal(candidate) { throw UsageError(.badWhen, reason) }
        }
        throw UsageError(
            .badValue,
            """
            '\(Sanitizer.excerpt(text))' is no date, repetition, +label, @list or p1 to p4. For a new title, write \
            --title \(text.shellWord).
            """
        )
    }

    /// The option that a text stands for; `nil` if it is no due time and no repetition.
    private static func timeOption(_ text: String) -> OptionValue? {
        if RepeatPhrase.isTitlePhrase(text) { return OptionValue("--repeat", text) }
        return (try? When(text)).map { _ in OptionValue("--due", text) }
    }
}
