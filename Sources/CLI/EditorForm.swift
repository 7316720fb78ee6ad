import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavRecurrence
import RemindavReminders

/// A reminder as text for an editor: a line for each field, then the notes; an unchanged value keeps its stored bytes.
struct EditorForm: Sendable {
    /// The fields in the order of the form; the notes come last, because they can have several lines.
    private static let fields = ReminderField.settable.filter { $0 != .notes } + [.notes]

    struct Problem: Error, Hashable, Sendable {
        /// The number of the line, counted from 1; 0 for a problem of the whole text.
        let line: Int
        let sentence: String
    }

    struct Problems: Error, Hashable, Sendable {
        let all: [Problem]
    }

    private let values: [ReminderField: String]
    private let title: String
    /// The stored labels by their displayed form; several labels may have the same displayed form.
    private let labels: [String: [String]]
    /// The present alarms by their phrases.
    private let alarms: [String: AlarmChoice]
    private let dayTime: ClockTime
    private let present: PresentDue
    private let heading: String
    private let now: Instant
    private let zone: LocalZone

    /// - Parameter dayTime: the time of day of an alarm for which only a day is given.
    init(
        _ reminder: ReminderView,
        now: Instant,
        zone: LocalZone,
        dayTime: ClockTime = AlarmSettings.standardDayTime
    ) {
        let text = LocalText(zone: zone, now: now)
        self.now = now
        self.zone = zone
        self.values = Self.fields.reduce(into: [:]) { $0[$1] = Self.value(of: $1, reminder, text) }
        self.title = reminder.title
        self.dayTime = dayTime
        self.present = PresentDue(reminder, zone: zone)
        self.alarms = Dictionary(
            reminder.alarmChoices.map { (text.phrase($0), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        self.labels = Dictionary(grouping: reminder.labels) { (Sanitizer.line($0)).trimmingWhiteSpace }
        self.heading = """
            # Reminder \(reminder.id). Change the values after the colons, save the file, and close the editor.
            # An empty value clears the field. A deleted line leaves the field unchanged.
            # The notes extend from their line to the end. If you edit nothing, nothing is changed.
            """
    }

    private static func value(of field: ReminderField, _ reminder: ReminderView, _ text: LocalText) -> String? {
        switch field.kind {
        case .title: Sanitizer.line(reminder.title)
        case .line: reminder.lines[field.name].map(Sanitizer.line)
        case .notes: reminder.notes
        case .start: reminder.start.map(text.short)
        case .dependencies:
            reminder.dependencyIDs.isEmpty ? nil : reminder.dependencyIDs.map(String.init).joined(separator: ", ")
        case .status: reminder.status.isClosed ? nil : reminder.status.words
        case .parent: reminder.parentID.map { "\($0)" }
        case .due: reminder.dueDay.map { "\($0)" } ?? reminder.dueInstant.map { text.short($0) }
        case .rule: RuleSentence(zone: text.zone).text(reminder).map(Sanitizer.line)
        case .priority: reminder.priority == .undefined ? nil : reminder.priority.rawValue
        case .labels: reminder.labels.map(LabelText.quoted).joined(separator: ", ")
        case .list: Sanitizer.line(reminder.list)
        case .alarms:
            reminder.alarmChoices.isEmpty ? nil : reminder.alarmChoices.map(text.phrase).joined(separator: ", ")
        case .readOnly: nil
        }
    }

    var text: String {
        let lines = Self.fields.dropLast().map { "\($0.heading): \(self.values[$0] ?? "")".trimmingWhiteSpace }
        let notes = self.values[.notes].map { $0 + "\n" } ?? ""
        return "\(self.heading)\n\n\(lines.joined(separator: "\n"))\n\(ReminderField.notes.heading):\n\(notes)"
    }

    /// The change, and the stated or present day if a new rule has no date on it.
    ///
    /// - Throws: all problems of the text at once.
    func reading(_ text: String) throws(Problems) -> (change: ReminderChange, moved: CalendarDate?) {
        var problems: [Problem] = []
        let entries = self.entries(of: text, &problems).filter { !self.isUntouched($0) }
        var change = ReminderChange()
        var dates = Dates()
        for entry in entries {
            do throws(UsageError) {
                try self.read(entry, into: &change, &dates)
            } catch {
                problems.append(Problem(line: entry.line, sentence: error.sentence))
            }
        }
        var moved: CalendarDate?
        do throws(UsageError) {
            if problems.isEmpty { moved = try self.set(dates, in: &change) }
        } catch {
            let line = entries.first { $0.field == (dates.repetition == nil ? .due : .repeats) }?.line
            problems.append(Problem(line: line ?? 0, sentence: error.sentence))
        }
        guard problems.isEmpty else { throw Problems(all: problems.sorted { $0.line < $1.line }) }
        return (change, moved)
    }

    /// The typed due time and repetition, which together give the new dates.
    private struct Dates {
        var due: When?
        var repetition: RepeatPhrase?
    }

    private func set(_ dates: Dates, in change: inout ReminderChange) throws(UsageError) -> CalendarDate? {
        if dates.repetition != nil, change.dueShift != nil { throw .shiftWithRule }
        let sameDay = self.present.day.map { DueChoice.date($0) }
        // The user removed the time of day if the present day remains without it.
        let isTimeRemoved = sameDay != nil && dates.due?.resolved(now: self.now, zone: self.zone) == sameDay
        return try UsageError.phrase { () throws(PhraseError) in
            try self.present.apply(
                due: dates.due,
                removingTime: isTimeRemoved,
                repetition: dates.repetition,
                now: self.now,
                to: &change
            )
        }
    }

    private struct Entry {
        let field: ReminderField
        let line: Int
        /// The typed value without blanks at its ends; from notes, only the last line end is removed.
        var value: String
    }

    private func entries(of text: String, _ problems: inout [Problem]) -> [Entry] {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var entries: [Entry] = []
        for (index, line) in lines.enumerated() {
            let content = String(line).trimmingWhiteSpace
            if content.isEmpty || content.hasPrefix("#") { continue }
            do throws(UsageError) {
                let (field, value) = try Self.split(content)
                if entries.contains(where: { $0.field == field }) {
                    throw UsageError(.badValue, "'\(field.heading)' occurs twice. Delete one of the two lines.")
                }
                guard field == .notes else {
                    entries.append(Entry(field: field, line: index + 1, value: value))
                    continue
                }
                // Some editors write CRLF at all line ends.
                let start = lines[(index + 1)...].first?.startIndex ?? text.endIndex
                var notes = String(text[start...]).replacing("\r\n", with: "\n")
                if notes.last == "\n" { notes.removeLast() }
                if !value.isEmpty { notes = notes.isEmpty ? value : "\(value)\n\(notes)" }
                entries.append(Entry(field: .notes, line: index + 1, value: notes))
                return entries
            } catch {
                problems.append(Problem(line: index + 1, sentence: error.sentence))
            }
        }
        return entries
    }

    private static func split(_ line: String) throws(UsageError) -> (ReminderField, String) {
        let names = Self.fields.map(\.heading)
        guard let colon = line.firstIndex(of: ":") else {
            throw UsageError(
                .badValue,
                "The line has no colon. Only the last field, \(ReminderField.notes.heading), can have several lines."
            )
        }
        let name = String(line[..<colon]).trimmingWhiteSpace
        guard let field = Self.fields.first(where: { $0.name == name.lowercased() }) else {
            let guess = Spelling.nearest(to: name, among: names.map { $0.lowercased() })
            let hint = guess.map { "Did you mean '\($0)'?" } ?? "The fields are \(names.joined(separator: ", "))."
            throw UsageError(.badValue, "There is no field '\(Sanitizer.excerpt(name))'. \(hint)")
        }
        return (field, String(line[line.index(after: colon)...]).trimmingWhiteSpace)
    }

    /// Whether the user left the value unchanged; line ends and blank lines at the end of notes may differ.
    private func isUntouched(_ entry: Entry) -> Bool {
        let written = self.values[entry.field] ?? ""
        guard entry.field == .notes else { return entry.value == written.trimmingWhiteSpace }
        return Self.lines(entry.value) == Self.lines(written)
    }

    private static func lines(_ text: String) -> [Substring] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private func read(_ entry: Entry, into change: inout ReminderChange, _ dates: inout Dates) throws(UsageError) {
        let value = entry.value
        let isCleared = value.isEmpty || value.lowercased() == "none"
        switch entry.field.kind {
        case .title: change.title = try ArgumentValues.title(self.titleToStore(value))
        case .due:
            if let shift = try ArgumentValues.shift(value) {
                change.dueShift = shift
                break
            }
            dates.due = isCleared ? .absent : try ArgumentValues.when(value)
        case .start:
            let when = isCleared ? .absent : try ArgumentValues.when(value)
            let start = when.resolved(now: self.now, zone: self.zone)?.moment(localZone: self.zone.name)
            change.start = start.map { .set($0) } ?? .clear
        case .dependencies:
            let numbers =
                try isCleared ? [] : NumberList(value.split(separator: " ").map(String.init), of: "reminder").numbers
            change.dependencies = .set(DependencyEdit(replaces: true, added: numbers.map(ReminderReference.number)))
        case .status: change.status = .set(isCleared ? .pending : try ArgumentValues.status(value))
        case .parent: change.parent = try ArgumentValues.parent(value)
        case .rule:
            let repetition = isCleared ? nil : try ArgumentValues.repetition(value)
            dates.repetition = repetition
            change.recurrenceRule = repetition.map { .set($0.rule) } ?? .clear
        case .priority:
            guard let priority = isCleared ? .undefined : Priority(word: value) else {
                throw UsageError(.badValue, "Priority must be low, medium or high, not '\(Sanitizer.excerpt(value))'.")
            }
            change.priority = priority == .undefined ? .clear : .set(priority)
        case .labels:
            let labels = try self.labelsToStore(value)
            change.labels = labels.isEmpty ? .clear : .set(labels)
        case .list: change.list = try ArgumentValues.listName(value)
        case .notes: change.notes = value.trimmingWhiteSpace.isEmpty ? .clear : .set(value)
        case .line: change[entry.field] = try ArgumentValues.line(value, of: entry.field)
        case .alarms: change.alarms = isCleared ? .clear : .set(try self.alarms(value))
        case .readOnly: break
        }
    }

    /// The typed alarms; an alarm that the user did not change keeps its stored form, also if its time is past.
    private func alarms(_ value: String) throws(UsageError) -> [AlarmChoice] {
        var choices: [AlarmChoice] = []
        var typed: [String] = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false).map({ String($0).trimmingWhiteSpace })
        {
            if let known = self.alarms[part] { choices.append(known) } else { typed.append(part) }
        }
        guard !typed.isEmpty, case .set(let phrases) = try ArgumentValues.alarmChange([typed.joined(separator: ", ")])
        else { return choices }
        for phrase in phrases {
            let choice = try UsageError.phrase { () throws(PhraseError) in
                try phrase.choice(now: self.now, zone: self.zone, dayTime: self.dayTime)
            }
            guard let choice else { continue }
            if !choices.contains(choice) { choices.append(choice) }
        }
        return choices
    }

    /// The typed title; an escape such as `\x1b` becomes its control character if the old title has this character.
    private func titleToStore(_ shown: String) -> String {
        Set(self.title.unicodeScalars.filter(Sanitizer.isDangerous)).reduce(shown) { text, scalar in
            let character = String(scalar)
            let letters = Sanitizer.line(character)
            guard !self.title.unicodeScalars.contains(letters.unicodeScalars) else { return text }
            return String(text.unicodeScalars.replacing(letters.unicodeScalars, with: character.unicodeScalars))
        }
    }

    /// The typed labels; a label that the user did not change keeps its stored form.
    private func labelsToStore(_ value: String) throws(UsageError) -> [String] {
        var stored = self.labels.mapValues { $0[...] }
        var labels: [String] = []
        var seen: Set<LabelKey> = []
        for shown in try LabelText.names(value) {
            let kept = stored[shown]?.popFirst()
            let label = if let kept { kept } else { try ArgumentValues.label(shown) }
            if seen.insert(LabelKey(label)).inserted { labels.append(label) }
        }
        return labels
    }
}
