import DatePhrases
import ICalendar
import Platform
import Recurrence
import Reminders
import Store
import TaskFormats

extension UseCases {
    /// Bytes read from a file at a time.
    private static let pieceBytes = 1 << 18

    /// Bytes that are enough to tell a format by: more than any header line has.
    private static let beginningBytes = 1 << 14

    /// Brings the to-dos of a file into a list, in one transaction: all of them or, if the file breaks off, none.
    ///
    /// A to-do that is here already is replaced where the file's is newer; the same one stays as it is. The memory
    /// needed for iCalendar is that of the largest to-do, however long the stream; for the other formats that of the
    /// file, which ``ImportLimits`` bound.
    ///
    /// - Parameters:
    ///   - list: the list's name; made when there is none and something comes into it. `nil` for those that the file names,
    ///     else the one that is used when none is named. What another list has already stays there, unless copies are wanted.
    ///   - options: what else a person can say about it.
    ///   - progress: called now and then with the number of to-dos so far.
    package func importCalendar(
        _ source: ByteSource,
        list name: String?,
        dryRun: Bool,
        options: ImportOptions = ImportOptions(),
        progress: @Sendable (Int) -> Void
    ) throws -> ImportReport {
        let reader = self.reader
        let now = self.seconds
        let beginning = try Self.beginning(of: source)
        let isForeign = options.format.map { $0 != .ics } ?? TaskFormat.isForeign(beginning)
        // A file that names its lists skips reminders of read-only lists, and reports them.
        if name != nil || !isForeign, let existing = try self.existingList(name), existing.isReadOnly {
            throw UseCaseError(.listIsReadOnly, subject: existing.name)
        }
        // The transaction below must not wait for the writer of a pipe.
        let source = isForeign ? source : try self.spooled(source, behind: beginning)
        let reading = isForeign ? try self.read(source, behind: beginning, options) : nil
        let editing = self.editing
        let standard = self.configuration.defaultList
        return try self.store.write { transaction in
            try transaction.prepareDefaultList()
            let formerLists = Set(try transaction.lists().map(\.id))
            let others = options.copies ? [] : try transaction.lists().filter { !$0.isReadOnly }
            if name == nil, let reading { try transaction.makeLists(reading.lists, standard: standard, at: now) }
            let target = try transaction.listForImport(
                name,
                standard: standard,
                namesLists: reading != nil,
                at: now
            )
            var stream = StreamImport(
                list: target,
                others: others,
                takesEvents: options.takesEvents,
                reader: reader,
                now: now
            )
            stream.isSaidToBeCalendar = options.format == .ics
            if let reading {
                if name == nil {
                    let lists = try transaction.lists()
                    stream.places = TargetLists(standard: target, lists: lists, room: options.limits.lists)
                }
                try stream.run(reading, editing: editing, in: transaction, progress: progress)
            } else {
                try stream.run(
                    source,
                    behind: beginning,
                    pieceBytes: Self.pieceBytes,
                    in: transaction,
                    progress: progress
                )
            }
            try stream.endRun(in: transaction)
            // Whoever imports a file wants what is in it, also a label that was deleted since.
            if !stream.labels.isEmpty {
                let known = try transaction.knownLabels()
                stream.report.labels = try transaction.take(
                    stream.labels,
                    bringsBack: true,
                    at: self.seconds,
                    newID: self.newUID
                )
                try transaction.recordLabels(since: known, of: &stream.run, at: editing.now)
            }
            if name != nil, !formerLists.contains(target.id) {
                stream.report.makesList = try transaction.objectCount(in: target.id) > 0
                // Into a list that is named by a slip often nothing comes: what is in the file is here already.
                if !stream.report.makesList { try transaction.dropLists(besides: formerLists) }
            }
            try transaction.settleDefaultList()
            if let run = stream.run {
                try transaction.recordLists(besides: formerLists, of: run, at: editing.now.secondsSince1970)
            }
            if dryRun { transaction.discard() }
            stream.report.run = dryRun ? nil : stream.run?.rawValue
            return stream.report
        }
    }

    /// The remaining bytes of a source of unknown size, copied into a file; any other source unchanged.
    ///
    /// A dry run where there is no store yet blocks no other process, and has no folder for the file.
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

    /// Bytes of standard input that are copied to the disk of the store: ten times a million to-dos with notes.
    private static let maximumSpooledBytes = 4 << 30
    /// Random bytes in the name of a short-lived file.
    private static let spoolNameBytes = 8

