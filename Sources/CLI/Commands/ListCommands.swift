import RemindavBridge
import RemindavReminders

struct ShowLists: Command {
    static let page = CommandPage(
        name: "lists",
        summary: "Show the lists",
        options: [.json],
        details: """
            A read-only list cannot be changed, because its server does not allow it. A list
            that its server no longer has stays on this computer until you keep, delete or
            upload it. 'new reminders:' shows the defaults of a list: see 'remindav help lists
            set'.
            """,
        examples: ["remindav lists": "each list with its account and the number of open reminders"]
    )

    init(_ arguments: inout Arguments) throws(UsageError) {}

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let lists = try useCases.lists()
        _ = try context.answer(
            lists,
            ifNone: "No lists yet. The first reminder creates one: remindav add 'Buy milk'"
        ) {
            Table.text(lists.map { [$0.name, $0.account ?? "local", Self.words($0).joined(separator: ", ")] })
        }
        if context.isJSON { return .success }
        for lost in lists where lost.state == .detached {
            context.output.remark(
                """
                A server no longer has the list \(Sanitizer.line(lost.name)). \
                'remindav lists keep \(lost.name.commandWord)' keeps it as a local list, 'lists delete' deletes it, and \
                'lists add' with --account uploads it again.
                """
            )
        }
        if let error = try useCases.defaultListError() {
            context.output.remark("\(ErrorMessages.explain(error).sentence)")
        }
        for ignored in try useCases.ignoredLists() {
            let command = AddList.command(ignored.name, account: ignored.account)
            context.output.remark(
                "Only on \(Sanitizer.line(ignored.account)): \(Sanitizer.line(ignored.name)). "
                    + "'\(command)' and then 'remindav sync' download it."
            )
        }
        return .success
    }

    private static func words(_ list: ListView) -> [String] {
        var words = ["\(list.open) open"]
        if list.completed > 0 { words.append("\(list.completed) completed") }
        if list.state == .detached {
            words.append("no longer on the server")
        } else if list.unsent > 0 {
            words.append("\(list.unsent) not sent yet")
        }
        if list.isReadOnly { words.append("read-only") }
        if list.isDefault { words.append("default") }
        let defaults = [
            list.defaults.due.map { "due \($0.rawValue)" },
            list.defaults.alarms.map { "alarm \(AlarmFormatter.text($0))" },
        ].compactMap { $0 }
        if !defaults.isEmpty { words.append("new reminders: \(defaults.joined(separator: ", "))") }
        return words
    }
}

struct AddList: Command {
    static let page = CommandPage(
        name: "lists add",
        summary: "Create a list, local or on a server",
        operands: [Operand("NAME", .once, "The name of the list")],
        options: [
            Option("--account", value: "NAME", "Create it on the server of this account; default: local only"),
            Option("--color", value: "#RRGGBB", "Its colour"),
            .json,
        ],
        details: """
            With --account, an existing local list of this name is uploaded with all its
            reminders, including a list that its server no longer has. If the server already has
            a list of this name, it is downloaded; nothing is deleted on either side.
            """,
        examples: [
            "remindav lists add Garden --color '#4CAF50'": "a local list in green",
            "remindav lists add Work --account dav.example.org": "a list on the server",
        ],
        exits: [.notFound, .authentication, .network]
    )

    let name: String
    let account: String?
    let color: String?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.listName(arguments.operand("NAME"))
        self.account = arguments.value("--account")
        self.color = try arguments.value("--color") { text throws(UsageError) in try ArgumentValues.color(text).hex }
    }

    /// The command line that creates a list on the server of an account.
    static func command(_ name: String, account: String) -> String {
        // The account comes first, because a name that begins with a hyphen ends the options.
        "remindav \(self.page.name) --account=\(account.shellWord) \(name.commandWord)"
    }

    func run(in context: Context) async throws -> ExitStatus {
        let addition = try await context.useCases(.create)
            .addList(named: self.name, account: self.account, color: self.color)
        let list = addition.list
        let place = list.account.map { " on \(Sanitizer.line($0))" } ?? ""
        let done = addition.isJoined ? "Connected" : "Created"
        let role = list.isDefault ? ", the default list of new reminders" : ""
        return try context.answer(list) { output in
            try output.note("\(done) the list \(Sanitizer.line(list.name))\(place)\(role)")
            if list.account != nil { output.remark(advice: "Next: remindav sync") }
        }
    }
}

