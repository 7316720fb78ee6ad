/// When text is coloured.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

/// What every command understands.
struct GlobalOptions: Hashable, Sendable {
    /// The folder of the store; `nil` for the usual one.
    var store: String?
    /// The file with the settings; `nil` for the usual one.
    var config: String?
    /// `nil` when nothing was said.
    var color: ColorChoice?
    var isQuiet = false
    var wantsHelp = false
    var wantsVersion = false
    /// What the file with the settings says; read when the command is known.
    var file = SettingsFile.absent

    static let table: [Option] = [
        Option("--store", value: "DIR", occurs: .last, "Keep everything in DIR instead of the usual folder"),
        Option("--config", value: "FILE", occurs: .last, "Take the settings from FILE instead of the usual file"),
        Option("--color", value: "WHEN", occurs: .last, "Colour: auto, always or never"),
        Option("--quiet", short: "q", occurs: .last, "Leave out confirmations, notes and progress"),
        Option("--help", short: "h", occurs: .last, "Show the help page"),
        Option("--version", occurs: .last, "Show the version"),
    ]

    init() {}

    /// What `arguments` say, on top of these.
    ///
    /// - Parameter taken: names that the command uses for something of its own, such as the colour of a list.
    func updated(by arguments: Arguments, except taken: Set<String>) throws(UsageError) -> Self {
        var new = self
        if !taken.contains("--store"), let store = arguments.value("--store") {
            if store.isEmpty { throw UsageError(.badValue, "'--store' needs the path of a folder.") }
            new.store = store
        }
        if let config = arguments.value("--config") {
            if config.isEmpty { throw UsageError(.badValue, "'--config' needs the path of a file.") }
            new.config = config
        }
        if !taken.contains("--color"), let word = arguments.value("--color") {
            guard let color = ColorChoice(rawValue: word) else {
                throw UsageError(.badValue, "'--color' is one of auto, always and never, not '\(word)'.")
            }
            new.color = color
        }
        new.isQuiet = new.isQuiet || arguments.flag("--quiet")
        new.wantsHelp = new.wantsHelp || arguments.flag("--help")
        new.wantsVersion = new.wantsVersion || arguments.flag("--version")
        return new
    }

    /// How many words at the beginning are global options and their values.
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

    /// Where the command's name stands: behind the global options that lead.
    static func leadingCount(_ words: [String]) -> Int {
        var index = 0
        while index < words.count, words[index].hasPrefix("-"), words[index] != "--" {
            let takesNext = Self.table.contains { $0.value != nil && $0.name == words[index] }
            index += takesNext ? 2 : 1
        }
        return min(index, words.count)
    }
}
