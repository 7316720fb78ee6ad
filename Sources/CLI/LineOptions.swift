import DatePhrases
import Reminders

/// The options of `add` and `edit` for the start, for fields with one line of text such as `--location`, and for the
/// parent.
struct LineOptions: Hashable, Sendable {
    private static let lines = ReminderField.lines.filter { $0.option != nil }
    private static let named = ([.start] + lines + [.parent]).compactMap(\.option)

    static let options = named.map { name, value, help in
        Option("--\(name)", short: name == "start" ? "s" : nil, value: value, help)
    }
    /// The options for a usage line.
    static let usage = named.map { "[--\($0.name) \($0.value)]" }.joined(separator: " ")

    private var texts: [ReminderField: FieldChange<FieldValue>] = [:]
    private let start: When?
    private let parent: FieldChange<ParentChoice>

    /// Reads the options; the value `none` and a blank value clear the field.
    init(_ arguments: inout Arguments) throws(UsageError) {
        for field in Self.lines {
            guard let name = field.option?.name, let value = arguments.value("--\(name)") else { continue }
            self.texts[field] = try ArgumentValues.line(value, of: field)
        }
        self.start = try arguments.value("--start", ArgumentValues.when)
        self.parent = try arguments.value("--parent", ArgumentValues.parent) ?? .keep
    }

    /// Indicates that the options set a start, and do not only clear it.
    var hasStart: Bool { self.start != nil && self.start != .absent }
    var isEmpty: Bool { self.texts.isEmpty && self.start == nil && self.parent == .keep }

    func apply(to change: inout ReminderChange, in context: Context) throws {
        for (field, text) in self.texts { change[field] = text }
        if self.parent != .keep { change.parent = self.parent }
        guard let start = self.start else { return }
        let zone = try context.localZone()
        let moment = start.resolved(now: context.now, zone: zone)?.moment(localZone: zone.name)
        change.start = moment.map { .set($0) } ?? .clear
    }
}

extension ArgumentValues {
    /// The text on one line; the value `none` and a blank value clear the field.
    static func line(_ text: String, of field: ReminderField) throws(UsageError) -> FieldChange<FieldValue> {
        let line = String(text.map { $0.isNewline ? " " : $0 }).trimmingWhiteSpace
        if line.isEmpty || line.lowercased() == "none" { return .clear }
        do throws(LinkError) { return .set(.text(try field.check(line))) } catch {
            throw UsageError(.badValue, error.description)
        }
    }

    /// The number of a reminder; the value `none` and a blank value clear the parent.
    static func parent(_ text: String) throws(UsageError) -> FieldChange<ParentChoice> {
        let text = text.trimmingWhiteSpace
        if text.isEmpty || text.lowercased() == "none" { return .clear }
        return .set(.number(try self.number(text, of: "reminder")))
    }
}
