import RemindavJSON
import RemindavPlatform

struct TextStream: Sendable {
    let isTerminal: Bool
    /// The width in columns, from COLUMNS or the terminal; `nil` if it is unknown.
    let columns: Int?
    /// The height in rows; `nil` if the stream is no terminal, or its height is unknown.
    var rows: Int?
    let write: @Sendable ([UInt8]) throws(OutputError) -> Void
}

struct Output: Sendable {
    let answers: TextStream
    let complaints: TextStream
    private let paged: PagedOutput?
    let answersAreColored: Bool
    let complaintsAreColored: Bool
    let colorDepth: ColorDepth
    private(set) var isQuiet: Bool
    /// Whether errors are printed as JSON.
    let isJSON: Bool
    private let commands: AdvisedCommands

    init(
        answers: TextStream,
        complaints: TextStream,
        paged: PagedOutput? = nil,
        color: ColorChoice?,
        setting: ColorChoice = .auto,
        environment: [String: String],
        isQuiet: Bool,
        isJSON: Bool = false,
        commands: AdvisedCommands = AdvisedCommands()
    ) {
        self.answers = answers
        self.complaints = complaints
        self.paged = paged
        self.isQuiet = isQuiet
        self.isJSON = isJSON
        self.commands = commands
        self.colorDepth = ColorDepth(environment: environment)
        let rules = ColorRules(choice: color, setting: setting, environment: environment)
        self.answersAreColored = rules.allowsColor(onTerminal: answers.isTerminal)
        self.complaintsAreColored = rules.allowsColor(onTerminal: complaints.isTerminal)
    }

    var withoutNotes: Self {
        var output = self
        output.isQuiet = true
        return output
    }

    /// Writes what is held back for the pager, and waits until the user leaves the pager.
    func finish() throws(OutputError) { try self.paged?.finish() }

    var columns: Int { self.answers.columns ?? 200 }

    /// Writes a text; a line that is wider than the terminal is broken between words.
    func print(_ text: StyledText) throws(OutputError) {
        let lines = self.answers.columns.map { text.wrapped(into: $0) } ?? text
        try self.answers.write(lines.line(inColor: self.answersAreColored))
    }

    /// Writes a text that may advise commands and contains no title of a reminder, instead of an empty answer.
    func print(advice text: StyledText) throws(OutputError) {
        try self.print(self.commands.complete(text, mayQuoteTitles: false))
    }

    /// Writes a confirmation, which `--quiet` omits; it may contain texts of users, so its words stay as they are.
    func note(_ text: StyledText) throws(OutputError) {
        if !self.isQuiet { try self.print(text) }
    }

    /// Writes a confirmation that advises commands and contains no text of users.
    func note(advice text: StyledText) throws(OutputError) {
        if !self.isQuiet { try self.print(advice: text) }
    }

    /// The beginning of each complaint.
    static let mark = "remindav: "

    /// Writes the content of a file; on a terminal, control characters are escaped.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        try self.answers.write(self.answers.isTerminal ? Sanitizer.bytes(bytes) : bytes)
    }

    func print(json: some JSONEncodable) throws(OutputError) { try self.answers.write(JSONWriter.document(json)) }

    func print(json: [some JSONEncodable]) throws(OutputError) { try self.answers.write(JSONWriter.document(json)) }

    func complain(_ text: String) {
        self.write(message: self.commands.complete(StyledText(Self.mark, .warning) + StyledText(text)))
    }

    /// Writes an error to standard error, with `--json` as a JSON object in one line.
    func complain(_ problem: Explanation) {
        guard !problem.message.isEmpty else { return }
        guard self.isJSON else { return self.complain(problem.sentence) }
        let complete = problem.changed(self.commands.complete)
        try? self.complaints.write(JSONWriter.document(JSONComplaint(explanation: complete)))
    }

    /// Writes a note to standard error; `--quiet` omits it.
    func remark(_ text: StyledText) {
        if !self.isQuiet { self.write(message: self.commands.complete(text)) }
    }

    /// Writes a note that advises commands, and contains no title of a reminder, to standard error.
    func remark(advice text: StyledText) {
        if !self.isQuiet { self.write(message: self.commands.complete(text, mayQuoteTitles: false)) }
    }

    private func write(message text: StyledText) {
        let lines = self.complaints.columns.map { text.wrapped(into: $0) } ?? text
        // If standard error is closed, the message is lost.
        try? self.complaints.write(Array((lines.rendered(inColor: self.complaintsAreColored) + "\n").utf8))
    }
}

/// Decides whether output is coloured, by the rules of no-color.org and bixense.com/clicolors.
struct ColorRules: Sendable {
    let choice: ColorChoice?
    var setting = ColorChoice.auto
    let environment: [String: String]

    func allowsColor(onTerminal isTerminal: Bool) -> Bool {
        switch self.effective {
        case .always: true
        case .never: false
        case .auto: isTerminal
        }
    }

    /// The first that is set decides: `--color`, `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR=0`, `TERM=dumb`, the settings.
    var effective: ColorChoice {
        if let choice, choice != .auto { return choice }
        switch self.variable {
        case "CLICOLOR_FORCE": return .always
        case .some: return .never
        case nil: return self.choice ?? self.setting
        }
    }

    /// The name of the environment variable that decides about colours; `nil` if no variable does.
    var variable: String? {
        if self.isSet("NO_COLOR") { return "NO_COLOR" }
        if self.isSet("CLICOLOR_FORCE"), self.environment["CLICOLOR_FORCE"] != "0" { return "CLICOLOR_FORCE" }
        if self.environment["CLICOLOR"] == "0" { return "CLICOLOR" }
        return self.environment["TERM"] == "dumb" ? "TERM" : nil
    }

    private func isSet(_ name: String) -> Bool { !(self.environment[name] ?? "").isEmpty }
}

/// Collects small parts of the output and writes them in large pieces, which is faster.
struct ChunkWriter {
    static let pieceBytes = 1 << 16

    private var pending: [UInt8] = []
    private let output: Output

    init(_ output: Output) {
        self.output = output
        self.pending.reserveCapacity(Self.pieceBytes + 1024)
    }

    mutating func line(_ text: String) throws(OutputError) {
        self.pending += text.utf8
        self.pending.append(0x0A)
        if self.pending.count >= Self.pieceBytes { try self.flush() }
    }

    mutating func add(_ bytes: some Collection<UInt8>) throws(OutputError) {
        self.pending += bytes
        if self.pending.count >= Self.pieceBytes { try self.flush() }
    }

    mutating func flush() throws(OutputError) {
        guard !self.pending.isEmpty else { return }
        try self.output.write(self.pending)
        self.pending.removeAll(keepingCapacity: true)
    }
}

extension Output {
    private static let shownIssues = 20

    /// Prints the first issues and the number of the others; `advice` says how to see the others.
    func complain(
        about issues: [(line: Int, message: String)],
        of count: Int,
        in name: String,
        advice: String? = nil
    ) {
        for issue in issues.prefix(Self.shownIssues) {
            self.complain("\(Sanitizer.line(name)), line \(issue.line): \(Sanitizer.line(issue.message)).")
        }
        guard count > Self.shownIssues else { return }
        self.complain("… and \(count - Self.shownIssues) more\(advice.map { "; \($0)" } ?? "").")
    }
}
