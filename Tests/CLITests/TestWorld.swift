import RemindavBridge
import RemindavDaemon
import RemindavDatePhrases
import RemindavICalendar
import Synchronization

@testable import RemindavCLI
@testable import RemindavDesktopBus
@testable import RemindavPlatform

/// The environment of a command, in memory: tests read its output, and no real file is changed.
final class TestWorld: Sendable {
    private struct State {
        var answers: [UInt8] = []
        var complaints: [UInt8] = []
        var input: [UInt8] = []
        var replies: [String] = []
        var files: [String: [UInt8]] = [:]
        var edits: [@Sendable (String) throws -> String] = []
        var shownToEdit: [String] = []
        var links: [String: String] = [:]
        var started: [[String]] = []
        var lookups = 0
        var tests = 0
        var now = Instant.test
        var secondsToReply: Int = 0
    }

    private let state: Mutex<State>
    let environment: [String: String]
    let isTerminal: Bool
    let columns: Int?
    /// The folder of a real store.
    ///
    /// Without it every use case fails.
    let store: String?
    /// The local zone of the store.
    let zone: LocalZone
    /// The fake behind `systemctl`; `nil` without systemd.
    let manager: FakeManager?
    /// The notification service, or the reason for its absence.
    let desktop: Result<DesktopService, DesktopBusError>

    init(
        input: String = "",
        environment: [String: String] = [:],
        isTerminal: Bool = false,
        columns: Int? = nil,
        store: String? = nil,
        zone: LocalZone = .utc,
        manager: FakeManager? = nil,
        desktop: Result<DesktopService, DesktopBusError> = .success(.test)
    ) {
        self.manager = manager
        self.desktop = desktop
        self.state = Mutex(State(input: Array(input.utf8)))
        self.store = store
        self.zone = zone
        self.environment = environment
        self.isTerminal = isTerminal
        self.columns = columns
    }

    var answers: String { self.state.withLock { String(decoding: $0.answers, as: UTF8.self) } }
    var answerBytes: [UInt8] { self.state.withLock { $0.answers } }
    var complaints: String { self.state.withLock { String(decoding: $0.complaints, as: UTF8.self) } }

    func output(_ options: GlobalOptions = GlobalOptions()) -> Output {
        Output(
            answers: TextStream(isTerminal: self.isTerminal, columns: self.columns) { bytes throws(OutputError) in
                self.state.withLock { $0.answers += bytes }
            },
            complaints: TextStream(isTerminal: self.isTerminal, columns: self.columns) { bytes throws(OutputError) in
                self.state.withLock { $0.complaints += bytes }
            },
            color: options.color,
            setting: options.file.settings.color,
            environment: self.environment,
            isQuiet: options.isQuiet,
            isJSON: options.flags.contains("--json"),
            commands: options.advisedCommands
        )
    }

    func context(_ options: GlobalOptions = GlobalOptions()) -> Context {
        Context(
            output: self.output(options),
            input: InputStream(isTerminal: self.isTerminal) { limit in
                self.state.withLock { state in
                    let piece = Array(state.input.prefix(limit))
                    state.input.removeFirst(piece.count)
                    return piece
                }
            },
            files: self.files,
            terminal: Terminal(ask: { self.reply($0) }, askSecretly: { self.reply($0) }),
            editor: Editor { text, _ in try self.edit(text) },
            environment: self.environment,
            options: options,
            now: self.now,
            localZone: { self.store == nil ? .berlin : self.zone },
            openStore: { try self.useCases(options, for: $0) },
            openReadOnly: { try UseCases.openReadOnly(self.configuration($0), withLocks: $1) },
            configuration: { try self.configuration(options) },
            openInBrowser: { _ in false },
            session: self.session,
            desktop: Desktop(
                describe: {
                    self.state.withLock { $0.lookups += 1 }
                    return self.desktop
                },
                showTest: {
                    self.state.withLock { $0.tests += 1 }
                    return self.desktop.map { _ in }
                }
            ),
            untilInterrupted: { work in try await work() }
        )
    }

