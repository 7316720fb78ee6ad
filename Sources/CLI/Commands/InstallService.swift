import Bridge

/// `service install`: has alarms ring while the person is signed in.
struct InstallService: Command {
    static let page = CommandPage(
        name: "service install",
        group: .help,
        summary: "Have alarms ring, and lists synced, while you are signed in",
        usage: ["[--feeds] [--sandbox full|light]"],
        options: [
            Option("--feeds", "Also serve feeds ('remindav serve') while you are signed in"),
            Option(
                "--sandbox",
                value: "HOW",
                "full: it sees and writes only what it needs; light: where",
                "the system allows no user namespaces. Else what is possible"
            ),
        ],
        details: [
            """
            Writes remindav.service for systemd, which runs 'remindav daemon', has it started
            now and whenever you sign in, and remindav.desktop, which opens addresses of the
            form reminders://ID. Said again, it brings both up to date: do so when you move
            the program or the store. 'service remove' takes them away. With '--feeds' it
            writes remindav-feeds.service as well, which takes port and feed-address from the
            settings.
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
    let wantsFeeds: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.sandbox = try arguments.value("--sandbox").map { word throws(UsageError) in
            guard let sandbox = ServicePlan.Sandbox(rawValue: word) else {
                throw UsageError(.badValue, "'--sandbox' is full or light, not '\(Sanitizer.excerpt(word))'.")
            }
            return sandbox
        }
        self.wantsFeeds = arguments.flag("--feeds")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let installation = ServiceInstallation(sandbox: self.sandbox, wantsFeeds: self.wantsFeeds)
        return try installation.perform(in: context) ? .success : .partial
    }
}
