/// The text of a server about an error, for the user.
enum ServerText {
    /// Text that only describes the internals of a server, in lower case.
    private static let inside = [
        "sqlstate", "exception", "traceback", "stack trace", "constraint failed", "database is locked", ".php", ".py\"",
        "select ", "insert into", "fatal error",
    ]

    /// The text without a full stop; `nil` if it describes internals of the server.
    static func cleaned(_ words: String) -> String? {
        let lowered = words.lowercased()
        guard !self.inside.contains(where: { lowered.contains($0) }) else { return nil }
        let text = words.hasSuffix(".") ? String(words.dropLast()) : words
        return text.isEmpty ? nil : text
    }
}
