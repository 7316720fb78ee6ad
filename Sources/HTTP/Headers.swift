/// The name of a header field; comparison ignores case, and the original spelling is sent (RFC 9110 §5.1).
public struct HeaderName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The original spelling.
    public let wire: String
    private let canonical: String

    /// Creates a name in any spelling.
    public init(_ wire: String) {
        self.wire = wire
        self.canonical = wire.lowercased()
    }

    /// Creates a name from a literal.
    public init(stringLiteral value: String) { self.init(value) }
    /// The original spelling.
    public var description: String { self.wire }
    /// Whether both names are equal, ignoring case.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.canonical == rhs.canonical }
    /// Hashes the name, ignoring case.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.canonical) }
    package static let authorization = Self("Authorization")
    package static let cacheControl = Self("Cache-Control")
    package static let contentLength = Self("Content-Length")
    package static let contentType = Self("Content-Type")
    package static let cookie = Self("Cookie")
    package static let date = Self("Date")
    package static let depth = Self("Depth")
    package static let destination = Self("Destination")
    package static let etag = Self("ETag")
    package static let host = Self("Host")
    package static let ifMatch = Self("If-Match")
    package static let ifNoneMatch = Self("If-None-Match")
    package static let lastModified = Self("Last-Modified")
    package static let location = Self("Location")
    package static let overwrite = Self("Overwrite")
    package static let retryAfter = Self("Retry-After")
    package static let setCookie = Self("Set-Cookie")
    package static let transferEncoding = Self("Transfer-Encoding")
    package static let userAgent = Self("User-Agent")
    package static let wwwAuthenticate = Self("WWW-Authenticate")
    /// The fields with credentials; their values are never printed.
    static let confidential: Set<HeaderName> = [.authorization, .cookie, .setCookie, "Proxy-Authorization"]
}

/// One header field.
public struct HeaderField: Hashable, Sendable {
    /// The field's name.
    public let name: HeaderName
    /// The field's value without surrounding white space.
    public let value: String

    /// Creates a field with this name and value.
    public init(name: HeaderName, value: String) {
        self.name = name
        self.value = value
    }
}

/// The header fields of a message, in their original order.
///
/// The description hides the values of fields with credentials.
public struct Headers: Hashable, Sendable, Sequence, ExpressibleByDictionaryLiteral {
    /// Every field, in order, repeated ones included.
    public private(set) var fields: [HeaderField]
    /// Creates an empty list of fields.
    public init() { self.fields = [] }
    /// Creates a list of these fields, in this order.
    public init(_ fields: [HeaderField]) { self.fields = fields }

    /// Creates a list from a literal, in its order.
    public init(dictionaryLiteral elements: (HeaderName, String)...) {
        self.fields = elements.map { HeaderField(name: $0.0, value: $0.1) }
    }

    /// The first value of a field, or `nil`; a new value replaces all fields of that name.
    public subscript(name: HeaderName) -> String? {
        get { self.fields.first { $0.name == name }?.value }
        set {
            self.fields.removeAll { $0.name == name }
            if let newValue { self.append(name, newValue) }
        }
    }

    /// All values of a field, in order.
    public func values(of name: HeaderName) -> [String] { self.fields.lazy.filter { $0.name == name }.map(\.value) }

    /// Appends a field, even if the name exists already.
    public mutating func append(_ name: HeaderName, _ value: String) {
        self.fields.append(HeaderField(name: name, value: value))
    }

    /// Iterates over the fields in order.
    public func makeIterator() -> IndexingIterator<[HeaderField]> { self.fields.makeIterator() }
}

extension HeaderField: CustomStringConvertible, CustomReflectable {
    /// The field as a line; the value of a confidential field is hidden.
    public var description: String {
        "\(self.name.wire): \(HeaderName.confidential.contains(self.name) ? "(hidden)" : self.value)"
    }

    /// A mirror with only the description, so that a dump also hides credentials.
    public var customMirror: Mirror { Mirror(self, children: [(label: "line", value: self.description)]) }
}

extension Headers: CustomStringConvertible {
    /// The fields as lines; the values of confidential fields are hidden.
    public var description: String { self.fields.map(\.description).joined(separator: "\n") }
}

/// A media type in `Content-Type`: `text/calendar; charset=utf-8` (RFC 9110 §8.3.1).
package struct MediaType: Hashable, Sendable {
    /// The main type in lower case: `text`.
    package let type: String
    /// The subtype in lower case: `calendar`.
    package let subtype: String
    /// The parameters with names in lower case and values without quotes.
    package let parameters: [String: String]

    /// Parses a header value without its unreadable parameters; `nil` when it has no type and subtype.
    package init?(_ text: String) {
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

    package var essence: String { "\(self.type)/\(self.subtype)" }
}
