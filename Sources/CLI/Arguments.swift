import DatePhrases

/// The words after a command's name, assigned by its option table.
///
/// Understood are `--name value`, `--name=value`, `-x value`, `-xvalue`, short flags in one word (`-nq`), `--` before
/// words that are no options, and a single `-`, which is an operand. A command reads its declared options, then
/// calls ``finish()``.
struct Arguments {
    private var given: [String: [String]] = [:]
    private var words: [String] = []
    private let declared: Set<String>
    /// The options in order, each with the number of words before it; `--` is one of them.
    private var marks: [(option: String, wordsBefore: Int)] = []

    /// Sorts `words` by `options`.
    ///
    /// - Throws: an unknown option, a value that is missing or too much, a repetition.
    init(_ words: [String], options: [Option]) throws(UsageError) {
        self.declared = Set(options.map(\.name))
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                self.marks.append((word, self.words.count))
                self.words += rest
                return
            } else if word.hasPrefix("--") {
                try self.readLong(word, rest: &rest, options: options)
            } else if word.hasPrefix("-"), word != "-" {
                try self.readShort(word, rest: &rest, options: options)
            } else {
                self.words.append(word)
            }
        }
    }

    private mutating func readLong(
        _ word: String,
        rest: inout ArraySlice<String>,
        options: [Option]
    ) throws(UsageError) {
        let name = String(word.prefix { $0 != "=" })
        guard let option = options.first(where: { $0.name == name }) else {
            throw Self.unknown(name, among: options.map(\.name))
        }
        var value = name.count < word.count ? String(word.dropFirst(name.count + 1)) : nil
        if option.value == nil, value != nil {
            throw UsageError(.unexpectedValue, "'\(name)' takes no value.")
        }
        if option.value != nil, value == nil {
            value = try Self.nextValue(of: option, called: name, rest: &rest, options: options)
        }
        try self.record(option, value)
    }

    private mutating func readShort(
        _ word: String,
        rest: inout ArraySlice<String>,
        options: [Option]
    ) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw UsageError(
                    .unknownOption,
                    "There is no option '-\(letter)'. A word that begins with a hyphen goes after '--'."
                )
            }
            guard option.value != nil else {
                try self.record(option, nil)
                continue
            }
            if letters.isEmpty {
                try self.record(option, Self.nextValue(of: option, called: "-\(letter)", rest: &rest, options: options))
            } else {
                try self.record(option, String(letters))
            }
            return
        }
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
        if value.hasPrefix("--"), value == "--" || options.contains(where: { value.hasPrefix($0.name) }) {
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
        return UsageError(.unknownOption, "There is no option '\(name)' here.\(guess)")
    }
}

extension Arguments {
    /// Whether a flag was given.
    func flag(_ name: String) -> Bool { !self.values(name).isEmpty }

    /// The value of an option; the last one of several; `nil` without the option.
    func value(_ name: String) -> String? { self.values(name).last }

    /// The values of an option in their order, none when it was not given.
    func values(_ name: String) -> [String] {
        precondition(self.declared.contains(name), "the option \(name) is read but not declared")
        return self.given[name] ?? []
    }

    /// The next word.
    mutating func operand(_ name: String) throws(UsageError) -> String {
        guard let word = self.optionalOperand() else {
            throw UsageError(.missingOperand, "\(name) is missing.")
        }
        return word
    }

    mutating func optionalOperand() -> String? { self.words.isEmpty ? nil : self.words.removeFirst() }

    /// The positions of the words between an option's value and the next option; `nil` without the option.
    private func wordsBehind(_ name: String) -> Range<Int>? {
        guard let mark = self.marks.lastIndex(where: { $0.option == name }) else { return nil }
        let end = mark + 1 < self.marks.count ? self.marks[mark + 1].wordsBefore : self.words.count
        return self.marks[mark].wordsBefore..<end
    }

    /// Words that are tried as a part of a value: the longest dates and rules have fewer.
    private static let longestPhrase = 16

    /// Appends words after an option to its value if they belong to it: `--due tomorrow 9am`.
    ///
    /// To be called before operands are taken.
    ///
    /// - Parameter isPhrase: whether a text is a value of the option.
    /// - Throws: `badValue` where only some of the words could belong to it.
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
        let others = self.values(name).dropLast()
        self.given[name] = others + [phrase]
        self.words.removeSubrange(range)
        for index in self.marks.indices where self.marks[index].wordsBefore >= range.upperBound {
            self.marks[index].wordsBefore -= range.count
        }
    }

    /// Whether words before an option and directly after its value may be one value.
    func hasWordsAround(_ name: String) -> Bool {
        guard let range = self.wordsBehind(name) else { return false }
        return range.lowerBound > 0 && !range.isEmpty
    }

    /// All words that are left, at least one.
    mutating func operands(_ name: String) throws(UsageError) -> [String] {
        var all = [try self.operand(name)]
        all += self.words
        self.words = []
        return all
    }

    /// - Throws: if there is an extra word.
    func finish() throws(UsageError) {
        guard let word = self.words.first else { return }
        throw UsageError(
            .tooManyOperands,
            "Unexpected word: '\(word)'. Write text with spaces in quotation marks."
        )
    }
}
