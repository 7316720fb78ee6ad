/// A request for the candidates of the last word of a command line.
///
/// Read from the tables that the words themselves are read by, and more patiently: half a command line has mistakes.
struct CompletionRequest: Hashable, Sendable {
    private(set) var words: [Candidate] = []
    /// Candidates from the store or the file system.
    private(set) var kind = Completable.unknown
    /// The part of the last word before each candidate: `--list=`.
    private(set) var prefix = ""
    /// The part of the candidate that exists.
    private(set) var current: String
    /// Whether an answer may begin with a hyphen and still be a value: behind `--`, and as the value of an option in the
    /// same word.
    ///
    /// Elsewhere it would be read as an option.
    private(set) var takesHyphens = false
    /// The global options of the command line, which name the store.
    private(set) var options = GlobalOptions()

    /// - Parameters:
    ///   - words: those before the one that is asked about, without the program's name.
    ///   - current: as much of that one as is there.
    init(_ words: [String], current: String) {
        self.current = current
        var rest = words[...]
        guard self.skipGlobalOptions(&rest) else { return }
        let names = rest.prefix { !$0.hasPrefix("-") }
        guard let first = names.first else {
            if current.hasPrefix("-") { self.askForOption(of: nil, given: []) } else { self.askForCommand(behind: []) }
            return
        }
        if names.count > 1, let command = CommandTable.named("\(first) \(names[names.startIndex + 1])") {
            self.askBehind(command.page, rest.dropFirst(2))
            return
        }
        if rest.count == 1, !current.hasPrefix("-") { self.askForCommand(behind: [first]) }
        if let command = CommandTable.named(first) { self.askBehind(command.page, rest.dropFirst()) }
    }

    /// Skips the global options at the beginning.
    ///
    /// - Returns: whether there are words after them.
    private mutating func skipGlobalOptions(_ rest: inout ArraySlice<String>) -> Bool {
        while let word = rest.first, word.hasPrefix("-") {
            rest = rest.dropFirst()
            guard let option = Self.option(word, among: GlobalOptions.table), option.value != nil else { continue }
            if word.contains("=") {
                self.note(option, String(word.drop { $0 != "=" }.dropFirst()))
            } else if let value = rest.popFirst() {
                self.note(option, value)
            } else {
                self.kind = Completable(option, of: nil)
                return false
            }
        }
        return true
    }

    /// Adds the first words of commands, or the words after `words`.
    private mutating func askForCommand(behind words: [String]) {
        let start = words.map { $0 + " " }.joined()
        var seen: Set<String> = []
        for page in CommandTable.all.map({ $0.page }) where page.name.hasPrefix(start) {
            let rest = page.name.dropFirst(start.count)
            let word = String(rest.prefix { $0 != " " })
            guard seen.insert(word).inserted else { continue }
            let isWhole = CommandTable.named(start + word) != nil
            let others = CommandTable.family(start + word)
            let note = isWhole ? page.summary : "Commands: " + others.joined(separator: ", ")
            self.words.append(Candidate(value: word, note: note))
        }
    }

    /// Finds the candidates after a command's name and `rest`.
    private mutating func askBehind(_ page: CommandPage, _ words: ArraySlice<String>) {
        let own = Set(page.options.map(\.name))
        let table = page.options + GlobalOptions.table.filter { !own.contains($0.name) }
        var rest = words
        var operands: [String] = []
        var given: Set<String> = []
        var isBehindHyphens = false
        while let word = rest.popFirst() {
            if isBehindHyphens || !word.hasPrefix("-") || word == "-" {
                operands.append(word)
            } else if word == "--" {
                isBehindHyphens = true
            } else if let option = Self.option(word, among: table) {
                given.insert(option.name)
                guard option.value != nil else { continue }
                let isOwn = own.contains(option.name)
                if word.contains("=") {
                    if !isOwn { self.note(option, String(word.drop { $0 != "=" }.dropFirst())) }
                } else if let value = rest.popFirst() {
                    if !isOwn { self.note(option, value) }
                } else {
                    self.kind = Completable(option, of: page)
                    return
                }
            }
        }
        self.ask(page, table: table, given: given, operands, isBehindHyphens)
    }

    private mutating func ask(
        _ page: CommandPage,
        table: [Option],
        given: Set<String>,
        _ operands: [String],
        _ isBehindHyphens: Bool
    ) {
        if !isBehindHyphens, self.current.hasPrefix("--"), let equals = self.current.firstIndex(of: "=") {
            guard let option = Self.option(self.current, among: table), option.value != nil else { return }
            self.prefix = String(self.current[...equals])
            self.current = String(self.current[equals...].dropFirst())
            self.takesHyphens = true
            self.kind = Completable(option, of: page)
        } else if !isBehindHyphens, self.current.hasPrefix("-") {
            self.askForOption(of: table, given: given)
        } else if let operand = Self.operand(operands.count, of: page) {
            self.takesHyphens = isBehindHyphens
            self.kind = Completable(operand, of: page)
            if self.kind == .commands {
                self.kind = .unknown
                self.askForCommand(behind: operands)
            }
        }
    }

    private static func operand(_ index: Int, of page: CommandPage) -> Operand? {
        if index < page.operands.count { return page.operands[index] }
        // A command's name may have two words.
        return page.operands.last { $0.occurs == .many || $0.name == "COMMAND" }
    }

    private mutating func askForOption(of table: [Option]?, given: Set<String>) {
        for option in table ?? GlobalOptions.table where option.occurs == .many || !given.contains(option.name) {
            self.words.append(Candidate(value: option.name, note: option.help.joined(separator: " ")))
        }
    }

    private mutating func note(_ option: Option, _ value: String) {
        switch option.name {
        case "--store": self.options.store = value
        case "--config": self.options.config = value
        default: break
        }
    }

    /// The option that a word is, with or without a value in it; `-nq` is its last letter, which may want a value.
    private static func option(_ word: String, among table: [Option]) -> Option? {
        if word.hasPrefix("--") {
            let name = word.prefix { $0 != "=" }
            return table.first { $0.name == name }
        }
        guard let first = word.dropFirst().first, let option = table.first(where: { $0.short == first }) else {
            return nil
        }
        // `--option=value` in one word.
        if option.value != nil { return word.count == 2 ? option : nil }
        return table.first { $0.short == word.last }
    }
}
