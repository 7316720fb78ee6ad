import ICalendar
package import JSON
package import Reminders
import Store

extension UseCases {
    /// Counts reminders for the current time and the local zone, from the store's index columns, without the texts.
    package func statistics(list name: String? = nil) throws -> ReminderStatistics {
        let reader = self.reader
        return try self.store.read { snapshot in
            let names = try snapshot.listNames()
            let list = try name.map { try snapshot.list(named: $0).id }
            let reminders = try snapshot.rows(in: list).lazy.map { row in
                let view = reader.view(row, list: names[row.list] ?? "")
                return CountedReminder(
                    status: row.index.status,
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

extension ReminderStatistics: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("open") { $0.open },
        JSONMember("overdue") { $0.overdue },
        JSONMember("dueToday") { $0.dueToday },
        JSONMember("dueThisWeek") { $0.dueThisWeek },
        JSONMember("undated") { $0.undated },
        JSONMember("completed") { $0.completed },
        JSONMember("cancelled") { $0.cancelled },
        JSONMember("completedLast7Days") { $0.completed(inLast: 7) },
        JSONMember("completedLast30Days") { $0.completed(inLast: 30) },
        JSONMember("completedByDay") { $0.completedByDay },
        JSONMember("lists") { $0.lists },
        JSONMember("labels") { $0.labels },
    ]
}

extension ReminderStatistics.Day: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("date") { $0.date.description },
        JSONMember("completed") { $0.completed },
    ]
}

extension ReminderStatistics.Part: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name },
        JSONMember("open") { $0.open },
        JSONMember("overdue") { $0.overdue },
        JSONMember("completed") { $0.completed },
    ]
}
