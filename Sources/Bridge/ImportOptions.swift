package import ICalendar
package import TaskFormats

/// The formats that an import reads.
package enum ImportFormat: Hashable, Sendable {
    /// iCalendar (RFC 5545).
    case ics
    /// Another program's.
    case other(TaskFormat)

    /// The format that goes by this word.
    package init?(word: String) {
        if word == Self.ics.word {
            self = .ics
        } else if let format = TaskFormat(rawValue: word) {
            self = .other(format)
        } else {
            return nil
        }
    }

    /// What a command line calls it.
    package var word: String { self.mover?.rawValue ?? "ics" }

    /// All of them.
    package static let all: [Self] = [.ics] + TaskFormat.allCases.map { .other($0) }

    var mover: TaskFormat? { if case .other(let format) = self { format } else { nil } }
}

/// What words about a date mean, as a person says them.
package struct ImportPhrase: Hashable, Sendable {
    /// The first date, `nil` when the words name none.
    package var due: DueChoice?
    /// How it repeats, `nil` when it does not.
    package var rule: RecurrenceRule?

    /// Everything at once.
    package init(due: DueChoice?, rule: RecurrenceRule?) {
        self.due = due
        self.rule = rule
    }
}

/// How a file is imported.
package struct ImportOptions: Sendable {
    /// The format, `nil` to tell it by the content.
    package var format: ImportFormat?
    /// Whether events become reminders.
    package var takesEvents: Bool
    /// Whether what another list has already comes into this one as well.
    package var copies: Bool
    /// Reads English words about a date; `nil` for what it does not understand.
    package var phrase: @Sendable (String) -> ImportPhrase?
    /// What a file of another program may ask of us.
    package var limits = ImportLimits.standard

    /// The format by the content, no events, no copies, and no words.
    package init(
        format: ImportFormat? = nil,
        takesEvents: Bool = false,
        copies: Bool = false,
        phrase: @escaping @Sendable (String) -> ImportPhrase? = { _ in nil }
    ) {
        self.format = format
        self.takesEvents = takesEvents
        self.copies = copies
        self.phrase = phrase
    }
}
