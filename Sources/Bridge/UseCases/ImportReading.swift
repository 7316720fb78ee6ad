import RemindavCompression
import RemindavDatePhrases
import RemindavICalendar
import RemindavPlatform
import RemindavRecurrence
import RemindavReminders
import RemindavStore
import RemindavTaskFormats
import Synchronization

/// A file that is ready to be applied.
struct ReadyFile {
    let name: String
    let input: Result<ImportInput, any Error>
}

/// The content of a file to import: an iCalendar source, or the parsed tasks of another format.
enum ImportInput {
    case calendar(ByteSource, beginning: [UInt8])
    case tasks(ParsedTasks)
}

extension UseCases {
    static let pieceBytes = 1 << 18
    /// The number of bytes for detecting the format; no header line is longer.
    private static let beginningBytes = 1 << 14
    /// The maximum number of bytes copied from standard input: ten times the size of a million to-dos with notes.
    private static let maximumSpooledBytes = 4 << 30
    private static let spoolNameBytes = 8

    /// Reads a source as far as necessary, so that applying its files does not wait for another program.
    ///
    /// - Returns: the source itself, or the files of a ZIP archive.
    func prepare(_ source: ImportSource, _ options: ImportOptions) -> [ReadyFile] {
        do {
            let opened = try source.open()
            let beginning = try Self.beginning(of: opened)
            guard ZipArchive.isArchive(beginning) else {
                let input = Result { try self.input(opened, behind: beginning, options) }
                return [ReadyFile(name: source.name, input: input)]
            }
            let archive = try Self.wholeBytes(of: opened, behind: beginning, options)
            return try self.files(of: archive, named: source.name, options)
        } catch {
            return [ReadyFile(name: source.name, input: .failure(error))]
        }
    }

    private func files(of archive: [UInt8], named name: String, _ options: ImportOptions) throws -> [ReadyFile] {
        let files: [ZipArchive.File]
        do throws(ZipError) {
            files = try ZipArchive.files(archive, maximumBytes: options.limits.fileBytes) { path in
                TaskFormat.suffixes.contains { path.lowercased().hasSuffix(".\($0)") }
            }
        } catch {
            let entry = error.entry.map { ", \($0)" } ?? ""
            throw UseCaseError(.archiveRefused, subject: "\(name)\(entry): \(error.code.rawValue)")
        }
        guard !files.isEmpty else {
            throw UseCaseError(.archiveRefused, subject: "\(name): it contains no file of a known format")
        }
        // Two projects of Todoist may have one name; then their numbers are part of the names.
        let names = files.map { $0.name.lastPathPart ?? "" }
        let projects = names.map { ImportContext.project(ofFile: $0) }
        return files.enumerated().map { index, file in
            let isShared = projects.count { $0 == projects[index] } > 1
            let rest = SourceBytes(file.bytes)
            let source = ByteSource(
                name: "\(name)/\(file.name)",
                fileName: isShared ? names[index].filter { !"[]".contains($0) } : names[index],
                size: file.bytes.count
            ) { rest.take($0) }
            let input = Result { try self.input(source, behind: Self.beginning(of: source), options) }
            return ReadyFile(name: source.name, input: input)
        }
    }

    private func input(_ source: ByteSource, behind start: [UInt8], _ options: ImportOptions) throws -> ImportInput {
        var (source, beginning) = (source, start)
        if UTF16Text.hasMark(beginning) {
            let wide = try Self.wholeBytes(of: source, behind: beginning, options)
            guard let text = UTF16Text.utf8(wide), Self.isForeign(text, options, named: source.fileName) else {
                throw UseCaseError(.utf16, subject: source.name)
            }
            beginning = text
            source = ByteSource(name: source.name, fileName: source.fileName, size: text.count) { _ in [] }
        }
        return Self.isForeign(beginning, options, named: source.fileName)
            ? .tasks(try self.parse(source, behind: beginning, options))
            : .calendar(try self.spooled(source, behind: beginning), beginning: beginning)
    }

    private static func isForeign(_ beginning: [UInt8], _ options: ImportOptions, named name: String?) -> Bool {
        options.format.map { $0 != .ics } ?? TaskFormat.isForeign(beginning, named: name)
    }

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

    private static func wholeBytes(
        of source: ByteSource,
        behind beginning: [UInt8],
        _ options: ImportOptions
    ) throws -> [UInt8] {
        let limit = options.limits.fileBytes
        let bytes = try self.bytes(of: source, behind: beginning) { $0 <= limit }
        guard bytes.count <= limit else { throw UseCaseError(.fileTooLarge, subject: source.name) }
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

    /// The zones and the date phrases of this store, for an import or an export.
    func importContext() -> ImportContext {
        let local = self.reader.local
        let now = self.configuration.now()
        let zone = LocalZone.named(self.configuration.localZone, zones: self.configuration.zones, now: now)
        // If the local zone is unknown, the importer parses no date phrases.
        let parser = zone.map { DuePhraseParser(now: now, zone: $0) }
        return ImportContext(localZone: self.configuration.localZone, zones: self.configuration.zones) { words in
            parser?.read(words).map { phrase in
                let due = phrase.due.map(self.moment)
                return PhraseMeaning(
                    due: due,
                    rule: phrase.rule.map { $0.agreeing(with: due, zones: local) },
                    hasOtherDates: phrase.hasOtherDates,
                    skipsDates: phrase.rule.flatMap { rule in
                        due.flatMap { SkippedDates.sentence(rule, from: $0.day) }
                    } != nil
                )
            }
        }
    }

    private func parse(_ source: ByteSource, behind beginning: [UInt8], _ options: ImportOptions) throws -> ParsedTasks
    {
        var context = self.importContext()
        context.limits = options.limits
        context.fileName = source.fileName
        context.makesLists = options.makesLists
        context.dateOrder = options.dateOrder
        let bytes = try Self.wholeBytes(of: source, behind: beginning, options)
        guard !bytes.isUTF16OfAnyText else { throw UseCaseError(.utf16, subject: source.name) }
        do throws(TaskFormatError) {
            return try ParsedTasks(bytes, format: options.format?.taskFormat, in: context)
        } catch {
            throw UseCaseError(error, named: source.name)
        }
    }
}

/// Bytes that are read in pieces.
private final class SourceBytes: Sendable {
    private let rest: Mutex<ArraySlice<UInt8>>

    init(_ bytes: [UInt8]) { self.rest = Mutex(bytes[...]) }

    /// The next bytes, at most `count`; an empty array at the end.
    func take(_ count: Int) -> [UInt8] {
        self.rest.withLock { rest in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }
}

extension UseCaseError {
    /// The maximum number of column names in a message.
    private static let shownColumns = 20

    fileprivate init(_ error: TaskFormatError, named name: String) {
        let place = error.line.map { "\(name), line \($0)" } ?? name
        switch error.code {
        case .cutShort: self.init(.fileCutShort, subject: place)
        case .tooMany: self.init(.beyondLimits, subject: "\(place): \(error.code.rawValue)")
        case .unknownFormat: self.init(.formatUnknown, subject: name)
        case .notInFormat: self.init(.notInFormat, subject: name)
        case .noTitleColumn:
            let found = error.columns.prefix(Self.shownColumns).joined(separator: ", ")
            self.init(.titleColumnMissing, subject: "\(place): \(found)")
        case .datesAmbiguous: self.init(.datesAmbiguous, subject: place)
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
