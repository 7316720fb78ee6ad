import RemindavBridge
import RemindavDaemon
import RemindavPlatform
import RemindavReminders

/// Shows a reminder and the keys to press for changes, or the reminders for today.
///
/// The desktop runs this command for addresses `reminders://ID` and `reminders://today`.
struct OpenReminder: Command {
    static let page = CommandPage(
        name: "open",
        summary: "Open a reminder, or the reminders for today, by an address",
        usage: ["reminders://ID [--here]", "reminders://today [--here]"],
        operands: [
            Operand("ADDRESS", .once, "reminders://12 is the reminder with the number 12")
        ],
        options: [Option("--here", "Show it in this terminal; ignore 'open-command'")],
        details: """
            On a terminal the reminder is shown, and single keys complete it, snooze it or open it
            in your editor. reminders://today shows the reminders for today; their numbers open
            them. Without a terminal, as after a click on a notification, the browser opens the page
            of the reminder if 'remindav serve' or 'remindav service install --web' serves the
            pages. Otherwise a terminal is started: $TERMINAL, or that of the desktop.

            If the setting 'open-command' is set, that program is started instead, with the number
            of the reminder, or 'today', as last argument. 'remindav service install' makes the
            desktop open such addresses with this command.
            """,
        examples: [
            "remindav open reminders://12": "shows the reminder and the available actions",
            "remindav open reminders://today": "shows the reminders for today",
        ],
        exits: [.notFound, .locked, .conflict, .interrupted]
    )

    /// The thing that an address names.
    enum Subject: Hashable, CustomStringConvertible {
        case reminder(Int64)
        /// The reminders of the section Today.
        case today

        /// The part of the address after the scheme.
        var description: String {
            switch self {
            case .reminder(let id): "\(id)"
            case .today: Self.todayWord
            }
        }

        static let todayWord = "today"
    }

    let subject: Subject
    let isHere: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        let text = try arguments.operand("ADDRESS")
        guard let subject = Self.subject(of: text) else {
            throw UsageError(
                .badValue,
                """
                The address must be 'reminders://' and the number of a reminder, or 'reminders://today', not \
                '\(Sanitizer.excerpt(text))'.
                """
            )
        }
        self.subject = subject
        self.isHere = arguments.flag("--here")
    }

    // address = "reminders:" [ "//" ] ( 1*DIGIT / "today" ) [ "/" ]; letters in any case (RFC 3986 §3.1)
    static func subject(of address: String) -> Subject? {
        let bytes = Array(address.utf8.prefix(Self.maximumAddressBytes + 1))
        let scheme = "reminders:"
        guard bytes.count <= Self.maximumAddressBytes,
            String(decoding: bytes.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme
        else { return nil }
        var rest = bytes.dropFirst(scheme.utf8.count)
        if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2) }
        if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        let word = String(decoding: rest, as: UTF8.self)
        if word.lowercased() == Subject.todayWord { return .today }
        guard !rest.isEmpty, rest.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(word).map(Subject.reminder)
    }

    /// The maximum length of an address in bytes: the largest number has 19 digits, and zeros may precede it.
    static let maximumAddressBytes = 100

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        // An unknown number is an error here: a program that is started may have no terminal for a message.
        if case .reminder(let id) = self.subject { _ = try useCases.reminder(id) }
        if !self.isHere, let command = context.settings.daemon.openCommand {
            guard context.session.start(command + [self.subject.description]) else {
                throw ServiceError(.noCommand, command[0])
            }
            return .success
        }
        if context.isInteractive, context.output.answers.isTerminal {
            switch self.subject {
            case .reminder(let id): return try await ReminderKeys(id: id, context: context).run()
            case .today: return try await TodayKeys(context: context).run()
            }
        }
        if !self.isHere, try self.openPage(useCases, in: context) { return .success }
        // `--here` prevents an endless loop if the started terminal program gives this command no terminal.
        guard !self.isHere, try self.startTerminal(in: context) else {
            throw UsageError(
                .needsTerminal,
                "There is no terminal to show the reminder. Set a program with the setting 'open-command'.",
                command: Self.page.name
            )
        }
        return .success
    }

    /// Opens the page of the reminder in the browser if this user's 'serve' runs or systemd listens for it.
    ///
    /// - Returns: whether a browser was started.
    private func openPage(_ useCases: UseCases, in context: Context) throws -> Bool {
        let port = context.settings.port
        guard port != 0, UseCases.isOwnServer(onPort: port) == true else { return false }
        let ticket = try SignIns(useCases.configuration).ticket(validSeconds: SignIns.ticketSeconds)
        let query =
            switch self.subject {
            case .reminder(let id): "?reminder=\(id)"
            case .today: ""
            }
        return context.openInBrowser("http://127.0.0.1:\(port)/in/\(ticket)\(query)")
    }

    /// Starts terminal programs until one opens a window; returns whether one did.
    private func startTerminal(in context: Context) throws -> Bool {
        guard let program = context.session.program(), let store = context.storeFolder else { return false }
        let options = ServiceFiles.options(store: context.session.absolute(store), in: context)
        let words = [program] + options + ["open", "--here", "reminders://\(self.subject)"]
        let commands = TerminalPrograms.commands(for: words, environment: context.environment)
        return commands.contains { context.session.start($0) }
    }
}
