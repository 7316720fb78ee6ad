/// One thing that a person can ask for.
///
/// `init` reads the words and cannot act; `run` acts and cannot read the words.
protocol Command: Sendable {
    /// What the help says, and which words there may be.
    static var page: CommandPage { get }

    /// Whether it ends before it begins when a line of the settings cannot be used.
    static var needsSettings: Bool { get }

    init(_ arguments: inout Arguments) throws(UsageError)

    func run(in context: Context) async throws -> ExitStatus
}

extension Command {
    static var needsSettings: Bool { true }
}

/// The parts of `remindav --help`.
enum CommandGroup: String, CaseIterable, Sendable {
    case reminders = "Reminders"
    case servers = "Lists and servers"
    case files = "Files"
    case feeds = "Feeds"
    case help = "Help and settings"
}

/// What the help says about a command; the option table is the one that its words are sorted by.
struct CommandPage: Sendable {
    /// One word, or two: `account add`.
    let name: String
    let group: CommandGroup
    /// What it does, as an order without a full stop.
    let summary: String
    /// What stands behind the name, one entry per line.
    let usage: [String]
    var operands: [Operand] = []
    var options: [Option] = []
    /// Paragraphs; lines of at most 78 columns.
    var details: [String] = []
    /// Command lines that work, each with what it does.
    var examples: [Example] = []
    /// The exit statuses that mean something special here, besides 0, 1 and 2.
    var exits: [ExitStatus] = []
    /// What 0, 1 and 2 mean here when it is not what they mean elsewhere.
    var meanings: [ExitStatus: String] = [:]

    struct Example: Sendable {
        let line: String
        let meaning: String

        init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }
}

/// All commands, in the order of the help.
enum CommandTable {
    static let all: [any Command.Type] = [
        ListReminders.self, SearchReminders.self, ShowReminder.self, AddReminder.self, EditReminder.self,
        CompleteReminders.self, ReopenReminders.self, SnoozeReminder.self, DeleteReminders.self, OpenReminder.self,
        ShowAlarms.self, ClearAlarms.self, RunDaemon.self, ShowStatus.self, ShowStatistics.self,
        ShowLabels.self, AddLabel.self, RenameLabel.self, RecolorLabel.self, MergeLabels.self, DeleteLabel.self,
        ShowLists.self, SetDefaultList.self, AddList.self, RenameList.self, RecolorList.self, SetListDefaults.self,
        DeleteList.self, KeepList.self, DiscardEdits.self, AddAccount.self, ShowAccounts.self, SetAccount.self,
        ChangePassword.self,
        TrustServer.self, RemoveAccount.self, SyncLists.self,
        ShowConflicts.self, RestoreConflicts.self, DismissConflicts.self, ShowLog.self, UndoChanges.self,
        ShowTrash.self, RestoreFromTrash.self,
        ImportFile.self, ExportFile.self, FormatFile.self, CheckFile.self, DiffFiles.self, ConvertFile.self,
        ExpandFile.self, ExpandRule.self,
        CreateFeed.self, ShowFeeds.self, RevokeFeed.self, ServeFeeds.self,
        SetUp.self, ShowHelp.self, ShowVersion.self, ShowSettings.self, PrintCompletion.self, RunDoctor.self,
        InstallService.self, ShowService.self, RemoveService.self,
    ]

    /// Commands that no help speaks of, since only programs use them.
    static let hidden: [any Command.Type] = [CompleteArguments.self]

    /// The command that `words` begin with, and the words behind its name.
    ///
    /// A name of two words goes before one of one: `lists add` is not `lists` with a word too many.
    static func find(_ words: [String]) throws(UsageError) -> (command: any Command.Type, rest: [String]) {
        guard let first = words.first else {
            throw UsageError(.missingCommand, "There is no command.")
        }
        if words.count > 1, let command = Self.named("\(first) \(words[1])") {
            return (command, Array(words.dropFirst(2)))
        }
        if let command = Self.named(first) { return (command, Array(words.dropFirst())) }
        throw Self.unknown(first, words.dropFirst().first)
    }

    /// The command with exactly this name.
    static func named(_ name: String) -> (any Command.Type)? {
        // No page is made to find out that a title is no second word of 'add'.
        if let space = name.firstIndex(of: " "), !Self.families.contains(String(name[..<space])) { return nil }
        return Self.all.first { $0.page.name == name } ?? Self.hidden.first { $0.page.name == name }
    }

    /// The first words of names of two.
    static let families = ["alarms", "labels", "lists", "account", "conflicts", "trash", "ics", "feed", "service"]

    /// The second words of commands that begin with `first`.
    static func family(_ first: String) -> [String] {
        Self.all.map { $0.page.name }.filter { $0.hasPrefix(first + " ") }.map { String($0.dropFirst(first.count + 1)) }
    }

    private static func unknown(_ first: String, _ second: String?) -> UsageError {
        let family = Self.family(first)
        guard family.isEmpty else {
            let list = family.map { "'\(first) \($0)'" }.joined(separator: ", ")
            let said = second.map { "There is no command '\(first) \($0)'" } ?? "'\(first)' needs a second word"
            return UsageError(.unknownCommand, "\(said): there is \(list).", command: first)
        }
        let guess = Self.meant(by: first).map { " Did you mean '\($0)'?" } ?? ""
        return UsageError(.unknownCommand, "There is no command '\(first)'.\(guess)")
    }

    /// The command that somebody means by a word that is none; `nil` when nobody can tell.
    private static func meant(by word: String) -> String? {
        if ["undelete", "restore", "recover"].contains(word) { return "trash restore" }
        if Self.wordsOfRemoval.contains(word) { return "delete" }
        return Self.nearest(to: word, among: Set(Self.all.map { String($0.page.name.prefix { $0 != " " }) }).sorted())
    }

    /// What is to be written for a word too many behind a command's name; `nil` when nobody can tell.
    static func meant(by word: String, after name: String) -> String? {
        if name == "log", Int64(word) != nil { return "log --run \(word)" }
        let family = Self.family(name)
        let removal = Self.wordsOfRemoval.contains(word) ? family.first(where: Self.wordsOfRemoval.contains) : nil
        return (removal ?? Self.nearest(to: word, among: family)).map { "\(name) \($0)" }
    }

    /// What people call it on other systems, and what it is called here.
    private static let wordsOfRemoval: Set = ["rm", "del", "erase", "delete", "remove"]

    private static let destroying: Set = ["delete", "discard", "dismiss", "merge", "remove", "revoke"]

    /// The nearest name; one that destroys only for a word that begins alike: 'undelete' is no slip of 'delete'.
    private static func nearest(to word: String, among names: [String]) -> String? {
        Spelling.nearest(
            to: word,
            among: names.filter { !destroying.contains($0) || $0.first == word.lowercased().first }
        )
    }
}
