import Bridge
import JSON
import Platform

/// `config`: shows the settings and where each is from.
struct ShowSettings: Command {
    static let page = CommandPage(
        name: "config",
        group: .help,
        summary: "Show the settings, and where each is from",
        usage: ["[--json]"],
        options: [.json],
        details: [
            """
            The command line goes before the environment, that before the file, and the
            file before what is usual. The file is named by --config or $REMINDAV_CONFIG,
            else it is $XDG_CONFIG_HOME/remindav/config, else ~/.config/remindav/config.
            There need not be one, and remindav never writes it.
            """,
            """
            A line of it is NAME = VALUE, empty, or a remark that begins with '#'. There are
            no remarks behind a value. Double quotes around all of a value are left out.
            Several words stand in brackets, each in quotation marks, with commas between
            them. NAME is one of these:
            """
                + SettingKey.allCases.map { key in
                    let room = String(repeating: " ", count: 16 - key.rawValue.count)
                    return "\n  \(key.rawValue)\(room)\(key.help)"
                }.joined(),
            """
            While a line cannot be used, other commands end with status 2 and name the line.
            """,
        ],
        examples: [
            .init("remindav config", "what holds now"),
            .init("remindav --config /dev/null list", "without any settings of yours"),
        ]
    )

    static let needsSettings = false

    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let file = context.options.file
        let rows = SettingKey.allCases.map { EffectiveSetting($0, context.options, context.environment) }
        if self.isJSON {
            try context.output.print(json: rows)
        } else {
            try context.output.print(Table.text(rows.map { [$0.key.rawValue, $0.value ?? "-", $0.origin.text] }))
            if let path = file.path, !file.exists {
                context.output.remark(
                    "There is no file \(Sanitizer.line(path)); 'remindav help config' says what it may hold."
                )
            }
        }
        for error in file.errors.prefix(Self.shownIssues) { context.output.complain(error.description) }
        return file.issues.isEmpty ? .success : .usage
    }

    /// What a person mends before looking again.
    private static let shownIssues = 20
}

/// A setting as it holds, and why.
struct EffectiveSetting: Hashable, Sendable {
    /// Who has said so.
    enum Origin: Hashable, Sendable {
        case option(String)
        case environment(String)
        case file(path: String, line: Int)
        case standard

        /// The option's or variable's name, or the line.
        var text: String {
            switch self {
            case .option(let name), .environment(let name): name
            case .file(let path, let line): "\(path):\(line)"
            case .standard: "default"
            }
        }

        /// One word, for programs.
        var word: String {
            switch self {
            case .option: "option"
            case .environment: "environment"
            case .file: "file"
            case .standard: "default"
            }
        }
    }

    let key: SettingKey
    /// `nil` when nothing holds.
    let value: String?
    let origin: Origin

    init(_ key: SettingKey, _ options: GlobalOptions, _ environment: [String: String]) {
        self.key = key
        let settings = options.file.settings
        let said: Origin =
            if let line = options.file.lines[key], let path = options.file.path {
                .file(path: path, line: line)
            } else { .standard }
        switch key {
        case .store:
            self.value = Configuration.storeFolder(
                option: options.store,
                environment: environment,
                setting: settings.store
            )
            self.origin =
                options.store != nil
                ? .option("--store")
                : environment.variable("REMINDAV_STORE") != nil ? .environment("REMINDAV_STORE") : said
        case .color:
            let rules = ColorRules(choice: options.color, setting: settings.color, environment: environment)
            self.value = rules.effective.rawValue
            self.origin = options.color != nil ? .option("--color") : rules.variable.map { .environment($0) } ?? said
        case .list, .due, .dueTime, .alarm, .alarmTime, .snooze, .port, .feedAddress, .ringWhenDue, .quietHours,
            .silentLists, .silentLabels, .showMissed, .sound, .notifyCommand, .openCommand, .syncInterval:
            self.value = key.value(in: settings)
            self.origin = said
        }
    }
}

extension EffectiveSetting: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.key.rawValue },
        JSONMember("value") { $0.value },
        JSONMember("origin") { $0.origin.word },
        JSONMember("from") { $0.origin.text },
    ]
}
