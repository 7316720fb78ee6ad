package import HTTP
public import ICalendar
public import Reminders

/// When something shall be due, as a person says it.
public enum DueChoice: Hashable, Sendable {
    /// A whole day.
    case date(CalendarDate)
    /// A time by the clock on the wall, in the local zone.
    case local(CalendarDate, ClockTime)
    /// A moment, wherever somebody is.
    case exact(Instant)
}

/// A reminder that is to be made.
public struct NewReminder: Hashable, Sendable {
    /// Trimmed and not empty; a line end in it is a space.
    public var title: String
    /// `nil` when there are none, never empty.
    public var notes: String?
    /// `nil` for an undated reminder.
    public var due: DueChoice?
    /// `nil` when it does not repeat.
    public var repeatRule: RecurrenceRule?
    /// In the order given, none twice.
    public var labels: [String]
    /// How urgent it is.
    public var priority: ReminderView.Priority
    /// The list's name; `nil` for the default list.
    public var list: String?
    /// Its alarms, none twice; `nil` for those that the list, or else the settings, give to new reminders with a date.
    public var alarms: [AlarmChoice]?

    /// Everything at once.
    public init(
        title: String,
        notes: String? = nil,
        due: DueChoice? = nil,
        repeatRule: RecurrenceRule? = nil,
        labels: [String] = [],
        priority: ReminderView.Priority = .undefined,
        list: String? = nil,
        alarms: [AlarmChoice]? = nil
    ) {
        self.title = title
        self.notes = notes
        self.due = due
        self.repeatRule = repeatRule
        self.labels = labels
        self.priority = priority
        self.list = list
        self.alarms = alarms
    }
}

/// What is to be changed in a reminder.
public struct ReminderEdit: Hashable, Sendable {
    /// The new title, trimmed and not empty; `nil` leaves it as it is.
    public var title: String?
    /// The notes.
    public var notes: FieldChange<String>
    /// When it is due.
    public var due: FieldChange<DueChoice>
    /// How it repeats.
    public var repeatRule: FieldChange<RecurrenceRule>
    /// All labels at once: `set` replaces those that are there.
    public var labels: FieldChange<[String]>
    /// How urgent it is.
    public var priority: FieldChange<ReminderView.Priority>
    /// The list that it moves to; `nil` leaves it where it is.
    public var list: String?
    /// The alarms that notify here: `set` replaces those that are there.
    public var alarms: FieldChange<[AlarmChoice]>

    /// A change of nothing, but for what is given.
    public init(
        title: String? = nil,
        notes: FieldChange<String> = .keep,
        due: FieldChange<DueChoice> = .keep,
        repeatRule: FieldChange<RecurrenceRule> = .keep,
        labels: FieldChange<[String]> = .keep,
        priority: FieldChange<ReminderView.Priority> = .keep,
        list: String? = nil,
        alarms: FieldChange<[AlarmChoice]> = .keep
    ) {
        self.title = title
        self.notes = notes
        self.due = due
        self.repeatRule = repeatRule
        self.labels = labels
        self.priority = priority
        self.list = list
        self.alarms = alarms
    }
}

/// Which reminders are wanted.
public struct ReminderFilter: Hashable, Sendable {
    /// Only those of the list with this name; `nil` for every list.
    public var list: String?
    /// Only those with at least one of these labels, compared without case; empty for all.
    public var labels: [String]
    /// Only those of this section; `nil` for every section.
    public var section: ReminderView.Section?
    /// Whether done and dropped ones are wanted when no section is named.
    public var includesCompleted: Bool

    /// Everything at once.
    public init(
        list: String? = nil,
        labels: [String] = [],
        section: ReminderView.Section? = nil,
        includesCompleted: Bool = false
    ) {
        self.list = list
        self.labels = labels
        self.section = section
        self.includesCompleted = includesCompleted
    }
}

/// Where the bytes of a file or of standard input come from, piece by piece.
package struct ByteSource: Sendable {
    /// What messages call it: the path, or `standard input`.
    package let name: String
    /// How many bytes there are, where that is known beforehand; 0 where it is not.
    package let size: Int
    /// At most `limit` more bytes; none at the end.
    package let read: @Sendable (_ limit: Int) throws -> [UInt8]

    /// A source with a name and a way to read it.
    package init(name: String, size: Int = 0, read: @escaping @Sendable (_ limit: Int) throws -> [UInt8]) {
        self.name = name
        self.size = size
        self.read = read
    }
}

/// Where an account's password comes from.
package enum PasswordSource: Hashable, Sendable {
    /// Run this command through the shell whenever it is needed; the first line of its output is the password.
    case command(String)
    /// Run this command whenever a token is needed; the first line of its output is the token (RFC 6750).
    case tokenCommand(String)
    /// The credential of this name that systemd gives to the service.
    case credential(String)
    /// This password, to be kept in the keyring, or else in the store's folder (mode 0600).
    case kept(Secret)

    /// A password that somebody has just typed.
    package static func keeping(_ password: String) -> PasswordSource { .kept(Secret(password)) }
}

/// An account that is to be added.
package struct NewAccount: Sendable {
    /// Whatever a person pastes.
    package var address: String
    /// The user's name at the server.
    package var user: String
    /// Where the password comes from.
    package var password: PasswordSource
    /// What it is called; the host of the address when `nil`, with a number when that is taken.
    package var name: String?
    /// What else is set for it, each as it is written on the command line.
    package var settings: [AccountSetting: String]
    /// What the key of its client certificate is encrypted with; `nil` when nobody has said so.
    package var keyPassword: PasswordSource?
    /// Whether the password was made by the server for this program (Nextcloud Login Flow v2).
    package var isAppPassword = false

    /// Everything at once.
    package init(
        address: String,
        user: String,
        password: PasswordSource,
        name: String? = nil,
        settings: [AccountSetting: String] = [:]
    ) {
        self.address = address
        self.user = user
        self.password = password
        self.name = name
        self.settings = settings
    }
}

/// In which form a feed publishes reminders.
package enum FeedForm: String, Sendable, CaseIterable {
    /// Dated open reminders as events.
    case event
    /// Open reminders as to-dos.
    case todo
    /// Both, under different UIDs.
    case both
}

/// The form of a reminder in an export.
package enum ExportStyle: String, Sendable, CaseIterable {
    /// The to-do as it is stored.
    case todo
    /// A dated open reminder as an event.
    case event
}
