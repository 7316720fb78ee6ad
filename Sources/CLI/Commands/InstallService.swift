import RemindavBridge

struct InstallService: Command {
    static let page = CommandPage(
        name: "service install",
        summary: "Show alarms and sync lists while you are signed in",
        usage: ["[--web] [--sandbox full|light]"],
        options: [
            Option("--web", "Also serve the web pages and the feeds while you are signed in"),
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
            Repeat the command after you move the program or the store. With --web it also
            writes remindav-web.socket and remindav-web.service: systemd listens on the port of the
            setting 'port', and starts 'remindav serve' only when a browser or a program asks.
            A click on a notification then opens the reminder in the browser.
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
    let wantsWeb: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.sandbox = try arguments.value("--sandbox").map { word throws(UsageError) in
            guard let sandbox = ServicePlan.Sandbox(rawValue: word) else {
                throw UsageError(.badValue, "'--sandbox' must be full or light, not '\(Sanitizer.excerpt(word))'.")
            }
            return sandbox
        }
        self.wantsWeb = arguments.flag("--web")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let installation = ServiceInstallation(sandbox: self.sandbox, wantsWeb: self.wantsWeb)
        return try installation.perform(in: context) ? .success : .partial
    }
}
