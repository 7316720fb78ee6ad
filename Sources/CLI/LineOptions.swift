import RemindavBridge
import RemindavDatePhrases
import RemindavReminders

/// The options of `add` and `edit` for the start, for fields with one line of text such as `--location`, and for the
/// parent, the dependencies and the status.
struct LineOptions: Hashable, Sendable {
    private static let lines = ReminderField.lines.filter { $0.option != nil }
    private static let named = ([.start] + lines + [.parent, .dependencies, .status]).compactMap(\.option)

    static let options = named.map { name, value, help in
        Option(
            "--\(name)",
            short: name == "start" ? "s" : nil,
            value: value,
            occurs: name == ReminderField.dependencies.option?.name ? .many : .once,
            help
        )
    }
    /// The options for a usage line.
    static let usage = named.map { "[--\($0.name) \($0.value)]" }.joined(separator: " ")

    private var texts: [ReminderField: FieldChange<FieldValue>] = [:]
    private let start: When?
    private let parent: FieldChange<ReminderName>
    private let dependencies: [DependencyName]
    private let status: Status?

    /// Reads the options; the value `none` and a blank value clear the field.
    init(_ arguments: inout Arguments) throws(UsageError) {
        for field in Self.lines {
            guard let name = field.option?.name, let value = arguments.value("--\(name)") else { continue }
            self.texts[field] = try ArgumentValues.line(value, of: field)
        }
        self.start = try arguments.value("--start", ArgumentValues.when)
        self.parent = try arguments.value("--parent", ReminderName.parent) ?? .keep
        var dependencies: [DependencyName] = []
        for text in arguments.values("--depends") { dependencies += try DependencyName.names(text) }
        self.dependencies = dependencies
        self.status = try arguments.value("--status", ArgumentValues.status)
    }

    /// Indicates that the options set a start, and do not only clear it.
    var hasStart: Bool { self.start != nil && self.start != .absent }
    var isEmpty: Bool {
        self.texts.isEmpty && self.start == nil && self.parent == .keep && self.status == nil
            && self.dependencies.isEmpty
    }

    func apply(to change: inout ReminderChange, in context: Context) throws {
        for (field, text) in self.texts { change[field] = text }
        if case .set(let name) = self.parent {
            change.parent = .set(try name.reference(in: context))
        } else if self.parent == .clear {
            change.parent = .clear
        }
        if !self.dependencies.isEmpty { change.dependencies = .set(try self.dependencyEdit(in: context)) }
        if let status = self.status { change.status = .set(status) }
        guard let start = self.start else { return }
        let zone = try context.localZone()
        let moment = start.resolved(now: context.now, zone: zone)?.moment(localZone: zone.name)
        change.start = moment.map { .set($0) } ?? .clear
    }
}

extension LineOptions {
    private func dependencyEdit(in context: Context) throws -> DependencyEdit {
        var edit = DependencyEdit()
        for name in self.dependencies {
            switch name {
            case .noOthers: edit.replaces = true
            case .added(let name): edit.added.append(try name.reference(in: context))
            case .removed(let name): edit.removed.append(try name.reference(in: context))
            }
        }
        return edit
    }
}

/// A value of `--depends`.
private enum DependencyName: Hashable, Sendable {
    /// `none`: without the present dependencies.
    case noOthers
    case added(ReminderName)
    case removed(ReminderName)

    /// The values of `3,-4,none`; other text names one reminder by its title.
    static func names(_ text: String) throws(UsageError) -> [Self] {
        let parts = text.split(separator: ",").map { String($0).trimmingWhiteSpace }
        let isList = parts.allSatisfy { part in
            part.lowercased() == "none" || NumberList.isNumber(part.hasPrefix("-") ? String(part.dropFirst()) : part)
        }
        guard isList, !parts.isEmpty else { return [.added(try ReminderName(text))] }
        var names: [Self] = []
        for part in parts {
            if part.lowercased() == "none" {
                names.append(.noOthers)
            } else if part.hasPrefix("-") {
                names.append(.removed(try ReminderName(String(part.dropFirst()))))
            } else {
                names.append(.added(try ReminderName(part)))
            }
        }
        return names
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

    /// The status of an open reminder; the value `none` means ``Status/pending``.
    static func status(_ text: String) throws(UsageError) -> Status {
        switch text.lowercased().filter(\.isLetter) {
        case "inprogress", "inprocess", "started", "active": return .inProgress
        case "pending", "open", "needsaction", "none": return .pending
        case "completed", "complete", "done":
            throw UsageError(.badValue, "'--status' completes no reminder. Use 'remindav done'.")
        default:
            throw UsageError(.badValue, "The status must be in-progress or pending, not '\(Sanitizer.excerpt(text))'.")
        }
    }

    /// The number of a reminder; the value `none` and a blank value clear the parent.
    static func parent(_ text: String) throws(UsageError) -> FieldChange<ReminderReference> {
        let text = text.trimmingWhiteSpace
        if text.isEmpty || text.lowercased() == "none" { return .clear }
        return .set(.number(try self.number(text, of: "reminder")))
    }
}
