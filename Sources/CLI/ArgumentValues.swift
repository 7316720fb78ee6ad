import Bridge
import ICalendar
import Reminders

/// Reads the values that several commands take.
enum ArgumentValues {
    /// The address under which a web server publishes feeds.
    ///
    /// - Parameter name: the name of the setting or option.
    static func feedSite(_ text: String, of name: String) throws(UsageError) -> FeedSite {
        if let site = FeedSite(text) { return site }
        throw UsageError(
            .badValue,
            "'\(name)' is an address such as https://cal.example.org or https://example.org/reminders, "
                + "not '\(Sanitizer.excerpt(text))'. It begins with https:// and has no '?', '#' or user name."
        )
    }

    /// A title: trimmed, with spaces for line ends, not empty.
    static func title(_ text: String) throws(UsageError) -> String {
        do throws(TitleError) {
            return try Reminder.checked(title: text)
        } catch {
            throw UsageError(.titleRequired, error.description)
        }
    }

    /// Text without white space at its ends.
    static func trimmed(_ text: String) -> String {
        let isSpace = { (character: Character) in character.isWhitespace }
        let rest = text.drop(while: isSpace)
        return String(rest.prefix(rest.reversed().drop(while: isSpace).count))
    }

    /// The labels of repeated `--label`: trimmed, none twice in whatever case.
    static func labels(_ texts: [String]) throws(UsageError) -> [String] {
        var labels: [String] = []
        var seen: Set<LabelKey> = []
        for text in texts {
            let label = try self.label(text)
            if seen.insert(LabelKey(label)).inserted { labels.append(label) }
        }
        return labels
    }

    /// The name of a label, as a person may give it.
    static func label(_ text: String) throws(UsageError) -> String {
        do throws(LabelNameError) {
            return try Label.checked(name: text)
        } catch {
            throw UsageError(.badValue, error.description)
        }
    }

    /// `none` clears, and must then stand alone.
    static func labelChange(_ texts: [String]) throws(UsageError) -> FieldChange<[String]> {
        if texts.isEmpty { return .keep }
        guard texts.contains(where: { $0.lowercased() == "none" }) else { return .set(try self.labels(texts)) }
        guard texts.count == 1 else {
            throw UsageError(.badValue, "'--label none' clears all labels and cannot stand beside another --label.")
        }
        return .clear
    }

    /// A key of a script's own.
    static func key(_ text: String) throws(UsageError) -> ReminderKey {
        do throws(ReminderKeyError) {
            return try ReminderKey(text)
        } catch {
            throw UsageError(.badValue, error.description)
        }
    }

    /// The words for priorities, `none` last.
    static let priorities =
        (ReminderView.Priority.allCases.filter { $0 != .undefined } + [.undefined]).map(\.rawValue)

    /// `low`, `medium`, `high` or `none`.
    static func priority(_ text: String) throws(UsageError) -> ReminderView.Priority {
        guard let priority = ReminderView.Priority(rawValue: text.lowercased()) else {
            throw UsageError(.badValue, "'--priority' is one of \(self.listed(self.priorities)), not '\(text)'.")
        }
        return priority
    }

    /// How something repeats, in words or as the text of an RRULE; `nil` for `none` and `never`.
    static func repeatRule(_ text: String) throws(UsageError) -> RecurrenceRule? {
        let text = self.trimmed(text)
        if ["none", "never"].contains(text.lowercased()) { return nil }
        let hasPrefix = text.uppercased().hasPrefix("RRULE:")
        guard hasPrefix || text.contains("=") else {
            var parser = RepeatParser(text)
            return try parser.parse()
        }
        guard let rule = try? RecurrenceRule(wire: hasPrefix ? String(text.dropFirst(6)) : text) else {
            throw UsageError(.badValue, "'\(text)' is not a rule that remindav understands. \(RepeatParser.forms)")
        }
        return rule
    }

    /// A section's word.
    static func section(_ text: String) throws(UsageError) -> ReminderView.Section {
        guard let section = ReminderView.Section(rawValue: text.lowercased()) else {
            let words = self.listed(ReminderView.Section.allCases.map(\.rawValue))
            throw UsageError(.badValue, "'--section' is one of \(words), not '\(text)'.")
        }
        return section
    }

    /// `low, medium and high`.
    private static func listed(_ words: [String]) -> String {
        words.dropLast().joined(separator: ", ") + (words.last.map { " and \($0)" } ?? "")
    }

    /// A name that a person gave, trimmed and not empty.
    static func name(_ text: String, of what: String) throws(UsageError) -> String {
        let name = self.trimmed(text)
        if name.isEmpty { throw UsageError(.badValue, "\(what) cannot be empty.") }
        return name
    }

    /// The number of a reminder or of a feed.
    static func number(_ text: String, of what: String) throws(UsageError) -> Int64 {
        guard let number = Int64(text), number > 0 else {
            throw UsageError(.badValue, "'\(text)' is not the number of a \(what).")
        }
        return number
    }

    /// The numbers of reminders, none twice.
    static func reminders(_ texts: [String]) throws(UsageError) -> [Int64] {
        try self.numbers(texts, of: "reminder")
    }

    /// Several numbers, none twice.
    static func numbers(_ texts: [String], of what: String) throws(UsageError) -> [Int64] {
        var numbers: [Int64] = []
        for text in texts {
            let number = try self.number(text, of: what)
            if !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }

    /// A colour as `#RRGGBB`, in capitals.
    ///
    /// - Parameter what: what a message calls it.
    static func color(_ text: String, called what: String = "'--color'") throws(UsageError) -> String {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
            throw UsageError(.badValue, "\(what) is six digits such as '#FF5722', not '\(text)'.")
        }
        return "#" + digits.uppercased()
    }
}
