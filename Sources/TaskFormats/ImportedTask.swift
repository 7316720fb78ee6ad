package import RemindavICalendar
import RemindavJSON
package import RemindavReminders

/// A task of another program with the properties of a VTODO.
package struct ImportedTask: Hashable, Sendable {
    package let line: Int
    /// The UID in our own export, or else a UID derived from the task's identifier or text; equal in every import.
    package internal(set) var uid: String
    /// The title, which is not empty; only a title from our own export may have several lines.
    package var title: String
    package var list: String?
    package var notes: [String] = []
    package var due: CalendarDateOrDateTime?
    package var start: CalendarDateOrDateTime?
    package var rule: RecurrenceRule?
    /// The labels in the order of the file, without duplicates, and without the project if it is the list.
    package var labels: [String] {
        guard self.isInProjectList, let project = self.project else { return self.allLabels }
        return self.allLabels.filter { LabelKey($0) != LabelKey(project) }
    }
    private var allLabels: [String] = []
    /// The project that became a label; `nil` without a project, or if the task has this label anyway.
    private(set) var project: String?
    /// Whether the list of the reminder has the name of the project, so that the label is not written.
    private(set) var isInProjectList = false
    /// The labels in the form that ignores case, for the search for duplicates.
    private var labelKeys: Set<LabelKey> = []
    package var priority = Priority.undefined
    package var status = Status.pending
    /// The progress from 0 to 100; `nil` when the file does not state it.
    package var percent: Int?
    package var completedAt: Instant?
    package var createdAt: Instant?
    /// The time of the last change; `nil` for a format without this time.
    package var updatedAt: Instant?
    package var parent: String?
    /// The UIDs of tasks that must be completed before this task.
    package var dependencies: [String] = []
    /// The values of text fields with one line; the key is the iCalendar property.
    package var lines: [Name: String] = [:]
    /// The alarms; `nil` for a format that cannot express alarms.
    package var alarms: [Trigger]?
    /// Data without a matching iCalendar property, as properties with names that begin with `X-`.
    package var extra: [ContentLine] = []
    /// The objects or rows of the task as its program wrote them; empty for a format without an export.
    var record: [JSONObject] = []
    /// Whether its program cannot repeat the task, so that it completes only one date of the rule.
    package internal(set) var isOneDate = false
    /// The parts of a line of todo.txt; `nil` for any other format.
    package internal(set) var todoTxt: TodoTxtLine?
    /// The UID of a completed line of todo.txt before its completion; `nil` for any other task.
    package internal(set) var uidWhenOpen: String?
    /// The state of the reminder at the export that wrote the task; `nil` if the file does not state it.
    package internal(set) var exported: TaskRecord?
    /// Properties that the file does not give in a readable form; an import leaves their stored values unchanged.
    package private(set) var unread: Set<Name> = []

    init(line: Int, uid: String, title: String) {
        self.line = line
        self.uid = uid
        self.title = title
    }

    package var isStamped: Bool { self.updatedAt != nil }

    /// The properties that an import of any task writes; an import leaves all other properties unchanged.
    package static let names: [Name] =
        [
            .dtstamp, .created, .lastModified, .summary, .description, .dtstart, .due, .duration, .rrule,
            .repeatFrom, .categories, .priority, .status, .percentComplete, .completed,
        ] + ReminderField.lineProperties.map(\.property)

    /// The properties in writing order, UID first; `now` is DTSTAMP if the file states no modification time.
    package func properties(now: Instant) -> [ContentLine] {
        var lines = [ContentLine(.uid, text: self.uid)]
        lines.append(ContentLine(.dtstamp, value: (self.updatedAt ?? now).wire))
        if let created = self.createdAt { lines.append(ContentLine(.created, value: created.wire)) }
        if let updated = self.updatedAt { lines.append(ContentLine(.lastModified, value: updated.wire)) }
        lines.append(ContentLine(.summary, text: self.title))
        let notes = self.notes.filter { !$0.isEmpty }.joined(separator: "\n\n")
        if !notes.isEmpty { lines.append(ContentLine(.description, text: notes)) }
        if let start = self.writtenStart { lines.append(ContentLine(.dtstart, moment: start)) }
        if let due = self.due { lines.append(ContentLine(.due, moment: due)) }
        if let rule = self.rule, !rule.wire.hasControls, self.writtenStart != nil {
            lines.append(ContentLine(.rrule, value: rule.wire))
            if rule.countsFromCompletion { lines.append(.repeatFromCompletion) }
        }
        if !self.labels.isEmpty { lines.append(ContentLine(.categories, value: TextValue.join(self.labels))) }
        if let number = self.priorityNumber { lines.append(ContentLine(.priority, value: number)) }
        lines += self.stateLines
        for (_, property) in ReminderField.lineProperties {
            guard let text = self.lines[property], property != .url || !text.hasControls else { continue }
            lines.append(property == .url ? ContentLine(.url, value: text) : ContentLine(property, text: text))
        }
        if let parent = self.parent {
            lines.append(ContentLine(.relatedTo, [Parameter(.reltype, "PARENT")], text: parent))
        }
        for uid in self.dependencies {
            lines.append(ContentLine(.relatedTo, [Parameter(.reltype, "DEPENDS-ON")], text: uid))
        }
        return lines + self.extra
    }

    /// The property with a start that DTSTART cannot have, because it is after the due time or the task repeats.
    static let startProperty = Name("X-REMINDAV-START") ?? .comment

    /// The value of DTSTART; a rule needs DTSTART, so a task with a rule takes the due time if it has no start.
    private var writtenStart: CalendarDateOrDateTime? { self.start ?? (self.rule == nil ? nil : self.due) }

    private var priorityNumber: String? {
        switch self.priority {
        case .undefined: nil
        case .low: "9"
        case .medium: "5"
        case .high: "1"
        }
    }

    private var stateLines: [ContentLine] {
        switch self.status {
        case .completed:
            let done = (self.completedAt ?? self.updatedAt).map { [ContentLine(.completed, value: $0.wire)] } ?? []
            return [ContentLine(.status, value: "COMPLETED"), ContentLine(.percentComplete, value: "100")] + done
        case .cancelled: return [ContentLine(.status, value: "CANCELLED")]
        case .pending: return [ContentLine(.status, value: "NEEDS-ACTION")] + self.percentLine
        case .inProgress: return [ContentLine(.status, value: "IN-PROCESS")] + self.percentLine
        }
    }

    private var percentLine: [ContentLine] {
        guard let percent = self.percent, (1...99).contains(percent) else { return [] }
        return [ContentLine(.percentComplete, value: String(percent))]
    }

    /// The lines of each VALARM, from BEGIN to END.
    package var alarmLines: [[ContentLine]] {
        var words = ""
        words.unicodeScalars.append(contentsOf: self.title.unicodeScalars.prefix(Self.longestWords))
        return (self.alarms ?? []).map { trigger in
            let line =
                switch trigger {
                case .absolute: ContentLine(.trigger, [Parameter(.value, "DATE-TIME")], value: trigger.wire)
                case .relative(_, to: .end): ContentLine(.trigger, [Parameter(.related, "END")], value: trigger.wire)
                case .relative(_, to: .start): ContentLine(.trigger, value: trigger.wire)
                }
            return [
                ContentLine(.begin, value: "VALARM"),
                ContentLine(.uid, text: NameUUID.make("\(self.uid)\nalarm\n\(trigger.wire)")),
                ContentLine(.action, value: "DISPLAY"),
                ContentLine(.description, text: words),
                line,
                ContentLine(.end, value: "VALARM"),
            ]
        }
    }

    /// The maximum number of characters of the title in an alarm, because each alarm repeats the title.
    private static let longestWords = 200

    /// The code of the first limit that the task exceeds; `nil` when the task is within all limits.
    func excess(_ limits: ImportLimits) -> ImportIssue.Code? {
        let counts = [self.labels.count, self.alarms?.count ?? 0, self.dependencies.count]
        if counts.contains(where: { $0 > limits.perTask }) { return .tooManyValues }
        if self.labels.contains(where: { $0.utf8.count > limits.labelBytes }) { return .tooManyValues }
        let words = [self.uid, self.title, self.parent ?? ""] + self.lines.values
        let texts = words.reduce(0) { $0 + $1.utf8.count } + self.notes.reduce(0) { $0 + $1.utf8.count + 2 }
        let bytes = self.extra.reduce(texts) { $0 + $1.value.utf8.count }
        return bytes > limits.taskBytes ? .taskTooLong : nil
    }

    package func bytes(now: Instant) -> [UInt8] {
        let lines =
            [ContentLine(.begin, value: "VTODO")] + self.properties(now: now) + self.alarmLines.joined()
            + [ContentLine(.end, value: "VTODO")]
        return lines.flatMap { $0.bytes() }
    }
}

