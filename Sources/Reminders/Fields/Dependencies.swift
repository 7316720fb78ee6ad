import RemindavICalendar

/// A change of the reminders on which a reminder depends (RELATED-TO with RELTYPE=DEPENDS-ON, RFC 9253 §5).
public struct DependencyEdit: Hashable, Sendable {
    /// Whether the other present dependencies are removed.
    public var replaces: Bool
    /// The reminders that must be completed first; a present dependency keeps its bytes.
    public var added: [ReminderReference]
    /// The reminders that need not be completed first; others are ignored.
    public var removed: [ReminderReference]

    /// Creates an edit.
    public init(replaces: Bool = false, added: [ReminderReference] = [], removed: [ReminderReference] = []) {
        self.replaces = replaces
        self.added = added
        self.removed = removed
    }
}

extension Reminder {
    /// The UIDs of the reminders on which this one depends, in order; no other reminder needs to have them.
    package var dependencyUIDs: [String] { self.relations.filter { $0.kind == .dependsOn }.map(\.uid) }

    /// Adds and removes dependencies, and keeps all other relations; a use case has replaced the numbers by UIDs.
    func write(dependencies change: FieldChange<DependencyEdit>, to editor: inout ComponentEditor) {
        guard let edit = change.value(clear: DependencyEdit(replaces: true)) else { return }
        let added = edit.added.compactMap(\.uid)
        let removed = Set(edit.removed.compactMap(\.uid))
        for property in self.todo.all(.relatedTo) {
            guard let relation = Relation(property), relation.kind == .dependsOn else { continue }
            let isReplaced = edit.replaces && !added.contains(relation.uid)
            if isReplaced || removed.contains(relation.uid) { editor.remove(property) }
        }
        var present = Set(self.dependencyUIDs)
        for uid in added where present.insert(uid).inserted {
            editor.add(ContentLine(.relatedTo, [Parameter(.reltype, "DEPENDS-ON")], text: uid))
        }
    }
}

extension ReminderReference {
    fileprivate var uid: String? { if case .uid(let uid) = self { uid } else { nil } }
}
