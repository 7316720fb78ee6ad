enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

struct GlobalOptions: Hashable, Sendable {
    /// The folder of the store; `nil` for the default folder.
    var store: String?
    /// The name of a tenant of the host; `nil` selects the store of this machine.
    var tenant: String?
    /// The settings file; `nil` for the default file.
    var config: String?
    var color: ColorChoice?
    var isQuiet = false
    /// The names of the command's own options that are given.
    var flags: Set<String> = []
    var wantsHelp = false
    var wantsVersion = false
    /// Whether a text that is longer than the screen is shown in a pager.
    var isPaged = false
    /// The settings file, which is read when the command is known.
    var file = SettingsFile.absent

    static let table: [Option] = [
        Option("--store", value: "DIR", occurs: .last, "Use the store in DIR instead of the default folder"),
        Option("--tenant", value: "NAME", occurs: .last, "Use the store of this tenant of the host"),
        Option("--config", value: "FILE", occurs: .last, "Read the settings from FILE instead of the default file"),
        Option("--color", value: "WHEN", occurs: .last, "Colour of the output: auto, always or never"),
        Option("--quiet", short: "q", occurs: .last, "Omit confirmations, notes and progress"),
        Option("--help", short: "h", occurs: .last, "Show the help page"),
        Option("--version", occurs: .last, "Show the version"),
    ]

    /// - Parameter own: names of options that the command defines itself, such as `--color` for the colour of a list.
    func updated(by arguments: Arguments, except own: Set<String>) throws(UsageError) -> Self {
        var new = self
        if !own.contains("--store") { new.store = arguments.value("--store") ?? new.store }
        new.tenant = arguments.value("--tenant") ?? new.tenant
        if new.tenant == "" { throw UsageError(.badValue, "'--tenant' needs the name of a tenant.") }
        if new.tenant != nil, new.store != nil {
            throw UsageError(.badValue, "'--tenant' cannot be combined with '--store'.")
        }
        new.config = arguments.value("--config") ?? new.config
        if new.store == "" { throw UsageError(.badValue, "'--store' needs the path of a folder.") }
        if new.config == "" { throw UsageError(.badValue, "'--config' needs the path of a file.") }
        if !own.contains("--color"), let word = arguments.value("--color") {
            guard let color = ColorChoice(rawValue: word) else {
                throw UsageError(.badValue, "'--color' must be auto, always or never, not '\(word)'.")
            }
            new.color = color
        }
        new.isQuiet = new.isQuiet || arguments.flag("--quiet")
        new.wantsHelp = new.wantsHelp || arguments.flag("--help")
        new.wantsVersion = new.wantsVersion || arguments.flag("--version")
        return new
    }

    /// Adds these options to the commands in messages.
    var advisedCommands: AdvisedCommands {
        AdvisedCommands(config: self.config, store: self.store, tenant: self.tenant)
    }

    /// The number of words at the beginning that are global options or their values.
    static func count(in words: ArraySlice<String>) -> Int {
        var rest = words
        while let word = rest.first {
            let name = word.prefix { $0 != "=" }
            let option = Self.table.first { $0.name == name || $0.short.map { "-\($0)" } == word }
            guard let option else { break }
            rest = rest.dropFirst(option.value != nil && word == option.name ? 2 : 1)
        }
        return words.count - rest.count
    }

    /// The position of the command's name, which is after the global options.
    static func leadingCount(_ words: [String]) -> Int {
        var index = 0
        while index < words.count, words[index].hasPrefix("-"), words[index] != "--",
            !words[index].hasPrefix(QuickWord.withoutLabel)
        {
            let hasValue = Self.table.contains { $0.value != nil && $0.name == words[index] }
            index += hasValue ? 2 : 1
        }
        return min(index, words.count)
    }
}
