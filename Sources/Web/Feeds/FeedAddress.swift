import HTTP

/// The target of a request for a feed: `/feed/‹token›.ics`.
struct FeedAddress {
    /// The SHA-256 of the 32 digits of the token; the store does not have the token itself.
    let tokenHash: [UInt8]
    private static let prefix = "/feed/"
    private static let suffix = ".ics"
    /// 128 bits in hexadecimal.
    private static let tokenDigits = 32

    /// The query is ignored: some subscribers add a parameter to bypass caches.
    ///
    /// - Parameter publicPrefix: the path under which a web server in front publishes the feeds, such as `/reminders`;
    ///   the server can keep or remove it.
    /// - Returns: `nil` for any other target. Escapes are not decoded: a token has one spelling.
    init?(target: String, publicPrefix: String = "") {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard var path = parts.first else { return nil }
        if !publicPrefix.isEmpty, path.hasPrefix(publicPrefix + Self.prefix) {
            path = path.dropFirst(publicPrefix.count)
        }
        guard path.hasPrefix(Self.prefix), path.hasSuffix(Self.suffix) else { return nil }
        let token = path.utf8.dropFirst(Self.prefix.utf8.count).dropLast(Self.suffix.utf8.count)
        guard token.count == Self.tokenDigits, token.allSatisfy(\.isSmallHexadecimal) else { return nil }
        self.tokenHash = SHA256(token).bytes
    }
}

extension UInt8 {
    fileprivate var isSmallHexadecimal: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
