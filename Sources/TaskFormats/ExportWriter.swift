import RemindavICalendar
import RemindavJSON
import RemindavReminders

/// The export formats other than iCalendar.
package enum ExportForm: String, Sendable, CaseIterable {
    /// A JSON object; each list, each label and each reminder is on a line of its own.
    case json
    /// A table (RFC 4180).
    case csv
    /// A Markdown checklist for each list.
    case markdown
    /// A text for todo.txt programs, with one line per reminder.
    case todoTxt = "todotxt"
    /// The file of `task import`.
    case taskwarrior
    /// A project of Todoist.
    case todoist = "todoist-csv"
    /// The file of Google Takeout.
    case google = "google-json"
    /// The table of Outlook's import.
    case outlook = "outlook-csv"

    /// Whether a reminder has the fields of its current date; otherwise it has those of the series.
    package var keepsChangedDates: Bool { self == .json || self == .markdown }

    /// Whether a reminder follows its parent.
    package var keepsTrees: Bool { self == .markdown || self == .todoist }
    /// Whether repeat rules are written in our own words, for people; the words of Todoist are for Todoist.
    package var hasWords: Bool { self == .markdown }
    /// Whether the messages about the export contain repeat rules.
    package var keepsRules: Bool { self == .todoTxt || self == .taskwarrior }

    /// Whether the reminders are in the order of their numbers; otherwise they are sorted.
    package var keepsOrder: Bool { self == .todoTxt || self.records != nil }

    /// The form with records; `nil` for a format in which each reminder has its own text.
    fileprivate var records: RecordForm? {
        switch self {
        case .taskwarrior: .taskwarrior
        case .todoist: .todoist
        case .google: .google
        case .outlook: .outlook
        case .json, .csv, .markdown, .todoTxt: nil
        }
    }

    /// The extensions of file names that mean this format, in lower case and without the dot.
    package var suffixes: [String] {
        switch self {
        case .json: ["json"]
        case .csv: ["csv"]
        case .markdown: ["md", "markdown"]
        case .todoTxt: ["txt"]
        case .taskwarrior, .todoist, .google, .outlook: []
        }
    }
}

/// Data of a reminder that the format of another program cannot express.
package enum ExportLoss: Hashable, Sendable, CaseIterable {
    /// The export leaves out the repeat rule.
    case rule
    /// The export leaves out that some dates of the repetition are left out.
    case exceptions
    /// The export leaves out the time of day.
    case timeOfDay
    /// The file keeps the repeat rule only for a later import.
    case keptRule
    /// The file keeps the parent only for a later import.
    case keptParent
    /// The file has the date of the series, and not the changes of this one date.
    case changedDate
    /// Words of the title have another meaning in the file.
    case titleWords
    /// The reminders of several lists are in one project; the texts are the names of the lists.
    case severalLists
}

