package import ICalendar
package import JSON
package import Reminders

/// A reminder with all that a page about it shows.
package struct ReminderDetails: Hashable, Sendable {
    /// The fields of a list, with all texts.
    package var reminder: ReminderView
    /// The point on the earth.
    package var coordinates: Coordinates?
    /// The places that Apple's programs name.
    package var places: [String] = []
    /// The reminders of which this one is a part.
    package var parents: [RelatedReminder] = []
    /// Its parts: those that name it as theirs, and those that it names.
    package var subtasks: [RelatedReminder] = []
    /// The reminders that must be completed first.
    package var dependsOn: [RelatedReminder] = []
    /// The reminders that wait for this one.
    package var neededBy: [RelatedReminder] = []
    /// Other related reminders.
    package var related: [RelatedReminder] = []
    /// Why the server does not take it as it is; `nil` when no server has refused it.
    package var refusal: Refusal?
    /// Its alarms.
    package var alarms: [Alarm] = []
    package var attachments: [Attachment] = []
    package var organizer: Participant?
    package var attendees: [Participant] = []
    /// The first of the properties of other programs, which are kept.
    package var foreign: [ForeignProperty] = []
    /// How many of these there are.
    package var foreignCount = 0

    /// Properties of other programs that are shown; more than a page has room for.
    package static let maximumForeign = 100

    /// Details without any field of the text.
    package init(_ reminder: ReminderView) { self.reminder = reminder }
}

/// A server's refusal of a reminder as it is now.
package struct Refusal: Hashable, Sendable {
    /// One sentence without a full stop.
    package let reason: String
    /// When it was sent.
    package let at: Instant
}

/// Another reminder to which one is related.
package struct RelatedReminder: Hashable, Sendable {
    /// The kind of the relation: RELTYPE in capitals.
    package let relation: String
    package let uid: String
    /// Its number; `nil` when it is not in this store.
    package let id: Int64?
    /// Its title; `nil` when it is not in this store.
    package let title: String?
    /// How far it has got; `nil` when it is not in this store.
    package let status: Status?
}

/// A property that another program has put into a reminder.
package struct ForeignProperty: Hashable, Sendable {
    /// In capitals.
    package let name: String
    /// The value as it is written.
    package let value: String
}

extension ReminderDetails: JSONRecord {
    package static let jsonMembers =
        JSONMember<Self>.all { $0.reminder } + [
            JSONMember("places") { $0.places },
            JSONMember("coordinates") { $0.coordinates },
            JSONMember("parents") { $0.parents },
            JSONMember("subtasks") { $0.subtasks },
            JSONMember("dependsOn") { $0.dependsOn },
            JSONMember("neededBy") { $0.neededBy },
            JSONMember("related") { $0.related },
            JSONMember("alarmDetails") { $0.alarms },
            JSONMember("attachments") { $0.attachments },
            JSONMember("organizer") { $0.organizer },
            JSONMember("attendees") { $0.attendees },
            JSONMember("kept") { $0.foreign },
            JSONMember("keptCount") { $0.foreignCount },
            JSONMember("refusal") { $0.refusal },
        ]
}

extension Coordinates: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("latitude") { $0.latitude },
        JSONMember("longitude") { $0.longitude },
    ]
}

extension Refusal: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("reason") { $0.reason },
        JSONMember("at") { $0.at },
    ]
}

extension RelatedReminder: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("relation") { $0.relation },
        JSONMember("id") { $0.id },
        JSONMember("uid") { $0.uid },
        JSONMember("title") { $0.title },
        JSONMember("status") { $0.status?.rawValue },
    ]
}

extension ForeignProperty: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name },
        JSONMember("value") { $0.beginning },
    ]

    /// The beginning of a value that may be a file; `export` has all of it.
    private var beginning: String {
        let scalars = self.value.unicodeScalars
        return scalars.count > Self.shownScalars
            ? String(String.UnicodeScalarView(scalars.prefix(Self.shownScalars))) + "…" : self.value
    }

    private static let shownScalars = 200
}

extension Alarm: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("trigger") { $0.triggerText },
        JSONMember("from") { $0.anchor },
        JSONMember("action") { $0.action },
        JSONMember("description") { $0.description },
        JSONMember("repeat") { $0.repeats },
        JSONMember("interval") { $0.interval?.wire },
        JSONMember("acknowledgedAt") { $0.acknowledged },
        JSONMember("atPlace") { $0.isLocation },
    ]

    private var triggerText: String? {
        switch self.trigger {
        case .absolute(let instant)?: RFC3339.string(from: instant)
        case .relative(let duration, _)?: duration.wire
        case nil: nil
        }
    }

    private var anchor: String? {
        switch self.trigger {
        case .relative(_, .start)?: "start"
        case .relative(_, .end)?: "due"
        case .absolute?, nil: nil
        }
    }
}

extension Attachment: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("address") { $0.address },
        JSONMember("type") { $0.type },
        JSONMember("fileName") { $0.fileName },
    ]
}

extension Participant: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name },
        JSONMember("address") { $0.address },
        JSONMember("status") { $0.status },
    ]
}
