import RemindavDatePhrases

enum CommandTable {
    static let groups: [(name: String, commands: [any Command.Type])] = [
        (
            "Reminders",
            [
                ListReminders.self, SearchReminders.self, ShowReminder.self, AddReminder.self, EditReminder.self,
                CompleteReminders.self, ReopenReminders.self, SnoozeReminder.self, DeleteReminders.self,
                OpenReminder.self, ShowAlarms.self, ClearAlarms.self, RunDaemon.self, ShowStatus.self,
                ShowStatistics.self, ShowLabels.self, AddLabel.self, RenameLabel.self, RecolorLabel.self,
                MergeLabels.self, DeleteLabel.self,
            ]
        ),
        (
            "Lists and servers",
            [
                ShowLists.self, SetDefaultList.self, AddList.self, RenameList.self, RecolorList.self,
                SetListDefaults.self, DeleteList.self, KeepList.self, DiscardEdits.self, AddAccount.self,
                ShowAccounts.self, SetAccount.self, ChangePassword.self, TrustServer.self, RemoveAccount.self,
                SyncLists.self, ShowConflicts.self, RestoreConflicts.self, DismissConflicts.self, ShowLog.self,
                UndoChanges.self, ShowTrash.self, RestoreFromTrash.self,
            ]
        ),
        (
            "Files",
            [
                ImportFile.self, ExportFile.self, FormatFile.self, CheckFile.self, DiffFiles.self, ConvertFile.self,
                ExpandFile.self, ExpandRule.self,
            ]
        ),
        (
            "Feeds",
            [
                CreateFeed.self, ShowFeeds.self, RenameFeed.self, WriteFeed.self, PushFeed.self, RevokeFeed.self,
                ServeFeeds.self, OpenWebPages.self, ShowWebDevices.self, SignOutOfWeb.self,
            ]
        ),
        (
            "Many users",
            [
                InitializeHost.self, MigrateHost.self, CheckHost.self, ManageTenants.self, ManageHostKey.self,
                ManageHostAlarms.self, RunHost.self, ShowQueue.self, SetServer.self, DeclareRestored.self,
            ]
        ),
        (
            "Help and settings",
            [
                SetUp.self, ShowHelp.self, ShowVersion.self, ShowSettings.self, GetSetting.self, ChangeSetting.self,
                RemoveSetting.self, PrintCompletion.self, RunDoctor.self,
                InstallService.self, ShowService.self, RemoveService.self,
            ]
        ),
    ]

    static let all = Self.groups.flatMap(\.commands)

    /// The shortest abbreviation of a name.
    private static let shortestPrefix = 2

    /// The words of a command line with a complete command at its beginning: without an alias or abbreviation, and with
    /// `list` before a filter such as `+home`, or `show` before a number.
    static func expanded(_ words: [String]) -> [String] {
        guard let first = words.first else { return words }
        if QuickWord(first) != nil { return Self.withFilterBehind(words) ?? ["list"] + words }
        if NumberList.isNumber(first) { return Self.withNumbersBehind(words) ?? ["show"] + words }
        let name = Self.isName(first) ? first : Self.completed(first) ?? first
        if let option = CommandAliases.texts.first(where: { $0.key == name })?.value {
            return Self.edit(words.dropFirst(), option)
        }
        return (CommandAliases.words.first { $0.key == name }?.value ?? [name]) + words.dropFirst()
    }

    /// `3 done` as `done 3`: taskwarrior has numbers before the command; `nil` if no command for IDs follows them.
    private static func withNumbersBehind(_ words: [String]) -> [String]? {
        let numbers = words.prefix(while: NumberList.isNumber)
        guard let word = words.dropFirst(numbers.count).first, Self.isName(word),
            let name = Self.expanded([word]).first,
            Self.named(name)?.page.operands.first == ReminderSelection.operand
        else { return nil }
        return Self.expanded([word] + numbers + words.dropFirst(numbers.count + 1))
    }

    /// `+home done` as `done +home`, `+home @Work list` as `list +home @Work`, and `+home search milk` as
    /// `search milk +home`; `nil` if no command with filters follows the words, or if several select the reminders of
    /// `edit`, which takes one.
    private static func withFilterBehind(_ words: [String]) -> [String]? {
        let filters = words.prefix { QuickWord($0)?.filter() != nil }
        guard let word = words.dropFirst(filters.count).first, Self.isName(word),
            let name = Self.expanded([word]).first, let page = Self.named(name)?.page,
            page.options.contains(where: { $0.name == "--with-label" }), filters.count == 1 || name != "edit"
        else { return nil }
        let rest = words.dropFirst(filters.count + 1)
        guard name == SearchReminders.page.name else { return Self.expanded([word] + filters + rest) }
        // The first word of `search` is always a text, also `+home`.
        let texts = rest.prefix { $0 != "--" }
        return Self.expanded([word] + texts + filters + rest.dropFirst(texts.count))
    }

    private static func isName(_ word: String) -> Bool {
        let isAlias =
            CommandAliases.words.contains { $0.key == word } || CommandAliases.texts.contains { $0.key == word }
        return isAlias || Self.named(word) != nil || !Self.family(word).isEmpty
    }

