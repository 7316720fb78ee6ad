import Dispatch
import Glibc
import RemindavBridge
import RemindavDaemon
import RemindavDatePhrases
import RemindavHost
import RemindavICalendar
import RemindavPlatform
import RemindavRecurrence

/// Creates the ``Context`` of this process.
struct ProcessContext: Sendable {
    private let environment = System.environment()
    private let now = Instant(secondsSince1970: System.secondsSince1970())
    /// The zone data, which is loaded once per process.
    private let zones: ZoneDatabase

    init() {
        System.ignoreBrokenPipes()
        MemoryPrivacy.forbidDumps()
        self.zones = Configuration.systemZones(environment: self.environment)
    }

    private func localZone() throws(UnknownZone) -> LocalZone {
        do throws(UnknownZone) {
            return try LocalZone.system(self.environment, now: self.now, zones: self.zones)
        } catch {
            // The database is read again, because a zone may have been installed since the daemon started.
            return try LocalZone.system(self.environment, now: self.now)
        }
    }

    private func localZone(of useCases: UseCases) throws(UnknownZone) -> LocalZone {
        let name = useCases.configuration.localZone
        guard let zone = LocalZone.named(name, zones: self.zones, now: self.now) else { throw UnknownZone(name: name) }
        return zone
    }

    /// The use cases of the tenant that the options name.
    private func useCases(ofTenant name: String, _ options: GlobalOptions) throws -> UseCases {
        let configuration = try self.configuration(options, .utc)
        let host = try options.file.settings.connectedHost()
        return try host.useCases(of: name, configuration, run: TenantRun.take(self.environment))
    }

    func context(_ options: GlobalOptions) -> Context {
        let environment = self.environment
        let tenant = options.tenant.map { name in Result { try self.useCases(ofTenant: name, options) } }
        let (answers, complaints) = (self.stream(STDOUT_FILENO), self.stream(STDERR_FILENO))
        let command = Pager.command(environment, setting: options.file.settings.pager)
        let paged = options.isPaged ? PagedOutput(answers, complaints, command: command) : nil
        let output = Output(
            answers: paged?.answers ?? answers,
            complaints: paged?.complaints ?? complaints,
            paged: paged,
            color: options.color,
            setting: options.file.settings.color,
            environment: environment,
            isQuiet: options.isQuiet,
            isJSON: options.flags.contains("--json"),
            commands: options.advisedCommands
        )
        return Context(
            output: output,
            input: InputStream(isTerminal: System.isTerminal(STDIN_FILENO)) { limit in
                try System.read(limit, from: STDIN_FILENO, path: "standard input")
            },
            files: .ofTheMachine,
            terminal: .ofTheProcess,
            editor: Editor { text, name in
                guard let editor = TextEditor(environment: environment) else { throw EditorError(.noEditor) }
                return try editor.edit(text, named: name)
            },
            environment: environment,
            options: options,
            now: self.now,
            localZone: { [tenant] in try tenant.map { try self.localZone(of: $0.get()) } ?? self.localZone() },
            openStore: { need in
                if let tenant { return try tenant.get() }
                let configuration = try self.configuration(options, self.localZone())
                let isNamed = configuration.storeFolder != Configuration.usualStoreFolder(environment)
                let isThere = UseCases.storeExists(configuration)
                let useCases = try UseCases.open(configuration, for: need, isNamed: isNamed)
                if options.store != nil, isNamed, !isThere, need == .create {
                    let folder = Sanitizer.line(configuration.storeFolder)
                    output.remark(StyledText("There was no store in \(folder); a new store is created."))
                }
                return useCases
            },
            openReadOnly: { options, withLocks in
                if let tenant = options.tenant { return try self.useCases(ofTenant: tenant, options) }
                let zone = (try? self.localZone()) ?? .utc
                return try UseCases.openReadOnly(self.configuration(options, zone), withLocks: withLocks)
            },
            configuration: { try self.configuration(options, .utc) },
            openInBrowser: { UseCases.openInBrowser($0, environment: environment) },
            session: .ofTheProcess,
            desktop: .ofTheSession(environment),
            untilInterrupted: { work in try await Interruption.cancels(work) }
        )
    }

    private func stream(_ descriptor: Int32) -> TextStream {
        let size = System.size(descriptor)
        let columns = self.environment.columns ?? size?.columns
        return TextStream(isTerminal: System.isTerminal(descriptor), columns: columns, rows: size?.rows) {
            bytes throws(OutputError) in
            try System.write(bytes, to: descriptor)
        }
    }

    private func configuration(
        _ options: GlobalOptions,
        _ zone: LocalZone
    ) throws(UsageError) -> Configuration {
        let environment = self.environment
        let settings = options.file.settings
        let place = Configuration.storeFolder(option: options.store, environment: environment, setting: settings.store)
        guard let folder = place else {
            throw UsageError.noHomeFolder
        }
        var configuration = Configuration(
            storeFolder: folder,
            localZone: zone.name,
            zones: self.zones,
            now: { Instant(secondsSince1970: System.secondsSince1970()) },
            defaultList: settings.list,
            keyring: Keyring.secretService(environment: environment),
            credentials: environment["CREDENTIALS_DIRECTORY"],
            resolver: SystemResolver()
        )
        configuration.defaults = settings.defaults
        return configuration
    }
}

/// Ends a command that runs without limit, such as `serve`, at Ctrl-C or SIGTERM.
enum Interruption {
    /// Runs `work` and cancels it at the first signal; a second signal of the same kind kills the process.
    static func cancels(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let signals = [SIGINT, SIGTERM]
        let (listening, listens) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            // The work starts after the handlers of all signals are registered; an earlier signal would be lost.
            var left = signals.count
            for await _ in listening {
                left -= 1
                if left == 0 { break }
            }
            try await work()
        }
        let sources = signals.map { number in
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setRegistrationHandler { @Sendable in _ = listens.yield() }
            source.setEventHandler { @Sendable in
                _ = signal(number, SIG_DFL)
                task.cancel()
            }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        do {
            try await task.value
        } catch is CancellationError {
            // The cancellation was requested by a signal and is no error.
        }
    }
}

extension [String: String] {
    /// The width of the output that the variable COLUMNS states; `nil` if it is unset or not a usable width.
    var columns: Int? {
        self.variable("COLUMNS").flatMap { Int($0) }.flatMap { Self.usableColumns.contains($0) ? $0 : nil }
    }

    private static var usableColumns: ClosedRange<Int> { 20...10_000 }
}
