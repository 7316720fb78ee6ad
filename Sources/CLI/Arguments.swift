import RemindavDatePhrases

/// The words after a command's name: options and operands; all words after `--` are operands.
///
/// A quoted word such as `'--label work'` is an operand, because the name of an option has no space.
struct Arguments {
    private var given: [String: [String]] = [:]
    private var words: [String] = []
    private let options: [Option]
    /// The options and `--` in their order, each with the number of operands before it.
    private var marks: [(option: String, wordsBefore: Int)] = []

    init(_ words: [String], options: [Option]) throws(UsageError) {
        self.options = options
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                self.marks.append((word, self.words.count))
                self.words += rest
                return
            } else if word.hasPrefix("--"), word.prefix(while: { $0 != "=" }).contains(" ") {
                self.words.append(word)
            } else if word.hasPrefix("--") {
                try self.readLong(word, rest: &rest, options: options)
            } else if word.hasPrefix("-"), word != "-", !word.hasPrefix(QuickWord.withoutLabel), !Self.isNegative(word)
            {
                try self.readShort(word, rest: &rest, options: options)
            } else {
                self.words.append(word)
            }
        }
    }

    /// Whether the word is a negative length such as `-1d`; no option is a digit.
    private static func isNegative(_ word: String) -> Bool {
        let unit = word.dropFirst().drop(while: \.isPhraseDigit)
        return unit.count < word.count - 1 && !unit.isEmpty && unit.allSatisfy(\.isLetter)
    }

    private mutating func readLong(_ word: String, rest: inout ArraySlice<String>, options: [Option])
        throws(UsageError)
    {
        let name = String(word.prefix { $0 != "=" })
        guard let option = options.first(where: { $0.name == name }) else {
            throw Self.unknown(name, among: options.map(\.name))
        }
        var value = name.count < word.count ? String(word.dropFirst(name.count + 1)) : nil
        if option.value == nil, value != nil { throw UsageError(.unexpectedValue, "'\(name)' takes no value.") }
        if option.value != nil, value == nil {
            value = try Self.nextValue(of: option, called: name, rest: &rest, options: options)
        }
        try self.record(option, value)
    }

    private mutating func readShort(_ word: String, rest: inout ArraySlice<String>, options: [Option])
        throws(UsageError)
    {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                if let advice = self.adviceForLabel(word) {
                    throw UsageError(.unknownOption, "There is no option '\(word)'. \(advice)")
                }
                throw UsageError(
                    .unknownOption,
                    "There is no option '-\(letter)'. Write '--' before a word that begins with a hyphen."
                )
            }
            guard option.value != nil else {
                try self.record(option, nil)
                continue
            }
            // In `edit`, `-tag` means `-t ag` by its form, and in taskwarrior a tag to remove. The other commands have no
            // title to overwrite, and name a label that does not exist.
            if self.declares("--title"), ["--title", "--label"].contains(option.name),
                let advice = self.adviceForLabel(word)
            {
                let usual = "For '\(option.name) \(letters)', write '-\(letter) \(letters)'."
                throw UsageError(.unknownOption, "'\(word)' has two meanings. \(usual) \(advice)")
            }
            guard letters.isEmpty else { return try self.record(option, String(letters)) }
            try self.record(option, Self.nextValue(of: option, called: "-\(letter)", rest: &rest, options: options))
        }
    }

    /// The advice for `-home`, the form of taskwarrior; `nil` for a command without labels, and for other words.
    private func adviceForLabel(_ word: String) -> String? {
        let name = word.dropFirst()
        let takesLabels = ["--label", "--with-label"].contains { self.declares($0) }
        guard takesLabels, name.count > 2, name.allSatisfy({ $0.isLetter || "-_".contains($0) }) else { return nil }
        return "For a label to remove or to exclude, write '\(QuickWord.withoutLabel)\(name)'."
    }

    private static func nextValue(
        of option: Option,
        called name: String,
        rest: inout ArraySlice<String>,
        options: [Option]
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError(.missingValue, "'\(name)' needs a value: \(name) \(option.value ?? "").")
        }
        if !option.isHyphenated, value.hasPrefix("--"),
            value == "--" || options.contains(where: { value.hasPrefix($0.name) })
        {
            throw UsageError(
                .missingValue,
                "'\(name)' needs a value, but '\(value)' is an option. "
                    + "If it is the value, write \(option.name)=\(value)."
            )
        }
        return value
    }

    private mutating func record(_ option: Option, _ value: String?) throws(UsageError) {
        if self.given[option.name] != nil, option.occurs == .once {
            throw UsageError(.repeatedOption, "'\(option.name)' is given twice.")
        }
        self.given[option.name, default: []].append(value ?? "")
        self.marks.append((option.name, self.words.count))
    }

    private static func unknown(_ name: String, among names: [String]) -> UsageError {
        let guess = Spelling.nearest(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
        return UsageError(.unknownOption, "There is no option '\(name)'.\(guess)")
    }
}

