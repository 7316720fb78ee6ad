package import RemindavTaskFormats

/// The report of an import in sentences, for the command line and the page.
package struct ImportSentences: Sendable {
    package let report: ImportReport
    /// The name of the file in messages.
    package let name: String
    /// Whether the user named a list.
    package let hasList: Bool
    package let importsEvents: Bool
    /// How to import events, and how to import reminders that other lists contain; each begins a sentence.
    package let advice: (events: String, copies: String)
    /// Prepares a text of the file for a sentence: escapes and shortens it.
    package let excerpt: @Sendable (String) -> String

    /// The maximum number of issues, lists and lines in the sentences; more are not useful for a person.
    package static let shown = 20

    package init(
        _ report: ImportReport,
        name: String,
        hasList: Bool,
        importsEvents: Bool,
        advice: (events: String, copies: String),
        excerpt: @escaping @Sendable (String) -> String
    ) {
        self.report = report
        self.name = name
        self.hasList = hasList
        self.importsEvents = importsEvents
        self.advice = advice
        self.excerpt = excerpt
    }

    /// The first issues; ``ImportReport/issueCount`` has the number of all.
    package var issues: [String] {
        self.report.issues.prefix(Self.shown).map { issue in
            "\(self.name), line \(issue.line): \(issue.message)\(self.about(issue))"
        }
    }

    /// The words that caused an issue and the title of their task, as ` ('every blue moon', of 'Pay rent')`.
    private func about(_ issue: IssueView) -> String {
        let words = issue.words.map { "'\(self.excerpt($0))'" }
        let title = issue.title.map { "of '\(self.excerpt($0))'" }
        let parts = [words, title].compactMap { $0 }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    /// The sentences about parts of the file that need an explanation.
    package var remarks: [String] {
        let report = self.report
        var sentences: [String] = []
        if report.foreign > 0 {
            sentences.append("Events and journal entries left out: \(report.foreign).")
            if report.events > 0, !self.importsEvents {
                let events = report.events == 1 ? "1 event" : "\(report.events) events"
                sentences.append("The file has \(events). \(self.advice.events) the events that are not over.")
            }
        } else if report.isEmpty {
            sentences.append("\(self.name) contains no reminder.")
        }
        if self.hasList, !report.elsewhere.isEmpty {
            let places = report.elsewhere.sorted { $0.key < $1.key }.map { "\($0.value) in '\(self.excerpt($0.key))'" }
            sentences.append(
                """
                Already in other lists, where they stay: \(places.joined(separator: ", ")). \(self.advice.copies) them \
                into '\(self.excerpt(report.list))'.
                """
            )
        }
        if report.past > 0 { sentences.append("Past events left out: \(report.past).") }
        if report.leftOut > 0 {
            sentences.append("Deleted tasks and occurrences of imported series left out: \(report.leftOut).")
        }
        if !report.keptRules.isEmpty { sentences.append(self.keptRules) }
        return sentences
    }

    private var keptRules: String {
        let lines = self.report.keptRules.prefix(Self.shown).map(String.init).joined(separator: ", ")
        let more = self.report.keptRules.count > Self.shown ? ", …" : ""
        let repeating =
            self.report.repeating == 1 ? "1 repeating reminder" : "\(self.report.repeating) repeating reminders"
        return """
            Repeat rules that are stored but cannot be edited: \(self.report.keptRules.count) (of \(repeating); \
            line \(lines)\(more)).
            """
    }

    /// The counts, as `3 added, 0 updated, 1 unchanged, 0 left out (list Home)`.
    package var counts: String {
        let report = self.report
        let deleted = report.deleted > 0 ? "\(report.deleted) deleted, " : ""
        return """
            \(report.added) added, \(report.updated) updated, \(report.unchanged) unchanged, \
            \(deleted)\(report.skipped) left out (\(self.places))
            """
    }

    /// The lists of an import, as `list Home` or `lists Home, Work`.
    private var places: String {
        let lists = self.report.lists.isEmpty ? [self.report.list] : self.report.lists.sorted()
        let names = lists.prefix(Self.shown).map { self.excerpt($0) }.joined(separator: ", ")
        let more = lists.count > Self.shown ? " and \(lists.count - Self.shown) more" : ""
        return "\(lists.count == 1 ? "list" : "lists") \(names)\(more)"
    }
}

extension ExportLoss {
    /// The sentence about reminders with data that the format cannot express.
    ///
    /// - Parameters:
    ///   - titles: the titles of these reminders, or the names of the lists for ``ExportLoss/severalLists``.
    ///   - excerpt: prepares a title for a sentence.
    package func sentence(
        _ titles: [String],
        _ form: ExportForm,
        listAdvice: String,
        excerpt: (String) -> String
    ) -> String {
        let names = titles.prefix(Self.shownTitles).map { "'\(excerpt($0))'" }.joined(separator: ", ")
        let more = titles.count > Self.shownTitles ? " and \(titles.count - Self.shownTitles) more" : ""
        let format = form.rawValue
        let (effect, advice) =
            switch self {
            case .rule: ("the repetition is not in the output, because \(format) cannot contain it", Self.containsIt)
            case .exceptions:
                (
                    "the left-out dates of the repetition are not in the output, because \(format) cannot contain them",
                    "The formats ics and json contain them."
                )
            case .timeOfDay:
                ("the time of day is not in the output, because \(format) cannot contain it", Self.containsIt)
            case .keptRule:
                (
                    "\(format) cannot repeat by this rule. The output keeps the rule only for a later import",
                    Self.containsIt
                )
            case .changedDate:
                (
                    "the changes of one date only are not in the output, because \(format) cannot contain them",
                    "The formats ics, json and markdown contain them."
                )
            case .keptParent:
                ("\(format) has no subtasks. The output keeps the parent only for a later import", Self.containsIt)
            case .titleWords:
                (
                    "a program that reads \(format) takes words of the title as other fields",
                    "Change the title, or use ics or json."
                )
            case .severalLists:
                ("\(format) is one project, which has the reminders of all these lists", listAdvice)
            }
        return "\(names)\(more): \(effect). \(advice)"
    }

    private static let containsIt = "The formats ics and json contain it."

    /// The maximum number of titles in a sentence; it stays short for an export of thousands of reminders.
    private static let shownTitles = 5
}
