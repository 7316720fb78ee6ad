import RemindavBridge
public import RemindavICalendar
public import RemindavReminders

/// A label with the number of its reminders.
public struct ReminderLabel: Hashable, Sendable {
    /// The name of the label, without a `#`.
    public let name: String
    /// The colour of the label, or the standard colour.
    public let color: LabelColor
    /// The number of open reminders with the label.
    public let openCount: Int
    /// The number of completed reminders with the label.
    public let completedCount: Int
    /// The time of the last change of name or colour; `nil` for a label that only reminders have.
    public let updatedAt: Instant?

    init(_ view: LabelView) {
        (self.name, self.color, self.updatedAt) = (view.name, view.color, view.updatedAt)
        (self.openCount, self.completedCount) = (view.open, view.completed)
    }
}

/// The result of a change that concerns all reminders with a label.
public struct LabelChange: Hashable, Sendable {
    /// The numbers of the changed reminders.
    public let reminders: [Int64]
    /// The read-only lists with the number of their reminders that keep the label.
    public let keptInLists: [String: Int]
    /// The run for ``Remindav/undo(run:)``; `nil` if nothing was changed.
    public let run: Int64?

    init(_ result: LabelChangeResult) {
        self.reminders = result.changed.map(\.id)
        self.keptInLists = Dictionary(result.kept.map { ($0.list, $0.count) }, uniquingKeysWith: +)
        self.run = result.run
    }
}

extension Remindav {
    /// Returns all labels, by name.
    public func labels() throws(RemindavError) -> [ReminderLabel] {
        try self.perform { try self.useCases.labels().map { ReminderLabel($0) } }
    }

    /// Creates a label, or gives a colour to a label that only reminders have.
    ///
    /// - Parameters:
    ///   - name: the name of the label, without a `#`.
    ///   - color: `nil` for the standard colour.
    @discardableResult
    public func addLabel(named name: String, color: LabelColor? = nil) throws(RemindavError) -> ReminderLabel {
        try self.perform { ReminderLabel(try self.useCases.addLabel(named: name, color: color)) }
    }

    /// Changes the colour of a label.
    @discardableResult
    public func recolorLabel(_ name: String, to color: LabelColor) throws(RemindavError) -> ReminderLabel {
        try self.perform { ReminderLabel(try self.useCases.recolorLabel(name, to: color)) }
    }

    /// Renames a label in all reminders and feeds.
    @discardableResult
    public func renameLabel(_ name: String, to new: String) throws(RemindavError) -> LabelChange {
        try self.perform { LabelChange(try self.useCases.renameLabel(name, to: new)) }
    }

    /// Replaces a label by another label in all reminders and feeds.
    @discardableResult
    public func mergeLabel(_ name: String, into other: String) throws(RemindavError) -> LabelChange {
        try self.perform { LabelChange(try self.useCases.mergeLabel(name, into: other)) }
    }

    /// Removes a label from all reminders.
    @discardableResult
    public func deleteLabel(_ name: String) throws(RemindavError) -> LabelChange {
        try self.perform { LabelChange(try self.useCases.deleteLabel(name)) }
    }
}
