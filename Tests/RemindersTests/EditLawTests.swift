import Foundation
import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport
import Testing

@testable import RemindavReminders

/// Random edits of to-dos of real programs, with additional unknown lines.
///
/// The result is compared line by line, with a splitter that shares no code with the library.
@Suite("laws of an edit")
struct EditLawTests {
    /// The total number of edits; set `REMINDAV_EDITS=100000` for a longer test.
    private static let edits = Int(ProcessInfo.processInfo.environment["REMINDAV_EDITS"] ?? "") ?? 2000
    /// The number of consecutive edits of one text.
    private static let editsOfOne = 8

    @Test("an edit changes the lines of the edited fields and the stamps; every other line stays to the byte")
    func untouched() throws {
        let texts = try OddText.fixtures()
        #expect(texts.count > 100)
        var done = 0
        var worked: [String: Int] = [:]
        var seed: UInt64 = 0
        while done < Self.edits {
            seed += 1
            var random = SeededGenerator(seed)
            guard let text = texts.randomElement(using: &random) else { return }
            guard var reminder = Reminder(ICalendarDocument(text.made(&random))) else { continue }
            for step in 0..<Self.editsOfOne {
                let edit = RandomEdit(reminder, &random)
                guard let edited = edit.result else { break }
                let before = reminder.object.document.bytes
                let after = edited.object.document.bytes
                let problem = edit.problem(before: before, after: after) ?? edit.effect(edited)
                try #require(
                    problem == nil,
                    """
                    seed \(seed), step \(step), \(text.name), \(edit.name): \(problem ?? "")
                    \(String(decoding: before, as: UTF8.self))
                    ==>
                    \(String(decoding: after, as: UTF8.self))
                    """
                )
                if before != after { worked[edit.name, default: 0] += 1 }
                done += 1
                reminder = edited
            }
        }
        // Each kind of edit must have had an effect.
        for name in RandomEdit.names { #expect(worked[name, default: 0] > 0, "\(name)") }
    }

    @Test("an edit with the current values changes no byte")
    func nothing() throws {
        for text in try OddText.fixtures() {
            var random = SeededGenerator(7)
            guard let reminder = Reminder(ICalendarDocument(text.made(&random))) else { continue }
            let shown = reminder.current(zones: zones(reminder))
            var change = ReminderChange()
            change.title = shown.title
            change.notes = shown.notes.map { .set($0) } ?? .clear
            change.priority = .set(shown.priority)
            change.labels = .set(shown.labels)
            change.due = shown.due.map { .set($0) } ?? .keep
            if let rule = shown.recurrenceRule, shown.due != nil { change.recurrenceRule = .set(rule) }
            let same = shown.applying(change, in: context, zones: zones(reminder))
            #expect(same.object.document.bytes == reminder.object.document.bytes, "\(text.name)")
        }
    }
}

/// A to-do of a fixture, with random additional lines and folds.
private struct OddText {
    let name: String
    let lines: [WireLine]
    private let lineEnd: [UInt8]
    /// Whether the division into lines does not depend on their contents.
    private let isSturdy: Bool

    /// Returns each file of `Fixtures/ics` with a reminder, as lines.
    static func fixtures() throws -> [OddText] {
        try Fixture.names(in: "ics", endingWith: ".ics").compactMap { name in
            let bytes = try Fixture.bytes("ics/\(name)")
            // Components that are not nested correctly have no unique reading.
            guard Reminder(ICalendarDocument(bytes)) != nil, WireLine.areNested(bytes) else { return nil }
            let text = OddText(name, bytes)
            return text.isSturdy ? text : nil
        }
    }

    private init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.lines = WireLine.split(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        self.lineEnd = Array((text.contains("\r\n") ? "\r\n" : "\n").utf8)
        // A soft line break continues in the next line, so no line may be inserted there. A carriage return alone may
        // be a line end.
        self.isSturdy =
            !text.contains("QUOTED-PRINTABLE") && !name.contains("raw-line-end") && !name.contains("bare-cr")
    }

