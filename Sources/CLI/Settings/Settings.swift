import Bridge
import ICalendar
import Reminders

/// What holds unless the command line or the environment says something else.
struct Settings: Hashable, Sendable {
    /// The folder of the store, from the root on; `nil` for the usual one.
    var store: String?
    /// The list that new reminders go to; `nil` for the oldest one that can be written to.
    var list: String?
    /// When text is coloured.
    var color = ColorChoice.auto
    /// The due date of a reminder without a date.
    var due = DefaultDue.tomorrow
    /// The alarms of a new reminder with a date.
    var newAlarms: [AlarmChoice] = [.atDue]
    /// When something is due that was given no time and is not meant for the whole day.
    var dueTime = When.usualTime
    /// When something rings that is due on a day.
    var alarmTime = AlarmSettings.standardDayTime
    /// The word for how long `snooze` puts off when nothing is said; `nil` when it has to be said.
    var snooze: String?
    /// Where `serve` answers.
    var port = UseCases.defaultPort
    /// Under which address a web server in front of `serve` publishes the feeds; `nil` for none.
    var feedAddress: FeedSite?
    /// Whether what has no alarm of its own rings when it is due.
    var ringsWhenDue = true
    /// When nothing rings; `nil` for at no time.
    var quietHours: HoursOfDay?
    /// The names of the lists whose reminders do not ring, in whatever case.
    var silentLists: [String] = []
    /// The labels whose reminders do not ring.
    var silentLabels: [String] = []
    /// Whether what was missed is shown afterwards.
    var showsMissed = true
    /// Whether an alarm makes a sound.
    var makesSound = true
    /// The program that is told of alarms where no notification service is, and its arguments; `nil` for none.
    var notifyCommand: [String]?
    /// The program that opens a reminder, and its arguments, before the number; `nil` for the editor on a terminal.
    var openCommand: [String]?
    /// The seconds between two syncs of an account; `nil` for only when somebody asks.
    var syncInterval: Int? = 15 * 60

    /// When an alarm is.
    var alarms: AlarmSettings { AlarmSettings(dayTime: self.alarmTime, ringsWhenDue: self.ringsWhenDue) }
    /// The due date and alarms of a new reminder without options.
    var defaults: ReminderDefaults {
        ReminderDefaults(due: self.due, alarms: self.newAlarms, dayTime: self.alarmTime)
    }
    /// What does not ring at all.
    var silent: MuteRules { MuteRules(lists: self.silentLists, labels: self.silentLabels) }
}

/// Some hours of each day, by the clock on the wall; over midnight when they end before they begin.
struct HoursOfDay: Hashable, Sendable {
    let from: ClockTime
    /// The first moment that is not one of them.
    let to: ClockTime
}

/// The names of the settings: a row for each, which the file, `config` and the help read.
enum SettingKey: String, CaseIterable, Sendable {
    case store, list, color
    case due
    case dueTime = "due-time"
    case alarm
    case alarmTime = "alarm-time"
    case snooze, port
    case feedAddress = "feed-address"
    case ringWhenDue = "ring-when-due"
    case quietHours = "quiet-hours"
    case silentLists = "silent-lists"
    case silentLabels = "silent-labels"
    case showMissed = "show-missed"
    case sound
    case notifyCommand = "notify-command"
    case openCommand = "open-command"
    case syncInterval = "sync-interval"

    /// What the help says about it, and what it is when nothing is said.
    var help: String {
        switch self {
        case .store: "The folder of the store, such as ~/Reminders"
        case .list: "The list of new reminders; else the oldest one here"
        case .color: "auto, always or never"
        case .due: "tomorrow or none: the date without --due; else tomorrow"
        case .dueTime: "The time of tomorrow without --due; else 09:00"
        case .alarm: "Alarms of new reminders: due, 15m, 1h,due or none; else due"
        case .alarmTime: "When what is due on a day rings; else 09:00"
        case .snooze: "For how long 'snooze' puts off without a word, such as 15m"
        case .port: "Where 'serve' answers; else \(UseCases.defaultPort)"
        case .feedAddress: "Where a web server publishes feeds: https://cal.example.org"
        case .ringWhenDue: "yes or no: whether what has no alarm rings when due; else yes"
        case .quietHours: "When nothing rings, such as 22:00-07:00; else never"
        case .silentLists: #"Lists that do not ring: Work, or ["Work", "Old"]"#
        case .silentLabels: "Labels that do not ring, in the same way"
        case .showMissed: "yes or no: whether missed alarms are shown; else yes"
        case .sound: "yes or no: whether an alarm makes a sound; else yes"
        case .notifyCommand: #"Told of alarms without a desktop: ["say", "-v"]"#
        case .openCommand: "Opens a reminder, whose number is put behind; else a terminal"
        case .syncInterval: "1m to 24h, or never; else 15m"
        }
    }

