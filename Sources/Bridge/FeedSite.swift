import RemindavHTTP

/// The public address of the feeds, served by an HTTPS server that forwards requests to `serve`.
package struct FeedSite: Hashable, Sendable {
    /// The address without a slash at its end: `https://cal.example.org/reminders`.
    package let text: String
    package let host: String
    /// The path; empty, or a slash with names.
    package let prefix: String
    /// The scheme and the host.
    package var origin: String { String(self.text.dropLast(self.prefix.count)) }

    /// Parses the address; `https` is the default scheme.
    ///
    /// - Returns: `nil` for a scheme other than `https`, for a query, fragment or user information, and for a path with
    ///   a character that is not unreserved (RFC 3986 §2.3).
    package init?(_ text: String) {
        guard !text.contains("#"), let url = URL(text.contains("://") ? text : "https://\(text)") else { return nil }
        var path = url.path[...]
        while path.hasSuffix("/") { path.removeLast() }
        guard url.scheme == "https", url.query == nil, Self.isHost(url.host), path.utf8.allSatisfy(Self.isPathByte),
            !path.contains("//")
        else { return nil }
        self.host = url.host
        self.prefix = String(path)
        self.text = "\(url.origin)\(path)"
    }

    /// The address of a feed; `path` begins with a slash.
    package func address(_ path: String) -> String { self.text + path }

    private static func isHost(_ host: String) -> Bool {
        host.utf8.allSatisfy { byte in self.isPlain(byte) || "[]:".utf8.contains(byte) }
    }

    private static func isPathByte(_ byte: UInt8) -> Bool { self.isPlain(byte) || "_~/".utf8.contains(byte) }
    private static func isPlain(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "-.".utf8.contains(byte) }
}
