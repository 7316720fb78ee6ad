import RemindavReminders

/// Labels as text: `home, "two, words"`, with commas between them.
enum LabelText {
    /// A label as `work`; if it contains a comma or quotation marks, it is quoted, and its quotation marks are doubled.
    static func quoted(_ label: String) -> String {
        let label = Sanitizer.line(label)
        guard label.contains(",") || label.contains("\"") else { return label }
        return "\"" + label.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    /// The labels between the commas, trimmed, without empty ones.
    static func names(_ text: String) throws(UsageError) -> [String] {
        var names: [String] = []
        var name = ""
        var isQuoted = false
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\"" where isQuoted && rest.first == "\"": name.append(rest.removeFirst())
            case "\"" where isQuoted || ["", "+", "-"].contains(name.trimmingWhiteSpace): isQuoted.toggle()
            case "," where !isQuoted:
                names.append(name)
                name = ""
            default: name.append(character)
            }
        }
        names.append(name)
        if isQuoted { throw UsageError(.badValue, "A quotation mark is not closed.") }
        return names.map(\.trimmingWhiteSpace).filter { !$0.isEmpty }
    }
}

/// The labels of the option `--label` of `add` and `edit`: `home`, `+home` and `-home`.
///
/// One sign is removed, so `++x` means the label `+x`, and `+#x` the label `#x`.
struct LabelOption: Hashable, Sendable {
    private(set) var edit = LabelEdit()
    /// Whether `none` is among the labels, so that all present labels are removed first.
    private(set) var clears = false

    init(_ texts: [String]) throws(UsageError) {
        for text in texts {
            let names = try LabelText.names(text)
            if names.isEmpty { _ = try ArgumentValues.label(text) }
            for name in names { try self.add(name) }
        }
        self.edit.added = ArgumentValues.unique(self.edit.added)
        let added = Set(self.edit.added.map { LabelKey($0) })
        if let both = self.edit.removed.first(where: { added.contains(LabelKey($0)) }) {
            let label = Sanitizer.excerpt(both)
            throw UsageError(.badValue, "The label '\(label)' is both added and removed. Give it once.")
        }
    }

    private mutating func add(_ name: String) throws(UsageError) {
        if name.lowercased() == "none" {
            self.clears = true
        } else if name.hasPrefix("-") {
            self.edit.removed.append(try ArgumentValues.label(String(name.dropFirst())))
        } else {
            // `#home` is the form in which a label is shown.
            let isSigned = name.hasPrefix("+") || name.hasPrefix("#") && name.count > 1
            self.edit.added.append(try ArgumentValues.label(isSigned ? String(name.dropFirst()) : name))
        }
    }

    func apply(to change: inout ReminderChange) {
        guard self.clears else { return change.labelEdit = self.edit }
        change.labels = self.edit.added.isEmpty ? .clear : .set(self.edit.added)
    }
}
