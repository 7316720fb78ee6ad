import Bridge

/// Installs the service, for `service install` and `setup`.
struct ServiceInstallation: Sendable {
    /// `nil` for the best possible sandbox.
    let sandbox: ServicePlan.Sandbox?
    /// Whether the unit that serves feeds is installed as well.
    var wantsFeeds = false

    /// - Returns: whether the service runs; otherwise the user is asked to start it.
    func perform(in context: Context) throws -> Bool {
        var files = try ServiceFiles.planned(self.sandbox, in: context)
        files.wantsFeeds = self.wantsFeeds
        // The service may write to the store's folder, and not make it.
        _ = try context.useCases(.create)
        let written = try files.write()
        for file in written { try context.output.note("Wrote \(Sanitizer.line(file.path))") }
        if written.contains(files.desktop) { files.announce() }
        let manager = UserManager(session: context.session)
        guard manager.isThere else {
            context.output.complain(
                "No systemd of yours answers here, so the service is not started. On your desktop, type: "
                    + UserManager.commands([ServicePlan.unit] + (files.hasFeeds ? [ServicePlan.feedsUnit] : []))
            )
            return false
        }
        let wasActive = manager.isActive
        guard manager.reload(), manager.enable() else { throw ServiceError(.notEnabled, ServicePlan.unit) }
        if wasActive, !written.contains(files.unit) {
            try context.output.note("The service runs already, and is up to date")
        } else {
            try self.start(manager, files, in: context)
            try context.output.note("The service runs; alarms ring while you are signed in")
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

    /// Starts it; where the sandbox cannot be had, in the other one.
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
