import Bridge

struct RenameList: Command {
    static let page = CommandPage(
        name: "lists rename",
        group: .servers,
        summary: "Rename a list, here and on its server",
        usage: ["OLD NEW [--json]"],
        operands: [Operand("OLD", .once, "The current name"), Operand("NEW", .once, "The new name")],
        options: [.json],
        details: [
            """
            Other users of the list see the new name with their next sync. If the server does
            not accept the name, nothing is changed.
            """
        ],
        examples: [.init("remindav lists rename Work Office", "renames the list Work to Office")],
        exits: [.notFound, .locked, .authentication, .network]
    )

    let old: String
    let new: String
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.old = try ArgumentValues.name(arguments.operand("OLD"), of: "A list's name")
        self.new = try ArgumentValues.name(arguments.operand("NEW"), of: "A list's name")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let change = try await context.useCases().renameList(self.old, to: self.new)
        if self.isJSON {
            try context.output.print(json: change.list)
            return .success
        }
        try context.output.note("Renamed the list \(Sanitizer.line(self.old)) to \(Sanitizer.line(change.list.name))")
        if let said = change.serverSays, said != change.list.name {
            context.output.remark("The server still calls it '\(Sanitizer.line(said))'; some take a while.")
        }
        return .success
    }
}
