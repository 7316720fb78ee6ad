import HTTP

/// The public address of the feeds: the address of a web server with TLS in front of `serve`.
package struct FeedSite: Hashable, Sendable {
    /// The address without a slash at its end: `https://cal.example.org/reminders`.
    package let text: String
    /// The name in the `Host` header of its requests, in lower case and without a port.
    let host: String
    /// The path under which the feeds are published, such as `/reminders`; empty for none.
    let prefix: String

    /// Reads an address; the default scheme is `https`.
    ///
    /// - Returns: `nil` for another scheme, a query, a fragment, user information, and a path with characters that need
    ///   escaping (RFC 3986 §2.3).
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

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