    private static let names = [
        "X-FOO", "x-lower", "X-APPLE-SORT-ORDER", "X-OC-HIDESUBTASKS", "FLAVOUR", "COMMENT", "CONTACT", "RELATED-TO",
        "X-MOZ-GENERATION", "GEO", "X-", "X-SUMMARY", "X-DUE", "URL", "ATTACH", "Resources",
    ]
    private static let parameters = [
        "", "", ";X-P=\"a;b:c,d\"", ";P=1,2,\"3\"", ";LANGUAGE=de", ";X-Q=^n^'^^", ";EMPTY=", ";ALTREP=\"CID:x@y\"",
        ";x-ü=ä", ";X=1;X=2", ";VALUE=X-NOBODY", ";RELTYPE=X-ODD", ";X-LONG=\(String(repeating: "l", count: 90))",
    ]
    private static let values = [
        "", "one", "a\\,b\\;c\\\\d\\ne", "a,b;c", "\"", "\\", " leading and trailing ", "日本語とעברית", "👩‍👩‍👧‍👦 e\u{301}",
        "BEGIN:VTODO", "SUMMARY:no", String(repeating: "long ä ", count: 40), "\u{1B}[31m", "tab\there", "=20=\"",
    ]

    /// Returns the text with some unknown lines, and with folds at unusual places.
    func made(_ random: inout SeededGenerator) -> [UInt8] {
        var lines = self.lines.map {
            $0.isFoldable && Int.random(in: 0..<6, using: &random) == 0 ? self.folded($0, &random) : $0.bytes
        }
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let places = self.lines.indices.filter { self.lines[$0].path.contains { $0.hasPrefix("VTODO") } && $0 > 0 }
            guard let place = places.randomElement(using: &random) else { break }
            let name = Self.names.randomElement(using: &random) ?? ""
            let parameter = Self.parameters.randomElement(using: &random) ?? ""
            let value = Self.values.randomElement(using: &random) ?? ""
            let line = WireLine(bytes: Array("\(name)\(parameter):\(value)".utf8) + self.lineEnd, path: [])
            lines[place] = self.folded(line, &random) + lines[place]
        }
        return lines.flatMap { $0 }
    }

    /// Returns the line with a fold at a random place after its name, also inside a UTF-8 character.
    private func folded(_ line: WireLine, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = line.bytes
        let content = bytes.count - self.lineEnd.count
        guard Bool.random(using: &random), let colon = bytes.firstIndex(of: 0x3A), colon + 2 < content else {
            return bytes
        }
        let blank: UInt8 = Bool.random(using: &random) ? 0x20 : 0x09
        bytes.insert(contentsOf: self.lineEnd + [blank], at: Int.random(in: (colon + 1)..<content, using: &random))
        return bytes
    }
}

/// A line with its folds and line end, and its components.
///
/// `VTODO 2` is the second to-do of a calendar.
private struct WireLine: Hashable {
    let bytes: [UInt8]
    var path: [String]
    /// The name in capitals, without folds; empty for an invalid line.
    let name: String

    init(bytes: [UInt8], path: [String]) {
        self.bytes = bytes
        self.path = path
        // Only the part before the value, which may be long.
        let head = bytes.firstIndex { $0 == 0x3A || $0 == 0x3B } ?? bytes.count
        let name = Self.unfolded(bytes[..<head])
        self.name = String(decoding: name, as: UTF8.self).uppercased()
    }

