import DatePhrases
import ICalendar
import Platform
import Recurrence
import Reminders
import Store
import TaskFormats

/// A file to import: an iCalendar source, or the parsed tasks of another format.
private enum ImportInput {
    case calendar(ByteSource, beginning: [UInt8])
    case tasks(ParsedTasks)
}

extension UseCases {
    private static let pieceBytes = 1 << 18
    /// The number of bytes for detecting the format; no header line is longer.
    private static let beginningBytes = 1 << 14
    /// The maximum number of bytes copied from standard input: ten times the size of a million to-dos with notes.
    private static let maximumSpooledBytes = 4 << 30
    private static let spoolNameBytes = 8

    /// Imports the to-dos of a file in one transaction; an incomplete file changes nothing.
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
        let beginning = try Self.beginning(of: source)
        let isForeign = options.format.map { $0 != .ics } ?? TaskFormat.isForeign(beginning)
        // An import into one read-only list fails. In a file that names lists, only reminders of read-only lists are
        // skipped and reported.
        if name != nil || !isForeign {
            let standard = self.configuration.defaultList
            let existing = try self.store.read { snapshot in try snapshot.list(name, orStandard: standard) }
            if let existing, existing.isReadOnly { throw UseCaseError(.listIsReadOnly, subject: existing.name) }
        }
        // A pipe may be slow, so its content is copied before the transaction begins.
        let input: ImportInput =
            isForeign
            ? .tasks(try self.parse(source, behind: beginning, options))
            : .calendar(try self.spooled(source, behind: beginning), beginning: beginning)
        return try self.store.write { transaction in
            var report = try self.apply(input, to: name, options, in: transaction, progress)
            if dryRun {
                transaction.discard()
                report.run = nil
            }
            return report
        }
    }

    private func apply(
        _ input: ImportInput,
        to name: String?,
        _ options: ImportOptions,
        in transaction: StoreTransaction,
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
        if let run = stream.run { try transaction.recordTexts(of: run) }
        try self.apply(stream.labels, &stream)
        if name != nil, !formerLists.contains(target.id) {
            stream.report.makesList = try transaction.objectCount(in: target.id) > 0
            // The named list is not created if all reminders of the file stay in other lists.
            if !stream.report.makesList { try transaction.deleteEmptyLists(besides: formerLists) }
        }
        try transaction.settleDefaultList()
        if let run = stream.run { try transaction.recordLists(besides: formerLists, of: run, at: now) }
        stream.report.run = stream.run?.rawValue
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

    // MARK: Reading

    private static func beginning(of source: ByteSource) throws -> [UInt8] {
        try self.bytes(of: source, behind: source.read(self.pieceBytes)) { $0 < self.beginningBytes }
    }

    private static func bytes(
        of source: ByteSource,
        behind beginning: [UInt8],
        while continues: (Int) -> Bool
    ) throws -> [UInt8] {
        var bytes = beginning
        while continues(bytes.count) {
            let piece = try source.read(self.pieceBytes)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Copies the bytes after `beginning` into a file if the size of the source is unknown, and returns that file.
    ///
    /// Any other source is returned unchanged. For a store in memory, nothing is copied: it has no folder for the file,
    /// and its transaction blocks no other process.
    private func spooled(_ source: ByteSource, behind beginning: [UInt8]) throws -> ByteSource {
        guard source.size == 0, let folder = self.store.folder, !beginning.isEmpty else { return source }
        let name = ".import-\(self.configuration.randomBytes(Self.spoolNameBytes).hexadecimal)"
        let file = try SpoolFile(in: folder, name: name)
        var count = beginning.count
        while true {
            let piece = try source.read(Self.pieceBytes)
            if piece.isEmpty { break }
            count += piece.count
            guard count <= Self.maximumSpooledBytes else { throw UseCaseError(.inputTooLong, subject: source.name) }
            try file.write(piece)
        }
        try file.rewind()
        return ByteSource(name: source.name) { limit in try file.read(limit) }
    }

    private func parse(_ source: ByteSource, behind beginning: [UInt8], _ options: ImportOptions) throws -> ParsedTasks
    {
        let local = self.reader.local
        let now = self.configuration.now()
        let zone = LocalZone.named(self.configuration.localZone, zones: self.configuration.zones, now: now)
        // If the local zone is unknown, the importer parses no date phrases.
        let parser = zone.map { DuePhraseParser(now: now, zone: $0) }
        var context = ImportContext(localZone: self.configuration.localZone, zones: self.configuration.zones) { words in
            parser?.read(words).map { phrase in
                let due = phrase.due.map(self.moment)
                return PhraseMeaning(due: due, rule: phrase.rule.map { $0.agreeing(with: due, zones: local) })
            }
        }
        context.limits = options.limits
        let limit = context.limits.fileBytes
        let bytes = try Self.bytes(of: source, behind: beginning) { $0 <= limit }
        guard bytes.count <= limit else { throw UseCaseError(.fileTooLarge, subject: source.name) }
        guard !bytes.isUTF16OfAnyText else { throw UseCaseError(.utf16, subject: source.name) }
        do throws(TaskFormatError) {
            return try ParsedTasks(bytes, format: options.format?.taskFormat, in: context)
        } catch {
            throw UseCaseError(error, named: source.name)
        }
    }
}

extension UseCaseError {
    fileprivate init(_ error: TaskFormatError, named name: String) {
        let place = error.line.map { "\(name), line \($0)" } ?? name
        switch error.code {
        case .cutShort: self.init(.fileCutShort, subject: place)
        case .tooMany: self.init(.beyondLimits, subject: "\(place): \(error.code.rawValue)")
        case .unknownFormat: self.init(.formatUnknown, subject: name)
        case .notInFormat: self.init(.notInFormat, subject: name)
        case .notJSON, .noTable, .otherColumns: self.init(.notInFormat, subject: "\(place): \(error.code.rawValue)")
        }
    }
}

extension [UInt8] {
    /// Whether the text is UTF-16: it begins with a byte order mark or an ASCII character in UTF-16.
    fileprivate var isUTF16OfAnyText: Bool {
        guard self.count >= 4 else { return false }
        switch (self[0], self[1]) {
        case (0xFF, 0xFE), (0xFE, 0xFF): return true
        case (0, let letter): return letter != 0 && self[2] == 0
        case (let letter, 0): return letter != 0 && self[3] == 0
        default: return false
        }
    }
}
