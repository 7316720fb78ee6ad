import Reminders

/// The options of `add` and `edit` for fields with one line of text, such as `--location`.
struct LineOptions: Hashable, Sendable {
    private static let fields = ReminderField.lines.filter { $0.option != nil }

    static let options = fields.compactMap(\.option).map { Option("--\($0.name)", value: $0.value, $0.help) }
    /// The options for the usage line, each followed by a space.
    static let usage = fields.compactMap(\.option).map { "[--\($0.name) \($0.value)] " }.joined()

    private var values: [ReminderField: String?] = [:]

    /// Reads the options; the value `none` and a blank value clear the field.
    init(_ arguments: inout Arguments) {
        for field in Self.fields {
            guard let name = field.option?.name, let value = arguments.value("--\(name)") else { continue }
            let line = String(value.map { $0.isNewline ? " " : $0 }).trimmingWhiteSpace
            self.values[field] = .some(line.isEmpty || line.lowercased() == "none" ? nil : line)
        }
    }

    func apply(to change: inout ReminderChange) {
        for (field, value) in self.values { change[field] = value.map { .set(.text($0)) } ?? .clear }
    }
}
