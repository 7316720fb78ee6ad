import RemindavBridge

/// Installs the service, for `service install` and `setup`.
struct ServiceInstallation: Sendable {
    /// The sandbox; `nil` for the best possible one.
    let sandbox: ServicePlan.Sandbox?
    var wantsWeb = false

    /// Installs and starts the service; returns `false` if the user must start it.
    func perform(in context: Context) throws -> Bool {
        var files = try ServiceFiles.planned(self.sandbox, in: context)
        files.wantsWeb = self.wantsWeb
        // This creates the store's folder, because the sandbox lets the service write to it but not create it.
        _ = try context.useCases(.create)
        if files.plan.isInBuildFolder {
            context.output.complain(
                "The service runs the program of a build folder, so a new build or a removed folder ends the alarms. "
                    + "Install the program (docs/package.sh), and run this command again."
            )
        }
        let written = try files.write()
        for file in written { try context.output.note("Wrote \(Sanitizer.line(file.path))") }
        if written.contains(files.desktop) { files.announce() }
        let manager = UserManager(session: context.session)
        guard manager.isThere else {
            context.output.complain(
                "The service is not started, because your systemd does not answer. In a terminal of your desktop, run: "
                    + UserManager.commands([ServicePlan.unit] + (files.hasWeb ? [ServicePlan.webSocket] : []))
            )
            return false
        }
        let wasActive = manager.isActive
        guard manager.reload(), manager.enable() else { throw ServiceError(.notEnabled, ServicePlan.unit) }
        if wasActive, !written.contains(files.unit) {
            try context.output.note("The service is already running and up to date")
        } else {
            try self.start(manager, files, in: context)
            try context.output.note("The service runs and delivers alarms while you are signed in")
        }
        if files.hasWeb {
            let isWritten = written.contains(files.web) || written.contains(files.webSocket)
            try self.startWeb(isWritten: isWritten, in: context)
        }
        return true
    }

    private func startWeb(isWritten: Bool, in context: Context) throws {
        let socket = UserManager(session: context.session, unit: ServicePlan.webSocket)
        let wasActive = socket.isActive
        guard socket.enable() else { throw ServiceError(.notEnabled, ServicePlan.webSocket) }
        if wasActive, !isWritten { return }
        // systemd starts no socket while its service runs.
        UserManager(session: context.session, unit: ServicePlan.webUnit).stop()
        if let status = socket.restart() { throw ServiceError(.webNotStarted, status) }
        try context.output.note(
            advice: "The web pages and the feeds are served while you are signed in: 'remindav web'"
        )
    }

    /// Starts the service; if systemd cannot set up the full sandbox, installs and starts it with the light one.
    private func start(_ manager: UserManager, _ files: ServiceFiles, in context: Context) throws {
        guard let status = manager.restart() else { return }
        guard self.sandbox == nil, ServicePlan.Sandbox.isRefused(status) else {
            throw ServiceError(.notStarted, status)
        }
        _ = try files.with(.light).write()
        guard manager.reload() else { throw ServiceError(.notEnabled, ServicePlan.unit) }
        if let status = manager.restart() { throw ServiceError(.notStarted, status) }
        context.output.remark("This system allows no user namespaces; the service runs with '--sandbox light'.")
    }
}
