import HTTP

/// The entity tags of If-None-Match (RFC 9110 §13.1.2).
///
/// Each method reads the ABNF rule above it.
struct EntityTags {
    /// Whether `*` is present, which matches any representation.
    private(set) var isAny = false
    /// The tags without `W/`: If-None-Match compares weakly (RFC 9110 §8.8.3.2).
    private(set) var tags: Set<String> = []

    /// Reads the lines of the field as one list, up to the first invalid element.
    ///
    /// A client with an invalid element gets the whole feed, which is always correct.
    init(_ fields: [String]) {
        for field in fields { self.read(field) }
    }

    /// Whether the client has the representation with this tag.
    func match(_ tag: String) -> Bool { self.isAny || self.tags.contains(tag) }

    // If-None-Match = "*" / #entity-tag
    private mutating func read(_ field: String) {
        var rest = Substring(field)
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            if rest.first == "*" {
                self.isAny = true
                return
            }
            guard let tag = Self.readTag(&rest) else { return }
            self.tags.insert(tag)
        }
    }

    // entity-tag    = [ weak ] opaque-tag
    // opaque-tag    = DQUOTE *etagc DQUOTE
    private static func readTag(_ rest: inout Substring) -> String? {
        if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
        guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
        let tag = String(rest[...end])
        rest = rest[rest.index(after: end)...]
        return tag
    }
}
