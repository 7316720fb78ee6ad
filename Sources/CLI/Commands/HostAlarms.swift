import RemindavBridge
import RemindavCurlTransport
import RemindavDaemon
import RemindavHTTP
import RemindavHost
import RemindavJSON
import RemindavNotifications
import RemindavPlatform
import RemindavPostgresStore

struct ManageHostAlarms: Command {
    static let page = CommandPage(
        name: "host alarms",
        summary: "Show and change where the alarms of a tenant are sent",
        operands: [Operand("NAME", .once, "The name of the tenant")],
        options: [
            Option("--mail", value: "ADDRESS", "Send mail to this address; none: no mail"),
            Option("--push-stdin", "Read the address of ntfy or UnifiedPush from standard input"),
            Option("--no-push", "Send no push messages"),
            Option("--quiet-hours", value: "HOURS", "Hours without messages: 22:00-07:00, or none"),
            Option("--test", "Send a test message now"),
            .json,
        ],
        details: """
            A process with the role alarms ('remindav host run') sends a message when an alarm of
            a tenant is due: by mail through the server of the setting 'host-relay', with the sender
            of 'host-sender', or to the https address of a topic of ntfy or of a UnifiedPush
            application. An alarm is delivered when one of the two accepts the message.

            The address for push messages is a password for its topic, so it is read from standard
            input and sealed in the database. If a message was perhaps sent twice, both have the
            same identifier. Messages contain the title, the due time, the list and the notes of the
            reminder. Alarms from before the first destination are not sent.
            """,
        examples: [
            "remindav host alarms ada --mail ada@example.org --test": "sends the alarms of ada by mail",
            "remindav host alarms ada --push-stdin": "sends them to a phone, too",
            "remindav host alarms ada": "shows the destinations",
        ],
        exits: [.notFound, .locked]
    )

    private let name: String
    /// `.some(nil)` removes the value.
    private let mail: String??
    private let quietHours: String??
    private let readsPush: Bool
    private let removesPush: Bool
    private let sendsTest: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try arguments.operand("NAME")
        self.mail = try Self.value("--mail", "an address such as ada@example.org", &arguments) {
            AlarmDestination.mail($0)
        }
        self.quietHours = try Self.value("--quiet-hours", "hours such as 22:00-07:00", &arguments) {
            QuietHours($0).flatMap { $0.from == $0.to ? nil : $0.text }
        }
        self.readsPush = arguments.flag("--push-stdin")
        self.removesPush = arguments.flag("--no-push")
        self.sendsTest = arguments.flag("--test")
        if self.readsPush, self.removesPush {
            throw UsageError(.badValue, "'--push-stdin' and '--no-push' cannot be combined.")
        }
    }

    private static func value(
        _ option: String,
        _ form: String,
        _ arguments: inout Arguments,
        _ parse: (String) -> String?
    ) throws(UsageError) -> String?? {
        guard let text = arguments.value(option) else { return nil }
        if text == "none" { return .some(nil) }
        guard let value = parse(text) else {
            throw UsageError(.badValue, "'\(option)' must be \(form), or none, not '\(Sanitizer.excerpt(text))'.")
        }
        return .some(value)
    }

    func run(in context: Context) async throws -> ExitStatus {
        let host = try context.settings.connectedHost()
        let configuration = try context.configuration()
        var change = Host.DestinationChange()
        change.mail = self.mail
        change.quietHours = self.quietHours
        if self.readsPush { change.push = .some(try Self.pushAddress(context)) }
        if self.removesPush { change.push = .some(nil) }
        let isChange = change.mail != nil || change.quietHours != nil || change.push != nil
        let destination =
            isChange
            ? try host.change(change, of: self.name, configuration) : try host.alarmDestination(of: self.name)
        if isChange { try context.output.note("Changed the destinations of \(Sanitizer.line(self.name))") }
        if isChange, destination.mail != nil, context.settings.hostRelay == nil {
            context.output.remark("The setting 'host-relay' is missing, so no mail is sent.")
        }
        guard self.sendsTest else {
            return try context.answer(destination) { output in
                try output.print(
                    Table.text([
                        ["mail", destination.mail.map { Sanitizer.line($0) } ?? "none"],
                        ["push", destination.hasPush ? "on" : "none"],
                        ["quiet hours", destination.quietHours ?? "none"],
                    ])
                )
            }
        }
        return try await self.sendTest(host, destination, context, configuration)
    }

    private func sendTest(
        _ host: Host,
        _ destination: AlarmDestination,
        _ context: Context,
        _ configuration: Configuration
    ) async throws -> ExitStatus {
        guard destination.isOn else {
            throw UsageError(.badValue, "The tenant has no destination. Add '--mail ADDRESS' or '--push-stdin'.")
        }
        let relay = try context.hostRelay()
        var status = ExitStatus.success
        for result in try await host.sendTestMessage(to: self.name, relay: relay, configuration) {
            guard let problem = result.problem else {
                try context.output.note("Sent a test message by \(result.channel.rawValue)")
                continue
            }
            status = .failure
            context.output.complain(
                Explanation(
                    "messageNotSent",
                    "The test message by \(result.channel.rawValue) was not sent: \(Sanitizer.line(problem)).",
                    advice: "",
                    status: .failure
                )
            )
        }
        return status
    }

    /// The maximum number of bytes of an address for push messages; real ones have less than 300.
    private static let maximumAddressBytes = 2000

    private static func pushAddress(_ context: Context) throws -> Secret {
        let bytes = try context.source("-").contents(limit: Self.maximumAddressBytes + 2)
        let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        // Loopback is for tests; the addresses that the host may use are checked when the connection is opened.
        guard let url = URL(line), url.scheme == "https" || url.isLoopback, url.path != "/" else {
            throw UsageError(
                .badValue,
                "Standard input must have an address such as https://ntfy.sh/TOPIC in its first line."
            )
        }
        return Secret(line)
    }
}

