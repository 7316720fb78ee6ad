import RemindavICalendar
import RemindavReminders

/// The parts of a line: its beginning, its text, and the words that the format defines.
package struct TodoTxtLine: Hashable, Sendable {
    /// The pairs `KEY:VALUE` that have a meaning here; all others stay in the title.
    enum Key: String, CaseIterable, Sendable {
        case due
        /// The start; programs hide the task before this date.
        case threshold = "t"
        /// The repetition, such as `1w`, or `+1w` if it counts from the due date.
        case recurrence = "rec"
        /// The value of RRULE for a rule that `rec` cannot express; only this program reads it.
        case rule = "rrule"
        /// The priority of a completed task.
        case priority = "pri"
    }

    var isCompleted = false
    /// A letter from A to Z; `nil` for a task without priority.
    var priority: Character?
    var completedOn: CalendarDate?
    var createdOn: CalendarDate?
    /// The text without the words that ``Key`` defines, and without the tags at its end.
    var title = ""
    /// The names behind `+` and `@`, in the order of the line, without duplicates.
    var projects: [String] = []
    var contexts: [String] = []
    var values: [Key: String] = [:]

    /// Creates an empty line.
    init() {}

    init(_ line: String) {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        if words.first == "x", words.count > 1 {
            self.isCompleted = true
            words.removeFirst()
        }
        self.priority = Self.takePriority(&words)
        if let date = Self.takeDate(&words) {
            if self.isCompleted {
                self.completedOn = date
                self.createdOn = Self.takeDate(&words)
            } else {
                self.createdOn = date
            }
        }
        // Some programs write the priority of a completed task behind its dates.
        if self.priority == nil { self.priority = Self.takePriority(&words) }
        self.readText(words)
    }

    private mutating func readText(_ words: [String]) {
        var text: [String] = []
        for word in words {
            if let (key, value) = Self.pair(word), self.values[key] == nil {
                self.values[key] = value
            } else {
                text.append(word)
                self.note(tag: word)
            }
        }
        if let value = self.values[.priority], self.priority == nil { self.priority = Self.letter(value) }
        // Tags inside a sentence are words of it, so only those at the end are removed.
        let sentence = text.reversed().drop { Self.tag($0) != nil }.reversed()
        self.title = (sentence.isEmpty ? text : Array(sentence)).joined(separator: " ")
        if self.title.isEmpty { self.title = words.joined(separator: " ") }
    }

    private mutating func note(tag word: String) {
        guard let (mark, name) = Self.tag(word) else { return }
        if mark == "+", !self.projects.contains(name) { self.projects.append(name) }
        if mark == "@", !self.contexts.contains(name) { self.contexts.append(name) }
    }

    /// The mark and the name of `+project` or `@context`; `nil` for any other word.
    static func tag(_ word: String) -> (mark: Character, name: String)? {
        guard let mark = word.first, mark == "+" || mark == "@", word.count > 1 else { return nil }
        return (mark, String(word.dropFirst()))
    }

    private static func pair(_ word: String) -> (Key, String)? {
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let key = Key(rawValue: parts[0].lowercased()) else { return nil }
        if key == .priority, self.letter(String(parts[1])) == nil { return nil }
        if key == .rule, (try? RecurrenceRule(wire: String(parts[1]))) == nil { return nil }
        return (key, String(parts[1]))
    }

    private static func letter(_ text: String) -> Character? {
        guard text.count == 1, let letter = text.first, ("A"..."Z").contains(letter) else { return nil }
        return letter
    }

    private static func takePriority(_ words: inout [String]) -> Character? {
        guard let word = words.first, word.count == 3, word.hasPrefix("("), word.hasSuffix(")"),
            let letter = self.letter(String(word.dropFirst().dropLast()))
        else { return nil }
        words.removeFirst()
        return letter
    }

    private static func takeDate(_ words: inout [String]) -> CalendarDate? {
        guard let date = words.first.flatMap({ ImportContext.date($0) }) else { return nil }
        words.removeFirst()
        return date
    }

    /// Whether the line begins with a priority, a date, or the mark of a completed task with a date.
    var hasMarkAtItsBeginning: Bool {
        self.isCompleted ? self.completedOn != nil : self.createdOn != nil || self.priority != nil
    }

    /// The priority of a reminder for a letter: A is high, B is medium, and all others are low.
    static func priority(_ letter: Character?) -> Priority {
        switch letter {
        case nil: .undefined
        case "A": .high
        case "B": .medium
        default: .low
        }
    }
}
