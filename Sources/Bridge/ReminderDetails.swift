package import RemindavICalendar
package import RemindavJSON
package import RemindavReminders

package struct ReminderDetails: Hashable, Sendable {
    package var reminder: ReminderView
    package var coordinates: Coordinates?
    /// The names of places in the properties of Apple's programs.
    package var places: [String] = []
    package var parents: [RelatedReminder] = []
    package var subtasks: [RelatedReminder] = []
    package var dependsOn: [RelatedReminder] = []
    package var neededBy: [RelatedReminder] = []
    package var related: [RelatedReminder] = []
    /// The server's refusal of the current text; `nil` when no server has refused it.
    package var refusal: Refusal?
    package var alarms: [DetailedAlarm] = []
    /// The moment of the next alarm; `nil` if no alarm is pending.
    package var nextAlarm: Instant?
    /// The values of fields that the program shows but cannot set, such as `privacy`.
    package var others: [NamedValues] = []
    package var attachments: [Attachment] = []
    package var organizer: Participant?
    package var attendees: [Participant] = []
    /// The first ``maximumForeign`` properties of other programs; the store has all of them.
    package var foreign: [ForeignProperty] = []
    /// The number of all properties of other programs.
    package var foreignCount = 0

    /// The maximum number of properties to show.
    package static let maximumForeign = 100

    package init(_ reminder: ReminderView) { self.reminder = reminder }
}

package struct Refusal: Hashable, Sendable {
    package let reason: String
    package let at: Instant
}

package struct RelatedReminder: Hashable, Sendable {
    /// The value of RELTYPE in capitals.
    package let relation: String
    package let uid: String
    package let id: Int64?
    /// The title; `nil`, like ``id`` and ``status``, when the related reminder is not in this store.
    package let title: String?
    package let status: Status?
}

package struct DetailedAlarm: Hashable, Sendable {
    package let alarm: Alarm
    /// The first moment at which the alarm fires; `nil` for an alarm without a time.
    package let fires: Instant?
}

package struct NamedValues: Hashable, Sendable {
    /// The name of the field.
    package let name: String
    package let values: [String]
}

package struct ForeignProperty: Hashable, Sendable {
    package let name: String
    package let value: String
}

extension ReminderDetails: JSONRecord {
    package static let jsonMembers =
        JSONMember<Self>.all { $0.reminder } + [
            JSONMember("places") { $0.places }, JSONMember("coordinates") { $0.coordinates },
            JSONMember("parents") { $0.parents }, JSONMember("subtasks") { $0.subtasks },
            JSONMember("dependsOn") { $0.dependsOn }, JSONMember("neededBy") { $0.neededBy },
            JSONMember("related") { $0.related }, JSONMember("alarmDetails") { $0.alarms },
            JSONMember("nextAlarm") { $0.nextAlarm },
            JSONMember("attachments") { $0.attachments }, JSONMember("organizer") { $0.organizer },
            JSONMember("attendees") { $0.attendees }, JSONMember("kept") { $0.foreign },
            JSONMember("keptCount") { $0.foreignCount }, JSONMember("refusal") { $0.refusal },
            JSONMember("others") { $0.others }, JSONMember("replacedDate") { $0.reminder.replacedDate },
        ]
}

extension Coordinates: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("latitude") { $0.latitude }, JSONMember("longitude") { $0.longitude },
    ]
}

extension Refusal: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("reason") { $0.reason }, JSONMember("at") { $0.at },
    ]
}

extension RelatedReminder: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("relation") { $0.relation }, JSONMember("id") { $0.id }, JSONMember("uid") { $0.uid },
        JSONMember("title") { $0.title }, JSONMember("status") { $0.status?.rawValue },
    ]
}

extension ForeignProperty: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name }, JSONMember("value") { $0.beginning },
    ]

    /// The beginning of the value, because a value may contain a whole file; `export` writes the complete value.
    private var beginning: String {
        let scalars = self.value.unicodeScalars
        return scalars.count > Self.shownScalars
            ? String(String.UnicodeScalarView(scalars.prefix(Self.shownScalars))) + "…" : self.value
    }

    private static let shownScalars = 200
}

extension DetailedAlarm: JSONRecord {
    package static let jsonMembers = JSONMember<Self>.all { $0.alarm } + [JSONMember("fires") { $0.fires }]
}

extension NamedValues: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name }, JSONMember("values") { $0.values },
    ]
}

extension Alarm: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("trigger") { $0.trigger.map { ReminderReader.text($0) } }, JSONMember("from") { $0.anchor },
        JSONMember("action") { $0.action }, JSONMember("description") { $0.description },
        JSONMember("repeat") { $0.repeats }, JSONMember("interval") { $0.interval?.wire },
        JSONMember("acknowledgedAt") { $0.acknowledged }, JSONMember("atPlace") { $0.isLocation },
    ]

    private var anchor: String? {
        guard case .relative(_, let anchor)? = self.trigger else { return nil }
        return anchor == .start ? "start" : "due"
    }
}

extension Attachment: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("address") { $0.address }, JSONMember("type") { $0.type },
        JSONMember("fileName") { $0.fileName },
    ]
}

extension Participant: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name }, JSONMember("address") { $0.address },
        JSONMember("status") { $0.status },
    ]
}