    private static func beginning(of source: ByteSource) throws -> [UInt8] {
        var bytes = try source.read(self.pieceBytes)
        while bytes.count < self.beginningBytes {
            let piece = try source.read(self.pieceBytes)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Reads a file of another program, whole.
    private func read(_ source: ByteSource, behind beginning: [UInt8], _ options: ImportOptions) throws -> ParsedTasks {
        let local = self.reader.local
        let now = self.configuration.now()
        let zone = LocalZone.named(self.configuration.localZone, zones: self.configuration.zones, now: now)
        // Without a known zone no date phrase has a meaning.
        let parser = zone.map { DuePhraseParser(now: now, zone: $0) }
        var context = ImportContext(localZone: self.configuration.localZone, zones: self.configuration.zones) { words in
            parser?.read(words).map { phrase in
                let due = phrase.due.map(self.moment)
                return PhraseMeaning(due: due, rule: phrase.rule.map { $0.agreeing(with: due, zones: local) })
            }
        }
        context.limits = options.limits
        var bytes = beginning
        while bytes.count <= context.limits.fileBytes {
            let piece = try source.read(Self.pieceBytes)
            if piece.isEmpty { break }
            bytes += piece
        }
        guard bytes.count <= context.limits.fileBytes else { throw UseCaseError(.fileTooLarge, subject: source.name) }
        guard !bytes.isUTF16OfAnyText else { throw UseCaseError(.utf16, subject: source.name) }
        do throws(TaskFormatError) {
            return try ParsedTasks(bytes, format: options.format?.taskFormat, in: context)
        } catch {
            throw UseCaseError(error, named: source.name)
        }
    }

    private func existingList(_ name: String?) throws -> ListRecord? {
        let standard = self.configuration.defaultList
        return try self.store.read { snapshot in try snapshot.list(name, orStandard: standard) }
    }
}

extension StoreTransaction {
    /// The list that an import goes to; made when there is none.
    ///
    /// In a new store the list that is used when none is named is made before one that is: a file's must not become it.
    ///
    /// - Parameters:
    ///   - name: the one that is asked for, `nil` for the usual one.
    ///   - standard: what the settings name as the usual one, `nil` where they name none.
    ///   - namesLists: whether reminders name lists of their own, so that a default list that is read-only is no error.
    func listForImport(
        _ name: String?,
        standard: String?,
        namesLists: Bool,
        at now: Int64
    ) throws -> ListRecord {
        if namesLists, name == nil, standard == nil, let record = try self.defaultList(),
            let list = try self.list(record.list)
        {
            return list
        }
        if let list = try self.list(name, orStandard: standard) { return list }
        let lists = try self.lists()
        if name == nil, let standard, !lists.isEmpty { throw UseCaseError(.defaultListNotFound, subject: standard) }
        let first = standard ?? UseCases.firstListName
        if let name, lists.oldestWritable == nil, !name.isSameButForCase(as: first), try lists.named(first) == nil {
            _ = try self.insertList(named: first, at: now)
        }
        guard let list = try self.list(self.insertList(named: name ?? first, at: now)) else {
            throw UseCaseError(.listNotFound, subject: name)
        }
        return list
    }

    /// Takes away the lists that an import has made and into which nothing came.
    fileprivate func dropLists(besides former: Set<ListID>) throws(DatabaseError) {
        for list in try self.lists() where !former.contains(list.id) {
            if try self.objectCount(in: list.id) == 0 { try self.deleteList(list.id) }
        }
    }
}

extension IssueView {
    /// - Parameter line: what stands for its own line, `nil` for that.
    init(_ issue: ParseIssue, line: Int? = nil) {
        self.init(
            line: line ?? issue.line,
            code: issue.code.rawValue,
            severity: issue.code.severity.rawValue,
            subject: issue.subject,
            message: issue.message,
            advice: issue.advice,
            more: issue.more
        )
    }
}

extension IssueView {
    init(_ finding: ImportIssue) {
        self.init(
            line: finding.line,
            code: finding.code.rawValue,
            severity: finding.severity.rawValue,
            subject: finding.subject,
            message: finding.message,
            advice: finding.advice
        )
        self.title = finding.title
        self.words = finding.words
    }
}

extension UseCaseError {
    /// Why a file of another program is refused.
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
    /// Whether it begins with the mark of UTF-16, or like a text of ASCII in it.
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
