import RemindavICalendar
import RemindavJSON
import RemindavReminders

/// The parsed content of another program's file.
package struct ParsedTasks: Hashable, Sendable {
    package enum Item: Hashable, Sendable {
        case todo(ImportedTask)
        /// The unchanged text of a calendar object, its line in the file, and the name of its list.
        case calendar([UInt8], line: Int, list: String?)
    }

    package let format: TaskFormat
    package var items: [Item] = []
    /// The tasks that their program deleted; a reminder of such a task is deleted here too.
    package var deleted: [ImportedTask] = []
    /// The lists that the file describes, in the order of the file.
    package var lists: [ImportedList] = []
    package var labels: [ImportedLabel] = []
    /// The column names of a table in ``FieldName`` form; `nil` for JSON.
    package var columns: Set<String>?
    /// The findings for the user, in no particular order.
    package var findings: [ImportIssue] = []
    package var findingCount = 0
    /// The number of rows or JSON tasks that the importer skipped because it cannot read them.
    package var skipped = 0
    /// The number of tasks left out on purpose: occurrences that a series replaces, and deleted tasks of some formats.
    package var leftOut = 0

    package var todos: [ImportedTask] {
        self.items.compactMap { if case .todo(let todo) = $0 { todo } else { nil } }
    }
}

extension TaskFormat {
    /// Whether a file with this beginning may have a format in ``TaskFormat/all``; an iCalendar file does not.
    ///
    /// - Parameter name: the last part of the path; `nil` if the source has no name.
    package static func isForeign(_ beginning: [UInt8], named name: String? = nil) -> Bool {
        let text = beginning.withoutByteOrderMark.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard let first = text.first else { return false }
        if first == UInt8(ascii: "{") { return true }
        if first == UInt8(ascii: "[") {
            // jCal begins with a string; no known program writes to-dos as jCal.
            return text.dropFirst().first { $0 > 0x20 } != UInt8(ascii: "\"")
        }
        var reader = TableReader(Array(text.prefix { $0 != 0x0A && $0 != 0x0D }), limits: .standard)
        guard let header = try? reader.rows().first else { return false }
        let start = FileBeginning(text, name: name)
        if start.isNamedAsTable { return header.fields.first?.uppercased().hasPrefix("BEGIN:") != true }
        return Self.table(header.fields) != nil || Self.lines(start) != nil
    }
}

extension ParsedTasks {
    /// The depth of a task array in nested lists, as in `{"value": [{"tasks": [`.
    static let depthOfTasks = 3

    /// Parses a file.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8, with or without a byte order mark, or otherwise in Windows-1252.
    ///   - format: the format; `nil` to detect it from the content.
    ///   - columns: reads only these columns of a table, in the form of ``columns``; `nil` for all.
    /// - Throws: when no task can be read, or when the file is truncated.
    package init(
        _ bytes: [UInt8],
        format: TaskFormat?,
        columns: Set<String>? = nil,
        in context: ImportContext
    ) throws(TaskFormatError) {
        let text = bytes.withoutByteOrderMark
        let decoded = TextDecoding.string(text)
        let isUTF8 = decoded.utf8.elementsEqual(text)
        let clean = isUTF8 ? Array(text) : Array(decoded.utf8)
        let isJSON = format?.isJSON ?? (clean.first { $0 > 0x20 }.map { $0 == 0x7B || $0 == 0x5B } ?? false)
        let start = FileBeginning(clean[...], name: context.fileName)
        var builder: ImportedTaskBuilder
        if let known = isJSON ? nil : TaskFormat.ofLines(start, named: format) {
            builder = ImportedTaskBuilder(known, context)
            builder.read(try Self.lines(of: clean, context.limits))
            self = builder.reading(FindingList(limit: context.limits.findings), skipped: 0)
        } else if isJSON {
            var reader = JSONReader(clean, limits: context.limits.json)
            let nodes: [JSONValue]
            do throws(JSONError) { nodes = try reader.sequence(recoveryDepth: Self.depthOfTasks) } catch {
                throw TaskFormatError(error)
            }
            guard let known = format ?? TaskFormat.objects(nodes) else {
                if nodes.allSatisfy({ $0.array?.isEmpty ?? false }), !nodes.isEmpty {
                    builder = ImportedTaskBuilder(.json, context)
                    self = builder.reading(FindingList(reader, limits: context.limits), skipped: reader.skipped)
                    return
                }
                throw TaskFormatError(.unknownFormat)
            }
            builder = ImportedTaskBuilder(known, context)
            builder.read(nodes)
            self = builder.reading(FindingList(reader, limits: context.limits), skipped: reader.skipped)
        } else {
            var reader = TableReader(clean, limits: context.limits)
            let rows = try reader.rows()
            guard let header = rows.first else { throw TaskFormatError(.noTable) }
            let isNamed = format == .namedColumns
            let found = isNamed ? format : TaskFormat.table(header.fields)
            guard let known = found ?? (format == nil && start.isNamedAsTable ? .namedColumns : nil) else {
                throw TaskFormatError(format == nil ? .unknownFormat : .otherColumns, line: format.map { _ in 1 })
            }
            guard format == nil || format == known else { throw TaskFormatError(.otherColumns, line: 1) }
            builder = ImportedTaskBuilder(known, context)
            let table = Table(header: header.fields, rows: rows.dropFirst(), columns: columns)
            builder.read(table)
            if let refusal = builder.refusal { throw refusal }
            self = builder.reading(reader.findings, skipped: reader.skipped)
            self.columns = table.columns
        }
        if !isUTF8 {
            self.findings.insert(ImportIssue(.notUTF8, line: 1), at: 0)
            self.findingCount += 1
        }
    }

