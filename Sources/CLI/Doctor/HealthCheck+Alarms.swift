import Bridge
import Daemon
import DatePhrases
import ICalendar
import Notifications

extension HealthCheck {
    /// Whether alarms are delivered.
    ///
    /// - Parameters:
    ///   - isInstalled: whether the service is installed.
    ///   - isRunning: whether a daemon runs for the store.
    static func alarms(isInstalled: Bool, isRunning: Bool) -> Finding {
        if isRunning { return Finding(.ok, "alarms", "A daemon rings for this store.") }
        guard isInstalled else {
            return Finding(.ok, "alarms", "Alarms are off. 'remindav setup' turns them on.")
        }
        return Finding(
            .warning,
            "alarms",
            "The service is set up, and no daemon rings for this store. Run 'systemctl --user restart "
                + "\(ServicePlan.unit)'; 'journalctl --user -u \(ServicePlan.unit)' says why it has ended."
        )
    }

    /// Alarms that the daemon could not show; `nil` when that was long ago.
    ///
    /// - Parameter isRunning: whether a daemon runs for the store and retries.
    static func unshown(_ failure: DeliveryFailure, isRunning: Bool, _ text: LocalText) -> Finding? {
        let (error, since) = (Sanitizer.line(failure.description), text.short(failure.since))
        guard let over = failure.over else {
            let count = failure.count == 1 ? "1 reminder waits" : "\(failure.count) reminders wait"
            let end = isRunning ? "the daemon tries it again and again" : "no daemon runs that tries it again"
            return Finding(.warning, "alarms", "\(error). \(count) to be shown since \(since); \(end).")
        }
        guard text.now.secondsSince1970 - over.secondsSince1970 < Self.memorySeconds else { return nil }
        return Finding(
            .ok,
            "alarms",
            "\(error). That was from \(since) to \(text.short(over)); nothing waits any more."
        )
    }

    /// Seconds for which a past failure is reported: a user may return after a week.
    private static let memorySeconds: Int64 = 7 * 24 * 3600

    /// The program that shows notifications.
    ///
    /// - Parameters:
    ///   - look: `nil` when alarms are off and the program was not asked.
    ///   - hasCommand: whether a notify command is configured.
    static func notifications(
        _ look: Result<NotificationProgram, NotificationFailure>?,
        hasCommand: Bool
    ) -> Finding {
        guard let look else {
            return Finding(.ok, "notifications", "Alarms are off, so it was not looked at who shows them.")
        }
        let (level, sentence) =
            switch look {
            case .success(let program): self.notifications(by: program)
            case .failure(let failure): self.notifications(without: failure, hasCommand)
            }
        return Finding(level, "notifications", sentence)
    }

    private static func notifications(by program: NotificationProgram) -> (Finding.Level, String) {
        let names = [program.name, program.version].filter { !$0.isEmpty }.map { Sanitizer.line($0) }
        let name = names.joined(separator: " ")
        if let failure = program.failure {
            let reason = self.sentences(failure)
            // A program without a name shows nothing.
            return name.isEmpty ? (.problem, reason) : (.warning, "\(name) does not say what it can. \(reason)")
        }
        let known = [("actions", "actions"), ("body", "body"), ("markup", "body-markup"), ("sound", "sound")]
        let abilities = known.map { "\($0.0) \(program.capabilities.contains($0.1) ? "yes" : "no")" }
        let shows = "\(name.isEmpty ? "The desktop" : name) shows alarms (\(abilities.joined(separator: ", ")))"
        guard program.capabilities.contains("actions") else {
            return (
                .warning,
                "\(shows), without buttons. 'remindav done' and 'remindav snooze' do the same; dunst, mako, GNOME, KDE "
                    + "and Xfce have them."
            )
        }
        return (.ok, "\(shows).")
    }

    private static func notifications(
        without failure: NotificationFailure,
        _ hasCommand: Bool
    ) -> (Finding.Level, String) {
        if hasCommand {
            return (.ok, "'notify-command' is told of alarms: \(Sanitizer.line(failure.reason)).")
        }
        // Outside of a session, its programs are unknown.
        return (failure.isOutside ? .warning : .problem, "Alarms cannot be shown here. \(self.sentences(failure))")
    }

    /// The reason and the advice.
    static func sentences(_ failure: NotificationFailure) -> String {
        let reason = Sanitizer.line(failure.reason)
        let advice = failure.advice.isEmpty ? "" : " \(Sanitizer.line(failure.advice))"
        return "\(reason.prefix(1).uppercased())\(reason.dropFirst()).\(advice)"
    }
}
