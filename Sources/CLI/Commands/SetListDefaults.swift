import Bridge
import Reminders

struct SetListDefaults: Command {
    static let page = CommandPage(
        name: "lists set",
        group: .servers,
        summary: "Set the default date and alarms of a list",
        usage: ["NAME [--due tomorrow|none|default] [--alarm WHEN|none|default]... [--json]"],
        operands: [Operand("NAME", .once, "The name of the list")],
        options: [
            Option("--due", short: "d", value: "WHEN", "The date of a reminder without --due: tomorrow or none"),
            Option(
                "--alarm",
                value: "WHEN",
                occurs: .many,
                "Its alarms: due, or a time before it such as 15m; or none"
            ),
            .json,
        ],
        details: [
            """
            A shopping list, for example, needs no date and therefore no alarm. 'default' restores
            the settings 'due' and 'alarm'. Without an option the defaults of the list are shown.
            They apply to this computer only; servers do not store them.
            """
        ],
        examples: [
            .init("remindav lists set Groceries --due none", "no date without --due"),
            .init("remindav lists set Work --alarm 15m,due", "two alarms for each new reminder"),
            .init("remindav lists set Work --alarm default", "the alarms of the settings"),
        ],
        exits: [.notFound, .locked]
    )

    let name: String
    let due: FieldChange<DefaultDue>
    let alarms: FieldChange<[AlarmChoice]>
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.name(arguments.operand("NAME"), of: "A list's name")
        self.due =
            try arguments.value("--due").map { text throws(UsageError) in
                text.lowercased() == "default" ? .clear : .set(try ArgumentValues.defaultDue(text, called: "--due"))
            } ?? .keep
        let alarms = arguments.values("--alarm")
        if alarms.isEmpty {
            self.alarms = .keep
        } else if alarms.map({ $0.lowercased() }) == ["default"] {
            self.alarms = .clear
        } else {
            self.alarms = .set(try ArgumentValues.defaultAlarms(alarms.joined(separator: ","), called: "--alarm"))
        }
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let defaults = try context.useCases().setDefaults(ofList: self.name, due: self.due, alarms: self.alarms)
        let alarm = defaults.alarms.map { AlarmFormatter.text($0) }
        if self.isJSON {
            try context.output.print(json: defaults)
            return .success
        }
        let settings = context.settings
        let due = defaults.due?.rawValue ?? "\(settings.due.rawValue) (setting)"
        let text = alarm ?? "\(AlarmFormatter.text(settings.newAlarms)) (setting)"
        try context.output.note("New reminders in \(Sanitizer.line(defaults.list)): due \(due), alarm \(text)")
        return .success
    }
}
