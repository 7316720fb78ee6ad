import Bridge

/// `service install`: has alarms ring while the person is signed in.
struct InstallService: Command {
    static let page = CommandPage(
        name: "service install",
        group: .help,
        summary: "Have alarms ring, and lists synced, while you are signed in",
        usage: ["[--sandbox full|light]"],
        options: [
            Option(
                "--sandbox",
                value: "HOW",
                "full: it sees and writes only what it needs; light: where",
                "the system allows no user namespaces. Else what is possible"
            )
        ],
        details: [
            """
            Writes remindav.service for systemd, which runs 'remindav daemon', has it started
            now and whenever you sign in, and remindav.desktop, which opens addresses of the
            form reminders://ID. Said again, it brings both up to date: do so when you move
            the program or the store. 'service remove' takes them away.
            """,
            """
            Of your files the service may write only those of the store; neither it nor your
            password commands, which run in it. 'systemctl --user edit remindav.service'
            changes that: a line [Service] and a line ReadWritePaths=FOLDER.
            """,
        ],
        examples: [.init("remindav service install", "alarms ring from now on")],
        exits: [.partial],
        meanings: [.partial: "written, but no systemd of yours answers that could start it"]
    )

    let sandbox: ServicePlan.Sandbox?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.sandbox = try arguments.value("--sandbox").map { word throws(UsageError) in
            guard let sandbox = ServicePlan.Sandbox(rawValue: word) else {
                throw UsageError(.badValue, "'--sandbox' is full or light, not '\(Sanitizer.excerpt(word))'.")
            }
            return sandbox
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let files = try ServiceFiles.planned(self.sandbox, in: context)
        // The service may write to the store's folder, and not make it.
        _ = try context.useCases(.made)
        let written = try files.write()
        for file in written { try context.output.note("Wrote \(Sanitizer.line(file.path))") }
        if written.contains(files.desktop) { files.announce() }
        let manager = UserManager(session: context.session)
        guard manager.isThere else {
            context.output.complain(
                "No systemd of yours answers here, so the service is not started. On your desktop, type: "
                    + "\(UserManager.commands)"
            )
            return .partial
        }
        let wasActive = manager.isActive
        guard manager.reload(), manager.enable() else { throw ServiceError(.notEnabled, ServicePlan.unit) }
        if wasActive, !written.contains(files.unit) {
            try context.output.note("The service runs already, and is up to date")
            return .success
        }
        try self.start(manager, files, in: context)
        try context.output.note("The service runs; alarms ring while you are signed in")
        return .success
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
