import Bridge

struct RecolorList: Command {
    static let page = CommandPage(
        name: "lists recolor",
        group: .servers,
        summary: "Change the colour of a list, here and on its server",
        usage: ["NAME #RRGGBB|none [--json]"],
        operands: [
            Operand("NAME", .once, "The name of the list"),
            Operand("COLOR", .once, "Six hexadecimal digits after a '#', or none"),
        ],
        options: [.json],
        details: ["Some servers cannot remove a colour, but can change it."],
        examples: [
            .init("remindav lists recolor Garden '#4CAF50'", "green"),
            .init("remindav lists recolor Garden none", "no color"),
        ],
        exits: [.notFound, .locked, .authentication, .network]
    )

    let name: String
    /// `nil` for none.
    let color: String?
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.name(arguments.operand("NAME"), of: "A list's name")
        let color = try arguments.operand("COLOR")
        self.color = color.lowercased() == "none" ? nil : try ArgumentValues.color(color, called: "A colour")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let change = try await context.useCases().recolorList(self.name, to: self.color)
        if self.isJSON {
            try context.output.print(json: change.list)
            return .success
        }
        let color = change.list.color.map { "is \(Sanitizer.line($0)) now" } ?? "has no colour now"
        try context.output.note("The list \(Sanitizer.line(change.list.name)) \(color)")
        if let said = change.serverSays, said != change.list.color ?? "" {
            let word = said.isEmpty ? "shows no colour yet" : "still shows \(Sanitizer.line(said))"
            context.output.remark("The server \(word); some take a while.")
        }
        return .success
    }
}
