import RemindavBridge
import RemindavJSON
import RemindavReminders

/// An action of a command on the reminders that the user selected: the question before it, and the messages after it.
struct SelectedAction {
    /// The words for an action.
    struct Words {
        /// The name of the command.
        let command: String
        /// The verb of the question, such as `Complete`.
        let verb: String
        /// Whether a title or a filter selects open reminders; otherwise it selects completed ones.
        var areOpen = true
        /// Whether the command asks before it acts on the reminder that a title selects.
        var asks = true
    }

    let selection: ReminderSelection
    let words: Words
    let context: Context
    let useCases: UseCases

    /// The largest number of reminders that a question, and the messages after an action on a filter, name one by one.
    static let maximumNamed = 10

    /// The largest number of reminders of ranges that a command changes without a question.
    static let maximumUnasked = 5

    init(_ selection: ReminderSelection, _ words: Words, in context: Context) throws {
        self.selection = selection
        self.words = words
        self.context = context
        self.useCases = try context.useCases()
    }

    // MARK: Selecting

    /// The numbers of the selected reminders; asks first if a title or a filter selects them.
    ///
    /// - Returns: no number if no reminder matches the filter, or if the user declines; this is printed.
    func numbers() throws -> [Int64] {
        switch self.selection.choice {
        case .numbers(let numbers):
            let existing = try self.existing(numbers)
            return try self.agrees(toRangesOf: existing) ? existing : self.nothing()
        case .title(let query, let text):
            let reminder = try self.reminder(titled: query, text)
            return try !self.words.asks || self.agrees(to: reminder, text) ? [reminder.id] : self.nothing()
        case .filter(let options):
            let reminders = try self.reminders(matching: options)
            if reminders.isEmpty {
                return try self.nothing("No \(self.words.areOpen ? "" : "completed ")reminder matches. ")
            }
            return try self.agrees(to: reminders) ? reminders.map(\.id) : self.nothing()
        }
    }

    /// The numbers without those of ranges that no reminder has.
    private func existing(_ numbers: [Int64]) throws -> [Int64] {
        let ofRanges = self.selection.ofRanges
        guard let first = ofRanges.min(), let last = ofRanges.max() else { return numbers }
        let known = Set(try self.useCases.reminderNumbers(in: first...last))
        let existing = numbers.filter { !ofRanges.contains($0) || known.contains($0) }
        guard !existing.isEmpty else { throw UseCaseError(.reminderNotFound, subject: "\(first)-\(last)") }
        return existing
    }

    /// Asks before a command changes many reminders of ranges, because `1-1000` can be all reminders.
    ///
    /// A script without a terminal knows its numbers, and `delete` asks about each reminder.
    private func agrees(toRangesOf numbers: [Int64]) throws -> Bool {
        let ofRanges = numbers.filter(self.selection.ofRanges.contains)
        guard ofRanges.count > Self.maximumUnasked, self.words.asks, !self.context.isSure, self.context.isInteractive,
            self.words.command != DeleteReminders.page.name
        else { return true }
        return try self.agrees(to: self.useCases.reminders(numbers))
    }

    private func nothing(_ reason: String = "") throws -> [Int64] {
        if !self.context.isJSON { try self.context.output.note("\(reason)Nothing was changed") }
        return []
    }

    private func reminder(titled query: SearchQuery, _ text: String) throws -> ReminderView {
        do {
            return try self.useCases.reminder(titled: query, text, areOpen: self.words.areOpen) { first in
                "Give the number, for example 'remindav \(self.words.command) \(first)'."
            }
        } catch var error as UsageError {
            error.command = self.words.command
            throw error
        } catch let error as UseCaseError where error.code == .reminderNotFound && !self.words.areOpen {
            throw NoCompletedReminder(text: text)
        }
    }

