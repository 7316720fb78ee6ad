package import RemindavJSON
public import RemindavReminders

/// A pending alarm of a reminder, for the output.
public struct AlarmView: Hashable, Sendable {
    /// The alarm; its identifier begins with the reminder's number.
    public var alarm: ReminderAlarm
    /// The reminder's number.
    public var reminder: Int64
    /// The reminder's UID.
    public var uid: String
    /// The name of the reminder's list.
    public var list: String
    /// Whether the reminder repeats.
    public var repeats: Bool
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
