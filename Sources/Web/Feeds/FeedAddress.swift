import HTTP

/// What the target of a request for a feed says: `/feed/‹token›.ics?style=both`.
struct FeedAddress {
    /// What the store knows the token by: the SHA-256 of its 32 digits.
    ///
    /// The token itself goes no further than this file.
    let tokenHash: [UInt8]
    /// In which form the feed is wanted.
    let style: FeedStyle

    private static let prefix = "/feed/"
    private static let suffix = ".ics"
    /// 128 bits in hexadecimal.
    private static let tokenDigits = 32

    /// - Returns: `nil` for any other target. Nothing is decoded: a token has one spelling.
    init?(target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.hasPrefix(Self.prefix), path.hasSuffix(Self.suffix) else { return nil }
        let token = path.utf8.dropFirst(Self.prefix.utf8.count).dropLast(Self.suffix.utf8.count)
        guard token.count == Self.tokenDigits, token.allSatisfy(\.isSmallHexadecimal) else { return nil }
        guard let style = Self.style(query: parts.count > 1 ? parts[1] : "") else { return nil }
        self.tokenHash = SHA256(token).bytes
        self.style = style
    }

    /// The first `style` of the query, `.event` without one; `nil` when it is none that exists.
    ///
    /// Other parameters are passed over: some subscribers add one of their own to get around caches.
    private static func style(query: Substring) -> FeedStyle? {
        for pair in query.split(separator: "&") where pair.hasPrefix("style=") {
            return FeedStyle(rawValue: String(pair.dropFirst("style=".count)))
        }
        return .event
    }
}

extension UInt8 {
    fileprivate var isSmallHexadecimal: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
