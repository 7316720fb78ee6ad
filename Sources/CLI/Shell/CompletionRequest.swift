/// The candidates for the last word of a command line, which may be incomplete or wrong.
struct CompletionRequest: Hashable, Sendable {
    private(set) var words: [Candidate] = []
    private(set) var kind = Completable.unknown
    /// The part of the last word before the completed value, such as `--list=` or `+`.
    private(set) var prefix = ""
    private(set) var current: String
    /// Whether a candidate may begin with a hyphen: after `--`, or after `--name=`; elsewhere it would be an option.
    private(set) var allowsHyphens = false
    /// Whether a candidate must be one word that begins with a letter, because it stands behind a sign such as `+`.
    private(set) var needsPlainNames = false
    /// The options of the command line that name the store and the settings file.
    private(set) var options = GlobalOptions()

    /// - Parameter current: the part of the last word that is typed already.
    init(_ words: [String], current: String) {
        self.current = current
        var rest = words[...]
        guard self.skipGlobalOptions(&rest) else { return }
        rest = CommandTable.expanded(Array(rest))[...]
        let names = rest.prefix { !$0.hasPrefix("-") }
        guard let first = names.first else {
            if self.completeName(ListReminders.page, behind: nil) { return }
            if current.hasPrefix("-") { self.addOptions(of: nil, given: []) } else { self.addCommands(after: []) }
            return
        }
        if names.count > 1, let command = CommandTable.named("\(first) \(names[names.startIndex + 1])") {
            self.complete(command.page, rest.dropFirst(2))
            return
        }
        if rest.count == 1, !current.hasPrefix("-") { self.addCommands(after: [first]) }
        if let command = CommandTable.named(first) { self.complete(command.page, rest.dropFirst()) }
    }

    /// - Returns: false if the last word is the value of a global option.
    private mutating func skipGlobalOptions(_ rest: inout ArraySlice<String>) -> Bool {
        while let word = rest.first, word.hasPrefix("-") {
            rest.removeFirst()
            guard let option = Self.option(word, among: GlobalOptions.table) else { continue }
            guard self.skipValue(of: option, word, isGlobal: true, for: nil, &rest) else { return false }
        }
        return true
    }

    /// - Returns: false if the last word is the value of this option.
    private mutating func skipValue(
        of option: Option,
        _ word: String,
        isGlobal: Bool,
        for page: CommandPage?,
        _ rest: inout ArraySlice<String>
    ) -> Bool {
        guard option.value != nil else { return true }
        let inside = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
        guard let value = inside ?? rest.popFirst() else {
            self.kind = Completable(option, of: page)
            return false
        }
        if isGlobal, option.name == "--store" { self.options.store = value }
        if isGlobal, option.name == "--tenant" { self.options.tenant = value }
        if isGlobal, option.name == "--config" { self.options.config = value }
        return true
    }

    private mutating func addCommands(after words: [String]) {
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

    private mutating func complete(_ page: CommandPage, _ words: ArraySlice<String>) {
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
                let isGlobal = !own.contains(option.name)
                guard self.skipValue(of: option, word, isGlobal: isGlobal, for: page, &rest) else { return }
            }
        }
        if !isBehindHyphens, self.completeName(page, behind: operands.last) { return }
        if !isBehindHyphens, self.current.hasPrefix("--"), let equals = self.current.firstIndex(of: "=") {
            guard let option = Self.option(self.current, among: table), option.value != nil else { return }
            self.prefix = String(self.current[...equals])
            self.current = String(self.current[equals...].dropFirst())
            self.allowsHyphens = true
            self.kind = Completable(option, of: page)
        } else if !isBehindHyphens, self.current.hasPrefix("-") {
            self.addOptions(of: table, given: given)
        } else if let operand = page.operands.dropFirst(operands.count).first
            ?? page.operands.last(where: { $0.occurs == .many || $0.name == "COMMAND" })
        {
            self.allowsHyphens = isBehindHyphens
            self.kind = Completable(operand, of: page)
            if self.kind == .commands {
                self.kind = .unknown
                self.addCommands(after: operands)
            }
        }
    }

    /// Completes the name of `+home`, `-+home` and `@Work`, for a command with filters, `add` and `edit`.
    ///
    /// - Parameter word: the word before the last one. bash splits `@Work` at the sign and completes the second part.
    /// - Returns: false if the last word does not begin with such a sign.
    private mutating func completeName(_ page: CommandPage, behind word: String?) -> Bool {
        let kinds: [(sign: String, kind: Completable)] = [
            (QuickWord.withoutLabel, .labels), ("+", .labels), (QuickWord.listSign, .lists),
        ]
        let sign = kinds.first { self.current.hasPrefix($0.sign) }
        let split = word == QuickWord.listSign ? kinds.last : nil
        guard let (_, kind) = sign ?? split, page.options.contains(where: { Completable($0, of: page) == kind }) else {
            return false
        }
        self.prefix = sign?.sign ?? ""
        self.current = String(self.current.dropFirst(self.prefix.count))
        self.needsPlainNames = true
        self.kind = kind
        return true
    }

    private mutating func addOptions(of table: [Option]?, given: Set<String>) {
        for option in table ?? GlobalOptions.table where option.occurs == .many || !given.contains(option.name) {
            self.words.append(Candidate(value: option.name, note: option.help.joined(separator: " ")))
        }
    }

    /// The option that a word names, with or without `=value`; for `-nq`, the option `-q`.
    private static func option(_ word: String, among table: [Option]) -> Option? {
        if word.hasPrefix("--") {
            let name = word.prefix { $0 != "=" }
            return table.first { $0.name == name }
        }
        guard let first = word.dropFirst().first, let option = table.first(where: { $0.short == first }) else {
            return nil
        }
        if option.value != nil { return word.count == 2 ? option : nil }
        return table.first { $0.short == word.last }
    }
}
