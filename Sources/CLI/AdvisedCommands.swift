/// Adds the global options of an invocation to the commands that its messages advise.
///
/// The advised command then concerns the same store, with the same settings: `'remindav undo' reverts this.` becomes
/// `'remindav --tenant ada undo' reverts this.`
struct AdvisedCommands: Sendable {
    /// The beginning of a command in quotation marks.
    private static let quoted = Array("'remindav ".utf8)
    /// The beginnings of a command without them, in a text that contains no title of a reminder.
    private static let unquoted = [": remindav ", "\n  remindav "].map { Array($0.utf8) }

    /// The commands that use no store.
    private static let storeless: Set = ["completion", "config", "convert", "host", "ics"]

    /// The options for each command.
    private let words: String
    /// The option that selects the store.
    private let storeWords: String
    private let concernsTenant: Bool

    /// - Parameters:
    ///   - config: the settings file of the invocation; `nil` for the default file.
    ///   - store: the folder of the store; `nil` for the default folder.
    ///   - tenant: the name of a tenant of the host; `nil` for the store of this machine.
    init(config: String? = nil, store: String? = nil, tenant: String? = nil) {
        self.words = config.map { "--config \($0.shellWord) " } ?? ""
        self.storeWords = tenant.map { "--tenant \($0.shellWord) " } ?? store.map { "--store \($0.shellWord) " } ?? ""
        self.concernsTenant = tenant != nil
    }

    /// - Parameter mayQuoteTitles: whether the text may contain a title, such as `Deleted 3: remindav notes`.
    func complete(_ text: StyledText, mayQuoteTitles: Bool = true) -> StyledText {
        if self.words.isEmpty, self.storeWords.isEmpty { return text }
        var completed = StyledText()
        var start = 0
        let starts = mayQuoteTitles ? [Self.quoted] : [Self.quoted] + Self.unquoted
        for position in text.bytes.indices {
            guard let found = starts.first(where: { text.bytes[position...].starts(with: $0) }) else { continue }
            let end = position + found.count
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

    /// Whether the option that selects the store applies to a command; `false` for an empty name, because an option is
    /// before the name then.
    private func usesStore(_ command: String) -> Bool {
        if command.isEmpty || Self.storeless.contains(command) { return false }
        return !self.concernsTenant || TenantCommands.mayRun(command)
    }

    private func options(before rest: ArraySlice<UInt8>) -> String {
        let letters = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        let command = String(decoding: letters, as: UTF8.self)
        // A help page is the same for each store.
        if command == "help" { return "" }
        return self.words + (self.usesStore(command) ? self.storeWords : "")
    }
}