    /// The lines that are not blank; a line ends with CRLF, LF or CR.
    private static func lines(of text: [UInt8], _ limits: ImportLimits) throws(TaskFormatError) -> [TextLine] {
        var lines: [TextLine] = []
        var (number, start) = (1, 0)
        for end in 0...text.count where end == text.count || text[end] == 0x0A || text[end] == 0x0D {
            let isInsideCRLF = end < text.count && text[end] == 0x0A && end > 0 && text[end - 1] == 0x0D
            if !isInsideCRLF {
                let line = TextLine(line: number, text: String(decoding: text[start..<end], as: UTF8.self))
                if line.text.contains(where: { !$0.isWhitespace }) { lines.append(line) }
                guard lines.count <= limits.rows else { throw TaskFormatError(.tooMany, line: number) }
                number += 1
            }
            start = end + 1
        }
        return lines
    }
}

extension TaskFormat {
    /// The format with one task per line: the format that the user named, or the detected one; `nil` for any other.
    fileprivate static func ofLines(_ start: FileBeginning, named format: Self?) -> Self? {
        if let format {
            if case .lines = format.content { format } else { nil }
        } else {
            start.isNamedAsTable ? nil : self.lines(start)
        }
    }
}

struct Table {
    private let places: [String: Int]
    /// The same places by the column names as the file spells them.
    private let spelled: [String: Int]
    /// The column names as the file spells them.
    let header: [String]
    /// The column names in ``FieldName`` form.
    private let names: [String]
    let rows: ArraySlice<TableRow>

