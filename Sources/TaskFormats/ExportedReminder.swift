/// A reminder in an export: text for each field, in a stable form.
package struct ExportedReminder: Hashable, Sendable {
    /// The globally unique identifier.
    package var uid: String
    /// The name of its list.
    package var list: String
    /// The title; may be empty.
    package var title: String
    /// The notes, `nil` for none.
    package var notes: String?
    /// RFC 3339 or a day; `nil` for no date.
    package var due: String?
    /// The name of the zone of ``due``, `nil` for none.
    package var dueZone: String?
    /// Whether ``due`` is a whole day.
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
    /// Its labels, in order.
    package var labels: [String] = []
    /// A duration or RFC 3339 each.
    package var alarms: [String] = []
    /// The UID of its parent reminder.
    package var parent: String?
    /// A place as text.
    package var location: String?
    /// The address of a web page.
    package var link: String?
    /// RFC 3339.
    package var createdAt: String?
    /// RFC 3339.
    package var updatedAt: String?
    /// The stored calendar object; `nil` if it is not UTF-8, because JSON cannot represent it unchanged.
    package var source: String?

    /// Creates a reminder with only the required fields.
    package init(uid: String, list: String, title: String, status: String, priority: String) {
        self.uid = uid
        self.list = list
        self.title = title
        self.status = status
        self.priority = priority
    }

    /// Whether it is completed or cancelled.
    var isClosed: Bool { self.status == "completed" || self.status == "cancelled" }

    /// The fields that hold one text, in the order in which all formats write them.
    var texts: [(name: String, text: String?)] {
        [
            ("uid", self.uid), ("list", self.list), ("title", self.title), ("notes", self.notes), ("due", self.due),
            ("dueZone", self.dueZone), ("start", self.start), ("repeat", self.repeatRule), ("status", self.status),
            ("completedAt", self.completedAt), ("snoozedUntil", self.snoozedUntil), ("priority", self.priority),
            ("parent", self.parent), ("location", self.location), ("link", self.link), ("createdAt", self.createdAt),
            ("updatedAt", self.updatedAt),
        ]
    }
}