package struct ExportWriter: Sendable {
    private let form: ExportForm
    /// Formats an RRULE value as text for users.
    private let words: @Sendable (_ rule: String) -> String
    private let context: ImportContext
    private let lists: [ImportedList]
    private let labels: [ImportedLabel]
    private let todoTxt: TodoTxtWriter
    /// The writer of another program's format; `nil` for other formats.
    private var records: RecordWriter?
    /// The number of reminders in the output.
    package var count: Int { self.records?.reminders.count ?? self.written }
    /// The titles of the reminders with data that the format cannot express, in the order of the output.
    ///
    /// A text of ``ExportLoss/keptRule`` also contains the rule.
    package var losses: [ExportLoss: [String]] { self.lost.merging(self.records?.losses ?? [:]) { $1 } }
    private var lost: [ExportLoss: [String]] = [:]
    private var written = 0
    private var list: String?

    /// Creates a writer; only JSON contains `labels` and `lists`, which are in the order of the output.
    ///
    /// - Parameters:
    ///   - firstList: the name of a list that the formats of other programs do not write as a project.
    ///   - context: the zones of the reminders, in which times become dates.
    package init(
        _ form: ExportForm,
        lists: [ImportedList] = [],
        labels: [ImportedLabel] = [],
        firstList: String? = nil,
        in context: ImportContext,
        words: @escaping @Sendable (_ rule: String) -> String
    ) {
        self.form = form
        self.lists = lists
        self.labels = labels
        self.words = words
        self.context = context
        self.todoTxt = TodoTxtWriter(context: context, firstList: firstList)
        let surroundings = RecordSurroundings(context: context, firstList: firstList, words: words)
        self.records = form.records.map { RecordWriter($0, in: surroundings) }
    }

    package var beginning: [UInt8] {
        switch self.form {
        case .json: self.head
        case .csv: TableText.row(Self.columns)
        case .markdown: Array("# Reminders\n".utf8)
        case .todoTxt, .taskwarrior, .todoist, .google, .outlook: []
        }
    }

    package var end: [UInt8] {
        switch self.form {
        case .json: Array((self.count > 0 ? "\n]}\n" : "]}\n").utf8)
        case .csv, .markdown, .todoTxt: []
        case .taskwarrior, .todoist, .google, .outlook: self.records?.bytes ?? []
        }
    }

    /// The text of the next reminder; `depth` is the number of its ancestors in the output.
    package mutating func text(_ reminder: ExportedReminder, depth: Int = 0) -> [UInt8] {
        defer {
            self.written += 1
            self.list = reminder.list
        }
        if reminder.hasChangedDate { self.lost[.changedDate, default: []].append(reminder.title) }
        if self.form == .csv || self.form == .todoTxt, reminder.hasExceptions(in: self.context) {
            self.lost[.exceptions, default: []].append(reminder.title)
        }
        switch self.form {
        case .json: return Array((self.count > 0 ? ",\n" : "\n").utf8) + Self.object(reminder)
        case .csv: return TableText.row(Self.fields(reminder))
        case .todoTxt:
            if TodoTxtWriter.losesRule(reminder) {
                self.lost[.keptRule, default: []].append(reminder.titleAndRule(self.words))
            }
            let line = self.todoTxt.line(reminder)
            if line.isMisread { self.lost[.titleWords, default: []].append(reminder.title) }
            return Array((line.text + "\n").utf8)
        case .taskwarrior, .todoist, .google, .outlook:
            self.records?.add(reminder, depth: depth)
            return []
        case .markdown:
            let head = reminder.list == self.list ? "" : "\n## \(MarkdownText.inline(reminder.list))\n\n"
            return Array((head + self.item(reminder, depth: depth)).utf8)
        }
    }

    /// The beginning of the JSON object: the lists, the labels, and the name of the member `reminders`.
    private var head: [UInt8] {
        var writer = JSONWriter()
        writer.raw("{\"lists\": ")
        Self.lines(self.lists, &writer) { writer, list in
            writer.members([("name", list.name), ("color", list.color)])
            writer.raw(", \"default\": \(list.isDefault)}")
        }
        writer.raw(",\n\"labels\": ")
        Self.lines(self.labels, &writer) { writer, label in
            let updatedAt = RFC3339.string(from: label.updatedAt)
            writer.members([("name", label.name), ("id", label.id), ("color", label.color), ("updatedAt", updatedAt)])
            writer.raw("}")
        }
        writer.raw(",\n\"reminders\": [")
        return writer.bytes
    }

    private static func lines<Element>(
        _ elements: [Element],
        _ writer: inout JSONWriter,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            writer.raw(index == 0 ? "[\n" : ",\n")
            write(&writer, element)
        }
        writer.raw(elements.isEmpty ? "[]" : "\n]")
    }

    private static func object(_ reminder: ExportedReminder) -> [UInt8] {
        var writer = JSONWriter()
        writer.raw("{")
        for (name, text) in reminder.texts {
            writer.string(name)
            writer.raw(": ")
            if let text { writer.string(text) } else { writer.raw("null") }
            writer.raw(", ")
            if name == "dueZone" { writer.raw("\"allDay\": \(reminder.allDay), ") }
        }
        writer.raw("\"labels\": ")
        writer.array(reminder.labels) { $0.string($1) }
        writer.raw(", \"alarms\": ")
        writer.array(reminder.alarms) { $0.string($1) }
        writer.raw(", \"icalendar\": ")
        if let source = reminder.source { writer.string(source) } else { writer.raw("null") }
        writer.raw("}")
        return writer.bytes
    }

    private static let columns =
        ExportedReminder(uid: "", list: "", title: "", status: "", priority: "").texts.map(\.name) + [
            "labels", "alarms",
        ]

    private static func fields(_ reminder: ExportedReminder) -> [String] {
        reminder.texts.map { $0.text ?? "" } + [TextValue.join(reminder.labels), TextValue.join(reminder.alarms)]
    }

    private func item(_ reminder: ExportedReminder, depth: Int) -> String {
        let indent = String(repeating: "  ", count: min(depth, Self.deepest))
        var facts: [String] = []
        if let due = reminder.due { facts.append("due \(self.date(due, reminder.dueZone))") }
        if let rule = reminder.rule(self.words) { facts.append("repeats \(rule)") }
        if reminder.priority != "none" { facts.append("priority \(reminder.priority)") }
        if !reminder.labels.isEmpty { facts.append("labels \(reminder.labels.joined(separator: ", "))") }
        if reminder.status == "cancelled" { facts.append("cancelled") }
        if let done = reminder.completedAt { facts.append("done \(self.localTime(done))") }
        let box = reminder.isClosed ? "[x]" : "[ ]"
        let title = reminder.title.isEmpty ? Reminder.untitled : MarkdownText.inline(reminder.title)
        let tail = facts.isEmpty ? "" : " (" + MarkdownText.inline(facts.joined(separator: "; ")) + ")"
        var text = "\(indent)- \(box) \(title)\(tail)\n"
        for line in (reminder.notes ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        where reminder.notes != nil {
            text += "\(indent)  > \(MarkdownText.line(String(line)))".trimmingEnd + "\n"
        }
        return text
    }

    /// The maximum depth of indentation; users could not distinguish deeper levels.
    private static let deepest = 20

    /// Converts `2026-11-27T08:00:00Z` to `2026-11-27 09:00 Europe/Berlin`, in the local zone.
    private func localTime(_ text: String) -> String {
        guard let instant = RFC3339.parse(text)?.instant,
            case .dateTime(let local) = self.context.time(instant), case .named(let zone) = local.zone
        else { return self.date(text, nil) }
        return "\(local.date) \(local.time.hoursAndMinutes) \(zone)"
    }

    /// Converts `2026-11-27T09:00:00+01:00` to `2026-11-27 09:00 Europe/Berlin`.
    private func date(_ text: String, _ zone: String?) -> String {
        guard text.count > 16, text.dropFirst(10).first == "T" else { return text }
        let clock = "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
        return zone.map { "\(clock) \($0)" } ?? (text.hasSuffix("Z") ? clock + " UTC" : clock)
    }
}

