import Bridge

/// Installs the service, for `service install` and `setup`.
struct ServiceInstallation: Sendable {
    /// The sandbox; `nil` for the best possible one.
    let sandbox: ServicePlan.Sandbox?
    var wantsFeeds = false

    /// Installs and starts the service; returns `false` if the user must start it.
    func perform(in context: Context) throws -> Bool {
        var files = try ServiceFiles.planned(self.sandbox, in: context)
        files.wantsFeeds = self.wantsFeeds
        // This creates the store's folder, because the sandbox lets the service write to it but not create it.
        _ = try context.useCases(.create)
        let written = try files.write()
        for file in written { try context.output.note("Wrote \(Sanitizer.line(file.path))") }
        if written.contains(files.desktop) { files.announce() }
        let manager = UserManager(session: context.session)
        guard manager.isThere else {
            context.output.complain(
                "The service is not started, because your systemd does not answer. In a terminal of your desktop, run: "
                    + UserManager.commands([ServicePlan.unit] + (files.hasFeeds ? [ServicePlan.feedsUnit] : []))
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
        if files.hasFeeds { try self.startFeeds(files, isWritten: written.contains(files.feeds), in: context) }
        return true
    }

    private func startFeeds(_ files: ServiceFiles, isWritten: Bool, in context: Context) throws {
        let manager = UserManager(session: context.session, unit: ServicePlan.feedsUnit)
        let wasActive = manager.isActive
        guard manager.enable() else { throw ServiceError(.notEnabled, ServicePlan.feedsUnit) }
        if wasActive, !isWritten { return }
        if let status = manager.restart() { throw ServiceError(.feedsNotStarted, status) }
        try context.output.note("Feeds are served while you are signed in")
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
