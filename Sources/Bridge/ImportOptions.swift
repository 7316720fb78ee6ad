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
        } else if let format = TaskFormat(named: word) {
            self = .other(format)
        } else {
            return nil
        }
    }

    /// What a command line calls it.
    package var word: String { self.taskFormat?.name ?? "ics" }

    /// All of them.
    package static let all: [Self] = [.ics] + TaskFormat.all.map { .other($0) }

    var taskFormat: TaskFormat? { if case .other(let format) = self { format } else { nil } }
}

/// How a file is imported.
package struct ImportOptions: Sendable {
    /// The format, `nil` to tell it by the content.
    package var format: ImportFormat?
    /// Whether events become reminders.
    package var takesEvents: Bool
    /// Whether what another list has already comes into this one as well.
    package var copies: Bool
    /// What a file of another program may ask of us.
    package var limits = ImportLimits.standard

    package init(format: ImportFormat? = nil, takesEvents: Bool = false, copies: Bool = false) {
        self.format = format
        self.takesEvents = takesEvents
        self.copies = copies
    }
}
