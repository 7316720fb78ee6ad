import RemindavJSON
import RemindavReminders

/// A finding for the user about a row of another program's file.
package struct ImportIssue: Hashable, Sendable {
    /// The severity, with the same raw values as for iCalendar issues.
    package enum Severity: String, Sendable {
        /// No data is lost.
        case info
        /// The importer changed a value, and the imported task keeps the original text.
        case warning
        /// Data is lost, or only the notes contain it.
        case error
    }

    /// The kind of a finding; the raw value identifies it in JSON.
    package enum Code: String, Sendable, CaseIterable {
        case badRow, badJSON, unclosedQuote, fieldTooLong, tooDeep, tooManyFields
        case tooManyValues, taskTooLong, missingTitle, badDate, badRepeat, badReminder, badValue, phraseNotUnderstood,
            phraseNotEnglish, unknownZone, repeatWithoutDate
        case repeatsAfterCompletion, datesSkipped, deadlineBesideDate, startAfterDue, parentMissing, datesDayFirst,
            notUTF8, standsAlone, endsThere, untitled
        case differsHere, changedTwice, deletedThere, deletedThereEditedHere, olderThanStored, listReadOnly, uidTooLong
    }

    /// The line in the file, counted from 1; for JSON, the first line of the task.
    package let line: Int
    package let code: Code
    /// The column or member with the problem, by its name in the format; it never contains text of the user.
    package let subject: String?
    /// The title of the task; like `words`, it may go to the user's own output, but never into a log.
    package let title: String?
    package let words: String?

    package init(_ code: Code, line: Int, subject: String? = nil, title: String? = nil, words: String? = nil) {
        self.line = line
        self.code = code
        self.subject = subject
        self.title = title
        self.words = words
    }

    package var severity: Severity { self.code.words.severity }

    package var message: String {
        self.subject.map { "\($0): \(self.code.words.sentence)" } ?? self.code.words.sentence
    }

    package var advice: String { self.code.words.advice }
}

extension ImportIssue.Code {
    var words: (severity: ImportIssue.Severity, sentence: String, advice: String) {
        switch self {
        case .badRow: (.error, "the row is not a task and was left out", "Compare it with the other rows.")
        case .badJSON:
            (.error, "this is not valid JSON; the task was left out", "Export the file again, or correct the line.")
        case .unclosedQuote:
            (.error, "a quotation mark is not closed; the row was left out", "Close it. In a field, write it twice.")
        case .fieldTooLong: (.error, "a field is longer than 1 MiB; the task was left out", "Shorten the field.")
        case .uidTooLong:
            (.error, "the UID is longer than 1,024 bytes; the reminder was left out", "Shorten it in the whole file.")
        case .tooDeep:
            (.error, "the task has more than 32 nested levels and was left out", "Remove the nested part.")
        case .tooManyFields:
            (.error, "the row has more than 256 fields and was left out", "Check the quotation marks in the row.")
        case .tooManyValues:
            (
                .error,
                "the task has more than 256 labels, alarms or dependencies, or a label over 1 KiB; it was left out",
                "Export the file again, or remove some of them."
            )
        case .taskTooLong:
            (.error, "the texts of the task are longer than 2 MiB in total; it was left out", "Shorten its notes.")
        case .missingTitle:
            (.error, "the task has no title and was left out", "Add a title in the program that exported it.")
        case .untitled:
            (
                .info, "the task has no title; the reminder has the title '\(Reminder.untitled)'",
                "Set it with 'remindav edit ID --title TITLE'."
            )
        case .badDate:
            (.error, "the date cannot be read; it is kept in the notes", "Set it with 'remindav edit ID'.")
        case .badRepeat:
            (.error, "the repetition cannot be converted to a rule; it is kept in the notes", Self.setIt)
        case .badReminder:
            (
                .error, "the time of the alarm cannot be read; it is kept in the notes",
                "Set it with 'remindav edit ID --alarm WHEN'."
            )
        case .badValue:
            (.warning, "this value is unknown; it is kept in an X- property", "Set it with 'remindav edit ID'.")
        case .phraseNotUnderstood:
            (
                .error, "this phrase is not understood; it is kept in the notes",
                "Set the date with 'remindav edit ID'."
            )
        case .phraseNotEnglish:
            (
                .error, "the phrase is not English, and remindav reads only English; it is kept in the notes",
                "Set the date with 'remindav edit ID --due WHEN'."
            )
        case .unknownZone:
            (.error, "this time zone is unknown; the time is read as local time", "Check the time.")
        case .repeatWithoutDate:
            (
                .error, "the task repeats but has no date; the repetition is kept in the notes",
                "Set both with 'remindav edit ID --due WHEN --repeat HOW'."
            )
        case .repeatsAfterCompletion:
            (
                .warning, "the task repeats after its completion date, but the reminder repeats after its due date",
                Self.setIt
            )
        case .datesSkipped:
            (
                .warning, "the rule skips each month or year that lacks this day",
                "If this is not intended, change it with 'remindav edit ID --repeat HOW'."
            )
        case .deadlineBesideDate:
            (
                .info, "the task has a date and a deadline; the date is the due time, and the deadline is in the notes",
                "Change it with 'remindav edit ID --due WHEN'."
            )
        case .startAfterDue:
            (.info, "the start is after the due time; it is kept as X-REMINDAV-START", "Check both dates.")
        case .parentMissing:
            (.warning, "the parent is not in the file; the reminder still refers to it", "Export the parent as well.")
        case .datesDayFirst:
            (
                .info, "the dates of the file are read as day/month/year, because some have no other meaning",
                "Check one date."
            )
        case .notUTF8: (.warning, "the file is not UTF-8; it is read as Windows-1252", "Check the letters.")
        case .standsAlone:
            (
                .warning, "the task differs from its series; it becomes a separate reminder, which the series skips",
                "Check both."
            )
        case .endsThere:
            (
                .info, "Taskwarrior deletes the task on this day; the reminder stays, with X-TASKWARRIOR-UNTIL",
                "Delete it when it is no longer needed."
            )
        case .differsHere:
            (
                .info, "the local reminder differs and was not changed, because the file does not state which is newer",
                "Delete the local reminder to import it again."
            )
        case .changedTwice:
            (
                .warning, "the field was changed here and in the file; the reminder keeps its value",
                "Edit the reminder if the value in the file is the right one."
            )
        case .deletedThere:
            (
                .info, "its program deleted the task, so the reminder is in the trash",
                "Restore it with 'remindav undo' or from the trash."
            )
        case .deletedThereEditedHere:
            (
                .warning, "its program deleted the task; the reminder stays, because it was edited here",
                "Delete it with 'remindav delete ID' if it is not needed."
            )
        case .olderThanStored:
            (
                .warning, "the local reminder is newer and was not changed; the row differs",
                "Edit the local reminder, or export again and edit the new file."
            )
        case .listReadOnly:
            (.error, "the list of the task is read-only; the task was left out", "Choose a list with '--list NAME'.")
        }
    }

