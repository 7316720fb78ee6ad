import DatePhrases

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
                ServeFeeds.self,
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

    /// The other names of commands, which users of similar programs type: each with the words that it means.
    static let aliases: KeyValuePairs<String, [String]> = [
        "ls": ["list"], "today": ["list", "--section", "today"], "new": ["add"], "do": ["done"],
        "complete": ["done"], "rm": ["delete"],
    ]

    /// The words of a command line with the alias at its beginning replaced.
    static func expanded(_ words: [String]) -> [String] {
        guard let first = words.first, let alias = Self.aliases.first(where: { $0.key == first }) else { return words }
        return alias.value + words.dropFirst()
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
        return Self.nearest(to: word, among: Set(Self.all.map { String($0.page.name.prefix { $0 != " " }) }).sorted())
    }

    /// The command that the user probably means by an extra word after a command's name.
    static func meant(by word: String, after name: String) -> String? {
        if name == "log", Int64(word) != nil { return "log --run \(word)" }
        let family = Self.family(name)
        let removal = Self.wordsOfRemoval.contains(word) ? family.first(where: Self.wordsOfRemoval.contains) : nil
        return (removal ?? Self.nearest(to: word, among: family)).map { "\(name) \($0)" }
    }

    private static let wordsOfRemoval: Set = ["rm", "del", "erase", "delete", "remove"]

    private static let destroying: Set = ["delete", "discard", "dismiss", "merge", "remove", "revoke"]

    /// The most similar name; a destructive command must have the same first letter: 'undelete' does not mean 'delete'.
    private static func nearest(to word: String, among names: [String]) -> String? {
        Spelling.nearest(
            to: word,
            among: names.filter { !destroying.contains($0) || $0.first == word.lowercased().first }
        )
    }
}
