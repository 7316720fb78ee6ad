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

    /// Whether both name the same field, ignoring case.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.canonical == rhs.canonical }

    /// Hashes the name without its case.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.canonical) }
}

extension HeaderName {
    /// Credentials of the sender (RFC 9110 §11.6.2).
    public static let authorization = Self("Authorization")
    /// The caching rules of an answer (RFC 9111 §5.2).
    public static let cacheControl = Self("Cache-Control")
    /// The body's length in bytes (RFC 9110 §8.6).
    public static let contentLength = Self("Content-Length")
    /// The body's media type (RFC 9110 §8.3).
    public static let contentType = Self("Content-Type")
    /// State that is returned to the server (RFC 6265 §5.4).
    public static let cookie = Self("Cookie")
    /// The creation time of the answer (RFC 9110 §6.6.1).
    public static let date = Self("Date")
    /// The depth of a WebDAV request (RFC 4918 §10.2).
    public static let depth = Self("Depth")
    /// The target of a MOVE (RFC 4918 §10.3).
    public static let destination = Self("Destination")
    /// The entity tag of the answer (RFC 9110 §8.8.3).
    public static let etag = Self("ETag")
    /// The host that the request is for (RFC 9110 §7.2).
    public static let host = Self("Host")
    /// Act only while the resource has this entity tag (RFC 9110 §13.1.1).
    public static let ifMatch = Self("If-Match")
    /// Act only while the resource does not have this entity tag (RFC 9110 §13.1.2).
    public static let ifNoneMatch = Self("If-None-Match")
    /// The time of the last change of the resource (RFC 9110 §8.8.2).
    public static let lastModified = Self("Last-Modified")
    /// The other address of the resource (RFC 9110 §10.2.2).
    public static let location = Self("Location")
    /// Whether an existing resource at the destination may be replaced (RFC 4918 §10.6).
    public static let overwrite = Self("Overwrite")
    /// When to try again (RFC 9110 §10.2.3).
    public static let retryAfter = Self("Retry-After")
    /// State that the server wants to store in the client (RFC 6265 §4.1).
    public static let setCookie = Self("Set-Cookie")
    /// How the body is framed (RFC 9112 §6.1).
    public static let transferEncoding = Self("Transfer-Encoding")
    /// The name of the client program (RFC 9110 §10.1.5).
    public static let userAgent = Self("User-Agent")
    /// The offered authentication methods (RFC 9110 §11.6.1).
    public static let wwwAuthenticate = Self("WWW-Authenticate")

    /// The fields with credentials as values; they are never printed.
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
/// Printing hides the values of fields with credentials.
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

    /// The first value of a field, `nil` when it is absent.
    ///
    /// Setting removes every field of that name first; setting `nil` only removes.
    public subscript(name: HeaderName) -> String? {
        get { self.fields.first { $0.name == name }?.value }
        set {
            self.fields.removeAll { $0.name == name }
            if let newValue { self.append(name, newValue) }
        }
    }

    /// All values of a field, in order.
    public func values(of name: HeaderName) -> [String] {
        self.fields.lazy.filter { $0.name == name }.map(\.value)
    }

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

    /// Contains no more than the description.
    public var customMirror: Mirror { Mirror(self, children: [(label: "line", value: self.description)]) }
}

extension Headers: CustomStringConvertible {
    /// The fields as lines; the values of confidential fields are hidden.
    public var description: String { self.fields.map(\.description).joined(separator: "\n") }
}
