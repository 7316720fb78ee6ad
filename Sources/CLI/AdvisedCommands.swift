/// Adds the global options of an invocation to the commands that its messages advise.
///
/// The advised command then concerns the same store, with the same settings: `'remindav undo' reverts this.` becomes
/// `'remindav --tenant ada undo' reverts this.`
struct AdvisedCommands: Sendable {
    private static let starts = [
        "'remindav ", "Next: remindav ", " one: remindav ", " first reminder: remindav ", " first label: remindav ",
    ].map { Array($0.utf8) }

    private static let storeless: Set = ["completion", "config", "convert", "host", "ics"]

    private let options: GlobalOptions
    /// The options for each command.
    private let words: String
    /// The option that selects the store.
    private let storeWords: String

    init(_ options: GlobalOptions) {
        self.options = options
        self.words = options.config.map { "--config \($0.shellWord) " } ?? ""
        self.storeWords =
            options.tenant.map { "--tenant \($0.shellWord) " } ?? options.store.map { "--store \($0.shellWord) " } ?? ""
    }

    func complete(_ text: StyledText) -> StyledText {
        if self.words.isEmpty, self.storeWords.isEmpty { return text }
        var completed = StyledText()
        var start = 0
        for position in text.bytes.indices {
            let end = Self.starts.lazy.compactMap {
                text.bytes[position...].starts(with: $0) ? position + $0.count : nil
            }
            guard let end = end.first else { continue }
            completed.append(start..<end, of: text)
            completed.append(self.options(before: text.bytes[end...]))
            start = end
        }
        completed.append(start..<text.byteCount, of: text)
        return completed
    }

    func complete(_ text: String) -> String {
        self.complete(StyledText(text)).rendered(inColor: false)
    }

    /// Whether the option of the store applies to a command; an empty name is that of a command with this option.
    private func usesStore(_ command: String) -> Bool {
        if command.isEmpty || Self.storeless.contains(command) { return false }
        return self.options.tenant == nil || TenantCommands.mayRun(command)
    }

    private func options(before rest: ArraySlice<UInt8>) -> String {
        let letters = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        let command = String(decoding: letters, as: UTF8.self)
        // A help page is the same for each store.
        if command == "help" { return "" }
        return self.words + (self.usesStore(command) ? self.storeWords : "")
    }
}
