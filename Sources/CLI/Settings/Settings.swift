import Bridge
import DatePhrases
import ICalendar
import Reminders

/// The user's settings with their defaults; ``Setting/all`` has the name, the format and the help of each.
struct Settings: Hashable, Sendable {
    /// `nil` for the default folder.
    var store: String?
    /// `nil` for the oldest writable list.
    var list: String?
    var color = ColorChoice.auto
    var due = DefaultDue.tomorrow
    var newAlarms: [AlarmChoice] = [.atDue]
    var dueTime = When.usualTime
    var alarmTime = AlarmSettings.standardDayTime
    /// `nil` if `snooze` requires a time.
    var snooze: String?
    var port = UseCases.defaultPort
    var feedAddress: FeedSite?
    var notifiesWhenDue = true
    var quietHours: HoursOfDay?
    /// Names compare without case.
    var mutedLists: [String] = []
    var mutedLabels: [String] = []
    var showsMissed = true
    var makesSound = true
    /// The program and arguments that receive alarms where no notification service runs.
    var notifyCommand: [String]?
    /// `nil` for the editor on a terminal.
    var openCommand: [String]?
    /// In seconds; `nil` for no automatic sync.
    var syncInterval: Int? = 15 * 60

    var alarms: AlarmSettings { AlarmSettings(dayTime: self.alarmTime, notifiesWhenDue: self.notifiesWhenDue) }
    var defaults: ReminderDefaults {
        ReminderDefaults(due: self.due, alarms: self.newAlarms, dayTime: self.alarmTime)
    }
    var muted: MuteRules { MuteRules(lists: self.mutedLists, labels: self.mutedLabels) }
}

/// Hours of each day in wall-clock time; they include midnight if `to` is not after `from`.
struct HoursOfDay: Hashable, Sendable {
    let from: ClockTime
    /// Not included.
    let to: ClockTime
}

/// A row of the table of settings.
struct Setting: Sendable {
    let name: String
    /// For the help page of `config`, with the default.
    let help: String
    let read: @Sendable (_ value: SettingValue, _ settings: inout Settings) throws(UsageError) -> Void
    /// The value as the file would contain it; `nil` if it is not set.
    let text: @Sendable (_ settings: Settings) -> String?

    init<Value>(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Value> & Sendable,
        _ format: SettingFormat<Value>,
        _ help: String
    ) {
        self.name = name
        self.help = help
        self.read = { value, settings throws(UsageError) in settings[keyPath: path] = try format.parse(value) }
        self.text = { format.text($0[keyPath: path]) }
    }

    static func named(_ name: String) -> Setting? { self.all.first { $0.name == name } }

    /// The present names of settings that had another name before.
    static let renamed = [
        "ring-when-due": "notify-when-due", "silent-lists": "muted-lists", "silent-labels": "muted-labels",
    ]

    /// The columns of the names in help pages.
    static let nameWidth = (Self.all.map(\.name.utf8.count).max() ?? 0) + 2

    static let all: [Setting] = [
        Setting("store", \.store, .folder, "The folder of the store, such as ~/Reminders"),
        Setting("list", \.list, .text, "The list of new reminders; default: the oldest list"),
        Setting("color", \.color, .color, "auto, always or never"),
        Setting("due", \.due, .due, "tomorrow or none: the date without --due; default: tomorrow"),
        Setting("due-time", \.dueTime, .time, "The time of that date; default: 09:00"),
        Setting("alarm", \.newAlarms, .alarms, "Alarms of new reminders: due, 15m, 1h,due or none; default: due"),
        Setting("alarm-time", \.alarmTime, .time, "When alarms of all-day reminders fire; default: 09:00"),
        Setting("snooze", \.snooze, .delay, "The delay of 'snooze' without WHEN, such as 15m"),
        Setting("port", \.port, .port, "The port of 'serve'; default: \(UseCases.defaultPort)"),
        Setting("feed-address", \.feedAddress, .site, "The public address of the feeds: https://cal.example.org"),
        Setting(
            "notify-when-due",
            \.notifiesWhenDue,
            .flag,
            "yes or no: notify when due without an alarm; default: yes"
        ),
        Setting("quiet-hours", \.quietHours, .hours, "Hours without notifications, such as 22:00-07:00"),
        Setting("muted-lists", \.mutedLists, .names, #"Lists without notifications: Work, or ["Work", "Old"]"#),
        Setting("muted-labels", \.mutedLabels, .names, "Labels without notifications, in the same form"),
        Setting("show-missed", \.showsMissed, .flag, "yes or no: show missed alarms; default: yes"),
        Setting("sound", \.makesSound, .flag, "yes or no: play a sound; default: yes"),
        Setting("notify-command", \.notifyCommand, .command, #"Gets alarms where no desktop runs: ["say", "-v"]"#),
        Setting("open-command", \.openCommand, .command, "Opens a reminder, by its ID; default: a terminal"),
        Setting("sync-interval", \.syncInterval, .interval, "1m to 24h, or never; default: 15m"),
    ]
}
