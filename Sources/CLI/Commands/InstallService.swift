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
        try ServiceInstallation(sandbox: self.sandbox).perform(in: context) ? .success : .partial
    }
}