extension ImportedTask {
    /// The title as one line without surrounding white space; `nil` when no text remains.
    static func title(_ text: String) -> String? {
        let title = text.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingWhiteSpace
        return TextValue.escape(title).isEmpty ? nil : title
    }

    /// The name as one line without control characters, which iCalendar does not allow; `nil` when no text remains.
    static func word(_ text: String) -> String? {
        var word = ""
        word.unicodeScalars.append(contentsOf: text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
        return word.trimmingWhiteSpace.isEmpty ? nil : word.trimmingWhiteSpace
    }

    /// Records that the file has no readable value of properties; an import then leaves their stored values unchanged.
    mutating func cannotRead(_ names: Name...) { self.cannotRead(names) }

    mutating func cannotRead(_ names: [Name]) {
        self.unread.formUnion(names)
        if names.contains(.rrule) { self.unread.insert(.repeatFrom) }
    }

    package mutating func cannotReadState() { self.cannotRead(.status, .completed, .percentComplete) }

    mutating func add(label text: String) {
        let label = Self.title(text) ?? ""
        guard !label.isEmpty else { return }
        guard self.labelKeys.insert(LabelKey(label)).inserted else {
            if let project = self.project, LabelKey(project) == LabelKey(label) { self.project = nil }
            return
        }
        self.allLabels.append(label)
    }

    /// Adds the name of the project as a label, and as the list if `list` is not `nil`.
    mutating func add(project name: String, list: String?) {
        let count = self.allLabels.count
        self.add(label: name)
        if self.allLabels.count > count { self.project = self.allLabels.last }
        self.list = list
        self.isInProjectList = list != nil
    }

    /// The task of a stored reminder, which keeps its list; a label is written for a project that is none of its lists.
    ///
    /// - Parameters:
    ///   - list: the list of the reminder.
    ///   - former: the list that the base of the merge states; `nil` if it is unknown.
    package func placed(inList list: String, formerly former: String?, _ format: TaskFormat) -> Self {
        var placed = self
        let isInList = self.project.map { LabelKey($0) == LabelKey(list) } ?? false
        let isInFormerList = self.project.map { project in former.map { LabelKey(project) == LabelKey($0) } ?? false }
        placed.isInProjectList = isInList || isInFormerList ?? false
        return placed.recorded(inList: isInList ? list : former ?? list, format)
    }

    /// The task with a record that states the list.
    private func recorded(inList list: String, _ format: TaskFormat) -> Self {
        guard let place = self.extra.firstIndex(where: { $0.name == TaskRecord.property }) else { return self }
        var recorded = self
        recorded.extra[place] = TaskRecord(self.record, of: self, format, list: list).line
        return recorded
    }

    /// The task with the stored UIDs of its dependencies.
    ///
    /// A task of Taskwarrior names each dependency by the identifier that an export derives from its UID. A file
    /// without the other task does not state this UID.
    package func naming(dependenciesOf todo: Component, _ format: TaskFormat) -> Self {
        guard format == .taskwarrior, !self.dependencies.isEmpty else { return self }
        let known = todo.all(.relatedTo).map { $0.text.trimmingSpaces }.flatMap { uid in
            TaskwarriorIdentifier.all(of: uid).map { (NameUUID.make("\(format.name)\n\($0)"), uid) }
        }
        let names = Dictionary(known, uniquingKeysWith: { first, _ in first })
        var named = self
        named.dependencies = self.dependencies.map { names[$0] ?? $0 }
        return named
    }

    /// Replaces the labels, also that of the project.
    mutating func set(labels: [String]) {
        self.project = nil
        self.allLabels = []
        self.labelKeys = []
        for label in labels { self.add(label: label) }
    }

    mutating func add(note text: String) {
        if text.contains(where: { !$0.isWhitespace }) { self.notes.append(text) }
    }

    /// Stores a value in the property `X-‹program›-‹name›`; `name` is the other program's name for the value.
    mutating func keep(_ text: String, program: String, as name: String) {
        let letters = name.uppercased().unicodeScalars.map { scalar -> Character in
            ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
        }
        guard !text.isEmpty, let name = Name("X-\(program)-\(String(letters.prefix(Self.longestName)))") else { return }
        self.extra.append(ContentLine(name, text: text))
    }

    /// The maximum number of characters of a property name; a hostile file could have longer names.
    private static let longestName = 64

    /// Makes start, due time and rule consistent, because servers reject an inconsistent VTODO with status 415.
    ///
    /// DTSTART and DUE get the same value type, DTSTART is not after DUE, and a rule needs one of them.
    mutating func agree(_ findings: inout FindingList) {
        if let link = self.lines[.url], link.hasControls {
            self.add(note: link)
            self.lines[.url] = nil
        }
        if let rule = self.rule, rule.wire.hasControls {
            findings.add(.badRepeat, line: self.line)
            self.cannotRead(.rrule)
            self.add(note: rule.wire)
            self.rule = nil
        }
        if self.due == nil, self.rule != nil, self.start != nil {
            self.due = self.start
            self.start = nil
        }
        if let rule = self.rule, self.due == nil {
            findings.add(.repeatWithoutDate, line: self.line)
            self.cannotRead(.rrule)
            self.add(note: "Repeats: \(rule.wire)")
            self.rule = nil
        }
        if let start = self.start, let due = self.due {
            let agreeing = start.agreeing(with: due)
            if agreeing == due {
                self.start = nil
            } else if agreeing.localSeconds > due.localSeconds {
                findings.add(.startAfterDue, line: self.line)
                self.keep(start.wire, program: "REMINDAV", as: "START")
                self.start = nil
            } else if self.rule != nil {
                // The dates of a rule begin at DTSTART. So DTSTART gets the due time, and an X- property the start.
                self.keep(start.wire, program: "REMINDAV", as: "START")
                self.start = nil
            } else {
                self.start = agreeing
            }
        }
        if let rule = self.rule, let due = self.due { self.rule = Self.agreeing(rule, with: due) }
    }

    /// Makes UNTIL a date if DUE is one (RFC 5545 §3.3.10).
    private static func agreeing(_ rule: RecurrenceRule, with due: CalendarDateOrDateTime) -> RecurrenceRule {
        guard due.isDate, case .dateTime(let time)? = rule.until else { return rule }
        var agreeing = rule
        agreeing.until = .date(time.date)
        return agreeing
    }
}

extension String {
    /// Whether the text has control characters, such as line ends, which would start a new content line.
    fileprivate var hasControls: Bool { self.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
}
