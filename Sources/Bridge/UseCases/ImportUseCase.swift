import RemindavDatePhrases
import RemindavICalendar
package import RemindavJSON
import RemindavPlatform
import RemindavRecurrence
import RemindavReminders
import RemindavStore
import RemindavTaskFormats

/// The result of one file of an import.
package struct ImportedFile: Sendable {
    /// The name of the file in messages.
    package let name: String
    package let result: Result<ImportReport, any Error>
}

/// A file that was not imported, as JSON.
package struct ImportFailure: JSONRecord {
    let file: String
    /// The reason and the advice.
    let error: String

    package init(file: String, error: String) {
        self.file = file
        self.error = error
    }

    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("file") { $0.file }, JSONMember("error") { $0.error },
    ]
}

/// A file to import; it is opened when the import reaches it, so an import of thousands of files has few open.
package struct ImportSource: Sendable {
    package let name: String
    /// Whether reading may wait for another program, so that the content is read before the transaction begins.
    package let isStream: Bool
    let open: @Sendable () throws -> ByteSource

    package init(name: String, isStream: Bool, open: @escaping @Sendable () throws -> ByteSource) {
        self.name = name
        self.isStream = isStream
        self.open = open
    }
}

/// The state of an import that later files need.
private struct ImportProgress {
    /// The journal run of the import; `nil` before the first change.
    var run: RunID?
    /// The reminders whose change is in the journal.
    var recorded: Set<ObjectID> = []
    /// The number of to-dos in the files that were applied.
    var count = 0
}

extension UseCases {
    /// Imports the to-dos of one file in one transaction; an incomplete file changes nothing.
    ///
    /// A newer version in the file replaces an existing to-do. An iCalendar import needs memory for the largest to-do.
    /// Any other import needs memory for the whole file; ``ImportLimits`` restrict its size.
    ///
    /// - Parameters:
    ///   - name: the list, which is created if it gets a reminder. `nil` means the lists that the file names, or the
    ///     default list. A reminder that another list contains stays there, except if the options request copies.
    ///   - progress: called with the number of imported to-dos.
    package func importCalendar(
        _ source: ByteSource,
        list name: String?,
        dryRun: Bool,
        options: ImportOptions = ImportOptions(),
        progress: @Sendable (Int) -> Void
    ) throws -> ImportReport {
        let file = ImportSource(name: source.name, isStream: true) { source }
        let files = try self.importFiles([file], list: name, dryRun: dryRun, options: options, progress: progress)
        guard let result = files.first?.result else { throw UseCaseError(.fileNotReadable, subject: source.name) }
        return try result.get()
    }

    /// Imports the to-dos of files in one transaction and one journal run; a file that fails changes nothing.
    ///
    /// - Returns: a result per file, in the order of `sources`; the files of a ZIP archive have a result each.
    /// - Throws: an error of the store, or the error of the only file. The parameters are those of
    ///   ``importCalendar(_:list:dryRun:options:progress:)``.
    package func importFiles(
        _ sources: [ImportSource],
        list name: String?,
        dryRun: Bool,
        options: ImportOptions,
        progress: @Sendable (Int) -> Void
    ) throws -> [ImportedFile] {
        // A pipe may be slow, so its content is copied before the transaction begins.
        var ready: [Int: [ReadyFile]] = [:]
        for (index, source) in sources.enumerated() where source.isStream || sources.count == 1 {
            ready[index] = self.prepare(source, options)
        }
        let isOnly = sources.count == 1 && ready[0]?.count == 1
        if isOnly, case .failure(let error)? = ready[0]?.first?.input { throw error }
        return try self.store.write { transaction in
            let now = self.editing.now.secondsSince1970
            let former = Set(try transaction.lists().map(\.id))
            var state = ImportProgress()
            var files: [ImportedFile] = []
            for (index, source) in sources.enumerated() {
                for file in ready[index] ?? self.prepare(source, options) {
                    let result = try self.apply(
                        file,
                        to: name,
                        options,
                        in: transaction,
                        isOnly: isOnly,
                        &state,
                        progress
                    )
                    files.append(ImportedFile(name: file.name, result: result))
                }
            }
            if let run = state.run {
                try transaction.recordTexts(of: run)
                try transaction.recordLists(besides: former, of: run, at: now)
            }
            if dryRun { transaction.discard() }
            let run = dryRun ? nil : state.run?.rawValue
            return files.map { file in
                ImportedFile(
                    name: file.name,
                    result: file.result.map { report in
                        var report = report
                        report.file = file.name
                        report.run = run
                        return report
                    }
                )
            }
        }
    }