    private static func unfolded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return Array(bytes) }
        var rest: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            var next = index + 1
            if byte == 0x0D, next < bytes.endIndex, bytes[next] == 0x0A { next += 1 }
            if byte == 0x0A || byte == 0x0D {
                // The blank of a fold belongs to its line end.
                index = next < bytes.endIndex && bytes[next].isBlank ? next + 1 : next
                continue
            }
            rest.append(byte)
            index += 1
        }
        return rest
    }

    /// The text after the first colon.
    var value: String {
        String(decoding: Self.unfolded(self.bytes.drop { $0 != 0x3A }.dropFirst()), as: UTF8.self)
    }

    /// Whether the line is a single line with an end, without a continuation.
    var isFoldable: Bool {
        !self.name.isEmpty && self.bytes.count { $0 == 0x0A } == 1 && !["BEGIN", "END"].contains(self.name)
    }

    static func split(_ bytes: [UInt8]) -> [WireLine] {
        let end: UInt8 = bytes.contains(0x0A) ? 0x0A : 0x0D
        var pieces: [[UInt8]] = []
        var current: [UInt8] = []
        for byte in bytes {
            current.append(byte)
            guard byte == end else { continue }
            if current[0].isBlank, let last = pieces.last, !last.allSatisfy({ $0 == 0x0A || $0 == 0x0D }) {
                pieces[pieces.count - 1] += current
            } else {
                pieces.append(current)
            }
            current = []
        }
        if !current.isEmpty { pieces.append(current) }
        return self.placed(pieces)
    }

    /// Whether each END ends the innermost component, and none is missing.
    static func areNested(_ bytes: [UInt8]) -> Bool {
        var open: [String] = []
        for line in self.split(bytes) where line.name == "BEGIN" || line.name == "END" {
            let value = line.value.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
            if line.name == "BEGIN" { open.append(value) }
            if line.name == "END", open.popLast() != value { return false }
        }
        return open.isEmpty
    }

    private static func placed(_ pieces: [[UInt8]]) -> [WireLine] {
        var path: [String] = []
        var counts: [String: Int] = [:]
        return pieces.map { bytes in
            var line = WireLine(bytes: bytes, path: path)
            guard line.name == "BEGIN" || line.name == "END" else { return line }
            let value = line.value.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
            if line.name == "BEGIN" {
                counts[(path + [value]).joined(separator: "/"), default: 0] += 1
                path.append("\(value) \(counts[(path + [value]).joined(separator: "/"), default: 0])")
                line.path = path
            } else if line.name == "END", let last = path.last, last.hasPrefix("\(value) ") {
                path.removeLast()
            }
            return line
        }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}

/// An edit of a reminder, and the lines that it may change.
private struct RandomEdit {
    static let names = [
        "title", "notes", "no notes", "priority", "labels", "due", "no due", "repeat", "snooze", "complete", "reopen",
    ]

    let name: String
    /// The edited reminder; `nil` if the series cannot be expanded.
    let result: Reminder?
    /// The names of the properties that the edit may change, by kind of component.
    private let allowed: [String: Set<String>]
    /// Whether the edit may add and remove alarms of a snooze.
    private var movesSnoozes = false
    /// Whether the edit also changes other to-dos of the object.
    private var movesOverrides = false
    private let isDone: (Reminder) -> Bool

    private static let stamps: Set = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"]
    private static let texts = [
        "Buy milk", "a,b;c\\d", "日本語 👍", "e\u{301}", String(repeating: "long ", count: 60), "BEGIN:VTODO",
        "x:y;z=\"q\"",
        "two\nlines", "\u{A0}nbsp", "=E4 quoted",
    ]