    /// - Parameter columns: the columns to use, in ``FieldName`` form; `nil` for all.
    init(header: [String], rows: ArraySlice<TableRow>, columns: Set<String>? = nil) {
        let names = header.map(FieldName.normal)
        let places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            .filter { place in columns.map { $0.contains(place.key) } ?? true }
        self.header = header
        self.rows = rows
        self.names = names
        self.places = places
        self.spelled = Dictionary(
            zip(header, names).compactMap { spelling, name in places[name].map { (spelling, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The column names in ``FieldName`` form.
    var columns: Set<String> { Set(self.places.keys) }

    func has(_ name: String) -> Bool { self.place(name) != nil }

    private func place(_ name: String) -> Int? { self.spelled[name] ?? self.places[FieldName.normal(name)] }

    /// The field of a row in the column with this name; `nil` when the column is missing or the field is blank.
    func field(_ name: String, of row: TableRow) -> String? {
        guard let place = self.place(name), place < row.fields.count else { return nil }
        return row.fields[place].contains { !$0.isWhitespace } ? row.fields[place] : nil
    }

    /// The column names as the format defines them; a column that the format lacks keeps its name.
    func header(spelledAs columns: [String]) -> [String] {
        let known = Dictionary(columns.map { (FieldName.normal($0), $0) }, uniquingKeysWith: { first, _ in first })
        return zip(self.header, self.names).map { spelling, name in known[name] ?? spelling }
    }

    /// The fields of a row that are not blank, with LF as line ends, as members with the names in `header`.
    func object(_ row: TableRow, _ header: [String]) -> JSONObject {
        let fields = zip(header, row.fields).filter { $1.contains { !$0.isWhitespace } }
        return JSONObject(
            line: row.line,
            members: fields.map { JSONObject.Member($0, .string($1.withLineFeeds)) }
        )
    }

    /// The fields of a row that are not blank, except those in the columns `known`.
    func others(_ row: TableRow, than known: Set<String>) -> [(name: String, text: String)] {
        row.fields.indices.filter { place in
            place < self.names.count && !known.contains(self.names[place])
                && row.fields[place].contains { !$0.isWhitespace }
        }.map { (self.header[$0], row.fields[$0]) }
    }
}

/// Collects the results of a parser.
struct ImportedTaskBuilder {
    let format: TaskFormat
    let context: ImportContext
    var items: [ParsedTasks.Item] = []
    var deleted: [ImportedTask] = []
    var lists: [ImportedList] = []
    var labels: [ImportedLabel] = []
    var findings: FindingList
    var skipped = 0
    var leftOut = 0
    /// The reason why the file is not imported at all; `nil` if there is none.
    var refusal: TaskFormatError?
    /// How often each text was the source of a UID, for tasks without an identifier.
    private var names: [String: Int] = [:]

    init(_ format: TaskFormat, _ context: ImportContext) {
        self.format = format
        self.context = context
        self.findings = FindingList(limit: context.limits.findings)
    }

    mutating func read(_ values: [JSONValue]) {
        if case .json(_, let read) = self.format.content { read(&self, values) }
    }

    mutating func read(_ table: Table) {
        if case .table(_, let read) = self.format.content { read(&self, table) }
    }

    mutating func read(_ lines: [TextLine]) {
        if case .lines(_, let read) = self.format.content { read(&self, lines) }
    }

    /// Records the project or list of a task: as its list if the user asked for that, otherwise as a label.
    func place(_ name: String, _ todo: inout ImportedTask) {
        todo.add(project: name, list: self.context.makesLists ? Self.listName(name) : nil)
    }

    /// Makes start, due time and rule of a task consistent and adds the task, if it is within the limits.
    mutating func add(_ todo: ImportedTask) {
        guard todo.extra.count <= self.context.limits.columns else {
            return self.leaveOut(.tooManyFields, line: todo.line)
        }
        if let code = todo.excess(self.context.limits) { return self.leaveOut(code, line: todo.line) }
        var todo = todo
        todo.agree(&self.findings)
        if !todo.record.isEmpty {
            let line = TaskRecord(todo.record, of: todo, self.format).line
            // The occurrences of a series are in one record, which can be larger than a task.
            if line.value.utf8.count <= self.context.limits.taskBytes { todo.extra.append(line) }
        }
        self.items.append(.todo(todo))
    }

    /// The title of a task of a program that allows tasks without a title.
    ///
    /// - Parameter hasContent: whether the task has other data, so that it is not left out.
    /// - Returns: `nil`, with a finding, if the task is left out.
    mutating func title(_ text: String?, hasContent: Bool, line: Int) -> String? {
        if let title = text.flatMap(ImportedTask.title) { return title }
        guard hasContent else {
            self.leaveOut(.missingTitle, line: line)
            return nil
        }
        self.findings.add(.untitled, line: line)
        return Reminder.untitled
    }

    mutating func leaveOut(_ code: ImportIssue.Code, line: Int, _ subject: String? = nil) {
        self.findings.add(code, line: line, subject)
        self.skipped += 1
    }

    /// Stores an unknown value of the other program in an X- property and adds a finding.
    mutating func keep(unknown text: String, program: String, as name: String, _ todo: inout ImportedTask) {
        self.findings.add(.badValue, line: todo.line, name)
        todo.keep(text.trimmingWhiteSpace, program: program, as: name)
    }

    /// The UID of a reminder that did not come from the other program, which an export of this program wrote.
    func ownUID(_ members: inout Members) -> String? {
        members.text(TaskRecord.uidMember).flatMap(ImportedTask.word)
    }

    func uid(_ name: String) -> String { NameUUID.make("\(self.format.name)\n\(name)") }

    /// Derives a UID from the text of a task without an identifier; another task with the same text gets another UID.
    mutating func uid(ofText name: String) -> String {
        let key = self.short(name)
        self.names[key, default: 0] += 1
        return self.uid("\(name)\n\(self.names[key] ?? 1)")
    }

    /// The UID of the first task with this text.
    func uid(ofFirst name: String) -> String { self.uid("\(name)\n1") }

    /// Replaces a long name by a UID; a subtask's name contains its parent's, so long names could take quadratic time.
    func short(_ name: String) -> String { name.utf8.count <= Self.longestPart ? name : self.uid(name) }

    /// The maximum length, in bytes, of a parent's name in the name of a subtask.
    private static let longestPart = 1024

    /// Adds findings about missing parents and returns the parsed content.
    func reading(_ found: FindingList, skipped: Int) -> ParsedTasks {
        var reading = ParsedTasks(format: self.format)
        reading.items = self.items
        reading.deleted = self.deleted
        reading.lists = self.lists
        reading.labels = self.labels
        reading.findings = found.findings + self.findings.findings
        reading.findingCount = found.count + self.findings.count
        reading.skipped = self.skipped + skipped
        reading.leftOut = self.leftOut
        let uids = Set(reading.todos.map(\.uid))
        for todo in reading.todos {
            guard let parent = todo.parent, !uids.contains(parent) else { continue }
            reading.findingCount += 1
            if reading.findings.count < self.context.limits.findings {
                reading.findings.append(ImportIssue(.parentMissing, line: todo.line))
            }
        }
        return reading
    }
}

extension String {
    /// The text with LF instead of CRLF and CR, which iCalendar text cannot contain.
    var withLineFeeds: String {
        self.utf8.contains(0x0D) ? self.replacing("\r\n", with: "\n").replacing("\r", with: "\n") : self
    }
}

extension [UInt8] {
    /// The bytes without a UTF-8 byte order mark at the beginning.
    fileprivate var withoutByteOrderMark: ArraySlice<UInt8> {
        self.starts(with: [0xEF, 0xBB, 0xBF]) ? self[3...] : self[...]
    }
}

/// The members of a JSON object by their names in ``FieldName`` form; records each name that was read.
struct Members {
    let line: Int
    private let values: [String: (name: String, node: JSONValue)]
    private var read: Set<String> = []

    init(_ object: JSONObject) {
        self.line = object.line
        self.values = Dictionary(
            object.sortedMembers.map { (FieldName.normal($0.name), ($0.name, $0.value)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The value, or `nil` when the member is missing or null; the name is recorded as read.
    mutating func node(_ name: String) -> JSONValue? {
        let name = FieldName.normal(name)
        self.read.insert(name)
        guard let node = self.values[name]?.node, node != .null else { return nil }
        return node
    }

    /// The first string or number of these members that is not blank; all names are recorded as read.
    mutating func text(_ names: String...) -> String? {
        var found: String?
        for name in names {
            if found == nil, let text = self.node(name)?.scalar, text.contains(where: { !$0.isWhitespace }) {
                found = text
            } else {
                _ = self.node(name)
            }
        }
        return found
    }

    /// Whether one of the members is `true` or 1, also as a string.
    mutating func isTrue(_ names: String...) -> Bool {
        names.map { self.node($0)?.scalar ?? "" }.contains { ["true", "1"].contains($0) }
    }

    mutating func texts(_ name: String) -> [String] { self.node(name)?.array?.compactMap(\.scalar) ?? [] }
    mutating func objects(_ name: String) -> [JSONObject] { self.node(name)?.array?.compactMap(\.object) ?? [] }
    mutating func members(_ name: String) -> Members? { self.node(name)?.object.map { Members($0) } }
    mutating func pass(_ names: String...) { self.read.formUnion(names.map(FieldName.normal)) }

    /// The members that no parser has read, with their original names; `false`, 0 and empty values are left out.
    var others: [(name: String, text: String)] {
        self.values.filter { !self.read.contains($0.key) && !$0.value.node.saysNothing }
            .sorted { $0.key < $1.key }
            .map { ($0.value.name, $0.value.node.scalar ?? $0.value.node.text) }
    }
}

extension JSONValue {
    fileprivate var saysNothing: Bool {
        switch self {
        case .null, .bool(false), .string(""), .number("0"): true
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        case .bool, .number, .string: false
        }
    }
}
