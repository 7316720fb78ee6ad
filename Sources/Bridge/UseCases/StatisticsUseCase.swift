package import Reminders
import Store

extension UseCases {
    /// How many reminders there are, now and here; no text is read.
    ///
    /// - Parameter list: the name of the only list, `nil` for all.
    package func statistics(list name: String? = nil) throws -> ReminderStatistics {
        let reader = self.reader
        return try self.store.read { snapshot in
            let names = try snapshot.listNames()
            let list = try name.map { try snapshot.list(named: $0).id }
            let reminders = try snapshot.rows(in: list).lazy.map { row in
                let view = reader.view(row, list: names[row.list] ?? "")
                return CountedReminder(
                    status: Status.allCases[clamped: row.index.status],
                    due: view.dueInstant,
                    day: view.dueDay,
                    snoozedUntil: view.snoozedInstant,
                    completedAt: view.completedInstant,
                    list: view.list,
                    labels: view.labels
                )
            }
            return ReminderStatistics(reminders, calendar: reader.calendar)
        }
    }
}