    init(_ reminder: Reminder, _ random: inout SeededGenerator) {
        let resolver = zones(reminder)
        let shown = reminder.current(zones: resolver)
        var change = ReminderChange()
        let name = Self.names.randomElement(using: &random) ?? ""
        let text = (Self.texts.randomElement(using: &random) ?? "") + " \(Int.random(in: 0..<100, using: &random))"
        let moved = now.adding(seconds: Int.random(in: -1000...1000, using: &random) * 3600)
        var todo: Set<String> = []
        var alarm: Set<String> = []
        var result: Reminder?
        var isDone: (Reminder) -> Bool = { _ in true }
        switch name {
        case "title":
            change.title = text
            todo = ["SUMMARY"]
            isDone = { $0.title == text }
        case "notes":
            change.notes = .set(text)
            todo = ["DESCRIPTION", "X-ALT-DESC"]
            isDone = { $0.notes == text }
        case "no notes":
            change.notes = .clear
            todo = ["DESCRIPTION", "X-ALT-DESC"]
            isDone = { $0.notes == nil }
        case "priority":
            let priority = Priority.allCases.randomElement(using: &random) ?? .high
            change.priority = .set(priority)
            todo = ["PRIORITY"]
            isDone = { $0.priority == priority }
        case "labels":
            var labels = shown.labels.filter { _ in Bool.random(using: &random) }
            if Bool.random(using: &random) { labels.append(text) }
            change.labels = .set(labels)
            todo = ["CATEGORIES"]
            isDone = { Set($0.labels.map { LabelKey($0) }) == Set(labels.map { LabelKey($0) }) }
        case "due", "no due":
            if name == "due" {
                let due = Self.due(moved, &random)
                change.due = .set(due)
                // A series moves as a whole, and its current occurrence may change.
                isDone = { $0.isSeries || $0.due == due }
            } else {
                change.due = .clear
                todo = ["RRULE"]
            }
            todo.formUnion(["DUE", "DTSTART", "DURATION", "EXDATE", "RDATE", "RECURRENCE-ID", "X-MOZ-SNOOZE-TIME"])
            alarm = ["TRIGGER"]
        case "repeat":
            // A new rule for an existing series replaces occurrences; another law covers this.
            if !reminder.isSeries, reminder.object.todos.count == 1, shown.due != nil {
                let rule = try? RecurrenceRule(wire: "FREQ=MONTHLY;BYDAY=-1FR")
                change.recurrenceRule = rule.map { .set($0) } ?? .keep
                isDone = { $0.recurrenceRule == rule }
            }
            todo = ["RRULE", "DTSTART"]
        case "snooze":
            result = reminder.snoozing(until: moved, in: context, zones: resolver)
            todo = ["X-MOZ-SNOOZE-TIME", "X-MOZ-LASTACK"]
            alarm = ["UID", "ACKNOWLEDGED"]
        case "complete":
            if !reminder.isSeries, reminder.object.todos.count == 1 {
                result = try? reminder.completing(in: context, zones: resolver, shape: .roll).reminder
                isDone = { $0.status == .completed }
            }
            todo = ["STATUS", "COMPLETED", "PERCENT-COMPLETE", "X-MOZ-SNOOZE-TIME"]
        default:
            if !reminder.isSeries, reminder.object.todos.count == 1 {
                result = reminder.reopening(in: context, zones: resolver)
                isDone = { !$0.status.isClosed }
            }
            todo = ["STATUS", "COMPLETED", "PERCENT-COMPLETE"]
        }
        self.name = name
        self.allowed = ["VTODO": todo.union(Self.stamps), "VALARM": alarm]
        self.movesSnoozes = ["due", "no due", "snooze", "complete"].contains(name)
        self.movesOverrides = ["due", "no due", "snooze"].contains(name)
        self.result = result ?? shown.applying(change, in: context, zones: resolver)
        self.isDone = isDone
    }

