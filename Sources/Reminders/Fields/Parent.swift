import RemindavICalendar

/// Another reminder that a change names.
public enum ReminderReference: Hashable, Sendable {
    /// The number of the reminder in the store; the use case replaces it by the UID.
    case number(Int64)
    /// The UID of the reminder.
    case uid(String)
}

extension Reminder {
    /// The UID of the parent, from the first RELATED-TO with RELTYPE=PARENT or without RELTYPE (RFC 5545 §3.2.15).
    ///
    /// `nil` when the reminder is no subtask. No other reminder needs to have this UID.
    public var parentUID: String? { self.relations.first { $0.kind == .parent }?.uid }

    /// Replaces the first parent and keeps all other relations; all parents are removed when the change clears it.
    func write(parent change: FieldChange<ReminderReference>, to editor: inout ComponentEditor) {
        let parents = self.todo.all(.relatedTo).filter { Relation($0)?.kind == .parent }
        switch change {
        case .keep, .set(.number): return
        case .clear: for property in parents { editor.remove(property) }
        case .set(.uid(let uid)):
            guard uid != self.parentUID else { return }
            let line = ContentLine(.relatedTo, [Parameter(.reltype, "PARENT")], text: uid)
            guard let first = parents.first else { return editor.add(line) }
            editor.replace(first, with: line.bytes(lineEnd: self.todo.lineEnd))
            for property in parents.dropFirst() { editor.remove(property) }
        }
    }
}
