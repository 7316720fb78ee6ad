import RemindavBridge
import RemindavDaemon
import RemindavDatePhrases
import RemindavDesktopBus
import RemindavICalendar
import RemindavNotifications

extension HealthCheck {
    /// - Parameter isRunning: whether a daemon runs for the store.
    static func alarms(isInstalled: Bool, isRunning: Bool) -> Finding {
        if isRunning { return Finding(.ok, "alarms", "A daemon delivers the alarms of this store.") }
        if !isInstalled {
            let sentence = "No alarms are shown, because the service is not installed. 'remindav setup' installs it."
            return Finding(.ok, "alarms", sentence)
        }
        let unit = ServicePlan.unit
        let advice = "Run 'systemctl --user restart \(unit)'; 'journalctl --user -u \(unit)' shows why it has ended."
        return Finding(.warning, "alarms", "The service is installed, but no daemon runs for this store. \(advice)")
    }

    /// The finding about notifications that the daemon could not show; `nil` if the failure ended more than a week ago.
    static func unshown(_ failure: DeliveryFailure, isRunning: Bool, _ text: LocalText) -> Finding? {
        let (error, since) = (Sanitizer.line(failure.description), text.short(failure.since))
        guard let over = failure.over else {
            let count = failure.count == 1 ? "1 reminder waits" : "\(failure.count) reminders wait"
            let end = isRunning ? "the daemon retries" : "no daemon runs to retry"
            return Finding(.warning, "alarms", "\(error). \(count) to be shown since \(since); \(end).")
        }
        guard text.now.secondsSince1970 - over.secondsSince1970 < Self.memorySeconds else { return nil }
        return Finding(.ok, "alarms", "\(error). That was from \(since) to \(text.short(over)); no alarm is pending.")
    }

    /// Seconds for which a past failure is reported, because a user may be away for a week.
    private static let memorySeconds: Int64 = 7 * 24 * 3600

    /// - Parameters:
    ///   - look: the answer of the notification service; `nil` if it was not asked, because alarms are off.
    ///   - hasCommand: whether the setting `notify-command` is set.
    static func notifications(
        _ look: Result<DesktopService, DesktopBusError>?,
        hasCommand: Bool
    ) -> Finding {
        guard let look else {
            return Finding(.ok, "notifications", "Not checked, because no alarms are shown.")
        }
        let (level, sentence) =
            switch look {
            case .success(let program): self.notifications(by: program)
            case .failure(let failure): self.notifications(without: failure, hasCommand)
            }
        return Finding(level, "notifications", sentence)
    }

    private static func notifications(by program: DesktopService) -> (Finding.Level, String) {
        let names = [program.name, program.version].filter { !$0.isEmpty }.map { Sanitizer.line($0) }
        let name = names.joined(separator: " ")
        if let failure = program.failure {
            let reason = self.sentences(failure)
            // If even the name is missing, no notification service answered.
            return name.isEmpty ? (.problem, reason) : (.warning, "\(name) does not report its capabilities. \(reason)")
        }
        let known = [("actions", "actions"), ("body", "body"), ("markup", "body-markup"), ("sound", "sound")]
        let abilities = known.map { "\($0.0) \(program.capabilities.contains($0.1) ? "yes" : "no")" }
        let shows = "\(name.isEmpty ? "The desktop" : name) shows alarms (\(abilities.joined(separator: ", ")))"
        guard program.capabilities.contains("actions") else {
            let advice = "Use 'remindav done' and 'remindav snooze'; dunst, mako, GNOME, KDE and Xfce have buttons."
            return (.warning, "\(shows), without buttons. \(advice)")
        }
        return (.ok, "\(shows).")
    }

    private static func notifications(
        without failure: DesktopBusError,
        _ hasCommand: Bool
    ) -> (Finding.Level, String) {
        if hasCommand {
            return (.ok, "'notify-command' delivers alarms: \(Sanitizer.line(failure.description)).")
        }
        // Without a desktop session, it is unknown whether the desktop has a notification service.
        return (
            failure.code == .noAddress ? .warning : .problem,
            "Alarms cannot be shown on this computer. \(self.sentences(failure))"
        )
    }

    static func sentences(_ failure: DesktopBusError) -> String {
        let reason = Sanitizer.line(failure.description)
        let advice = failure.advice.isEmpty ? "" : " \(Sanitizer.line(failure.advice))"
        return "\(reason.prefix(1).uppercased())\(reason.dropFirst()).\(advice)"
    }
}
