/// The address of a page about a reminder (URL, RFC 5545 §3.8.4.6).
package enum Link {
    /// The largest number of bytes of a link that a user enters; servers and browsers refuse much longer addresses.
    package static let longestLink = 2048

    /// Schemes whose addresses are programs or data, which a viewer would run or show when the link is opened.
    private static let refusedSchemes: Set<String> = ["data", "javascript", "vbscript"]

    /// The link without white space at its ends; throws when it is not an absolute address (RFC 3986 §4.3).
    package static func checked(_ text: String) throws(LinkError) -> String {
        let link = text.trimmingWhiteSpace
        guard link.utf8.count <= Self.longestLink else { throw .tooLong }
        guard link.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace })
        else { throw .hasSpaces }
        let scheme = link.prefix { $0 != ":" }
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789+-")
        guard scheme.count < link.count - 1, scheme.first?.isLetter == true,
            scheme.lowercased().allSatisfy(letters.contains)
        else { throw .noScheme }
        guard !Self.refusedSchemes.contains(scheme.lowercased()) else { throw .refusedScheme }
        return link
    }
}

/// The reason why a text cannot be a link.
package enum LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    case noScheme, hasSpaces, tooLong, refusedScheme

    /// The message for the user.
    package var description: String {
        switch self {
        case .noScheme: "A link begins with its scheme, such as https://example.org. Write the whole address."
        case .hasSpaces: "A link contains no space and no control character. Write %20 for a space."
        case .tooLong: "A link has at most \(Link.longestLink) bytes. Write a shorter address, or put it in the notes."
        case .refusedScheme:
            "A link cannot contain a program or data. Write the address of a page, such as https://example.org."
        }
    }
}
