/// The name of a header field, compared without regard to case and sent as it was written (RFC 9110 §5.1).
public struct HeaderName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The spelling as it was given.
    public let wire: String
    private let canonical: String

    /// A name in any spelling.
    public init(_ wire: String) {
        self.wire = wire
        self.canonical = wire.lowercased()
    }

    /// A name written in the source.
    public init(stringLiteral value: String) { self.init(value) }

    /// The spelling as it was given.
    public var description: String { self.wire }

    /// Whether both are the same field, whatever their case.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.canonical == rhs.canonical }

    /// Hashes the name without its case.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.canonical) }
}

extension HeaderName {
    /// Credentials of the sender (RFC 9110 §11.6.2).
    public static let authorization = Self("Authorization")
    /// How long an answer may be kept (RFC 9111 §5.2).
    public static let cacheControl = Self("Cache-Control")
    /// The body's length in bytes (RFC 9110 §8.6).
    public static let contentLength = Self("Content-Length")
    /// The body's media type (RFC 9110 §8.3).
    public static let contentType = Self("Content-Type")
    /// State that goes back to the server (RFC 6265 §5.4).
    public static let cookie = Self("Cookie")
    /// When the answer was made (RFC 9110 §6.6.1).
    public static let date = Self("Date")
    /// How deep a WebDAV request reaches (RFC 4918 §10.2).
    public static let depth = Self("Depth")
    /// Where a resource is to be moved (RFC 4918 §10.3).
    public static let destination = Self("Destination")
    /// The entity tag of the answer (RFC 9110 §8.8.3).
    public static let etag = Self("ETag")
    /// The host that the request is for (RFC 9110 §7.2).
    public static let host = Self("Host")
    /// Act only while the resource has this entity tag (RFC 9110 §13.1.1).
    public static let ifMatch = Self("If-Match")
    /// Act only while the resource does not have this entity tag (RFC 9110 §13.1.2).
    public static let ifNoneMatch = Self("If-None-Match")
    /// When the resource was last changed (RFC 9110 §8.8.2).
    public static let lastModified = Self("Last-Modified")
    /// Where the resource is instead (RFC 9110 §10.2.2).
    public static let location = Self("Location")
    /// Whether what lies at the destination may be replaced (RFC 4918 §10.6).
    public static let overwrite = Self("Overwrite")
    /// When to try again (RFC 9110 §10.2.3).
    public static let retryAfter = Self("Retry-After")
    /// State that the server asks to be kept (RFC 6265 §4.1).
    public static let setCookie = Self("Set-Cookie")
    /// How the body is framed (RFC 9112 §6.1).
    public static let transferEncoding = Self("Transfer-Encoding")
    /// Who asks (RFC 9110 §10.1.5).
    public static let userAgent = Self("User-Agent")
    /// How to sign in (RFC 9110 §11.6.1).
    public static let wwwAuthenticate = Self("WWW-Authenticate")

    /// The fields whose values are credentials and are never shown.
    static let confidential: Set<HeaderName> = [.authorization, .cookie, .setCookie, "Proxy-Authorization"]
}

/// One header field.
public struct HeaderField: Hashable, Sendable {
    /// The field's name.
    public let name: HeaderName
    /// The field's value without the white space around it.
    public let value: String

    /// A field of this name and value.
    public init(name: HeaderName, value: String) {
        self.name = name
        self.value = value
    }
}

/// The header fields of a message, in the order in which they stand there.
///
/// Printing them hides the values of fields that carry credentials.
public struct Headers: Hashable, Sendable, Sequence, ExpressibleByDictionaryLiteral {
    /// Every field, in order, repeated ones included.
    public private(set) var fields: [HeaderField]

    /// No fields.
    public init() { self.fields = [] }

    /// These fields, in this order.
    public init(_ fields: [HeaderField]) { self.fields = fields }

    /// The fields written in the source, in this order.
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

    /// Every value of a field, in order.
    public func values(of name: HeaderName) -> [String] {
        self.fields.lazy.filter { $0.name == name }.map(\.value)
    }

    /// Adds a field after the others, even when one of that name is there.
    public mutating func append(_ name: HeaderName, _ value: String) {
        self.fields.append(HeaderField(name: name, value: value))
    }

    /// Walks through the fields in order.
    public func makeIterator() -> IndexingIterator<[HeaderField]> { self.fields.makeIterator() }
}

extension HeaderField: CustomStringConvertible, CustomReflectable {
    /// The field as a line; the value of a confidential field is hidden.
    public var description: String {
        "\(self.name.wire): \(HeaderName.confidential.contains(self.name) ? "(hidden)" : self.value)"
    }

    /// Shows no more than the description does.
    public var customMirror: Mirror { Mirror(self, children: [(label: "line", value: self.description)]) }
}

extension Headers: CustomStringConvertible {
    /// The fields as lines; the values of confidential fields are hidden.
    public var description: String { self.fields.map(\.description).joined(separator: "\n") }
}