    private func useCases(_ options: GlobalOptions, for need: OpenMode) throws -> UseCases {
        try UseCases.open(self.configuration(options), for: need, isNamed: options.store != nil)
    }

    private func configuration(_ options: GlobalOptions) throws -> Configuration {
        guard let store = self.store else { throw UseCaseError(.noAccounts) }
        let zones = Configuration.systemZones(environment: [:])
        var configuration = Configuration(
            storeFolder: store,
            localZone: self.zone.name,
            zones: zones,
            now: { self.now },
            defaultList: options.file.settings.list
        )
        configuration.defaults = options.file.settings.defaults
        return configuration
    }

    private var now: Instant { self.state.withLock(\.now) }

    private var files: Files {
        Files(
            source: { path in try self.source(path) },
            plainSource: { path in try self.source(path) },
            holdsSomething: { path in self.file(path)?.isEmpty == false },
            preparePrivate: { _ in },
            replace: { path, content in
                let bytes = Mutex<[UInt8]>([])
                try content { piece in bytes.withLock { $0 += piece } }
                self.setFile(path, bytes.withLock { $0 })
            },
            publish: { path, content in
                if self.file(path) == content { return false }
                self.setFile(path, content)
                return true
            }
        )
    }

    private func source(_ path: String) throws -> ByteSource {
        guard let bytes = self.file(path) else { throw FileError(code: .notFound, path: path) }
        let rest = Mutex(bytes[...])
        return ByteSource(name: path, fileName: path.lastPathPart) { limit in
            rest.withLock { rest in
                defer { rest = rest.dropFirst(limit) }
                return Array(rest.prefix(limit))
            }
        }
    }

    private var session: Session {
        Session(
            ask: { words in
                if words[0] == "update-desktop-database" { return "" }
                return self.manager?.ask(words, unit: self.file("/h/.config/systemd/user/remindav.service"))
            },
            start: { words in
                self.state.withLock { $0.started.append(words) }
                return words[0] != "missing"
            },
            program: { "/usr/bin/remindav" },
            absolute: { $0.hasPrefix("/") ? $0 : "/here/\($0)" },
            read: { self.file($0) },
            linkTarget: { path in self.state.withLock { $0.links[path] } },
            exists: { path in self.state.withLock { $0.files[path] != nil || $0.links[path] != nil } },
            write: { self.setFile($1, $0) },
            remove: { path in
                self.state.withLock {
                    $0.files[path] = nil
                    $0.links[path] = nil
                }
            },
            removeFolder: { _ in }
        )
    }

    /// The paths of all files and links.
    var paths: [String] { self.state.withLock { (Array($0.files.keys) + Array($0.links.keys)).sorted() } }

    /// Returns the commands that were started since the last call.
    func takeStarted() -> [[String]] {
        self.state.withLock { state in
            defer { state.started = [] }
            return state.started
        }
    }

    /// The number of queries for the notification service.
    var lookups: Int { self.state.withLock(\.lookups) }

    /// The number of test notifications, also failed ones.
    var shownTests: Int { self.state.withLock { $0.tests } }

    /// Creates a link for commands.
    func setLink(_ path: String, _ target: String) { self.state.withLock { $0.links[path] = target } }

    /// Returns the content of a file; `nil` if it does not exist.
    func file(_ path: String) -> [UInt8]? { self.state.withLock { $0.files[path] } }

    /// Creates a file for commands.
    func setFile(_ path: String, _ bytes: [UInt8]) { self.state.withLock { $0.files[path] = bytes } }

    /// Sets the answers to the next questions.
    ///
    /// Without answers there is no terminal.
    func willReply(_ replies: String...) { self.willReply(replies) }

    func willReply(_ replies: [String]) { self.state.withLock { $0.replies = replies } }

    /// Sets the time before each answer; the clock advances meanwhile.
    func willThink(seconds: Int) { self.state.withLock { $0.secondsToReply = seconds } }

    /// Advances the clock.
    func letPass(seconds: Int) { self.state.withLock { $0.now = $0.now.adding(seconds: seconds) } }

