import RemindavBridge
import RemindavDaemon
import RemindavDatePhrases
import RemindavICalendar
import RemindavNotifications
import RemindavPlatform

struct RunDoctor: Command {
    static let page = CommandPage(
        name: "doctor",
        summary: "Check the installation",
        options: [Option("--network", "Also run password commands and contact the servers"), .json],
        details: """
            One line for each check: ok, warning or problem, with a remedy. Doctor checks the
            store and its files, the settings, the clock, the time zone, the locale, the feeds,
            each account, the alarms, and the notification service of the desktop. It changes
            nothing and shows no password. If the service is installed or a daemon runs, doctor
            asks the notification service for its name; the desktop may start it for this
            request.
            """,
        examples: [
            "remindav doctor": "local checks only",
            "remindav doctor --network": "also checks the servers",
        ],
        meanings: [.success: "there is no problem; there may be warnings", .failure: "there is a problem"]
    )

    static let needsSettings = false
    let asksServers: Bool
    let isJSON: Bool

    init(asksServers: Bool) {
        self.asksServers = asksServers
        self.isJSON = false
    }

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.asksServers = arguments.flag("--network")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let findings = await self.findings(in: context)
        if self.isJSON {
            try context.output.print(json: findings)
        } else {
            for finding in findings { try context.output.print(Self.line(finding)) }
        }
        return findings.contains { $0.level == .problem } ? .failure : .success
    }

    private static func line(_ finding: Finding) -> StyledText {
        let style: TextStyle? =
            switch finding.level {
            case .ok: nil
            case .warning: .important
            case .problem: .warning
            }
        let level = StyledText(DisplayWidth.pad(finding.level.rawValue, to: 7), style)
        let topic = DisplayWidth.pad(finding.topic, to: Self.topicColumns)
        return level + StyledText("  \(topic)  \(Sanitizer.line(finding.sentence))")
    }

    /// The length of the longest topic.
    private static let topicColumns = 13

    func findings(in context: Context) async -> [Finding] {
        var findings = HealthCheck.settings(context.options.file)
        do {
            findings.append(Finding(.ok, "zone", "The time zone is \(try context.localZone().name)."))
        } catch {
            findings.append(Self.problem("zone", error))
        }
        findings.append(HealthCheck.locale(context.environment))
        guard let folder = context.storeFolder else {
            return findings + [Finding(.problem, "store", UsageError.noHomeFolder.sentence)]
        }
        let facts = StoreFolderCheck(checking: folder)
        findings += HealthCheck.files(facts)
        let inside = facts.exists ? await self.inside(context) : StoreFindings()
        findings += inside.findings
        if let made = CalendarDate(wire: RemindavCommand.date.filter { $0 != "-" }) {
            findings.append(HealthCheck.clock(now: context.now, made: made, lastRun: inside.lastRun))
        }
        return findings + Self.alarms(context, store: folder, unacknowledged: inside.unacknowledged)
    }

    private static func alarms(_ context: Context, store: String, unacknowledged: Int?) -> [Finding] {
        let files = try? ServiceFiles.planned(in: context)
        let isInstalled = files.map { $0.state(of: $0.unit).isOurs } ?? false
        let isRunning = UseCases.daemonIsRunning(in: store)
        let text = LocalText(zone: (try? context.localZone()) ?? .utc, now: context.now)
        let failure = UseCases.deliveryFailure(in: store)?.standing(
            isRunning: isRunning,
            unacknowledged: unacknowledged
        )
        let unshown = failure.flatMap { HealthCheck.unshown($0, isRunning: isRunning, text) }
        // This call may start the notification service, so it is made only if alarms are on.
        let program = isInstalled || isRunning ? context.desktop.describe() : nil
        return [
            HealthCheck.alarms(isInstalled: isInstalled, isRunning: isRunning),
            HealthCheck.notifications(program, hasCommand: context.settings.daemon.notifyCommand != nil),
        ] + (unshown.map { [$0] } ?? [])
    }

    private struct StoreFindings {
        var findings: [Finding] = []
        var lastRun: Instant?
        /// The number of unacknowledged reminders; `nil` when the store cannot be read.
        var unacknowledged: Int?
    }

    private func inside(_ context: Context) async -> StoreFindings {
        do {
            let (useCases, check) = try Self.checkStore(context)
            let port = context.settings.port
            let isAnswered = check.feeds > 0 && LocalPort.isAnswered(port)
            var findings = HealthCheck.store(check)
            findings.append(HealthCheck.feeds(check.feeds, port: port, isAnswered: isAnswered))
            for feed in try useCases.feeds() {
                guard let error = feed.push?.error else { continue }
                findings.append(HealthCheck.push(ofFeed: feed.id, named: feed.name, error))
            }
            for account in try await useCases.checkAccounts(asksServers: self.asksServers) {
                findings += HealthCheck.account(account, now: context.now)
            }
            let (settings, muted) = (context.settings.alarms, context.settings.muted)
            return StoreFindings(
                findings: findings,
                lastRun: check.lastRun,
                unacknowledged: try? useCases.status(settings: settings, muted: muted).unacknowledged
            )
        } catch {
            return StoreFindings(findings: [Self.problem("store", error)])
        }
    }

    /// Checks the store without locks; after a problem, checks with locks, because a concurrent write may be the cause.
    private static func checkStore(_ context: Context) throws -> (useCases: UseCases, check: StoreCheck) {
        if let useCases = try? context.openReadOnly(context.options, false), let check = try? useCases.checkStore(),
            check.damage.isEmpty
        {
            return (useCases, check)
        }
        let useCases = try context.openReadOnly(context.options, true)
        return (useCases, try useCases.checkStore())
    }

    private static func problem(_ topic: String, _ error: any Error) -> Finding {
        if ErrorCategory.of(error)?.kind == .storeReadOnly {
            let sentence =
                "The store is from an older remindav, or cannot be written. 'remindav list' updates it."
            return Finding(.warning, topic, sentence)
        }
        return Finding(.problem, topic, ErrorMessages.explain(error).sentence)
    }
}
