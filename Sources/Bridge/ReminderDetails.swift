package import ICalendar
package import Reminders

/// A reminder with all that a page about it shows.
package struct ReminderDetails: Hashable, Sendable {
    /// What a list shows of it, in full.
    package var reminder: ReminderView
    /// Where it is to be done, in words.
    package var location: String?
    /// The point on the earth.
    package var coordinates: Coordinates?
    /// The places that Apple's programs name.
    package var places: [String] = []
    /// An address with more about it.
    package var link: String?
    /// What this is a part of.
    package var parents: [RelatedReminder] = []
    /// Its parts: those that name it as theirs, and those that it names.
    package var subtasks: [RelatedReminder] = []
    /// What has to be done before it.
    package var dependsOn: [RelatedReminder] = []
    /// What cannot be done before it.
    package var neededBy: [RelatedReminder] = []
    /// What else it names.
    package var related: [RelatedReminder] = []
    /// Why the server does not take it as it is; `nil` when no server has refused it.
    package var refusal: Refusal?
    /// Its alarms.
    package var alarms: [Alarm] = []
    /// What is attached.
    package var attachments: [Attachment] = []
    /// Whoever organises it.
    package var organizer: Participant?
    /// Those who take part.
    package var attendees: [Participant] = []
    /// The first of the properties of other programs, which are kept.
    package var foreign: [ForeignProperty] = []
    /// How many of these there are.
    package var foreignCount = 0

    /// Properties of other programs that are shown; more than a page has room for.
    package static let maximumForeign = 100

    /// Nothing but what a list shows.
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
    /// What it is to the one that is shown, as RELTYPE has it in capitals.
    package let relation: String
    /// What identifies it.
    package let uid: String
    /// Its number; `nil` when it is not in this store.
    package let id: Int64?
    /// Its title; `nil` when it is not in this store.
    package let title: String?
    /// How far it has got; `nil` when it is not in this store.
    package let status: ReminderView.Status?
}

/// A property that another program has put into a reminder.
package struct ForeignProperty: Hashable, Sendable {
    /// What it is called, in capitals.
    package let name: String
    /// The value as it is written.
    package let value: String
}
