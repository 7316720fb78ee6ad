import RemindavHTTP

/// The address of a feed in a request target: `/feed/‹token›.ics`.
struct FeedAddress {
    /// The SHA-256 hash of the token's 32 digits; the store has only this hash.
    let tokenHash: [UInt8]
    static let prefix = "/feed/"
    private static let suffix = ".ics"
    /// A token has 128 bits, written as hexadecimal digits.
    private static let tokenDigits = 32

    /// Parses a request target without its query, since some subscribers add a parameter to bypass caches.
    ///
    /// - Parameter publicPrefix: the path, such as `/reminders`, under which a reverse proxy publishes the feeds. The
    ///   proxy may keep the path or remove it.
    /// - Returns: `nil` for any other target. Percent-encoding is not decoded, so a token has one spelling.
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