    private static let setIt = "Set it with 'remindav edit ID --repeat HOW'."
}

/// Collects findings; beyond `limit`, it only counts them.
struct FindingList {
    private(set) var findings: [ImportIssue] = []
    private(set) var count = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func add(_ code: ImportIssue.Code, line: Int, _ subject: String? = nil) {
        self.add(ImportIssue(code, line: line, subject: subject))
    }

    /// Adds a finding about a task; `words` is the text in the file that caused it.
    mutating func add(_ code: ImportIssue.Code, of todo: ImportedTask, _ subject: String? = nil, words: String? = nil) {
        self.add(ImportIssue(code, line: todo.line, subject: subject, title: todo.title, words: words))
    }

    /// Creates a list with the errors of the elements that a JSON reader skipped.
    init(_ reader: JSONReader, limits: ImportLimits) {
        self.init(limit: limits.findings)
        for error in reader.errors {
            self.add(
                error.code == .tooDeep ? .tooDeep : error.code == .stringTooLong ? .fieldTooLong : .badJSON,
                line: error.line
            )
        }
        self.count = reader.skipped
    }

    private mutating func add(_ finding: ImportIssue) {
        self.count += 1
        if self.findings.count < self.limit { self.findings.append(finding) }
    }
}

/// The reason why a file cannot be read at all.
package struct TaskFormatError: Error, Hashable, Sendable {
    package enum Code: String, Sendable {
        case cutShort = "the file is incomplete"
        case tooMany = "it has more entries than remindav imports"
        case unknownFormat = "the format is unknown"
        case notInFormat = "it is not in this format"
        case notJSON = "it is not JSON"
        case otherColumns = "its first line does not contain the column names of the format"
        case noTable = "it is not a table with column names in its first line"
        case noTitleColumn = "no column has the name 'title' or a similar name"
        case datesAmbiguous = "this date can be day/month or month/day"
    }

    package let code: Code
    /// The line of the problem; `nil` when the problem concerns the whole file.
    package let line: Int?
    /// The column names of a table without a title column; otherwise empty.
    package let columns: [String]

    init(_ code: Code, line: Int? = nil, columns: [String] = []) {
        self.code = code
        self.line = line
        self.columns = columns
    }

    init(_ error: JSONError) {
        let code: Code =
            switch error.code {
            case .invalid, .tooDeep, .stringTooLong, .notJSON: .notJSON
            case .truncated: .cutShort
            case .tooMany: .tooMany
            }
        self.init(code, line: error.line)
    }
}
