import Bridge

struct DeleteList: Command {
    static let page = CommandPage(
        name: "lists delete",
        group: .servers,
        summary: "Delete a list with all its reminders",
        usage: ["NAME [--only-here] [--yes]"],
        operands: [Operand("NAME", .once, "The name of the list")],
        options: [
            Option(
                "--only-here",
                "Keep it on the server; no sync downloads it again"
            ),
            Option("--yes", short: "y", "Do not ask, and discard unsent changes"),
        ],
        details: [
            """
            A list of an account is also deleted on its server, for all its users. A list that
            another user shares with you stays for its owner; only your access ends. If the list
            changed on the server since the last sync, it is not deleted. Feeds of the list are
            revoked. After --only-here, 'remindav lists add NAME --account ACCOUNT' downloads the
            list again.
            """,
            """
            The reminders stay in the trash for 30 days: 'remindav trash restore ID --list NAME'
            moves one to another list. 'remindav undo' restores a local list with its reminders,
            but without its feeds.
            """,
        ],
        examples: [
            .init("remindav lists delete Garden", "asks, then deletes it here and on its server"),
            .init("remindav lists delete Office --only-here", "removes it from this computer only"),
        ],
        exits: [.notFound, .locked, .authentication, .network, .refused]
    )

    let name: String
    let localOnlyCount: Bool
    let isSure: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.name(arguments.operand("NAME"), of: "A list's name")
        self.localOnlyCount = arguments.flag("--only-here")
        self.isSure = arguments.flag("--yes")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let deletion = try useCases.listDeletion(of: self.name, localOnlyCount: self.localOnlyCount)
        let name = Sanitizer.line(deletion.name)
        let account = deletion.account.map { Sanitizer.line($0) } ?? ""
        let count = deletion.reminders == 1 ? "1 reminder" : "\(deletion.reminders) reminders"
        if let waiting = WaitingEdits.sentence(deletion) { context.output.remark(StyledText(waiting)) }
        if deletion.isForeign, deletion.goesFromServer {
            context.output.remark("It is not in your own folder there and may belong to another user.")
        }
        let question =
            if deletion.goesFromServer {
                "Delete the list \(name) with \(count), here and from your account \(account)?"
            } else if deletion.state == .synced {
                "Take the list \(name) with \(count) off this machine, and leave it on \(account)?"
            } else if deletion.state == .detached {
                "Delete the list \(name) with \(count)? The server has lost it; only the trash keeps them, 30 days."
            } else {
                "Delete the list \(name) with \(count)?"
            }
        guard try self.isSure || context.confirm(question) else {
            try context.output.note("Nothing was changed")
            return .success
        }
        try await useCases.deleteList(deletion.name, localOnlyCount: self.localOnlyCount)
        if deletion.state == .synced, !deletion.goesFromServer {
            try context.output.note("Removed the list \(name) from this computer; it stays on \(account)")
        } else {
            let places = deletion.goesFromServer ? ", here and from your account \(account)" : ""
            let kept = deletion.reminders == 0 ? "" : "; see 'remindav trash'"
            try context.output.note("Deleted the list \(name) with \(count)\(places)\(kept)")
        }
        return .success
    }
}

/// Changes that a server has not got.
enum WaitingEdits {
    /// Titles that a sentence names; the others are counted.
    private static let shown = 5

    /// Which ones there are, `nil` when there are none.
    static func sentence(_ deletion: ListDeletion) -> String? {
        var parts: [String] = []
        if !deletion.unsent.isEmpty {
            let titles = deletion.unsent.prefix(Self.shown).map { "'\(Sanitizer.line($0))'" }.joined(separator: ", ")
            let more = deletion.unsent.count - Self.shown
            parts.append("\(titles)\(more > 0 ? " and \(more) more" : "")")
        }
        if deletion.unsentDeletions > 0 {
            parts.append(deletion.unsentDeletions == 1 ? "1 deletion" : "\(deletion.unsentDeletions) deletions")
        }
        guard !parts.isEmpty else { return nil }
        let changes = "The server has not got these changes: \(parts.joined(separator: ", "))."
        return switch deletion.nowhereElse {
        case 0: changes
        case 1: "\(changes) 1 reminder is nowhere else; it goes into the trash."
        default: "\(changes) \(deletion.nowhereElse) reminders are nowhere else; they go into the trash."
        }
    }
}
