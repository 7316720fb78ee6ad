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
    /// - Throws: if they are neither.
    mutating func readEditTime(hasFilter: Bool) throws(UsageError) {
        let start = hasFilter ? 0 : self.plainOperands.prefix(while: NumberList.isNumber).count
        let range = start..<self.plainOperands.count
        guard hasFilter || start > 0, let first = self.plainOperands[range].first, !NumberList.isNumber(first) else {
            return
        }
        let text = self.plainOperands[range].joined(separator: " ")
        self.removeOperands(range)
        if RepeatPhrase.isTitlePhrase(text) {
            try self.give(OptionValue("--repeat", text))
        } else if (try? When(text)) != nil {
            try self.give(OptionValue("--due", text))
        } else {
            throw UsageError(
                .badValue,
                """
                '\(Sanitizer.excerpt(text))' is no date, repetition, +label, @list or p1 to p4. For a new title, write \
                --title \(text.shellWord).
                """
            )
        }
    }
}
