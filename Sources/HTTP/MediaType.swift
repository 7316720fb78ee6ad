/// A media type in `Content-Type`: `text/calendar; charset=utf-8` (RFC 9110 §8.3.1).
public struct MediaType: Hashable, Sendable {
    /// The type in lower case, `text`.
    public let type: String
    /// The subtype in lower case, `calendar`.
    public let subtype: String
    /// The parameters: names in lower case, values without quotes.
    public let parameters: [String: String]

    /// Parses a header value; `nil` when it has no type and subtype.
    ///
    /// An unreadable parameter is left out: senders write many forms, and only the type matters here.
    public init?(_ text: String) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        let names = parts[0].split(separator: "/", omittingEmptySubsequences: false).map { $0.trimmed.lowercased() }
        guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty else { return nil }
        self.type = names[0]
        self.subtype = names[1]
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            var value = pair[1].trimmed
            if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") { value = value.dropFirst().dropLast() }
            parameters[pair[0].trimmed.lowercased()] = String(value)
        }
        self.parameters = parameters
    }

    /// Type and subtype in lower case, without parameters: `text/calendar`.
    public var essence: String { "\(self.type)/\(self.subtype)" }
}