struct RenameList: Command {
    static let page = CommandPage(
        name: "lists rename",
        summary: "Rename a list, locally and on its server",
        operands: [Operand("OLD", .once, "The current name"), Operand("NEW", .once, "The new name")],
        options: [.json],
        details: """
            Other users of the list see the new name with their next sync. If the server does
            not accept the name, nothing is changed.
            """,
        examples: ["remindav lists rename Work Office": "renames the list Work to Office"],
        exits: [.notFound, .locked, .authentication, .network]
    )

    let old: String
    let new: String

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.old = try ArgumentValues.listName(arguments.operand("OLD"))
        self.new = try ArgumentValues.listName(arguments.operand("NEW"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        let change = try await context.useCases().renameList(self.old, to: self.new)
        return try context.answer(change.list) { output in
            try output.note("Renamed the list \(Sanitizer.line(self.old)) to \(Sanitizer.line(change.list.name))")
            if let shown = change.serverValue, shown != change.list.name {
                output.remark("The server still shows '\(Sanitizer.line(shown))'; some servers apply changes later.")
            }
        }
    }
}

struct RecolorList: Command {
    static let page = CommandPage(
        name: "lists recolor",
        summary: "Change the colour of a list, locally and on its server",
        usage: ["NAME COLOR|none [--json]"],
        operands: [
            Operand("NAME", .once, "The name of the list"),
            Operand("COLOR", .once, "Six hexadecimal digits, a name such as purple, or none"),
        ],
        options: [.json],
        details: "Some servers cannot remove a colour, but can change it.",
        examples: [
            "remindav lists recolor Garden '#4CAF50'": "green",
            "remindav lists recolor Garden none": "no colour",
        ],
        exits: [.notFound, .locked, .authentication, .network]
    )

    let name: String
    /// The colour as `#RRGGBB`; `nil` removes the colour.
    let color: String?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.listName(arguments.operand("NAME"))
        let color = try arguments.operand("COLOR")
        self.color = color.lowercased() == "none" ? nil : try ArgumentValues.color(color, called: "A colour").hex
    }

    func run(in context: Context) async throws -> ExitStatus {
        let change = try await context.useCases().recolorList(self.name, to: self.color)
        return try context.answer(change.list) { output in
            let color = change.list.color.map { "now has the colour \(Sanitizer.line($0))" } ?? "now has no colour"
            try output.note("The list \(Sanitizer.line(change.list.name)) \(color)")
            if let shown = change.serverValue, shown != change.list.color ?? "" {
                let word = shown.isEmpty ? "shows no colour yet" : "still shows \(Sanitizer.line(shown))"
                output.remark("The server \(word); some servers apply changes later.")
            }
        }
    }
}

struct SetDefaultList: Command {
    static let page = CommandPage(
        name: "lists default",
        summary: "Set or show the default list of new reminders",
        operands: [Operand("NAME", .optional, "The list; without it, the default list is shown")],
        options: [.json],
        details: """
            The first list of a store becomes its default list. If the default list is deleted or
            becomes read-only, 'remindav add' reports an error and does not use another list. The
            setting 'list' takes precedence.
            """,
        examples: [
            "remindav lists default Private": "new reminders go to this list",
            "remindav lists default": "shows the default list",
        ],
        exits: [.notFound, .locked]
    )

    let name: String?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try arguments.optionalOperand().map { text throws(UsageError) in
            try ArgumentValues.listName(text)
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        guard let name = self.name else { return try self.show(useCases, in: context) }
        let list = try useCases.setDefaultList(name)
        _ = try context.answer(list, note: "New reminders go to \(Sanitizer.line(list.name))")
        if let setting = context.settings.list, setting != list.name {
            context.output.remark(
                """
                The setting 'list = \(Sanitizer.line(setting))' takes precedence over this default. \
                'remindav config' shows its file.
                """
            )
        }
        return .success
    }

