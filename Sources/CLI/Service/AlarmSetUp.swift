/// The question about alarms that `setup` asks.
enum AlarmSetUp: Hashable, Sendable {
    /// Alarms are delivered.
    case done(String)
    /// All files are written; the user has to do the rest.
    case unfinished(String)
    /// Alarms are not delivered; the question to ask.
    case missing(String)

    /// - Parameter isRunning: whether a daemon runs for the store, however it was started.
    init(_ state: ServiceState, isRunning: Bool) {
        let isWritten = state.unit.found == .same && state.desktop.found == .same
        switch (isWritten, state.active) {
        case (true, "active"?): self = .done("Alarms are on: the service runs, and is up to date.")
        // Where that one was started by hand, a second one would end at once, and be started again and again.
        case (true, let active) where isRunning:
            let service = active.map { " The service is '\($0)'; end that daemon if the service shall ring." }
            self = .done("Alarms are on: a daemon rings for this store." + (service ?? ""))
        case (true, nil):
            self = .unfinished(
                "Alarms are set up, and no systemd of yours answers here that could start the service. On your desktop, "
                    + "type: \(UserManager.commands)"
            )
        case (_, _) where isRunning && !state.isInstalled: self = .done("Alarms are on: a daemon rings for this store.")
        case (_, _) where state.isInstalled:
            self = .missing("The service that rings is not up to date, or does not run. Set it up anew?")
        default: self = .missing("Enable Notifications?")
        }
    }
}
