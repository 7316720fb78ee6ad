import Bridge

struct InstallService: Command {
    static let page = CommandPage(
        name: "service install",
        summary: "Show alarms and sync lists while you are signed in",
        usage: ["[--feeds] [--sandbox full|light]"],
        options: [
            Option("--feeds", "Also serve feeds ('remindav serve') while you are signed in"),
            Option(
                "--sandbox",
                value: "HOW",
                "full: only the necessary files; light: for systems without",
                "user namespaces; default: the best possible"
            ),
        ],
        details: """
            Writes remindav.service, with which systemd runs 'remindav daemon' now and at each
            sign-in, and remindav.desktop, which opens addresses of the form reminders://ID.
            Repeat the command after you move the program or the store. With --feeds it also
            writes remindav-feeds.service, which uses the settings 'port' and 'feed-address'.
            'remindav service remove' removes the files.

            The service, including password commands that it runs, can write only to the files of
            the store. To allow another folder, run 'systemctl --user edit remindav.service' and
            add the lines [Service] and ReadWritePaths=FOLDER.
            """,
        examples: ["remindav service install": "starts the service now and at each sign-in"],
        exits: [.partial],
        meanings: [.partial: "written, but your systemd does not answer to start it"]
    )

    let sandbox: ServicePlan.Sandbox?
    let wantsFeeds: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.sandbox = try arguments.value("--sandbox").map { word throws(UsageError) in
            guard let sandbox = ServicePlan.Sandbox(rawValue: word) else {
                throw UsageError(.badValue, "'--sandbox' must be full or light, not '\(Sanitizer.excerpt(word))'.")
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