    private func agrees(to reminder: ReminderView, _ text: String) throws -> Bool {
        if self.context.isSure { return true }
        guard self.context.isInteractive else {
            throw UsageError(
                .needsYes,
                """
                '\(Sanitizer.excerpt(text))' is reminder \(reminder.id) (\(Sanitizer.excerpt(reminder.title))). There is \
                no terminal for a question. Give the number, or add --yes.
                """
            )
        }
        let question = "\(self.words.verb) '\(Sanitizer.line(reminder.title))'?"
        return try self.context.confirm(question, enter: self.words.command != DeleteReminders.page.name)
    }

    private func reminders(matching options: FilterOptions) throws -> [ReminderView] {
        var filter = try options.filter(in: self.context)
        if !self.words.areOpen { filter.others.append(ReminderFilter(section: .completed)) }
        try self.useCases.check(filter)
        let listing = try self.useCases.listing(filter, detail: .line)
        let reminders = listing.reminders
        self.context.remark(leftOut: listing.hiddenCount)
        if let unknown = try self.useCases.unknownLabel(among: filter.namedLabels, shown: reminders) {
            self.context.output.complain(ErrorMessages.explain(unknown))
        }
        return reminders
    }

    private func agrees(to reminders: [ReminderView]) throws -> Bool {
        if self.context.isSure { return true }
        let others = reminders.count - Self.maximumNamed
        for reminder in reminders.prefix(Self.maximumNamed) {
            self.context.output.remark("  \(reminder.id): \(Sanitizer.line(reminder.title))")
        }
        if others > 0 { self.context.output.remark("  and \(others) more") }
        let count = reminders.count == 1 ? "this reminder" : "these \(reminders.count) reminders"
        // Enter agrees if the question names all reminders, and if the command deletes none.
        let isClear = others <= 0 && self.words.command != DeleteReminders.page.name
        return try self.context.confirm("\(self.words.verb) \(count)?", enter: isClear)
    }

    // MARK: Acting

    /// Performs the action in one transaction, and prints the results, or with `--json` an array or one object.
    ///
    /// - Parameter asObject: whether the JSON of one reminder that the user named is an object.
    func perform<Answer: JSONEncodable>(
        _ action: ReminderAction,
        on ids: [Int64],
        asObject: Bool = false,
        json: (ActionOutcome) -> Answer,
        print: (ActionOutcome) throws -> Void
    ) throws -> ExitStatus {
        let results = try ids.isEmpty ? [] : self.useCases.perform(action, on: ids)
        let outcomes = results.compactMap { try? $0.outcome.get() }
        if self.context.isJSON {
            if asObject, self.selection.isSingle {
                for outcome in outcomes { try self.context.output.print(json: json(outcome)) }
            } else {
                try self.context.output.print(json: outcomes.map(json))
            }
        }
        let status = try self.report(results, print: print)
        guard self.selection.isFilter, !self.context.isJSON, !outcomes.isEmpty else { return status }
        let others = outcomes.count - Self.maximumNamed
        if others > 0 { try self.context.output.note("and \(others) more") }
        try self.context.output.note(advice: "'remindav undo' reverts this.")
        return status
    }

    /// Prints each result in order; an error that all results share is printed once.
    private func report(_ results: [ActionResult], print: (ActionOutcome) throws -> Void) throws -> ExitStatus {
        let failures = results.compactMap { result -> Explanation? in
            guard case .failure(let error) = result.outcome else { return nil }
            return ErrorMessages.explain(UnknownName.guessing(error) { self.useCases })
        }
        if let first = failures.first, failures.count == results.count, failures.allSatisfy({ $0 == first }) {
            self.context.output.complain(first)
            return first.status
        }
        var rest = failures[...]
        var room = self.selection.isFilter ? Self.maximumNamed : results.count
        for result in results {
            switch result.outcome {
            case .success where self.context.isJSON || room == 0: break
            case .success(let outcome):
                try print(outcome)
                room -= 1
            case .failure:
                let failure = rest.removeFirst()
                let isNamed = failure.status == .notFound
                self.context.output.complain(isNamed ? failure : failure.about("Reminder \(result.id)"))
            }
        }
        return failures.isEmpty ? .success : failures.count < results.count ? .partial : failures[0].status
    }
}
