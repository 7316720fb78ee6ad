import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

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

    /// The shift for a phrase such as `+1w`; `nil` for another phrase.
    static func shift(_ text: String) throws(UsageError) -> DueShift? {
        try UsageError.phrase { () throws(PhraseError) in try DueShift.read(text) }
    }

    /// The labels of texts such as `home,work`, trimmed; labels that differ only in case are one label.
    static func labels(_ texts: [String]) throws(UsageError) -> [String] {
        var labels: [String] = []
        for text in texts {
            let names = try LabelText.names(text)
            for name in names.isEmpty ? [text] : names { labels.append(try self.label(name)) }
        }
        return self.unique(labels)
    }

    /// The first of all labels that differ only in case.
    static func unique(_ labels: [String]) -> [String] {
        var seen: Set<LabelKey> = []
        return labels.filter { seen.insert(LabelKey($0)).inserted }
    }

    static func label(_ text: String) throws(UsageError) -> String {
        do throws(LabelNameError) { return try Label.checked(name: text) } catch {
            throw UsageError(.badValue, error.description)
        }
    }

    static func query(_ words: [String]) throws(UsageError) -> SearchQuery {
        if let query = SearchQuery(words) { return query }
        throw UsageError(
            .badValue,
            words.count > SearchQuery.maximumWords
                ? "A search can have at most \(SearchQuery.maximumWords) words."
                : "A search word cannot be empty."
        )
    }

    // keys = key *( "," key );  key = [ "-" ] word
    static func order(_ text: String) throws(UsageError) -> ReminderOrder {
        let words = ReminderOrder.Key.allCases.map(\.rawValue)
        var terms: [ReminderOrder.Term] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = String(part).trimmingWhiteSpace
            let name = String(word.hasPrefix("-") ? word.dropFirst() : word[...])
            guard let key = ReminderOrder.Key(rawValue: name.lowercased()) else {
                let guess = Spelling.nearest(to: name.lowercased(), among: words).map { " Did you mean '\($0)'?" }
                throw UsageError(
                    .badValue,
                    "There is no sort key '\(Sanitizer.excerpt(name))'." + (guess ?? " Keys: \(words.listed("and")).")
                )
            }
            if terms.contains(where: { $0.key == key }) {
                throw UsageError(.badValue, "The sort key '\(key.rawValue)' is given twice.")
            }
            terms.append(ReminderOrder.Term(key, isReversed: word.hasPrefix("-")))
        }
        return ReminderOrder(terms)
    }

    static func key(_ text: String) throws(UsageError) -> ReminderKey {
        do throws(ReminderKeyError) { return try ReminderKey(text) } catch {
            throw UsageError(.badValue, error.description)
        }
    }

    static let priorities =
        (Priority.allCases.filter { $0 != .undefined } + [.undefined]).map(\.rawValue)

    static func priority(_ text: String) throws(UsageError) -> Priority {
        if let priority = Priority(word: text) { return priority }
        throw UsageError(
            .badValue,
            "'--priority' must be \(self.priorities.listed("or")), or h, m, l, 1 to 9, '!', '!!' or '!!!', not "
                + "'\(Sanitizer.excerpt(text))'."
        )
    }

    /// The repetition for English words or the text of an RRULE; `nil` for `none` and `never`.
    static func repetition(_ text: String) throws(UsageError) -> RepeatPhrase? {
        try UsageError.phrase { () throws(PhraseError) in try RepeatPhrase.read(text) }
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

    /// - Returns: the colour as `#RRGGBB`, in capitals.

    static func color(_ text: String, called name: String = "'--color'") throws(UsageError) -> LabelColor {
        if let color = LabelColor(argument: text) { return color }
        throw UsageError(
            .badValue,
            "\(name) must be six hexadecimal digits such as '#FF5722', or a name such as amber, light-blue or tomato, "
                + "not '\(text)'."
        )
    }
}
