import JSON
import Platform

/// A text output: standard output, standard error, or memory in tests.
struct TextStream: Sendable {
    let isTerminal: Bool
    /// The terminal's width; `nil` when it is none, or does not say.
    let columns: Int?
    let write: @Sendable ([UInt8]) throws(OutputError) -> Void
}

/// The output of a command: results on standard output, messages on standard error.
struct Output: Sendable {
    let answers: TextStream
    let complaints: TextStream
    let answersAreColored: Bool
    let complaintsAreColored: Bool
    let colorDepth: ColorDepth
    private(set) var isQuiet: Bool

    init(
        answers: TextStream,
        complaints: TextStream,
        color: ColorChoice?,
        setting: ColorChoice = .auto,
        environment: [String: String],
        isQuiet: Bool
    ) {
        self.answers = answers
        self.complaints = complaints
        self.isQuiet = isQuiet
        self.colorDepth = ColorDepth(environment: environment)
        let rules = ColorRules(choice: color, setting: setting, environment: environment)
        self.answersAreColored = rules.allowsColor(onTerminal: answers.isTerminal)
        self.complaintsAreColored = rules.allowsColor(onTerminal: complaints.isTerminal)
    }

    /// A copy that writes errors only.
    var withoutNotes: Self {
        var output = self
        output.isQuiet = true
        return output
    }

    /// The columns that a line may take: the terminal's, or 200.
    var columns: Int { self.answers.columns ?? 200 }

    /// Writes an answer and a line end.
    func print(_ text: consuming StyledText) throws(OutputError) {
        try self.answers.write(text.line(inColor: self.answersAreColored))
    }

    /// Writes a confirmation: an answer that `--quiet` leaves out.
    func note(_ text: StyledText) throws(OutputError) {
        if !self.isQuiet { try self.print(text) }
    }

    /// Writes calendar data, tables and other contents of files: as they are, since another program reads them; on a
    /// terminal with control characters escaped.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        try self.answers.write(self.answers.isTerminal ? Sanitizer.bytes(bytes) : bytes)
    }

    /// Writes a JSON document and a line end.
    func print(json: some JSONEncodable) throws(OutputError) { try self.answers.write(JSONWriter.document(json)) }

    /// Writes a JSON document with one element on each line.
    func print(json: [some JSONEncodable]) throws(OutputError) { try self.answers.write(JSONWriter.document(json)) }

    /// Writes a complaint, with the program's name before it.
    func complain(_ text: String) {
        let line = StyledText("remindav: ", .warning) + StyledText(text)
        // Without standard error there is no place for a message.
        try? self.complaints.write(Array((line.rendered(inColor: self.complaintsAreColored) + "\n").utf8))
    }

    /// Writes a note to standard error; `--quiet` omits it.
    func remark(_ text: StyledText) {
        guard !self.isQuiet else { return }
        try? self.complaints.write(Array((text.rendered(inColor: self.complaintsAreColored) + "\n").utf8))
    }
}

/// Whether to colour: the option first, then the environment, then the settings file, then the terminal.
struct ColorRules: Sendable {
    /// `--color`; `nil` when it is not there.
    let choice: ColorChoice?
    var setting = ColorChoice.auto
    let environment: [String: String]

    /// Whether output to a stream has colours; `auto` depends on the terminal.
    func allowsColor(onTerminal isTerminal: Bool) -> Bool {
        switch self.effective {
        case .always: true
        case .never: false
        case .auto: isTerminal
        }
    }

    /// The choice that holds.
    ///
    /// `--color`; else `NO_COLOR` (no-color.org: set and not empty); else `CLICOLOR_FORCE`; else never on a terminal that
    /// is `dumb` or with `CLICOLOR=0` (bixense.com/clicolors); else the file's.
    var effective: ColorChoice {
        if let choice, choice != .auto { return choice }
        switch self.variable {
        case "CLICOLOR_FORCE": return .always
        case .some: return .never
        case nil: return self.choice ?? self.setting
        }
    }

    /// The variable that decides; `nil` when none does.
    var variable: String? {
        if self.isSet("NO_COLOR") { return "NO_COLOR" }
        if self.isSet("CLICOLOR_FORCE"), self.environment["CLICOLOR_FORCE"] != "0" { return "CLICOLOR_FORCE" }
        if self.environment["CLICOLOR"] == "0" { return "CLICOLOR" }
        return self.environment["TERM"] == "dumb" ? "TERM" : nil
    }

    private func isSet(_ name: String) -> Bool { !(self.environment[name] ?? "").isEmpty }
}
