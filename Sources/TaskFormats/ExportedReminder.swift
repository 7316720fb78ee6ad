import Reminders

/// A reminder in an export: text for each field, in a stable form.
package struct ExportedReminder: Hashable, Sendable {
    package var uid: String
    package var list: String
    package var title: String
    package var notes: String?
    /// RFC 3339 or a day; `nil` for no date.
    package var due: String?
    package var dueZone: String?
    package var allDay = false
    /// Like ``due``.
    package var start: String?
    /// The text of the rule, `nil` when it does not repeat.
    package var repeatRule: String?
    /// `pending`, `inProgress`, `completed` or `cancelled`.
    package var status: String
    /// RFC 3339.
    package var completedAt: String?
    /// RFC 3339.
    package var snoozedUntil: String?
    /// `none`, `low`, `medium` or `high`.
    package var priority: String
    package var labels: [String] = []
    /// A duration or RFC 3339 each.
    package var alarms: [String] = []
    package var parent: String?
    /// The values of ``ReminderField/lines`` by the names of the fields.
    package var lines: [String: String] = [:]
    /// RFC 3339.
    package var createdAt: String?
    /// RFC 3339.
    package var updatedAt: String?
    /// The stored calendar object; `nil` if it is not UTF-8, because JSON cannot represent it unchanged.
    package var source: String?

    package init(uid: String, list: String, title: String, status: String, priority: String) {
        self.uid = uid
        self.list = list
        self.title = title
        self.status = status
        self.priority = priority
    }

    var isClosed: Bool { self.status == "completed" || self.status == "cancelled" }

    /// The fields that hold one text, in the order in which all formats write them.
    var texts: [(name: String, text: String?)] {
        [
            ("uid", self.uid), ("list", self.list), ("title", self.title), ("notes", self.notes), ("due", self.due),
            ("dueZone", self.dueZone), ("start", self.start), ("repeat", self.repeatRule), ("status", self.status),
            ("completedAt", self.completedAt), ("snoozedUntil", self.snoozedUntil), ("priority", self.priority),
            ("parent", self.parent),
        ] + ReminderField.lines.map { ($0.name, self.lines[$0.name]) }
            + [("createdAt", self.createdAt), ("updatedAt", self.updatedAt)]
    }
}
