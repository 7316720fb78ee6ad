package import RemindavJSON
package import RemindavReminders

/// A pending alarm of a reminder, for the output.
package struct AlarmView: Hashable, Sendable {
    /// The alarm; its identifier begins with the reminder's number.
    package var alarm: ReminderAlarm
    /// The reminder's number.
    package var reminder: Int64
    /// The reminder's UID.
    package var uid: String
    /// The name of the reminder's list.
    package var list: String
    /// Whether the reminder repeats.
    package var repeats: Bool
}

extension AlarmView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.alarm.id.description },
        JSONMember("reminder") { $0.reminder },
        JSONMember("uid") { $0.uid },
        JSONMember("occurrence") { $0.alarm.id.occurrence },
        JSONMember("list") { $0.list },
        JSONMember("fires") { $0.alarm.fires },
        JSONMember("cause") { $0.alarm.cause.rawValue },
        JSONMember("title") { $0.alarm.title },
        JSONMember("notes") { $0.alarm.notes },
        JSONMember("category") { _ in ReminderAlarm.category },
        JSONMember("sound") { _ in ReminderAlarm.sound },
    ]
}
