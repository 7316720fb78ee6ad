import JSON

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
            unknownZone, repeatWithoutDate
        case repeatsAfterCompletion, deadlineBesideDate, startAfterDue, parentMissing, datesAmbiguous, datesDayFirst,
            notUTF8, standsAlone
        case differsHere, olderThanStored, listReadOnly, uidTooLong
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
        case .badRow: (.error, "the row is no task and was left out", "See that it has what the other rows have.")
        case .badJSON: (.error, "this is no JSON; the task was left out", "Export the file again, or mend the line.")
        case .unclosedQuote:
            (.error, "a quotation mark is not closed; the row was left out", "Close it, or double it inside a field.")
        case .fieldTooLong: (.error, "a field is longer than 1 MiB; the task was left out", "Shorten the field.")
        case .uidTooLong:
            (.error, "the UID is longer than 1,024 bytes; the to-do was left out", "Shorten the UID where it occurs.")
        case .tooDeep: (.error, "it is nested more than 32 deep; the task was left out", "Take the nested part out.")
        case .tooManyFields:
            (.error, "the row has more than 256 fields and was left out", "See that its quotation marks are right.")
        case .tooManyValues:
            (
                .error,
                "the task has more than 256 labels, reminders or dependencies, or a label of over 1 KiB; it was left out",
                "See that the file is what the program wrote."
            )
        case .taskTooLong:
            (.error, "the task's texts are together longer than 2 MiB; it was left out", "Shorten its notes.")
        case .missingTitle: (.error, "it has no title and was left out", "Give it one where it comes from.")
        case .badDate:
            (.error, "this is no date that can be read; it is kept in the notes", "Set it with 'remindav edit'.")
        case .badRepeat:
            (.error, "this way to repeat cannot be written as a rule; it is kept in the notes", Self.setIt)
        case .badReminder: (.error, "the reminder's time cannot be read; it is kept in the notes", "Set it anew.")
        case .badValue:
            (.warning, "this value is not known; it is kept under a name with X-", "Set it with 'remindav edit'.")
        case .phraseNotUnderstood:
            (.error, "these words are not understood; they are kept in the notes", "Set the date: 'remindav edit'.")
        case .unknownZone:
            (.warning, "this time zone is not known; the time is read on the clock here", "Check the time.")
        case .repeatWithoutDate:
            (.error, "it repeats and has no date to count from; how is kept in the notes", Self.setIt)
        case .repeatsAfterCompletion:
            (.warning, "it repeated from the day it was done; now it does from the day it is due", Self.setIt)
        case .deadlineBesideDate:
            (
                .info, "it has a date and a deadline; it is due on the date, and the deadline is in the notes",
                "Set it with 'remindav edit ID --due'."
            )
        case .startAfterDue: (.info, "it starts after it is due; the start is kept as X-REMINDAV-START", "Check both.")
        case .parentMissing:
            (.warning, "its parent is not in the file; it is still named", "Export the parent as well.")
        case .datesAmbiguous:
            (
                .warning, "the dates of the file are read as month/day/year, and nothing in them says so",
                "Check one; if they are wrong, export with dates such as 2026-12-01."
            )
        case .datesDayFirst:
            (.info, "the dates of the file are read as day/month/year, which is how some of them are", "Check one.")
        case .notUTF8: (.warning, "the file is not UTF-8 and is read as Windows-1252", "Check the letters.")
        case .standsAlone:
            (.warning, "it differs from the series that it is of and comes in beside it", "Delete one of the two.")
        case .differsHere:
            (
                .info, "what is here differs, and the file does not say which is newer; what is here stays",
                "Delete it here to import it anew."
            )
        case .olderThanStored:
            (
                .warning, "the reminder here is newer and was kept; the row differs",
                "Edit the reminder here, or export again and edit that."
            )
        case .listReadOnly:
            (.error, "its list is one that the server lets nobody change; it was left out", "Name a list: --list NAME.")
        }
    }

    private static let setIt = "Set it with 'remindav edit ID --repeat'."
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
        case cutShort = "the file ends in the middle"
        case tooMany = "there is more in it than any person has"
        case unknownFormat = "it is of no program that is known here"
        case notInFormat = "it is not in that format"
        case notJSON = "it is no JSON"
        case otherColumns = "its first line does not name the columns that the format has"
        case noTable = "it is no table with names of columns in its first line"
    }

    package let code: Code
    /// The line of the problem; `nil` when the problem concerns the whole file.
    package let line: Int?

    init(_ code: Code, line: Int? = nil) {
        self.code = code
        self.line = line
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