extension AlarmDestination: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("mail") { $0.mail },
        JSONMember("hasPush") { $0.hasPush },
        JSONMember("quietHours") { $0.quietHours },
    ]
}

extension Context {
    /// The mail server for messages about alarms; `nil` if no setting names one.
    func hostRelay() throws(UsageError) -> HostRelay? {
        guard let relay = self.settings.hostRelay else { return nil }
        guard let sender = self.settings.hostSender else {
            throw UsageError(
                .badValue,
                "The setting 'host-relay' needs the setting 'host-sender': the address in the field From of messages."
            )
        }
        let source = self.settings.hostRelayPassword
        guard (relay.user == nil) == (source == nil) else {
            throw UsageError(
                .badValue,
                "The setting 'host-relay' has a user if, and only if, 'host-relay-password' is set."
            )
        }
        let password = try source.map { source throws(UsageError) in try self.relayPassword(source) }
        return HostRelay(relay, sender: sender, password: password)
    }

    /// The settings of messages about alarms: those of desktop notifications apply to all tenants.
    func hostAlarms() throws(UsageError) -> HostAlarms {
        var alarms = HostAlarms()
        alarms.relay = try self.hostRelay()
        alarms.settings.alarms = self.settings.alarms
        alarms.settings.showsMissed = self.settings.daemon.scheduler.showsMissed
        // Without the header of the proxy, there are no pages.
        if self.settings.hostSubjectHeader != nil { alarms.site = self.settings.webAddress?.text }
        return alarms
    }

    private func relayPassword(_ source: SecretSource) throws(UsageError) -> Secret {
        let problem: String
        switch source.content(
            limit: Secrets.maximumPasswordBytes,
            credentials: self.environment["CREDENTIALS_DIRECTORY"]
        ) {
        case .line(let password) where !password.isEmpty: return Secret(password)
        case .line: problem = "is empty."
        case .notReadable(let reason): problem = "cannot be read (\(reason))."
        case .openToOthers:
            problem = "is readable or writable for other users. If no other user has read it, run 'chmod 600' on it."
        }
        throw UsageError(.badValue, "The password of the setting 'host-relay-password' \(problem)")
    }
}
