import Bridge
import JSON
import Platform

struct ShowSettings: Command {
    static let page = CommandPage(
        name: "config",
        group: .help,
        summary: "Show the settings and the origin of each",
        usage: ["[--json]"],
        options: [.json],
        details: [
            """
            Options take precedence over the environment, the environment over the settings
            file, and the file over the defaults. --config or $REMINDAV_CONFIG names the file;
            the default is $XDG_CONFIG_HOME/remindav/config, or ~/.config/remindav/config.
            The file is optional, and remindav never writes it.
            """,
            """
            Each line is NAME = VALUE, empty, or a comment that begins with '#'. A comment
            cannot follow a value. Double quotes around a whole value are removed. A list of
            words stands in brackets, each word in quotation marks, with commas between them.
            NAME is one of these:
            """
                + Setting.all.map { setting in
                    let padding = String(repeating: " ", count: 16 - setting.name.count)
                    return "\n  \(setting.name)\(padding)\(setting.help)"
                }.joined(),
            """
            If a line is not usable, other commands end with status 2 and name the line.
            """,
        ],
        examples: [
            .init("remindav config", "the current settings"),
            .init("remindav --config /dev/null list", "lists reminders without a settings file"),
        ]
    )

    static let needsSettings = false

    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let file = context.options.file
        let rows = Setting.all.map { EffectiveSetting($0, context.options, context.environment) }
        if self.isJSON {
            try context.output.print(json: rows)
        } else {
            try context.output.print(Table.text(rows.map { [$0.name, $0.value ?? "-", $0.origin.text] }))
            if let path = file.path, !file.exists {
                context.output.remark(
                    "There is no file \(Sanitizer.line(path)). 'remindav help config' describes its format."
                )
            }
        }
        for error in file.errors.prefix(Self.shownIssues) { context.output.complain(error.description) }
        return file.issues.isEmpty ? .success : .usage
    }

    /// Enough for one round of corrections.
    private static let shownIssues = 20
}

/// A setting, its current value and the origin of the value.
struct EffectiveSetting: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        case option(String)
        case environment(String)
        case file(path: String, line: Int)
        case standard

        /// The name of the option or variable, or the line.
        var text: String {
            switch self {
            case .option(let name), .environment(let name): name
            case .file(let path, let line): "\(path):\(line)"
            case .standard: "default"
            }
        }

        /// For JSON.
        var word: String {
            switch self {
            case .option: "option"
            case .environment: "environment"
            case .file: "file"
            case .standard: "default"
            }
        }
    }

    let name: String
    /// `nil` if there is no value.
    let value: String?
    let origin: Origin

    init(_ setting: Setting, _ options: GlobalOptions, _ environment: [String: String]) {
        self.name = setting.name
        let settings = options.file.settings
        let origin: Origin =
            if let line = options.file.lines[setting.name], let path = options.file.path {
                .file(path: path, line: line)
            } else { .standard }
        // Two settings also have an option and a variable.
        switch setting.name {
        case "store":
            self.value = Configuration.storeFolder(
                option: options.store,
                environment: environment,
                setting: settings.store
            )
            self.origin =
                options.store != nil
                ? .option("--store")
                : environment.variable("REMINDAV_STORE") != nil ? .environment("REMINDAV_STORE") : origin
        case "color":
            let rules = ColorRules(choice: options.color, setting: settings.color, environment: environment)
            self.value = rules.effective.rawValue
            self.origin = options.color != nil ? .option("--color") : rules.variable.map { .environment($0) } ?? origin
        default:
            self.value = setting.text(settings)
            self.origin = origin
        }
    }
}

extension EffectiveSetting: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name },
        JSONMember("value") { $0.value },
        JSONMember("origin") { $0.origin.word },
        JSONMember("from") { $0.origin.text },
    ]
}
