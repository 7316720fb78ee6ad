public import RemindavBridge
import RemindavTaskFormats

/// The result of an import, or the expected result of a dry run.
public struct ImportResult: Hashable, Sendable {
    /// A part of the file that was not imported as it is.
    public struct Issue: Hashable, Sendable {
        /// The number of the line, from 1; `nil` if the issue has no line.
        public let line: Int?
        /// A stable identifier of the kind of issue.
        public let code: String
        /// One sentence for the user.
        public let message: String
    }

    /// The number of new reminders.
    public let added: Int
    /// The number of reminders that the file has in a newer version.
    public let updated: Int
    /// The number of reminders that the store already has in this version.
    public let unchanged: Int
    /// The number of components that were not imported, such as events.
    public let skipped: Int
    /// The issues, by line.
    public let issues: [Issue]
    /// The run for ``Remindav/undo(run:)``; `nil` if nothing was changed.
    public let run: Int64?

    init(_ report: ImportReport) {
        (self.added, self.updated, self.unchanged) = (report.added, report.updated, report.unchanged)
        (self.skipped, self.run) = (report.skipped, report.run)
        self.issues = report.issues.map { Issue(line: $0.line, code: $0.code, message: $0.message) }
    }
}

/// A format of an export.
public enum ExportFormat: Hashable, Sendable, CaseIterable {
    /// The stored iCalendar texts, without a loss.
    case iCalendar
    /// A JSON object without a loss; each list, each label and each reminder is on a line of its own.
    case json
    /// A table (RFC 4180).
    case csv
    /// A Markdown checklist for each list.
    case markdown
    /// A text for todo.txt programs.
    case todoTxt
    /// The file of `task import`.
    case taskwarrior
    /// A project of Todoist.
    case todoist
    /// The file of Google Takeout.
    case googleTasks
    /// The table of Outlook's import.
    case outlook

    /// `nil` for iCalendar, which needs no conversion.
    fileprivate var form: ExportForm? {
        switch self {
        case .iCalendar: nil
        case .json: .json
        case .csv: .csv
        case .markdown: .markdown
        case .todoTxt: .todoTxt
        case .taskwarrior: .taskwarrior
        case .todoist: .todoist
        case .googleTasks: .google
        case .outlook: .outlook
        }
    }
}

extension Remindav {
    /// Imports a file of iCalendar or of another program in one transaction; an incomplete file changes nothing.
    ///
    /// The format is found from the content. A reminder that the store already has is updated if the file has a newer
    /// version.
    ///
    /// - Parameters:
    ///   - bytes: the content of the file.
    ///   - name: the name of the file in messages; its ending helps to find the format.
    ///   - list: the list, which is created if necessary; `nil` for the lists that the file names, or the default list.
    ///   - isDryRun: whether the result is only computed, and nothing is stored.
    public func importFile(
        _ bytes: [UInt8],
        named name: String,
        list: String? = nil,
        isDryRun: Bool = false
    ) throws(RemindavError) -> ImportResult {
        try self.perform {
            ImportResult(
                try self.useCases.importCalendar(.bytes(bytes, name: name), list: list, dryRun: isDryRun) { _ in }
            )
        }
    }

    /// Returns the reminders that match as a file.
    public func export(
        _ format: ExportFormat = .iCalendar,
        matching filter: ReminderFilter = ReminderFilter(includesCompleted: true)
    ) throws(RemindavError) -> [UInt8] {
        try self.perform {
            var bytes: [UInt8] = []
            if let form = format.form {
                _ = try self.useCases.exportReminders(as: form, matching: filter, words: { $0 }) { bytes += $0 }
            } else {
                _ = try self.useCases.exportCalendar(matching: filter, style: .todo) { bytes += $0 }
            }
            return bytes
        }
    }
}
