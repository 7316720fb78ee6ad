import RemindavHTTP
import RemindavICalendar

/// The entity tags in If-None-Match (RFC 9110 §13.1.2).
struct EntityTags {
    /// Whether the field contains `*`, which matches every representation.
    private(set) var isAny = false
    /// The tags without `W/`, because If-None-Match uses the weak comparison (RFC 9110 §8.8.3.2).
    private(set) var tags: Set<String> = []

    /// Reads each line up to an invalid element; a client whose tag is ignored gets the whole feed, which is correct.
    init(_ fields: [String]) {
        for field in fields { self.read(field) }
    }

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

/// The content coding of a response (RFC 9110 §8.4.1).
enum ContentCoding: Sendable {
    case identity, gzip

    /// Chooses gzip if the client prefers it to identity, but not for Outlook, whose subscriptions fail with gzip.
    init(_ headers: Headers, for program: SubscriberProgram) {
        self =
            program != .outlook && AcceptEncoding(headers.values(of: "Accept-Encoding")).prefersGzip ? .gzip : .identity
    }
}

/// The value of Accept-Encoding (RFC 9110 §12.5.3).
struct AcceptEncoding {
    /// The weights in thousandths, by the name of the coding in lower case.
    private var weights: [String: Int] = [:]

    // Accept-Encoding  = #( codings [ weight ] )
    // codings          = content-coding / "identity" / "*"
    init(_ fields: [String]) {
        for element in fields.flatMap({ $0.split(separator: ",") }) {
            let parts = element.split(separator: ";").map { String($0).trimmingSpaces.lowercased() }
            guard let coding = parts.first, !coding.isEmpty else { continue }
            self.weights[coding] = parts.dropFirst().first.map(Self.weight) ?? 1000
        }
    }

    /// Whether gzip is accepted and identity is not preferred to it.
    ///
    /// A gzip that the client does not name has the weight of `*`; an identity that it does not name has the weight 0.
    var prefersGzip: Bool {
        let gzip = self.weights["gzip"] ?? self.weights["x-gzip"] ?? self.weights["*"] ?? 0
        return gzip > 0 && gzip >= self.weights["identity"] ?? 0
    }

    // weight = OWS ";" OWS "q=" qvalue;  an invalid weight counts as 0
    private static func weight(_ text: String) -> Int {
        guard text.hasPrefix("q="), let value = Double(text.dropFirst(2)), (0...1).contains(value) else { return 0 }
        return Int(value * 1000)
    }
}
