import Bridge
import DatePhrases
import ICalendar
import JSON
import Notifications
import Platform
import Reminders

/// `daemon`: rings.
struct RunDaemon: Command {
    static let page = CommandPage(
        name: "daemon",
        group: .reminders,
        summary: "Show notifications for due alarms and sync accounts",
        usage: [""],
        details: [
            """
            Shows a desktop notification for each alarm, with buttons that open, complete or
            snooze the reminder. Without a desktop, the program of the setting 'notify-command'
            gets the alarm, and the terminal shows it. A store has at most one daemon. It detects
            changes of reminders, settings, clock and time zone at once, and sleeps otherwise.
            """,
            """
            Alarms that were missed while the daemon did not run are shown at its start, marked
            as missed. The very first start shows no earlier alarms. The setting 'quiet-hours'
            prevents notifications at night.
            """,
            """
            Each account is synced every 15 minutes, soon after a local change, and when the
            network is available again. 'sync-interval', of the account or in the settings,
            changes the interval.
            """,
        ],
        examples: [.init("remindav daemon", "runs until Ctrl-C or SIGTERM")],
        exits: [.locked]
    )

    init(_ arguments: inout Arguments) throws(UsageError) {}

    func run(in context: Context) async throws -> ExitStatus {
        _ = try context.localZone()
        let useCases = try context.useCases(.create)
        let chosen = Self.settings(context.settings, in: context)
        let speaker = DaemonLogFormatter(output: context.output)
        let tell: @Sendable (AlarmNotice) -> Void = { speaker.tell($0) }
        let isWatched = context.output.answers.isTerminal
        let surroundings = DaemonEnvironment(
            environment: context.environment,
            settings: Self.source(context),
            localZone: { try? context.localZone().name },
            tell: isWatched ? tell : nil,
            message: { (notice: AlarmNotice) in JSONWriter.document(notice) },
            syncLabelUpdates: { Self.syncLabelUpdates(account: $0, store: $1) },
            report: { speaker.report($0) }
        )
        try useCases.ring(chosen, surroundings)
        return .success
    }

    /// A sync of the store that is rung for, whatever the settings say by then; they have nothing else for a sync, and a
    /// file that cannot be used is to end none.
    private static func syncLabelUpdates(account: String, store: String) -> [String] {
        ["--store", System.absolute(store), "--config", "/dev/null", "--quiet", "sync", "--account=\(account)"]
    }

    /// The file with the settings, to be read while it rings.
    private static func source(_ context: Context) -> SettingsSource? {
        let path = SettingsFile.path(option: context.options.config, environment: context.environment)
        return path.map { path in
            SettingsSource(path: System.absolute(path)) {
                try SettingsFile.bytes(
                    option: context.options.config,
                    context.environment,
                    from: context.files.plainSource
                )
            } settings: { bytes in
                let file = try SettingsFile.parse(bytes, option: context.options.config, context.environment)
                if let error = file.error { throw error }
                return Self.settings(file.settings, in: context)
            }
        }
    }

    private static func settings(_ file: Settings, in context: Context) -> DaemonSettings {
        var settings = DaemonSettings()
        let isStoreSaid = context.options.store != nil || context.environment.variable("REMINDAV_STORE") != nil
        settings.store = isStoreSaid ? nil : file.store
        settings.alarms = file.alarms
        settings.silent = file.silent
        settings.rings.quietHours = file.quietHours.map { QuietHours(from: $0.from, to: $0.to) }
        settings.rings.showsMissed = file.showsMissed
        settings.rings.makesSound = file.makesSound
        settings.notifyCommand = file.notifyCommand
        settings.openCommand = file.openCommand
        settings.syncSeconds = file.syncInterval
        return settings
    }
}

/// What the daemon says on the terminal and in the log.
struct DaemonLogFormatter: Sendable {
    let output: Output