    private func show(_ useCases: UseCases, in context: Context) throws -> ExitStatus {
        if let error = try useCases.defaultListError() { throw error }
        let list = try useCases.lists().first(where: \.isDefault)
        let none: StyledText = "There is no default list yet. The first reminder creates one: remindav add Buy milk"
        return try context.answer(list) { output in
            if let list {
                try output.print(StyledText("New reminders go to \(Sanitizer.line(list.name))"))
            } else {
                try output.print(advice: none)
            }
        }
    }
}

struct SetListDefaults: Command {
    static let page = CommandPage(
        name: "lists set",
        summary: "Set the default date and alarms of a list",
        usage: ["NAME [--due tomorrow|none|default] [--alarm WHEN|none|default]... [--json]"],
        operands: [Operand("NAME", .once, "The name of the list")],
        options: [
            Option("--due", short: "d", value: "WHEN", "The default date of new reminders: tomorrow or none"),
            Option(
                "--alarm",
                value: "WHEN",
                occurs: .many,
                "The default alarms: due, a time before it such as 15m, or none"
            ),
            .json,
        ],
        details: """
            A shopping list, for example, needs no date and therefore no alarm. 'default' restores
            the settings 'due' and 'alarm'. Without an option the defaults of the list are shown.
            They apply to this computer only; servers do not store them.
            """,
        examples: [
            "remindav lists set Groceries --due none": "no date without --due",
            "remindav lists set Work --alarm 15m,due": "two alarms for each new reminder",
            "remindav lists set Work --alarm default": "the alarms of the settings",
        ],
        exits: [.notFound, .locked]
    )

    let name: String
    let due: FieldChange<DefaultDue>
    let alarms: FieldChange<[AlarmChoice]>

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.listName(arguments.operand("NAME"))
        self.due =
            try arguments.value("--due") { text throws(UsageError) in
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
    }

    func run(in context: Context) async throws -> ExitStatus {
        let defaults = try context.useCases().setDefaults(ofList: self.name, due: self.due, alarms: self.alarms)
        let settings = context.settings
        let due = defaults.due?.rawValue ?? "\(settings.due.rawValue) (setting)"
        let alarm =
            defaults.alarms.map { AlarmFormatter.text($0) }
            ?? "\(AlarmFormatter.text(settings.newAlarms)) (setting)"
        let note = "New reminders in \(Sanitizer.line(defaults.list)): due \(due), alarm \(alarm)"
        return try context.answer(defaults, note: StyledText(note))
    }
}

struct DeleteList: Command {
    static let page = CommandPage(
        name: "lists delete",
        summary: "Delete a list with all its reminders",
        operands: [Operand("NAME", .once, "The name of the list")],
        options: [
            Option("--only-here", "Keep it on the server; no sync downloads it again"),
            Option("--yes", short: "y", "Do not ask, and discard unsent changes"),
        ],
        details: """
            A list of an account is also deleted on its server, for all its users. A list that
            another user shares with you stays for its owner; only your access ends. If the list
            changed on the server since the last sync, it is not deleted. Feeds of the list are
            revoked. After --only-here, 'remindav lists add NAME --account ACCOUNT' downloads the
            list again.

            The reminders stay in the trash for 30 days: 'remindav trash restore ID --list NAME'
            moves one to another list. 'remindav undo' restores a local list with its reminders,
            but without its feeds.
            """,
        examples: [
            "remindav lists delete Garden": "asks, then deletes it locally and on its server",
            "remindav lists delete Office --only-here": "removes it from this computer only",
        ],
        exits: [.notFound, .locked, .authentication, .network, .refused]
    )