    private func apply(
        _ file: ReadyFile,
        to name: String?,
        _ options: ImportOptions,
        in transaction: StoreTransaction,
        isOnly: Bool,
        _ state: inout ImportProgress,
        _ progress: (Int) -> Void
    ) throws -> Result<ImportReport, any Error> {
        let before = state
        func work() throws -> ImportReport {
            try self.apply(file.input.get(), to: name, options, in: transaction, &state) { progress(before.count + $0) }
        }
        // The only file needs no savepoint, because its failure discards the whole transaction.
        if isOnly { return .success(try work()) }
        do {
            return .success(try transaction.attempt(work))
        } catch let error as DatabaseError {
            throw error
        } catch {
            state = before
            return .failure(error)
        }
    }

    private func apply(
        _ input: ImportInput,
        to name: String?,
        _ options: ImportOptions,
        in transaction: StoreTransaction,
        _ state: inout ImportProgress,
        _ progress: (Int) -> Void
    ) throws -> ImportReport {
        let standard = self.configuration.defaultList
        let editing = self.editing
        let now = editing.now.secondsSince1970
        try transaction.prepareDefaultList()
        let lists = try transaction.lists()
        let formerLists = Set(lists.map(\.id))
        var tasks: ParsedTasks?
        if case .tasks(let parsed) = input { tasks = parsed }
        // An import into one read-only list fails. In a file that names lists, only reminders of read-only lists are
        // skipped and reported.
        if name != nil || tasks == nil, let existing = try transaction.list(name, orStandard: standard),
            existing.isReadOnly
        {
            throw UseCaseError(.listIsReadOnly, subject: existing.name)
        }
        if name == nil, let tasks { try transaction.makeLists(tasks.lists, standard: standard, at: now) }
        let target = try transaction.listForImport(name, standard: standard, namesLists: tasks != nil, at: now)
        var stream = StreamImport(
            transaction: transaction,
            reader: self.reader,
            editing: editing,
            others: options.copies ? [] : lists.filter { !$0.isReadOnly },
            importsEvents: options.importsEvents,
            list: target,
            report: ImportReport(list: target.name)
        )
        stream.run = state.run
        stream.recorded = state.recorded
        switch input {
        case .tasks(let tasks):
            if name == nil {
                stream.lists = TargetLists(
                    standard: target,
                    lists: try transaction.lists(),
                    room: options.limits.lists
                )
            }
            try stream.apply(tasks, progress: progress)
        case .calendar(let source, let beginning):
            let isCalendar = options.format == .ics
            try stream.apply(beginning, isCalendar: isCalendar, named: source.name, progress: progress) {
                try source.read(Self.pieceBytes)
            }
        }
        try self.apply(stream.labels, &stream)
        if name != nil, !formerLists.contains(target.id) {
            stream.report.makesList = try transaction.objectCount(in: target.id) > 0
            // The named list is not created if all reminders of the file stay in other lists.
            if !stream.report.makesList { try transaction.deleteEmptyLists(besides: formerLists) }
        }
        try transaction.settleDefaultList()
        state.run = stream.run
        state.recorded = stream.recorded
        state.count += stream.outcomes.total
        return stream.report
    }

    /// Applies the labels of a file, also labels that were deleted here, because an import restores the file's content.
    private func apply(_ labels: LabelUpdates, _ stream: inout StreamImport) throws(DatabaseError) {
        guard !labels.isEmpty else { return }
        let known = try stream.transaction.knownLabels()
        stream.report.labels = try stream.transaction.apply(
            labels,
            restoresDeleted: true,
            at: stream.now,
            newID: self.newUID
        )
        try stream.transaction.recordLabels(since: known, of: &stream.run, at: stream.editing.now)
    }
}