    /// One line for an alarm, for a person who looks.
    func tell(_ notice: AlarmNotice) {
        let first = notice.body.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let line = Sanitizer.line(notice.title) + (first.isEmpty ? "" : ": " + Sanitizer.line(first))
        // Who does not see it is told by nobody else; the alarm counts as told all the same.
        try? self.output.print(StyledText(DisplayWidth.fit(line, into: self.output.columns - 1)))
    }

    /// A line for the log.
    func report(_ news: DaemonLogEvent) {
        switch news {
        case .ready, .service, .settings, .zone, .synced(.done, _): self.output.remark(StyledText(self.sentence(news)))
        default: self.output.complain(self.sentence(news))
        }
    }

    private func sentence(_ news: DaemonLogEvent) -> String {
        switch news {
        case .ready: "Reminders ring from now on"
        case .service(let name): "Notifications are shown by \(name.isEmpty ? "the desktop" : Sanitizer.line(name))"
        case .noService(let reason, let advice):
            "No notification can be shown: \(Sanitizer.line(reason)).\(advice.isEmpty ? "" : " \(Sanitizer.line(advice))")"
        case .notShown(let reason, let advice):
            "Failed to schedule notification: \(Sanitizer.line(reason)). It is tried again."
                + (advice.isEmpty ? "" : " \(Sanitizer.line(advice))")
        case .settings: "The settings are read anew, and hold from now on"
        case .settingsTrouble(let error):
            "\(ErrorMessages.explain(error).sentence) Until that is mended the settings from before hold."
        case .settingsUnwatched(let error):
            """
            It may not be noticed when the settings change (\(Sanitizer.line(error.description))). Start the daemon anew \
            then.
            """
        case .otherStore:
            "The settings name another store now. Start the daemon anew to have that one ring."
        case .zone(let name): "The clock goes by \(Sanitizer.line(name)) now"
        case .unknownZone: "The time zone of this machine is not known here; the one before goes on. Install tzdata."
        case .storeTrouble(let error):
            "The reminders cannot be read; it is tried again. \(ErrorMessages.explain(error).sentence)"
        case .recordsTrouble(let error):
            """
            What has rung cannot be written down, and may ring twice when the daemon ends now; it is tried again. \
            \(ErrorMessages.explain(error).sentence)
            """
        case .recordsAnew: "What has rung was damaged (rings.db) and is put aside; something may ring twice."
        case .notifyCommandFailed(let status):
            """
            The program that 'notify-command' in the settings names \
            \(status.map { "ended with \($0)" } ?? "could not be run, or took too long"). Run it by hand.
            """
        case .synced(.done, _): "Syncs go through again"
        case .synced(.unreachable, _): "A server could not be reached; it is tried again."
        case .synced(.unfinished, _): "A sync could not be run, or took too long and was ended; it is tried again."
        case .synced(_, let status):
            "A sync has ended with \(status.map(String.init) ?? "nothing"); 'remindav sync' says why."
        case .openCommandFailed(isChosen: true, let status):
            """
            The program that 'open-command' in the settings names \(Self.words(opening: status)); a reminder was not opened, \
            and its alarm stays unseen.
            """
        case .openCommandFailed(isChosen: false, let status):
            """
            A reminder was not opened, and its alarm stays unseen: 'xdg-open' \(Self.words(opening: status)). Run 'remindav \
            service install' again, or name a program with 'open-command' in the settings.
            """
        case .gaveUp(let reminder):
            "Reminder \(reminder) could not be changed as its notification was answered; see 'remindav show \(reminder)'."
        case .unplanned(let reminder):
            "The repeat rule of reminder \(reminder) takes too long to compute; some of its alarms may not ring."
        }
    }

    /// Describes the failure of a program that opens reminders, by its status; the shell returns 127 for a missing
    /// program.
    private static func words(opening status: Int32?) -> String {
        switch status {
        case nil, 127?: "could not be run"
        case let status?: "ended with \(status)"
        }
    }
}
