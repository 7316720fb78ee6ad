import RemindavICalendar
import RemindavReminders

/// A reminder in an export; a time is RFC 3339, and the date of an all-day reminder is `YYYY-MM-DD`.
package struct ExportedReminder: Hashable, Sendable {
    package var uid: String
    package var list: String
    package var title: String
    package var notes: String?
    /// The due time or date; `nil` if the reminder has neither.
    package var due: String?
    package var dueZone: String?
    package var allDay = false
    package var start: String?
    /// The value of RRULE; `nil` when the reminder does not repeat.
    package var repeatRule: String?
    /// Whether the next date counts from the completion instead of from the due date.
    package var repeatsFromCompletion = false
    /// `pending`, `inProgress`, `completed` or `cancelled`.
    package var status: String
    package var completedAt: String?
    package var snoozedUntil: String?
    /// `none`, `low`, `medium` or `high`.
    package var priority: String
    package var labels: [String] = []
    /// Each alarm is an iCalendar duration or an RFC 3339 time.
    package var alarms: [String] = []
    package var parent: String?
    /// The values of the fields in ``ReminderField/lines``; the keys are the names of the fields.
    package var lines: [String: String] = [:]
    package var createdAt: String?
    package var updatedAt: String?
    /// The text of the stored calendar object; `nil` if the text is not UTF-8, because JSON cannot contain other bytes.
    package var source: String?

    /// Whether the fields are those of the series, because the format cannot contain the changes of single dates.
    package var hasChangedDate = false

    package init(uid: String, list: String, title: String, status: String, priority: String) {
        self.uid = uid
        self.list = list
        self.title = title
        self.status = status
        self.priority = priority
    }

    /// The repeat rule as text for users; `nil` if the reminder does not repeat.
    func rule(_ words: (_ rule: String) -> String) -> String? {
        self.repeatRule.map { words($0) + (self.repeatsFromCompletion ? " after completion" : "") }
    }

    /// The title and the repeat rule in a message.
    func titleAndRule(_ words: (_ rule: String) -> String) -> String {
        ([self.title] + [self.rule(words)].compactMap(\.self)).joined(separator: ", ")
    }

    /// Whether a date of the repetition from the due time on is left out.
    func hasExceptions(in context: ImportContext) -> Bool {
        guard self.repeatRule != nil, !self.isClosed,
            let due = self.due.flatMap({ context.moment($0, zone: context.localZone) }),
            let first = context.instant(of: due),
            let object = self.source.flatMap({ CalendarObject(ICalendarDocument(Array($0.utf8))) })
        else { return false }
        return object.main.all(.exdate).contains { line in
            line.value.split(separator: ",").contains { text in
                guard let date = CalendarDateOrDateTime(wire: String(text), tzid: line.parameter(.tzid)) else {
                    return false
                }
                // A date and a time have only the day in common.
                if date.isDate != due.isDate { return date.day >= due.day }
                return context.instant(of: date).map { $0 >= first } ?? false
            }
        }
    }

    var isClosed: Bool { self.status == "completed" || self.status == "cancelled" }

    /// The fields with a single text, in the order of all output formats.
    var texts: [(name: String, text: String?)] {
        [
            ("uid", self.uid), ("list", self.list), ("title", self.title), ("notes", self.notes), ("due", self.due),
            ("dueZone", self.dueZone), ("start", self.start), ("repeat", self.repeatRule),
            ("repeatFrom", self.repeatsFromCompletion ? RecurrenceRule.completionWord : nil), ("status", self.status),
            ("completedAt", self.completedAt), ("snoozedUntil", self.snoozedUntil), ("priority", self.priority),
            ("parent", self.parent),
        ] + ReminderField.lines.map { ($0.name, self.lines[$0.name]) }
            + [("createdAt", self.createdAt), ("updatedAt", self.updatedAt)]
    }
}