    private static func due(_ moment: Instant, _ random: inout SeededGenerator) -> CalendarDateOrDateTime {
        let local = moment.secondsSince1970
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .date(CalendarDateTime(localSeconds: local, zone: .utc).date)
        case 1: return .dateTime(CalendarDateTime(localSeconds: local, zone: .named("Europe/Berlin")))
        case 2: return .dateTime(CalendarDateTime(localSeconds: local, zone: .floating))
        default: return .dateTime(CalendarDateTime(localSeconds: local, zone: .utc))
        }
    }

    /// Returns the difference between the request and the result; `nil` without one.
    func effect(_ reminder: Reminder) -> String? {
        self.isDone(reminder.current(zones: zones(reminder))) ? nil : "it is not what was asked for"
    }

    /// Returns an unintended change of the edit; `nil` without one.
    func problem(before: [UInt8], after: [UInt8]) -> String? {
        let old = WireLine.split(before)
        let new = WireLine.split(after)
        guard before != after else { return nil }
        // A missing time zone is added, and the existing ones stay.
        let zones = [old, new].map { Set($0.filter(\.isOfZone).split { $0.name == "BEGIN" }.map { $0.map(\.bytes) }) }
        if !zones[0].isSubset(of: zones[1]) { return "a time zone is another" }
        let (kept, left) = (self.untouchable(old), self.untouchable(new))
        if kept.map(\.bytes) != left.map(\.bytes) {
            let gone = kept.difference(from: left) { $0.bytes == $1.bytes }
            let words = gone.map { change in
                switch change {
                case .insert(_, let line, _): "lost \(String(decoding: line.bytes, as: UTF8.self))"
                case .remove(_, let line, _): "new \(String(decoding: line.bytes, as: UTF8.self))"
                }
            }
            return words.joined(separator: "; ")
        }
        return self.stampProblem(old, new)
    }

    /// The lines that have to stay.
    ///
    /// Time zones are compared separately; the alarm of a snooze does not count.
    private func untouchable(_ lines: [WireLine]) -> [WireLine] {
        let snoozes = Set(lines.filter { self.movesSnoozes && $0.isSnooze }.map(\.path))
        return lines.filter { line in
            guard let component = line.path.last?.split(separator: " ").first else { return true }
            if component == "VALARM" || line.path.contains(where: { $0.hasPrefix("VALARM") }) {
                if snoozes.contains(where: { line.path.starts(with: $0) }) { return false }
            }
            if line.isOfZone { return false }
            let name = line.name.hasPrefix("X-MOZ-SNOOZE-TIME-") ? "X-MOZ-SNOOZE-TIME" : line.name
            return !(self.allowed[String(component)]?.contains(name) ?? false)
        }
    }

    /// Checks that a changed to-do has both stamps at the current time and SEQUENCE plus one, and that no other to-do
    /// changed.
    private func stampProblem(_ old: [WireLine], _ new: [WireLine]) -> String? {
        let olds = Dictionary(grouping: old.filter(\.isOfTodo), by: \.todo)
        let news = Dictionary(grouping: new.filter(\.isOfTodo), by: \.todo)
        var changed = 0
        for (todo, lines) in news {
            guard let former = olds[todo], former.map(\.bytes) != lines.map(\.bytes) else { continue }
            changed += 1
            // Exceptions and overrides move with their series.
            if self.movesOverrides, !lines.contains(where: { $0.value == CalendarDateTime(utc: now).wire }) { continue }
            let own = lines.filter { $0.path.last?.hasPrefix("VTODO") == true }
            for name in ["DTSTAMP", "LAST-MODIFIED"] {
                let values = own.filter { $0.name == name }.map(\.value)
                if values != [CalendarDateTime(utc: now).wire] { return "\(todo) has the \(name) \(values)" }
            }
            let numbers = [former, lines].map { lines in
                lines.filter { $0.name == "SEQUENCE" && $0.path.last?.hasPrefix("VTODO") == true }.map(\.value)
            }
            let next = numbers[0].first.flatMap { Int32($0) }.map {
                $0 >= 0 && $0 < .max ? [String($0 + 1)] : numbers[0]
            }
            if numbers[1] != next ?? numbers[0] { return "\(todo) has the SEQUENCE \(numbers[1]) after \(numbers[0])" }
        }
        return changed > 1 && !self.movesOverrides ? "\(changed) to-dos were changed" : nil
    }
}

extension WireLine {
    var isOfZone: Bool { self.path.contains { $0.hasPrefix("VTIMEZONE") } }
    var isOfTodo: Bool { self.path.contains { $0.hasPrefix("VTODO") } }
    /// The path of the components around the line, up to its to-do.
    var todo: String {
        let last = self.path.firstIndex { $0.hasPrefix("VTODO") } ?? -1
        return self.path[...last].joined(separator: "/")
    }
    var isSnooze: Bool {
        self.name == "RELATED-TO" && self.path.last?.hasPrefix("VALARM") == true
            && String(decoding: self.bytes, as: UTF8.self).contains("RELTYPE=SNOOZE")
    }
}
