import Bridge
import DatePhrases
import ICalendar
import Reminders

enum ArgumentValues {
    static func feedSite(_ text: String, of name: String) throws(UsageError) -> FeedSite {
        if let site = FeedSite(text) { return site }
        throw UsageError(
            .badValue,
            "'\(name)' must be an address such as https://cal.example.org or https://example.org/reminders, "
                + "not '\(Sanitizer.excerpt(text))'. It must begin with https:// and have no '?', '#' or user name."
        )
    }

    /// The text trimmed, with a space for each line end; throws if nothing remains.
    static func title(_ text: String) throws(UsageError) -> String {
        do throws(TitleError) { return try Reminder.checked(title: text) } catch {
            throw UsageError(.titleRequired, error.description)
        }
    }

    static func when(_ text: String) throws(UsageError) -> When {
        try UsageError.phrase { () throws(PhraseError) in try When(text) }
    }

    /// The labels trimmed; labels that differ only in case are one label.
    static func labels(_ texts: [String]) throws(UsageError) -> [String] {
        var labels: [String] = []
        var seen: Set<LabelKey> = []
        for text in texts {
            let label = try self.label(text)
            if seen.insert(LabelKey(label)).inserted { labels.append(label) }
        }
        return labels
    }

    static func label(_ text: String) throws(UsageError) -> String {
        do throws(LabelNameError) { return try Label.checked(name: text) } catch {
            throw UsageError(.badValue, error.description)
        }
    }

    /// The text `none` clears all labels, and cannot be combined with a label.
    static func labelChange(_ texts: [String]) throws(UsageError) -> FieldChange<[String]> {
        if texts.isEmpty { return .keep }
        guard texts.contains(where: { $0.lowercased() == "none" }) else { return .set(try self.labels(texts)) }
        guard texts.count == 1 else {
            throw UsageError(.badValue, "'--label none' clears all labels and cannot be combined with another --label.")
        }
        return .clear
    }

    static func key(_ text: String) throws(UsageError) -> ReminderKey {
        do throws(ReminderKeyError) { return try ReminderKey(text) } catch {
            throw UsageError(.badValue, error.description)
        }
    }

    static let priorities =
        (Priority.allCases.filter { $0 != .undefined } + [.undefined]).map(\.rawValue)

    static func priority(_ text: String) throws(UsageError) -> Priority {
        if let priority = Priority(rawValue: text.lowercased()) { return priority }
        throw UsageError(.badValue, "'--priority' must be \(self.priorities.listed("or")), not '\(text)'.")
    }

    /// The rule for English words or the text of an RRULE; `nil` for `none` and `never`.
    static func repeatRule(_ text: String) throws(UsageError) -> RecurrenceRule? {
        try UsageError.phrase { () throws(PhraseError) in try RepeatPhrase.rule(text) }
    }

    static func section(_ text: String) throws(UsageError) -> ListGroup.Section {
        if let section = ListGroup.Section(rawValue: text.lowercased()) { return section }
        let words = ListGroup.Section.allCases.map(\.rawValue).listed("or")
        throw UsageError(.badValue, "'--section' must be \(words), not '\(text)'.")
    }

    /// The text trimmed; throws if nothing remains.
    static func name(_ text: String, of noun: String) throws(UsageError) -> String {
        let name = text.trimmingWhiteSpace
        if name.isEmpty { throw UsageError(.badValue, "\(noun) cannot be empty.") }
        return name
    }

    static func listName(_ text: String) throws(UsageError) -> String { try self.name(text, of: "A list's name") }

    static func number(_ text: String, of noun: String) throws(UsageError) -> Int64 {
        if let number = Int64(text), number > 0 { return number }
        throw UsageError(.badValue, "'\(text)' is not the number of a \(noun).")
    }

    static func reminders(_ texts: [String]) throws(UsageError) -> [Int64] {
        try self.numbers(texts, of: "reminder")
    }

    /// Numbers in the order of the texts, without duplicates.
    static func numbers(_ texts: [String], of noun: String) throws(UsageError) -> [Int64] {
        var numbers: [Int64] = []
        for text in texts {
            let number = try self.number(text, of: noun)
            if !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }

    /// - Returns: the colour as `#RRGGBB`, in capitals.
    static func color(_ text: String, called name: String = "'--color'") throws(UsageError) -> String {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
            throw UsageError(.badValue, "\(name) must be six hexadecimal digits such as '#FF5722', not '\(text)'.")
        }
        return "#" + digits.uppercased()
    }
}
