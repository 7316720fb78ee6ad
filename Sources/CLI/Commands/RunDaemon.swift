import RemindavBridge
import RemindavDaemon
import RemindavDatePhrases
import RemindavICalendar
import RemindavJSON
import RemindavPlatform
import RemindavReminders

struct RunDaemon: Command {
    static let page = CommandPage(
        name: "daemon",
        summary: "Show notifications for due alarms and sync accounts",
        details: """
            Shows a desktop notification for each alarm, with buttons that open, complete or
            snooze the reminder. Without a desktop, the program of the setting 'notify-command'
            receives the alarm, and the terminal shows it. A store has at most one daemon. It
            detects changes of reminders, settings, clock and time zone at once, and sleeps
            otherwise.

            Alarms that were missed while the daemon did not run are shown at its start, marked
            as missed. The very first start shows no earlier alarms. The setting 'quiet-hours'
            prevents notifications at night.

            Each account is synced every 15 minutes, soon after a local change, and when the
            network is available again. 'sync-interval', of the account or in the settings,
            changes the interval.
            """,
        examples: ["remindav daemon": "runs until Ctrl-C or SIGTERM"],
        exits: [.locked]
    )

    init(_ arguments: inout Arguments) throws(UsageError) {}

    func run(in context: Context) async throws -> ExitStatus {
        _ = try context.localZone()
        let useCases = try context.useCases(.create)
        let chosen = Self.settings(context.settings, in: context)
        let log = DaemonLogFormatter(output: context.output)
        let printAlarm: @Sendable (AlarmNotice) -> Void = { log.printAlarm($0) }
        let environment = DaemonEnvironment(
            environment: context.environment,
            settings: Self.source(context),
            localZone: { try? context.localZone().name },
            printAlarm: context.output.answers.isTerminal ? printAlarm : nil,
            encode: { (notice: AlarmNotice) in JSONWriter.document(notice) },
            syncArguments: { Self.syncArguments(account: $0, store: $1) },
            report: { log.report($0) }
        )
        try useCases.runDaemon(chosen, in: environment)
        return .success
    }

    /// The arguments of a sync, with `--config /dev/null`: a sync needs no setting, and the user's file may be invalid.
    private static func syncArguments(account: String, store: String) -> [String] {
        ["--store", System.absolute(store), "--config", "/dev/null", "--quiet", "sync", "--account=\(account)"]
    }

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
        var settings = file.daemon
        let isStoreGiven = context.options.store != nil || context.environment.variable("REMINDAV_STORE") != nil
        settings.store = isStoreGiven ? nil : file.store
        return settings
    }
}

struct DaemonLogFormatter: Sendable {
    let output: Output

    func printAlarm(_ notice: AlarmNotice) {
        let first = notice.body.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let line = Sanitizer.line(notice.title) + (first.isEmpty ? "" : ": " + Sanitizer.line(first))
        // If the terminal is closed, the alarm counts as delivered anyway.
        try? self.output.print(StyledText(DisplayWidth.fit(line, into: self.output.columns - 1)))
    }

    func report(_ event: DaemonLogEvent) {
        switch event {
        case .ready, .service, .settings, .zone, .synced(.done, _): self.output.remark(StyledText(self.sentence(event)))
        default: self.output.complain(self.sentence(event))
        }
    }

    private func sentence(_ event: DaemonLogEvent) -> String {
        switch event {
        case .ready: "Alarms are delivered from now on"
        case .service(let name): "Notifications are shown by \(name.isEmpty ? "the desktop" : Sanitizer.line(name))"
        case .noService(let reason, let advice):
            "No notification can be shown: \(Sanitizer.line(reason)).\(Self.after(advice))"
        case .notShown(let reason, let advice):
            "Failed to schedule notification: \(Sanitizer.line(reason)). The daemon retries.\(Self.after(advice))"
        case .settings: "The changed settings are in use"
        case .settingsError(let error):
            "\(ErrorMessages.explain(error).sentence) The previous settings stay in use until the file is corrected."
        case .settingsUnwatched(let error):
            """
            Changes of the settings may be missed (\(Sanitizer.line(error.description))). Restart the daemon after a \
            change.
            """
        case .otherStore: "The settings name another store now. Restart the daemon to use it."
        case .zone(let name): "The time zone is \(Sanitizer.line(name)) now"
        case .unknownZone: "The time zone of this computer is unknown; the previous one stays in use. Install tzdata."
        case .storeError(let error):
            "The reminders cannot be read; the daemon retries. \(ErrorMessages.explain(error).sentence)"
        case .deliveryStateError(let error):
            "The record of delivered alarms cannot be written; the daemon retries. If it ends before, alarms may fire "
                + "again. \(ErrorMessages.explain(error).sentence)"
        case .deliveryStateRecreated:
            "The record of delivered alarms (delivery.db) was damaged and was renamed; some alarms may be repeated."
        case .notifyCommandFailed(let status):
            "The program of the setting 'notify-command' \(Self.failure(status)). Run it by hand."
        case .synced(.done, _): "Syncs succeed again"
        case .synced(.unreachable, _): "A server could not be reached; the daemon retries."
        case .synced(.unfinished, _): "A sync could not be run, or took too long and was stopped; the daemon retries."
        case .synced(_, let status):
            "A sync failed\(status.map { " with status \($0)" } ?? ""); 'remindav sync' shows the reason."
        case .openCommandFailed(isChosen: true, let status):
            """
            A reminder was not opened, and its alarm stays unacknowledged: the program of the setting 'open-command' \
            \(Self.failure(status)).
            """
        case .openCommandFailed(isChosen: false, let status):
            """
            A reminder was not opened, and its alarm stays unacknowledged: 'xdg-open' \(Self.failure(status)). Run \
            'remindav service install' again, or set a program with the setting 'open-command'.
            """
        case .gaveUp(let reminder):
            "Reminder \(reminder) could not be changed after a click in its notification; see 'remindav show \(reminder)'."
        case .unplanned(let reminder):
            "The repeat rule of reminder \(reminder) takes too long to compute; some of its alarms may not fire."
        }
    }

    private static func after(_ advice: String) -> String { advice.isEmpty ? "" : " \(Sanitizer.line(advice))" }

    /// The failure in words; `nil` means that the program did not start or took too long, and 127 that it is missing.
    private static func failure(_ status: Int32?) -> String {
        switch status {
        case nil: "could not be run, or took too long"
        case 127?: "could not be run"
        case let status?: "ended with status \(status)"
        }
    }
}