    /// Sets the edits in the next editors.
    ///
    /// Without an edit, the text is saved unchanged.
    func willEdit(_ edits: (@Sendable (String) throws -> String)...) { self.state.withLock { $0.edits = edits } }

    /// Returns the texts that editors showed since the last call.
    func takeShownToEdit() -> [String] {
        self.state.withLock { state in
            defer { state.shownToEdit = [] }
            return state.shownToEdit
        }
    }

    private func edit(_ text: [UInt8]) throws -> [UInt8] {
        let text = String(decoding: text, as: UTF8.self)
        let edit = self.state.withLock { state in
            state.shownToEdit.append(text)
            return state.edits.isEmpty ? nil : state.edits.removeFirst()
        }
        return Array((try edit?(text) ?? text).utf8)
    }

    private func reply(_ question: String) -> String? {
        self.state.withLock { state in
            guard !state.replies.isEmpty else { return nil }
            state.complaints += Array((Sanitizer.line(question) + "\n").utf8)
            state.now = state.now.adding(seconds: state.secondsToReply)
            return state.replies.removeFirst()
        }
    }

    /// Returns the standard output since the last call.
    func takeAnswers() -> String {
        self.state.withLock { state in
            defer { state.answers = [] }
            return String(decoding: state.answers, as: UTF8.self)
        }
    }

    /// Returns the standard error since the last call.
    func takeComplaints() -> String {
        self.state.withLock { state in
            defer { state.complaints = [] }
            return String(decoding: state.complaints, as: UTF8.self)
        }
    }

    /// Runs a command line.
    func run(_ words: String...) async -> ExitStatus { await self.run(words) }

    func run(_ words: [String]) async -> ExitStatus { await RemindavCommand.run(words) { self.context($0) } }
}

extension DesktopService {
    /// A service with all needed capabilities.
    static let test = Self.named("dunst", version: "1.9.0", ["actions", "body", "body-markup"])

    static func named(
        _ name: String,
        version: String = "",
        _ capabilities: Set<String>,
        _ failure: DesktopBusError? = nil
    ) -> Self {
        DesktopService(
            run: "1",
            name: name,
            vendor: "",
            version: version,
            specification: "1.2",
            capabilities: capabilities,
            failure: failure
        )
    }
}

extension Instant {
    /// Friday, 20 November 2026, 18:05 in Berlin.
    static let test = Instant(secondsSince1970: 1_795_194_300)

    /// A moment by its fields in UTC.
    static func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int = 0) -> Instant {
        guard let date = CalendarDate(year: year, month: month, day: day) else { preconditionFailure("no such day") }
        return Instant(secondsSince1970: Int64(date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second))
    }
}

extension LocalZone {
    /// Central European time by the rule since 1996: the clocks change at 01:00 UTC, on the last Sundays of March and
    /// October.
    static let berlin = LocalZone(
        name: "Europe/Berlin",
        offsetSeconds: { Self.berlinOffset($0) },
        instant: { date, time in
            let local = Int64(date.dayNumber) * 86_400 + Int64(time.secondsOfDay)
            // Summer time first: in a repeated hour it is the earlier moment, and in a skipped hour neither fits.
            let summer = Instant(secondsSince1970: local - 7200)
            let winter = Instant(secondsSince1970: local - 3600)
            return Self.berlinOffset(summer) == 7200 ? summer : winter
        }
    )

    private static func berlinOffset(_ instant: Instant) -> Int {
        let year = CalendarDate(dayNumber: Int(instant.secondsSince1970 / 86_400)).year
        guard let march = CalendarDate(year: year, month: 3, day: 31),
            let october = CalendarDate(year: year, month: 10, day: 31)
        else { return 3600 }
        let changes = [march, october].map { last in
            Int64(last.dayNumber - last.weekday.rawValue) * 86_400 + 3600
        }
        return (changes[0]..<changes[1]).contains(instant.secondsSince1970) ? 7200 : 3600
    }
}
