import RemindavICalendar
package import RemindavJSON
package import RemindavReminders
import RemindavStore

extension UseCases {
    /// Counts the open, completed and cancelled reminders of a filter, for the current time and the local zone.
    package func statistics(matching filter: ReminderFilter = ReminderFilter()) throws -> ReminderStatistics {
        let reader = self.reader
        var filter = filter
        filter.includesCompleted = true
        return try self.store.read { snapshot in
            var reminders: [CountedReminder] = []
            try FilteredReading(filter, reader, snapshot).forEachView(.line) { view in
                let reminder = CountedReminder(
                    status: view.status,
                    due: view.dueInstant,
                    day: view.dueDay,
                    snoozedUntil: view.snoozedInstant,
                    completedAt: view.completedInstant,
                    list: view.list,
                    labels: view.labels
                )
                reminders.append(reminder)
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