    let name: String
    let localOnly: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.listName(arguments.operand("NAME"))
        self.localOnly = arguments.flag("--only-here")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let deletion = try useCases.listDeletion(of: self.name, localOnly: self.localOnly)
        let name = Sanitizer.line(deletion.name)
        let account = deletion.account.map { Sanitizer.line($0) } ?? ""
        let count = deletion.reminders.counted("reminder")
        if let waiting = WaitingEdits.sentence(deletion) { context.output.remark("\(waiting)") }
        if deletion.isForeign, deletion.goesFromServer {
            context.output.remark("The list is not in your own folder on the server and may belong to another user.")
        }
        let question =
            if deletion.goesFromServer {
                "Delete the list \(name) with \(count), on this computer and in your account \(account)?"
            } else if deletion.state == .synced {
                "Remove the list \(name) with \(count) from this computer, and keep it on \(account)?"
            } else if deletion.state == .detached {
                "Delete the list \(name) with \(count)? It is not on the server. The trash keeps them for 30 days."
            } else {
                "Delete the list \(name) with \(count)?"
            }
        guard try context.agrees(question) else { return .success }
        try await useCases.deleteList(deletion.name, localOnly: self.localOnly)
        if deletion.state == .synced, !deletion.goesFromServer {
            try context.output.note("Removed the list \(name) from this computer; it stays on \(account)")
        } else {
            let places = deletion.goesFromServer ? ", on this computer and in your account \(account)" : ""
            try context.output.note("Deleted the list \(name) with \(count)\(places)")
            if deletion.reminders > 0 { try context.output.note(advice: "'remindav trash' shows its reminders.") }
        }
        return .success
    }
}

/// Texts about the unsent changes of a list.
private enum WaitingEdits {
    private static let shownTitles = 5

    static func sentence(_ deletion: ListDeletion) -> String? {
        var parts: [String] = []
        if !deletion.unsent.isEmpty {
            parts.append(deletion.unsent.map { "'\(Sanitizer.line($0))'" }.listed(atMost: Self.shownTitles))
        }
        if deletion.unsentDeletions > 0 { parts.append(deletion.unsentDeletions.counted("deletion")) }
        guard !parts.isEmpty else { return nil }
        let changes = "These changes are not on the server yet: \(parts.joined(separator: ", "))."
        return switch deletion.nowhereElse {
        case 0: changes
        case 1: "\(changes) 1 reminder is only on this computer and moves to the trash."
        default: "\(changes) \(deletion.nowhereElse) reminders are only on this computer and move to the trash."
        }
    }
}

struct KeepList: Command {
    static let page = CommandPage(
        name: "lists keep",
        summary: "Keep a list that its server no longer has, as a local list",
        operands: [Operand("NAME", .once, "The name of the list")],
        options: [.json],
        details: """
            If a list is deleted on its server, it stays on this computer until you decide: keep
            it as a local list, delete it with 'remindav lists delete', or upload it again with
            'remindav lists add NAME --account ACCOUNT'.
            """,
        examples: ["remindav lists keep Garden": "makes it a local list"],
        exits: [.notFound]
    )

    let name: String

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.listName(arguments.operand("NAME"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        let list = try context.useCases().keepList(self.name)
        return try context.answer(list, note: "The list \(Sanitizer.line(list.name)) is a local list")
    }
}

struct DiscardEdits: Command {
    static let page = CommandPage(
        name: "lists discard",
        summary: "Discard unsent changes of a read-only list",
        operands: [Operand("NAME", .once, "The name of the list")],
        options: [Option("--yes", short: "y", "Do not ask; required without a terminal")],
        details: """
            For a list that became read-only on its server, so that local changes cannot be
            sent. Its reminders then match those on the server. To keep a change, move the
            reminder first: 'remindav edit ID --list NAME'.
            """,
        examples: ["remindav lists discard Office": "asks, then discards the unsent changes"],
        exits: [.notFound]
    )

    let name: String

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.listName(arguments.operand("NAME"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let waiting = try useCases.listDeletion(of: self.name, localOnly: true)
        guard let sentence = WaitingEdits.sentence(waiting) else {
            // This throws an error for a list without a server.
            _ = try useCases.discardEdits(in: self.name)
            try context.output.note("The list \(Sanitizer.line(waiting.name)) has no unsent changes")
            return .success
        }
        context.output.remark("\(sentence)")
        guard try context.agrees("Discard these changes?") else { return .success }
        let changes = try useCases.discardEdits(in: waiting.name).counted("change")
        try context.output.note("Discarded \(changes) in the list \(Sanitizer.line(waiting.name))")
        return .success
    }
}
