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
    /// When something is due that was given no time and is not meant for the whole day.
    var dueTime = When.usualTime
    /// When something rings that is due on a day.
    var alarmTime = AlarmSettings.standardDayTime
    /// The word for how long `snooze` puts off when nothing is said; `nil` when it has to be said.
    var snooze: String?
    /// Where `serve` answers.
    var port = UseCases.defaultPort
}

/// The names of the settings: a row for each, which the file, `config` and the help read.
enum SettingKey: String, CaseIterable, Sendable {
    case store, list, color
    case dueTime = "due-time"
    case alarmTime = "alarm-time"
    case snooze, port

    /// What the help says about it, and what it is when nothing is said.
    var help: String {
        switch self {
        case .store: "The folder of the store, such as ~/Reminders"
        case .list: "The list of new reminders; else the oldest one here"
        case .color: "auto, always or never"
        case .dueTime: "The time of tomorrow without --due; else 09:00"
        case .alarmTime: "When what is due on a day rings; else 09:00"
        case .snooze: "For how long without a word: \(Self.snoozeWords)"
        case .port: "Where 'serve' answers; else \(UseCases.defaultPort)"
        }
    }

    private static var snoozeWords: String {
        let words = SnoozeReminder.presets.map(\.word)
        return words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
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
        case .dueTime: settings.dueTime = try self.time(value)
        case .alarmTime: settings.alarmTime = try self.time(value)
        case .snooze:
            guard SnoozeReminder.presets.contains(where: { $0.word == value }) else {
                throw UsageError(.badValue, "'snooze' is \(Self.snoozeWords), not '\(Sanitizer.excerpt(value))'.")
            }
            settings.snooze = value
        case .port:
            guard let port = UInt16(value) else {
                throw UsageError(.badValue, "'port' is a number from 0 to 65535, not '\(Sanitizer.excerpt(value))'.")
            }
            settings.port = port
        }
    }

    /// The value as it would stand in the file; `nil` when nothing holds.
    func value(in settings: Settings) -> String? {
        switch self {
        case .store: settings.store
        case .list: settings.list
        case .color: settings.color.rawValue
        case .dueTime: settings.dueTime.hoursAndMinutes
        case .alarmTime: settings.alarmTime.hoursAndMinutes
        case .snooze: settings.snooze
        case .port: String(settings.port)
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

    // 2DIGIT ":" 2DIGIT
    private func time(_ text: String) throws(UsageError) -> ClockTime {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count == 2 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard parts.count == 2, numbers.count == 2,
            let time = ClockTime(hour: numbers[0], minute: numbers[1], second: 0)
        else {
            throw UsageError(.badValue, "'\(self.rawValue)' is a time such as 09:00, not '\(Sanitizer.excerpt(text))'.")
        }
        return time
    }
}