extension Arguments {
    func declares(_ name: String) -> Bool { self.options.contains { $0.name == name } }

    func flag(_ name: String) -> Bool { !self.values(name).isEmpty }

    func value(_ name: String) -> String? { self.values(name).last }

    func value<Value>(_ name: String, _ parse: (String) throws(UsageError) -> Value) throws(UsageError) -> Value? {
        guard let text = self.value(name) else { return nil }
        return try parse(text)
    }

    func values(_ name: String) -> [String] {
        precondition(self.declares(name), "the option \(name) is read but not declared")
        return self.given[name] ?? []
    }

    mutating func operand(_ name: String) throws(UsageError) -> String {
        guard let word = self.optionalOperand() else { throw UsageError(.missingOperand, "\(name) is missing.") }
        return word
    }

    mutating func optionalOperand() -> String? { self.words.isEmpty ? nil : self.words.removeFirst() }

    /// The positions of the operands between an option's value and the next option; `nil` if the option is missing.
    private func wordsBehind(_ name: String) -> Range<Int>? {
        guard let mark = self.marks.lastIndex(where: { $0.option == name }) else { return nil }
        let end = mark + 1 < self.marks.count ? self.marks[mark + 1].wordsBefore : self.words.count
        return self.marks[mark].wordsBefore..<end
    }

    /// The maximum number of words that are joined to a date or rule; every valid date or rule has fewer words.
    static let longestPhrase = 16

    /// Joins the words in `--due tomorrow 9am` to one value; throws if only some of the words can belong to the value.
    mutating func joinPhrase(of name: String, _ isPhrase: (String) -> Bool) throws(UsageError) {
        guard let value = self.value(name), let range = self.wordsBehind(name), !range.isEmpty else { return }
        let words = self.words[range].prefix(Self.longestPhrase)
        let longest = words.indices.reversed().first { isPhrase(([value] + words[...$0]).joined(separator: " ")) }
        guard let longest else { return }
        let phrase = ([value] + words[...longest]).joined(separator: " ")
        guard longest == range.upperBound - 1 else {
            throw UsageError(
                .badValue,
                "It is not clear where the value of '\(name)' ends. Write it in quotation marks: \(name) '\(phrase)'."
            )
        }
        self.given[name] = self.values(name).dropLast() + [phrase]
        self.removeOperands(range)
    }

    /// The operands before `--`.
    var plainOperands: ArraySlice<String> {
        self.words[..<(self.marks.first { $0.option == "--" }?.wordsBefore ?? self.words.count)]
    }

    mutating func removeOperands(_ range: Range<Int>) {
        self.words.removeSubrange(range)
        for index in self.marks.indices where self.marks[index].wordsBefore >= range.upperBound {
            self.marks[index].wordsBefore -= range.count
        }
    }

    /// Adds an option that operands stand for.
    ///
    /// - Throws: if the option is given already and may occur only once.
    mutating func give(_ option: OptionValue) throws(UsageError) {
        if option == .open, !self.declares(option.name) {
            guard self.declares("--all"), self.flag("--all") else { return }
            throw UsageError(.badValue, "'status:pending' and '--all' cannot be combined.")
        }
        guard let declared = self.options.first(where: { $0.name == option.name }) else {
            preconditionFailure("the option \(option.name) is given but not declared")
        }
        try self.record(declared, option.value)
    }

    /// Reads each operand before `--` that stands for an option as this option, without the first `kept` operands.
    ///
    /// - Returns: the operands that were read.
    @discardableResult
    mutating func readOperands(behind kept: Int = 0, as option: (String) -> OptionValue?) throws(UsageError)
        -> [String]
    {
        var read: [String] = []
        var index = kept
        while index < self.plainOperands.count {
            if let value = option(self.words[index]) {
                read.append(self.words[index])
                self.removeOperands(index..<index + 1)
                try self.give(value)
            } else {
                index += 1
            }
        }
        return read
    }

    /// Whether there are operands before an option and directly after its value, so that the value's end is unclear.
    func hasWordsAround(_ name: String) -> Bool {
        guard let range = self.wordsBehind(name) else { return false }
        return range.lowerBound > 0 && !range.isEmpty
    }

    /// The operands between an option's value and the next option; `nil` if there are none.
    func text(behind name: String) -> String? {
        guard let range = self.wordsBehind(name), !range.isEmpty else { return nil }
        return self.words[range].joined(separator: " ")
    }

    mutating func optionalOperands() -> [String] {
        defer { self.words = [] }
        return self.words
    }

    mutating func operands(_ name: String) throws(UsageError) -> [String] {
        [try self.operand(name)] + self.optionalOperands()
    }

    /// - Throws: if operands remain.
    func finish() throws(UsageError) {
        guard let word = self.words.first else { return }
        throw UsageError(.tooManyOperands, "Unexpected word: '\(word)'. Write text with spaces in quotation marks.")
    }
}
