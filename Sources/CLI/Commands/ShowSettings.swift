import RemindavBridge
import RemindavJSON
import RemindavPlatform

struct ShowSettings: Command {
    static let page = CommandPage(
        name: "config",
        summary: "Show the settings and the origin of each",
        options: [.json],
        details: """
            Options take precedence over the environment, the environment over the settings
            file, and the file over the defaults. --config or $REMINDAV_CONFIG names the file;
            the default is $XDG_CONFIG_HOME/remindav/config, or ~/.config/remindav/config.
            The file is optional. 'remindav config set' and 'config unset' edit it, and any
            editor can.

            Each line is NAME = VALUE, empty, or a comment that begins with '#'. A comment
            cannot follow a value. Double quotes around a whole value are removed. A list of
            words is in brackets, each word in quotation marks, separated by commas.
            NAME is one of these:
            \(Setting.all.map { "  \(DisplayWidth.pad($0.name, to: Setting.nameWidth))\($0.help)" }.joined(separator: "\n"))

            filter.NAME = OPTIONS saves a filter for 'list NAME' and for --filter NAME: options of
            'list' that select reminders, and --sort, such as
            filter.work = --label work --priority high --sort due

            If a line is invalid, other commands name the line and end with status 2.
            """,
        examples: [
            "remindav config": "the current settings",
            "remindav config set due none": "writes one setting into the file",
            "remindav --config /dev/null list": "lists reminders without a settings file",
        ]
    )

    static let isPaged = true

    static let needsSettings = false

    init(_ arguments: inout Arguments) throws(UsageError) {}

    func run(in context: Context) async throws -> ExitStatus {
        let file = context.options.file
        let rows = Setting.all(of: file.settings).map { EffectiveSetting($0, context.options, context.environment) }
        _ = try context.answer(rows, ifNone: "") {
            Table.text(rows.map { [$0.name, $0.value ?? "-", $0.origin.place] })
        }
        if !context.isJSON, let path = file.path, !file.exists {
            context.output.remark(
                "There is no file \(Sanitizer.line(path)). 'remindav help config' describes its format."
            )
        }
        for error in file.errors.prefix(Self.shownIssues) { context.output.complain(ErrorMessages.explain(error)) }
        return file.issues.isEmpty ? .success : .usage
    }

    /// The maximum number of printed issues, enough for one round of corrections.
    private static let shownIssues = 20
}

/// A setting, its current value and the origin of the value.
struct EffectiveSetting: Sendable {
    let name: String
    let value: String?
    /// The kind of the origin (`option`, `environment`, `file` or `default`), and the option, variable or line.
    let origin: (kind: String, place: String)

    init(_ setting: Setting, _ options: GlobalOptions, _ environment: [String: String]) {
        self.name = setting.name
        let settings = options.file.settings
        var origin = ("default", "default")
        if let line = options.file.lines[setting.name], let path = options.file.path {
            origin = ("file", "\(path):\(line)")
        }
        // `store` and `color` can also be set by an option and by variables.
        switch setting.name {
        case "store":
            let setting = settings.store
            self.value = Configuration.storeFolder(option: options.store, environment: environment, setting: setting)
            let isVariable = environment.variable("REMINDAV_STORE") != nil
            self.origin =
                options.store != nil ? ("option", "--store") : isVariable ? ("environment", "REMINDAV_STORE") : origin
        case "color":
            let rules = ColorRules(choice: options.color, setting: settings.color, environment: environment)
            self.value = rules.effective.rawValue
            self.origin =
                options.color != nil ? ("option", "--color") : rules.variable.map { ("environment", $0) } ?? origin
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
        JSONMember("origin") { $0.origin.kind },
        JSONMember("from") { $0.origin.place },
    ]
}
