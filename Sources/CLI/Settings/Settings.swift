import RemindavBridge
import RemindavCurlTransport
import RemindavDaemon
import RemindavDatePhrases
import RemindavHost
import RemindavICalendar
import RemindavNotifications
import RemindavReminders

/// The settings of the user with their defaults; ``Setting/all`` has their names, formats and help.
struct Settings: Hashable, Sendable {
    /// The folder of the store; `nil` for the default folder.
    var store: String?
    /// The name of the list for new reminders; `nil` for the default list that the store records.
    var list: String?
    var color = ColorChoice.auto
    /// The command for long output; `nil` for the default, and `none` for no pager.
    var pager: String?
    var due = DefaultDue.tomorrow
    var newAlarms: [AlarmChoice] = [.atDue]
    var dueTime = When.usualTime
    /// The delay of `snooze` without WHEN; `nil` if WHEN is required.
    var snooze: String?
    var port = UseCases.defaultPort
    var feedAddress: FeedSite?
    /// The public address of the web pages, and the Unix socket for its reverse proxy.
    var webAddress: FeedSite?
    var webSocket: String?
    /// The PostgreSQL database with the stores of many users, in libpq's form; `nil` for none.
    var host: String?
    /// The place of the key that seals the passwords of tenants; `nil` for none.
    var hostKey: SecretSource?
    /// The mail server for messages about alarms, its password, and the sender of the messages; `nil` for none.
    var hostRelay: MailRelay?
    var hostRelayPassword: SecretSource?
    var hostSender: String?
    /// The headers in which the reverse proxy of a host names the signed-in person; without a subject, no pages.
    var hostSubjectHeader: String?
    var hostIssuerHeader: String?
    /// The path of the file with the secret of the proxy; `nil` for none.
    var hostProxySecret: String?
    /// The number of the only user whose processes may use the socket of the proxy; `nil` for its group.
    var hostProxyUser: UInt32?
    /// An email address or a URL for the operators of CalDAV servers; `nil` for none.
    var hostContact: String?
    /// The servers to which the accounts of tenants may connect.
    var allowedAddresses = AddressPolicy()
    /// The settings of the daemon, some of which other commands read, too.
    var daemon = DaemonSettings()

    /// The saved filters by name.
    var filters: [String: SavedFilter] = [:]

    /// The public address of the feeds of a host: one proxy often serves the pages and the feeds.
    var hostFeedAddress: FeedSite? { self.feedAddress ?? self.webAddress }
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

    private init(savedFilter name: String) {
        self.name = Self.filterPrefix + name
        self.help = "A saved filter"
        self.read = { value, settings throws(UsageError) in
            do throws(UsageError) { settings.filters[name] = try SavedFilter(value.text) } catch {
                throw UsageError(error.code, "'\(value.name)': \(error.sentence)")
            }
        }
        self.text = { $0.filters[name]?.text }
    }

    /// The beginning of the names of settings that save a filter; the rest is the name of the filter.
    static let filterPrefix = "filter."

    /// The setting with the name; `nil` if there is none, or if the rest after ``filterPrefix`` is not a valid name.
    static func named(_ name: String) -> Setting? {
        guard name.hasPrefix(Self.filterPrefix) else { return self.all.first { $0.name == name } }
        let rest = String(name.dropFirst(Self.filterPrefix.count))
        return SavedFilter.isName(rest) ? Setting(savedFilter: rest) : nil
    }

    /// The settings of the table, and those that save a filter.
    static func all(of settings: Settings) -> [Setting] {
        self.all + settings.filters.keys.sorted().map { Setting(savedFilter: $0) }
    }

    /// The current names of renamed settings, by their old names.
    static let renamed = [
        "ring-when-due": "notify-when-due", "silent-lists": "muted-lists", "silent-labels": "muted-labels",
    ]

    /// The width of the column of names in the help page.
    static let nameWidth = (Self.all.map(\.name.utf8.count).max() ?? 0) + 2

    static let all: [Setting] = [
        Setting("store", \.store, .folder, "The folder of the store, such as ~/Reminders"),
        Setting("list", \.list, .text, "List of new reminders; default: set by 'lists default'"),
        Setting("color", \.color, .color, "auto, always or never"),
        Setting("pager", \.pager, .text, "Shows long output; default: 'less -FRX'; none: no pager"),
        Setting("due", \.due, .due, "Default date of new reminders: tomorrow (default) or none"),
        Setting("due-time", \.dueTime, .time, "The time of day of the default date; default: 09:00"),
        Setting("alarm", \.newAlarms, .alarms, "Alarms of new reminders: 15m, 1h,due, none; default: due"),
        Setting(
            "alarm-time",
            \.daemon.scheduler.alarms.dayTime,
            .time,
            "When alarms of all-day reminders fire; default: 09:00"
        ),
        Setting("snooze", \.snooze, .delay, "The delay of 'snooze' without WHEN, such as 15m"),
        Setting("port", \.port, .port, "The port of 'serve'; default: \(UseCases.defaultPort)"),
        Setting("feed-address", \.feedAddress, .site, "The public address of the feeds: https://cal.example.org"),
        Setting("web-address", \.webAddress, .site, "The public address of the web pages; needs web-socket"),
        Setting("web-socket", \.webSocket, .folder, "The Unix socket for the proxy with web-address"),
        Setting("host", \.host, .database, "PostgreSQL database of 'host' commands: dbname=remindav"),
        Setting("host-key", \.hostKey, .secret, "Key of the host: FILE, credential:NAME or command:WORDS"),
        Setting("host-relay", \.hostRelay, .relay, "The mail server for alarms: smtps://USER@mail.example.org"),
        Setting("host-relay-password", \.hostRelayPassword, .secret, "The password of USER, in the form of host-key"),
        Setting("host-sender", \.hostSender, .mail, "The sender of messages about alarms: alarms@example.org"),
        Setting(
            "host-allow",
            \.allowedAddresses.networks,
            .networks,
            "Networks for accounts of tenants: 10.1.0.0/16,fd00::/8"
        ),
        Setting("host-ports", \.allowedAddresses.ports, .ports, "Ports for accounts of tenants besides 443 and 8443"),
        Setting("host-contact", \.hostContact, .contact, "Where operators of CalDAV servers reach you: email or URL"),
        Setting(
            "host-subject-header",
            \.hostSubjectHeader,
            .header,
            "The proxy's header with the person, such as Remote-User"
        ),
        Setting(
            "host-issuer-header",
            \.hostIssuerHeader,
            .header,
            "The proxy's header with the sign-in service"
        ),
        Setting("host-proxy-secret", \.hostProxySecret, .folder, "The file with the secret of the proxy, for the port"),
        Setting("host-proxy-user", \.hostProxyUser, .user, "The number of the user of the proxy, for web-socket"),
        Setting(
            "notify-when-due",
            \.daemon.scheduler.alarms.notifiesWhenDue,
            .flag,
            "yes or no: notify when due without an alarm; default: yes"
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
            "Opens a reminder; last argument: its ID, or today"
        ),
        Setting("sync-interval", \.daemon.syncSeconds, .interval, "1m to 24h, or never; default: 15m"),
    ]
}