    /// The name that begins with the word: the only one, or the one with which all others begin too, as `list`.
    ///
    /// Commands precede aliases. `un` is not completed, because `undo` acts at once and could be meant as `undone`.
    private static func completed(_ word: String) -> String? {
        guard word.count >= Self.shortestPrefix else { return nil }
        let commands = Self.firstWords.filter { $0.hasPrefix(word) }
        let aliases = CommandAliases.words.map(\.key) + CommandAliases.texts.map(\.key)
        let found = commands.isEmpty ? aliases.filter { $0.hasPrefix(word) } : commands
        let name = found.first { name in found.allSatisfy { $0.hasPrefix(name) } }
        return name == "undo" && found.count > 1 ? nil : name
    }

    /// The words of `edit` for an ID, and a text up to the next option.
    private static func edit(_ words: ArraySlice<String>, _ option: String) -> [String] {
        guard let id = words.first, !id.hasPrefix("-") else { return ["edit"] + words }
        let text = words.dropFirst().prefix { !$0.hasPrefix("-") || $0 == "-" }
        let value = text.isEmpty ? [] : ["\(option)=\(text.joined(separator: " "))"]
        return ["edit", id] + value + words.dropFirst(1 + text.count)
    }

    static let hidden: [any Command.Type] = [CompleteArguments.self]

    /// Returns the command, and the words after its name; a name of two words is tried before a name of one word.
    static func find(_ words: [String]) throws(UsageError) -> (command: any Command.Type, rest: [String]) {
        let words = Self.expanded(words)
        let first = words.first ?? ""
        if words.count > 1, let command = Self.named("\(first) \(words[1])") {
            return (command, Array(words.dropFirst(2)))
        }
        if let command = Self.named(first) { return (command, Array(words.dropFirst())) }
        throw Self.unknown(first, words.dropFirst().first)
    }

    static func named(_ name: String) -> (any Command.Type)? {
        Self.commands(of: String(name.prefix { $0 != " " })).first { $0.page.name == name }
            ?? Self.hidden.first { $0.page.name == name }
    }

    /// The commands with this first word; they are adjacent in ``all``, so the search ends after the last of them.
    private static func commands(of first: String) -> ArraySlice<any Command.Type> {
        let belongs = { (command: any Command.Type) in
            command.page.name == first || command.page.name.hasPrefix(first + " ")
        }
        return Self.all.drop { !belongs($0) }.prefix { belongs($0) }
    }

    static func family(_ first: String) -> [String] {
        Self.commands(of: first).map { $0.page.name }.filter { $0.hasPrefix(first + " ") }
            .map { String($0.dropFirst(first.count + 1)) }
    }

    /// Whether the words, which name no command, may be words of a reminder: the first one resembles no name.
    static func maySearch(_ words: [String]) -> Bool {
        guard let first = words.first, first.first?.isLetter == true || first.first?.isNumber == true else {
            return false
        }
        // 'elete' resembles 'delete', although no error suggests it.
        let resembles = Self.meant(by: first) != nil || Spelling.nearest(to: first, among: Self.firstWords) != nil
        return Self.family(first).isEmpty && !resembles
    }

    private static func unknown(_ first: String, _ second: String?) -> UsageError {
        let family = Self.family(first)
        guard family.isEmpty else {
            let list = family.map { "'\(first) \($0)'" }.joined(separator: ", ")
            let problem = second.map { "There is no command '\(first) \($0)'" } ?? "'\(first)' needs a second word"
            return UsageError(.unknownCommand, "\(problem). The commands are \(list).", command: first)
        }
        let guess = Self.meant(by: first).map { " Did you mean '\($0)'?" } ?? ""
        return UsageError(.unknownCommand, "There is no command '\(first)'.\(guess)")
    }

    /// The name of the command that the user probably means; `nil` if no name is similar.
    private static func meant(by word: String) -> String? {
        if ["undelete", "restore", "recover"].contains(word) { return "trash restore" }
        if Self.wordsOfRemoval.contains(word) { return "delete" }
        if Self.wordsOfChange.contains(word) { return "edit" }
        return Self.nearest(to: word, among: Self.firstWords)
    }

    private static var firstWords: [String] {
        Set(Self.all.map { String($0.page.name.prefix { $0 != " " }) }).sorted()
    }

    /// The command that the user probably means by an extra word after a command's name.
    static func meant(by word: String, after name: String) -> String? {
        if name == "log", Int64(word) != nil { return "log --run \(word)" }
        let family = Self.family(name)
        let removal = Self.wordsOfRemoval.contains(word) ? family.first(where: Self.wordsOfRemoval.contains) : nil
        return (removal ?? Self.nearest(to: word, among: family)).map { "\(name) \($0)" }
    }

    private static let wordsOfRemoval: Set = ["rm", "del", "erase", "delete", "remove"]

    private static let wordsOfChange: Set = ["move", "mv", "change", "reschedule", "postpone"]

    private static let destroying: Set = ["delete", "discard", "dismiss", "merge", "remove", "revoke"]

    /// The most similar name; a destructive command must have the same first letter: 'undelete' does not mean 'delete'.
    private static func nearest(to word: String, among names: [String]) -> String? {
        Spelling.nearest(
            to: word,
            among: names.filter { !destroying.contains($0) || $0.first == word.lowercased().first }
        )
    }
}