extension JSONWriter {
    /// Writes an opening brace and the members; a member without a text is `null`.
    fileprivate mutating func members(_ members: [(name: String, text: String?)]) {
        self.raw("{")
        for (index, (name, text)) in members.enumerated() {
            if index > 0 { self.raw(", ") }
            self.string(name)
            self.raw(": ")
            if let text { self.string(text) } else { self.raw("null") }
        }
    }
}

extension String {
    fileprivate var trimmingEnd: String { String(self.prefix(self.reversed().drop { $0 == " " }.count)) }
}

/// Writes and reads table fields; a spreadsheet program must not interpret a text as a formula.
enum TableText {
    /// A table with unchanged fields; each object is a row.
    ///
    /// - Parameter columns: the first columns; columns with other names follow.
    static func bytes(_ rows: [JSONObject], columns: [String]) -> [UInt8] {
        var known = Set(columns)
        let others = rows.flatMap(\.members).map(\.name).filter { known.insert($0).inserted }
        let header = columns + others
        let lines = [header] + rows.map { row in header.map { row[$0]?.scalar ?? "" } }
        return lines.flatMap { Array(($0.map(self.quoted).joined(separator: ",") + "\r\n").utf8) }
    }

    static func row(_ fields: [String]) -> [UInt8] {
        Array((fields.map(self.field).joined(separator: ",") + "\r\n").utf8)
    }

    /// A field: a text that looks like a formula gets an apostrophe, and a text with separators gets quotation marks.
    static func field(_ text: String) -> String {
        let safe = self.isDangerous(text) ? "'" + text : text
        return self.quoted(safe)
    }

    /// The text in quotation marks if it has separators.
    private static func quoted(_ text: String) -> String {
        let needsMarks = text.unicodeScalars.contains { "\",;\r\n\t".unicodeScalars.contains($0) }
        return needsMarks ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    /// The original text of a field that ``field(_:)`` wrote.
    static func restored(_ field: String) -> String {
        field.unicodeScalars.first == "'" && self.isDangerous(String(field.unicodeScalars.dropFirst()))
            ? String(field.unicodeScalars.dropFirst()) : field
    }

    /// Whether the text begins like a formula, also after apostrophes, so that ``restored(_:)`` can undo ``field(_:)``.
    private static func isDangerous(_ text: String) -> Bool {
        let rest = text.unicodeScalars.drop { $0 == "'" }
        return rest.first.map { "=+-@\t\r\n".unicodeScalars.contains($0) } ?? false
    }
}

/// Escapes text so that Markdown, HTML and a terminal show each character literally.
enum MarkdownText {
    static func inline(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "~", "&":
                result += "\\"
                result.unicodeScalars.append(scalar)
            case "\t", "\n", "\r", "\u{2028}", "\u{2029}": result += " "
            case _ where scalar.isInvisible: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The text as a complete line that does not begin a list, a heading or a code block.
    static func line(_ text: String) -> String {
        let rest = self.inline(text).drop { $0 == " " }
        let digits = rest.prefix { ("0"..."9").contains($0) }
        let behind = rest.dropFirst(digits.count)
        if !digits.isEmpty, let mark = behind.first, mark == "." || mark == ")" { return "\(digits)\\\(behind)" }
        return rest.first.map { "+-=".contains($0) } ?? false ? "\\\(rest)" : String(rest)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character or changes the reading direction.
    fileprivate var isInvisible: Bool {
        switch self.value {
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }
}
