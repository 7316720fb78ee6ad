import RemindavICalendar
import RemindavJSON
import RemindavReminders

extension RecordForm {
    /// The table that Outlook imports into the folder of tasks.
    static let outlook = Self(
        .outlookCSV,
        losses: { reminder in
            let losses: [ExportLoss?] = [reminder.repeats ? .rule : nil, reminder.hasTime ? .timeOfDay : nil]
            return losses.compactMap(\.self)
        }
    ) { reminders in
        let rows = reminders.map { reminder in
            let former = reminder.record?.objects.first
            return OutlookRow(
                former: former,
                row: reminder.updated(former ?? OutlookField.empty, OutlookField.all),
                dates: reminder.updated(JSONObject(members: []), OutlookField.dates, isNew: true)
            )
        }
        return TableText.bytes(OutlookForms(rows).shaped(rows), columns: OutlookField.columns)
    }
}

/// The columns of Outlook's export of tasks.
enum OutlookField {
    static let columns = [
        "Subject", "Start Date", "Due Date", "Reminder On/Off", "Reminder Date", "Reminder Time", "Date Completed",
        "% Complete", "Total Work", "Actual Work", "Billing Information", "Categories", "Companies", "Contacts",
        "Mileage", "Notes", "Priority", "Private", "Role", "Schedule+ Priority", "Sensitivity", "Status",
    ]

    /// The columns with dates.
    static let dateColumns = ["Start Date", "Due Date", "Reminder Date", "Date Completed"]

    fileprivate static let dates = Self.all.filter { Self.dateColumns.contains($0.name) }

    /// The columns with a value in each row of Outlook that no field of a reminder has.
    fileprivate static let empty = JSONObject(
        members: [("Total Work", "0"), ("Actual Work", "0"), ("Private", "False"), ("Sensitivity", "Normal")]
            .map { JSONObject.Member($0, .string($1)) }
    )

    fileprivate static let all: [RecordField] = [
        RecordField("Subject", [.summary], text: \.title),
        RecordField("Start Date", [.dtstart], text: { reminder in reminder.day(.dtstart) }),
        RecordField("Due Date", [.due], text: { $0.day(.due) }),
        RecordField("Reminder On/Off", [.valarm], text: { Self.alarm($0) == nil ? "False" : "True" }),
        RecordField("Reminder Date", [.valarm], text: { Self.alarm($0)?.date.description }),
        RecordField("Reminder Time", [.valarm], text: { Self.alarm($0)?.time.description }),
        RecordField(
            "Date Completed",
            [.completed, .status],
            text: { reminder in
                guard reminder.reminder.isClosed else { return nil }
                let done = reminder.instant(reminder.reminder.completedAt) ?? reminder.changedAt
                return done.map { reminder.localTime($0).date.description }
            }
        ),
        RecordField(
            "% Complete",
            [.percentComplete, .status],
            text: { reminder in
                if reminder.reminder.isClosed { return "1" }
                let percent = reminder.todo?.first(.percentComplete).flatMap { NumberText.digits($0.value) } ?? 0
                return percent == 0 ? "0" : "0.\(percent < 10 ? "0" : "")\(percent)"
            }
        ),
        RecordField("Categories", [.categories]) { reminder, former in
            let names = former?.string?.split { $0 == ";" || $0 == "," }.map(String.init) ?? []
            let labels = reminder.labels(names, besides: [])
            return labels.isEmpty ? nil : .string(labels.joined(separator: ";"))
        },
        RecordField("Notes", [.description], text: { $0.notes(besides: [], of: "Outlook").withoutParts }),
        RecordField(
            "Priority",
            [.priority],
            text: { reminder in
                switch Priority(rawValue: reminder.reminder.priority) {
                case .high: "High"
                case .low: "Low"
                case .medium, .undefined, nil: "Normal"
                }
            }
        ),
        RecordField(
            "Status",
            [.status],
            text: { reminder in
                switch Status(rawValue: reminder.reminder.status) {
                case .completed, .cancelled: "Completed"
                case .inProgress: "In Progress"
                case .pending, nil: "Not Started"
                }
            }
        ),
    ]

    /// The local time of the first alarm; Outlook has one alarm for each task.
    private static func alarm(_ reminder: RecordedReminder) -> CalendarDateTime? {
        let times = reminder.reminder.alarms.compactMap { text -> Instant? in
            if let instant = reminder.context.instant(text) { return instant }
            let due = reminder.moment(.due).flatMap { reminder.context.instant(of: $0) }
            guard case .relative(let duration, _)? = Trigger(wire: text, related: "END") else { return nil }
            return due?.adding(seconds: duration.days * ClockTime.secondsPerDay + duration.seconds)
        }
        return times.min().map { reminder.localTime($0) }
    }
}
