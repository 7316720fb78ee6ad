/// A server's own words about an error, as a person may read them.
enum ServerText {
    /// Words that only a server's inside says, in lower case: states of databases, names of classes, places in programs.
    private static let inside = [
        "sqlstate", "exception", "traceback", "stack trace", "constraint failed", "database is locked", ".php", ".py\"",
        "select ", "insert into", "fatal error",
    ]

    /// The words without a stop at their end; `nil` when they are about the server's inside.
    static func cleaned(_ words: String) -> String? {
        let lowered = words.lowercased()
        guard !self.inside.contains(where: { lowered.contains($0) }) else { return nil }
        let text = words.hasSuffix(".") ? String(words.dropLast()) : words
        return text.isEmpty ? nil : text
    }
}