    /// Takes over a value as it stands in the file.
    ///
    /// - Parameter home: what `~` stands for; `nil` when there is no home folder.
    /// - Throws: when it cannot be used; the sentence says what it may be.
    func take(_ value: String, into settings: inout Settings, home: String?) throws(UsageError) {
        switch self {
        case .store: settings.store = try Self.folder(value, home: home)
        case .list: settings.list = value
        case .color:
            guard let color = ColorChoice(rawValue: value) else {
                throw UsageError(
                    .badValue,
                    "'color' is one of auto, always and never, not '\(Sanitizer.excerpt(value))'."
                )
            }
            settings.color = color
        case .due: settings.due = try ArgumentValues.defaultDue(value, called: self.rawValue)
        case .alarm: settings.newAlarms = try ArgumentValues.defaultAlarms(value, called: self.rawValue)
        case .dueTime: settings.dueTime = try self.time(value)
        case .alarmTime: settings.alarmTime = try self.time(value)
        case .snooze:
            guard case .later? = try? When(value) else {
                throw UsageError(
                    .badValue,
                    "'snooze' is a number of minutes or hours, such as 15m or 2h, not '\(Sanitizer.excerpt(value))'."
                )
            }
            settings.snooze = value
        case .port:
            guard let port = UInt16(value) else {
                throw UsageError(.badValue, "'port' is a number from 0 to 65535, not '\(Sanitizer.excerpt(value))'.")
            }
            settings.port = port
        case .feedAddress: settings.feedAddress = try ArgumentValues.feedSite(value, of: self.rawValue)
        case .ringWhenDue: settings.ringsWhenDue = try self.choice(value)
        case .quietHours: settings.quietHours = try self.hours(value)
        case .silentLists: settings.silentLists = try self.names(value)
        case .silentLabels: settings.silentLabels = try self.names(value)
        case .showMissed: settings.showsMissed = try self.choice(value)
        case .sound: settings.makesSound = try self.choice(value)
        case .notifyCommand: settings.notifyCommand = try self.command(value, home: home)
        case .openCommand: settings.openCommand = try self.command(value, home: home)
        case .syncInterval: settings.syncInterval = try self.interval(value)
        }
    }

    /// The value as it would stand in the file; `nil` when nothing holds.
    func value(in settings: Settings) -> String? {
        switch self {
        case .store: settings.store
        case .list: settings.list
        case .color: settings.color.rawValue
        case .due: settings.due.rawValue
        case .dueTime: settings.dueTime.hoursAndMinutes
        case .alarm: AlarmFormatter.text(settings.newAlarms)
        case .alarmTime: settings.alarmTime.hoursAndMinutes
        case .snooze: settings.snooze
        case .port: String(settings.port)
        case .feedAddress: settings.feedAddress?.text
        case .ringWhenDue: Self.word(settings.ringsWhenDue)
        case .quietHours: settings.quietHours.map { "\($0.from.hoursAndMinutes)-\($0.to.hoursAndMinutes)" }
        case .silentLists: settings.silentLists.isEmpty ? nil : WordArray.text(settings.silentLists)
        case .silentLabels: settings.silentLabels.isEmpty ? nil : WordArray.text(settings.silentLabels)
        case .showMissed: Self.word(settings.showsMissed)
        case .sound: Self.word(settings.makesSound)
        case .notifyCommand: settings.notifyCommand.map(WordArray.text)
        case .openCommand: settings.openCommand.map(WordArray.text)
        case .syncInterval: Self.interval(settings.syncInterval)
        }
    }

    private static func folder(_ value: String, home: String?) throws(UsageError) -> String {
        if value.hasPrefix("/") { return value }
        guard value == "~" || value.hasPrefix("~/") else {
            throw UsageError(
                .badValue,
                "'store' is a path that begins with / or ~/, not '\(Sanitizer.excerpt(value))'."
            )
        }
        guard let home else { throw UsageError(.badValue, "There is no home folder for '~'; begin the path with /.") }
        return home + value.dropFirst()
    }

    private func time(_ text: String) throws(UsageError) -> ClockTime {
        guard let time = Self.time(text) else {
            throw UsageError(.badValue, "'\(self.rawValue)' is a time such as 09:00, not '\(Sanitizer.excerpt(text))'.")
        }
        return time
    }

    // 2DIGIT ":" 2DIGIT
    static func time(_ text: some StringProtocol) -> ClockTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count == 2 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard parts.count == 2, numbers.count == 2 else { return nil }
        return ClockTime(hour: numbers[0], minute: numbers[1], second: 0)
    }
}
