import HTTP

/// The public address of the feeds: a web server with TLS in front of `serve`.
package struct FeedSite: Hashable, Sendable {
    /// Without a slash at its end: `https://cal.example.org/reminders`.
    package let text: String
    let host: String
    let prefix: String

    /// - Returns: `nil` for another scheme, a query, a fragment, user information, and a path with characters that need
    ///   escaping (RFC 3986 §2.3). The default scheme is `https`.
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
