enum Invocation: Sendable {
    case help(String)
    case version
    case run(any Command, GlobalOptions)

    /// Parses the command line; global options may stand before and after the name of the command.
    static func read(_ words: [String]) throws(UsageError) -> Self {
        let words = Self.hoisting(words)
        let count = GlobalOptions.leadingCount(words)
        let leading = try Arguments(Array(words[..<count]), options: GlobalOptions.table)
        let global = try GlobalOptions().updated(by: leading, except: [])
        if global.wantsVersion { return .version }
        let rest = Array(words[count...])
        if global.wantsHelp { return .help(try self.helpText(rest.filter { !$0.hasPrefix("-") })) }
        if rest.count == 2, ["--help", "-h"].contains(rest[1]), self.isFamilyOnly(rest[0]) {
            return .help(HelpPages.family(rest[0]))
        }
        if rest.isEmpty { return .run(ShowOverview(), global) }
        let found: (command: any Command.Type, rest: [String])
        do { found = try CommandTable.find(rest) } catch {
            guard CommandTable.maySearch(rest) else { throw error }
            return try self.search(rest, global, orElse: error)
        }
        return try self.read(found.command, global, found.rest)
    }

    /// The search for the words of a command line without a command.
    ///
    /// - Throws: `unknown`, if the words are no valid search.
    private static func search(_ words: [String], _ global: GlobalOptions, orElse unknown: UsageError)
        throws(UsageError) -> Self
    {
        guard let invocation = try? self.read(SearchReminders.self, global, words),
            case .run(let command, let options) = invocation, var search = command as? SearchReminders
        else { throw unknown }
        search.unknown = unknown
        return .run(search, options)
    }

    static func helpText(_ words: [String]) throws(UsageError) -> String {
        if words.isEmpty { return HelpPages.overview() }
        if words == ["commands"] { return HelpPages.commands() }
        if words.count == 1, self.isFamilyOnly(words[0]) { return HelpPages.family(words[0]) }
        return HelpPages.page(try CommandTable.find(words).command.page)
    }

    /// Moves global options before the name of the command if they stand between its two words: `labels --quiet add`.
    private static func hoisting(_ words: [String]) -> [String] {
        let start = GlobalOptions.leadingCount(words)
        guard start < words.count else { return words }
        let first = words[start]
        let end = start + 1 + GlobalOptions.count(in: words[(start + 1)...])
        let isName = end < words.count && CommandTable.named("\(first) \(words[end])") != nil
        guard isName || self.isFamilyOnly(first) else { return words }
        return Array(words[..<start] + words[(start + 1)..<end] + [first] + words[end...])
    }

    private static func isFamilyOnly(_ word: String) -> Bool {
        CommandTable.named(word) == nil && !CommandTable.family(word).isEmpty
    }

    /// - Throws: if the word after a command's name is probably the second word of another command's name.
    private static func checkWord(_ word: String?, after page: CommandPage) throws(UsageError) {
        guard let word, !word.hasPrefix("-"), page.operands.isEmpty,
            let meant = CommandTable.meant(by: word, after: page.name)
        else { return }
        let name = "\(page.name) \(Sanitizer.line(word))"
        throw UsageError(.tooManyOperands, "There is no '\(name)'. Did you mean '\(meant)'?")
    }

    private static func read(_ type: any Command.Type, _ leading: GlobalOptions, _ words: [String])
        throws(UsageError) -> Self
    {
        do throws(UsageError) {
            try self.checkWord(words.dropFirst(GlobalOptions.count(in: words[...])).first, after: type.page)
            // The command's own options come first, because its '--color' may be the colour of a list.
            let own = Set(type.page.options.map(\.name))
            var arguments = try Arguments(type.marked(words), options: type.page.options + GlobalOptions.table)
            var global = try leading.updated(by: arguments, except: own)
            global.flags = Set(own.filter(arguments.flag))
            if global.wantsHelp { return .help(HelpPages.page(type.page)) }
            if global.wantsVersion { return .version }
            if global.tenant != nil, !TenantCommands.mayRun(type.page.name) {
                throw UsageError(.badValue, "'--tenant' cannot be combined with '\(type.page.name)'.")
            }
            let command = try type.init(&arguments)
            try arguments.finish()
            return .run(command, global)
        } catch {
            var error = error
            error.command = type.page.name
            throw error
        }
    }
}
