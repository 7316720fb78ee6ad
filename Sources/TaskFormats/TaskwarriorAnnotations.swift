import RemindavICalendar
import RemindavJSON
import RemindavReminders

/// The annotations of an exported reminder: the former ones that the notes still have, and one for each other line.
struct WrittenAnnotations {
    private var objects: [JSONValue] = []
    private var undatedTimes: [Instant] = []

    /// The maximum number of new annotations; the last one has all further lines.
    private static let maximumNew = 60
    /// The number of lines that may begin a former annotation; hostile notes could repeat one line very often.
    private static let maximumPlaces = 16

    init(_ reminder: RecordedReminder, _ former: JSONValue?) {
        let created = TaskwarriorField.created(reminder)
        let undated = TaskwarriorAnnotation.undated(reminder.record?.objects.first?[TaskRecord.undatedMember]?.scalar)
        let lines = (reminder.reminder.notes ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        // The places of equal lines, the last one first, because the first ones are removed as they are passed.
        var places: [Substring: [Int]] = [:]
        for place in lines.indices.reversed() { places[lines[place], default: []].append(place) }
        var (added, end, last): ([Substring], Int, Instant?) = ([], 0, nil)
        for value in former?.array ?? [] {
            guard let annotation = value.object.flatMap({ TaskwarriorAnnotation($0, reminder.context) }) else {
                continue
            }
            let own = annotation.note(ofTask: created, undated: undated)
                .split(separator: "\n", omittingEmptySubsequences: false)
            while let place = places[own[0]]?.last, place < end { places[own[0]]?.removeLast() }
            let begins = (places[own[0]] ?? []).suffix(Self.maximumPlaces).reversed()
            guard let place = begins.first(where: { lines[$0...].starts(with: own) }) else { continue }
            added += lines[end..<place]
            end = place + own.count
            self.objects.append(value)
            guard let time = annotation.instant else { continue }
            last = max(last ?? time, time)
            if undated.contains(time) { self.undatedTimes.append(time) }
        }
        // A new annotation is not older than the former ones. Taskwarrior keeps one annotation for each second.
        guard let changed = reminder.changedAt ?? created else { return }
        let first = max(changed, last?.adding(seconds: 1) ?? changed)
        for (place, text) in Self.parts(added + lines[end...]).enumerated() {
            let time = first.adding(seconds: place)
            self.undatedTimes.append(time)
            self.objects.append(["description": .string(text), "entry": .string(time.wire)])
        }
    }

    var value: JSONValue? { self.objects.isEmpty ? nil : .array(self.objects) }

    /// The times of the annotations without a date in the notes; an import reads them without a date again.
    var undated: String? {
        self.undatedTimes.isEmpty ? nil : self.undatedTimes.map(\.wire).joined(separator: ",")
    }

    /// The texts of new annotations: one for each line, and a blank line belongs to the line above it.
    private static func parts(_ lines: [Substring]) -> [String] {
        guard lines.contains(where: { $0.contains { !$0.isWhitespace } }) else { return [] }
        var parts: [String] = []
        for line in lines {
            let isNew = line.contains { !$0.isWhitespace } && parts.last?.contains { !$0.isWhitespace } ?? true
            if let last = parts.indices.last, !isNew || parts.count == Self.maximumNew {
                parts[last] += "\n\(line)"
            } else {
                parts.append(String(line))
            }
        }
        return parts
    }
}

extension ImportedTask {
    /// The notes with the annotations of both sides, if both changed them; `nil` for a format without annotations.
    ///
    /// The annotations of the file come first, so a new export finds them again. A line that one side removed stays
    /// removed, as far as the record of the last import has it.
    func mergedNotes(with todo: Component, _ format: TaskFormat, in context: ImportContext) -> String? {
        guard format == .taskwarrior else { return nil }
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        let base = Set(TaskRecord.annotations(of: todo, format, context).flatMap(lines))
        let (theirs, ours) = (lines(self.notes.joined(separator: "\n")), lines(todo.first(.description)?.text ?? ""))
        let here = Set(ours)
        let kept = theirs.filter { here.contains($0) || !base.contains($0) }
        // A line may occur several times, and an empty line belongs to the added line before it.
        var inFile = Dictionary(theirs.map { ($0, 1) }, uniquingKeysWith: +)
        var (added, follows): ([Substring], Bool) = ([], false)
        for line in ours {
            if line.isEmpty {
                if follows { added.append(line) }
            } else if let count = inFile[line], count > 0 {
                inFile[line] = count - 1
                follows = false
            } else {
                follows = !base.contains(line)
                if follows { added.append(line) }
            }
        }
        while added.last?.isEmpty ?? false { added.removeLast() }
        return (kept + added).joined(separator: "\n")
    }
}

extension TaskRecord {
    /// The texts of the annotations at the last import, in the form of the notes.
    fileprivate static func annotations(of todo: Component, _ format: TaskFormat, _ context: ImportContext) -> [String]
    {
        guard let task = Self(of: todo, format)?.objects.first else { return [] }
        let created = task["entry"]?.scalar.flatMap { context.instant($0) }
        let undated = TaskwarriorAnnotation.undated(task[self.undatedMember]?.scalar)
        return (task["annotations"]?.array ?? []).compactMap(\.object).compactMap {
            TaskwarriorAnnotation($0, context)?.note(ofTask: created, undated: undated)
        }
    }
}
