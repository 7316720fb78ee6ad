import Bridge
import DatePhrases
import ICalendar

extension Diagnosis {
    /// Whether alarms ring.
    ///
    /// - Parameters:
    ///   - isInstalled: whether the service is set up.
    ///   - isRunning: whether a process rings for the store.
    static func alarms(isInstalled: Bool, isRunning: Bool) -> Finding {
        if isRunning { return Finding(.ok, "alarms", "A daemon rings for this store.") }
        // Who has never turned them on misses nothing.
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

    /// What the daemon could not show; `nil` when that was long ago.
    ///
    /// - Parameter isRunning: whether a daemon rings for the store, and so tries it again.
    static func unshown(_ trouble: DeliveryFailure, isRunning: Bool, _ text: LocalText) -> Finding? {
        let (error, since) = (Sanitizer.line(trouble.description), text.short(trouble.since))
        guard let over = trouble.over else {
            let count = trouble.count == 1 ? "1 reminder waits" : "\(trouble.count) reminders wait"
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

    /// Seconds for which it is told what is over: who comes back after a week may want to know.
    private static let memorySeconds: Int64 = 7 * 24 * 3600

    /// The program that shows notifications.
    ///
    /// - Parameters:
    ///   - look: `nil` where alarms are off: nobody needs the program then, and it was not asked for.
    ///   - hasCommand: whether somebody else is told of alarms where they cannot be shown.
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
            case .failure(let trouble): self.notifications(without: trouble, hasCommand)
            }
        return Finding(level, "notifications", sentence)
    }

    private static func notifications(by program: NotificationProgram) -> (Finding.Level, String) {
        let names = [program.name, program.version].filter { !$0.isEmpty }.map { Sanitizer.line($0) }
        let name = names.joined(separator: " ")
        if let trouble = program.trouble {
            let reason = self.sentences(trouble)
            // One that does not even say its name shows nothing.
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
        without trouble: NotificationFailure,
        _ hasCommand: Bool
    ) -> (Finding.Level, String) {
        if hasCommand {
            return (.ok, "'notify-command' is told of alarms: \(Sanitizer.line(trouble.reason)).")
        }
        // From outside of the session nobody can tell what there is in it.
        return (trouble.isOutside ? .warning : .problem, "Alarms cannot be shown here. \(self.sentences(trouble))")
    }

    /// Why nothing can be shown, and what to do.
    static func sentences(_ trouble: NotificationFailure) -> String {
        let reason = Sanitizer.line(trouble.reason)
        let advice = trouble.advice.isEmpty ? "" : " \(Sanitizer.line(trouble.advice))"
        return "\(reason.prefix(1).uppercased())\(reason.dropFirst()).\(advice)"
    }
}
