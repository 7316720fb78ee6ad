import RemindavBridge
import RemindavReminders

/// Another reminder in the value of an option: its number, or words of its title.
enum ReminderName: Hashable, Sendable {
    case number(Int64)
    case title(SearchQuery, text: String)

    init(_ text: String) throws(UsageError) {
        let text = text.trimmingWhiteSpace
        if text.isEmpty || NumberList.isNumber(text) {
            self = .number(try ArgumentValues.number(text, of: "reminder"))
        } else {
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            self = .title(try ArgumentValues.query(words), text: text)
        }
    }

    /// The value of `--parent`; `none` and a blank value clear the parent.
    static func parent(_ text: String) throws(UsageError) -> FieldChange<Self> {
        let text = text.trimmingWhiteSpace
        if text.isEmpty || text.lowercased() == "none" { return .clear }
        return .set(try Self(text))
    }

    /// - Throws: for a title that no open reminder has, or several.
    func reference(in context: Context) throws -> ReminderReference {
        switch self {
        case .number(let number): return .number(number)
        case .title(let query, let text):
            let reminder = try context.useCases(.temporary).reminder(titled: query, text, areOpen: true) { _ in
                "Give the number."
            }
            return .number(reminder.id)
        }
    }
}

extension UseCases {
    /// The only reminder whose title contains all words, or has exactly the text.
    ///
    /// - Parameter advice: the end of the error for several reminders, with the number of the first one.
    func reminder(titled query: SearchQuery, _ text: String, areOpen: Bool, advice: (Int64) -> String) throws
        -> ReminderView
    {
        let found = try self.reminders(titled: query, areOpen: areOpen)
        guard let first = found.first else { throw UseCaseError(.reminderNotFound, subject: text) }
        let exact = found.filter { $0.title.lowercased() == text.lowercased() }
        if exact.count == 1 { return exact[0] }
        guard found.count > 1 else { return first }
        let named = found.prefix(SelectedAction.maximumNamed).map { "\($0.id) (\(Sanitizer.excerpt($0.title)))" }
        let others = found.count > named.count ? " and \(found.count - named.count) more" : ""
        throw UsageError(
            .badValue,
            """
            \(found.count) reminders match '\(Sanitizer.excerpt(text))': \(named.joined(separator: ", "))\(others). \
            \(advice(first.id))
            """
        )
    }
}
