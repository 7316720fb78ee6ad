import Bridge
import Daemon
import DatePhrases
import ICalendar
import Notifications
import Reminders

/// The settings of the user with their defaults; ``Setting/all`` has their names, formats and help.
struct Settings: Hashable, Sendable {
    /// The folder of the store; `nil` for the default folder.
    var store: String?
    /// The name of the list for new reminders; `nil` for the default list that the store records.
    var list: String?
    var color = ColorChoice.auto
    var due = DefaultDue.tomorrow
    var newAlarms: [AlarmChoice] = [.atDue]
    var dueTime = When.usualTime
    /// The delay of `snooze` without WHEN; `nil` if WHEN is required.
    var snooze: String?
    var port = UseCases.defaultPort
    var feedAddress: FeedSite?
    /// The settings of the daemon, some of which other commands read, too.
    var daemon = DaemonSettings()

    var alarms: AlarmSettings { self.daemon.scheduler.alarms }
    var defaults: ReminderDefaults {
        ReminderDefaults(due: self.due, alarms: self.newAlarms, dayTime: self.alarms.dayTime)
    }
    var muted: MuteRules { self.daemon.muted }
}

/// A setting in the table of all settings.
struct Setting: Sendable {
    let name: String
    /// The description with the default, for the help page of `config`.
    let help: String
    let read: @Sendable (_ value: SettingValue, _ settings: inout Settings) throws(UsageError) -> Void
    /// The value as text of the settings file; `nil` if the setting is not set.
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

    /// The current names of renamed settings, by their old names.
    static let renamed = [
        "ring-when-due": "notify-when-due", "silent-lists": "muted-lists", "silent-labels": "muted-labels",
    ]

    /// The width of the column of names in the help page.
    static let nameWidth = (Self.all.map(\.name.utf8.count).max() ?? 0) + 2

    static let all: [Setting] = [
        Setting("store", \.store, .folder, "The folder of the store, such as ~/Reminders"),
        Setting("list", \.list, .text, "The list of new reminders; default: set by 'lists default'"),
        Setting("color", \.color, .color, "auto, always or never"),
        Setting("due", \.due, .due, "Default date of new reminders: tomorrow (default) or none"),
        Setting("due-time", \.dueTime, .time, "The time of day of the default date; default: 09:00"),
        Setting("alarm", \.newAlarms, .alarms, "Alarms of new reminders: due, 15m, 1h,due or none; default: due"),
        Setting(
            "alarm-time",
            \.daemon.scheduler.alarms.dayTime,
            .time,
            "When alarms of all-day reminders fire; default: 09:00"
        ),
        Setting("snooze", \.snooze, .delay, "The delay of 'snooze' without WHEN, such as 15m"),
        Setting("port", \.port, .port, "The port of 'serve'; default: \(UseCases.defaultPort)"),
        Setting("feed-address", \.feedAddress, .site, "The public address of the feeds: https://cal.example.org"),
        Setting(
            "notify-when-due",
            \.daemon.scheduler.alarms.notifiesWhenDue,
            .flag,
            "yes or no: notify when due if no alarm is set; default: yes"
        ),
        Setting(
            "quiet-hours",
            \.daemon.scheduler.quietHours,
            .hours,
            "Hours without notifications, such as 22:00-07:00"
        ),
        Setting("muted-lists", \.daemon.muted.lists, .names, #"Lists without notifications: Work, or ["Work", "Old"]"#),
        Setting(
            "muted-labels",
            \.daemon.muted.labels,
            .names,
            "Labels without notifications, in the form of muted-lists"
        ),
        Setting("show-missed", \.daemon.scheduler.showsMissed, .flag, "yes or no: show missed alarms; default: yes"),
        Setting("sound", \.daemon.scheduler.appearance.makesSound, .flag, "yes or no: play a sound; default: yes"),
        Setting(
            "notify-command",
            \.daemon.notifyCommand,
            .command,
            #"Receives alarms if no desktop shows them: ["say", "-v"]"#
        ),
        Setting(
            "open-command",
            \.daemon.openCommand,
            .command,
            "Opens a reminder; last argument: its ID; default: a terminal"
        ),
        Setting("sync-interval", \.daemon.syncSeconds, .interval, "1m to 24h, or never; default: 15m"),
    ]
}
