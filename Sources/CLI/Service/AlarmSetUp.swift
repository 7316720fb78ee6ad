import RemindavBridge

/// The state of the alarms, from which `setup` decides whether to ask.
enum AlarmSetUp: Hashable, Sendable {
    case done(String)
    /// All files are written; the text says which step is left for the user.
    case unfinished(String)
    /// Alarms are not delivered; the text is the question for the user.
    case missing(String)

    /// - Parameter isRunning: whether a daemon runs for the store, started by the service or by hand.
    init(_ state: ServiceState, isRunning: Bool) {
        let isWritten = state.unit.found == .same && state.desktop.found == .same
        switch (isWritten, state.active) {
        case (true, "active"?): self = .done("Alarms are on: the service runs, and is up to date.")
        // The user has started the daemon by hand. A daemon of the service would end at once, again and again.
        case (true, let active) where isRunning:
            let service = active.map { " The service is '\($0)'; end that daemon to let the service deliver alarms." }
            self = .done("Alarms are on: a daemon delivers them." + (service ?? ""))
        case (true, nil):
            self = .unfinished(
                "The service is installed but not started, because your systemd does not answer. In a terminal of your "
                    + "desktop, run: \(UserManager.commands([ServicePlan.unit]))"
            )
        case (_, _) where isRunning && !state.isInstalled: self = .done("Alarms are on: a daemon delivers them.")
        case (_, _) where state.isInstalled:
            self = .missing("The service is not up to date, or does not run. Install it again?")
        default: self = .missing("Enable Notifications?")
        }
    }

    static func found(in context: Context) throws -> Self {
        let state = ServiceState(try ServiceFiles.planned(in: context), UserManager(session: context.session))
        return Self(state, isRunning: context.storeFolder.map { UseCases.daemonIsRunning(in: $0) } ?? false)
    }
}
