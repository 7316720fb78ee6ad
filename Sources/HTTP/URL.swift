/// An origin: scheme, host and port (RFC 6454 §4).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The host in lower case, an IPv6 address in brackets.
    public let host: String
    /// The port of the URL, or the default port of the scheme if the URL has none.
    public let port: Int

    /// The origin as a URL without a path; the default port is left out.
    public var description: String {
        self.port == URL.defaultPorts[self.scheme]
            ? "\(self.scheme)://\(self.host)" : "\(self.scheme)://\(self.host):\(self.port)"
    }
}

/// An absolute `http` or `https` URL without user information and fragment (RFC 3986, RFC 9110 §4.2).
///
/// The path stays as the server wrote it, because some servers refuse an equivalent path. Only bytes that are not
/// allowed in a URL are percent-encoded. ``pathKey`` serves to compare two paths.
public struct URL: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The host in lower case, an IPv6 address in brackets.
    public let host: String
    /// The port of the URL; `nil` if the URL has none.
    public let port: Int?
    /// The path, starting with a slash, percent-encoded.
    public let path: String
    /// The query without its question mark, `nil` when there is none.
    public let query: String?
    static let defaultPorts = ["http": 80, "https": 443]
    /// The largest number of bytes; every real URL is shorter.
    private static let maximumBytes = 8192

    /// The whole URL.
    public var text: String {
        let port = self.port.map { ":\($0)" } ?? ""
        let query = self.query.map { "?\($0)" } ?? ""
        return "\(self.scheme)://\(self.host)\(port)\(self.path)\(query)"
    }

    /// The whole URL.
    public var description: String { self.text }

    /// The origin of the URL.
    public var origin: Origin {
        Origin(scheme: self.scheme, host: self.host, port: self.port ?? Self.defaultPorts[self.scheme] ?? 443)
    }

    /// Whether the host is this machine, by name or address; data for such a host does not leave the machine.
    public var isLoopback: Bool {
        self.host == "localhost" || self.host.hasSuffix(".localhost") || self.host == "[::1]" || self.isLoopbackAddress
    }

    private var isLoopbackAddress: Bool {
        let parts = self.host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The canonical form of the path: `/a%40b`, `/a@b` and `/%61@b` have the same key, but `/a` and `/a/` differ.
    public var pathKey: String { Self.key(of: self.path) }

    package static func key(of path: String) -> String {
        if PercentCoding.isPlain(path) { return path }
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentCoding.encode(PercentCoding.decode($0)) }
            .joined(separator: "/")
    }

    /// A URL of the same origin with another path; illegal characters are encoded, and dot segments are removed.
    public func replacing(path: String) -> URL {
        let (path, query) = Self.readPath(path[...])
        return URL(scheme: self.scheme, host: self.host, port: self.port, path: path, query: query)
    }

    /// The URL of a member: the path, a slash if needed, and the encoded segment.
    public func appending(segment: String) -> URL {
        let folder = self.path.hasSuffix("/") ? self.path : self.path + "/"
        let path = folder + PercentCoding.encode(segment.utf8)
        return URL(scheme: self.scheme, host: self.host, port: self.port, path: path, query: nil)
    }

    /// The same URL with a final slash in its path and without a query.
    public var asFolder: URL {
        let path = self.path.hasSuffix("/") ? self.path : self.path + "/"
        return URL(scheme: self.scheme, host: self.host, port: self.port, path: path, query: nil)
    }

    /// The parent collection of this resource; `nil` at the root.
    public var parent: URL? {
        let trimmed = self.path.hasSuffix("/") ? self.path.dropLast() : self.path[...]
        guard let slash = trimmed.lastIndex(of: "/") else { return nil }
        let path = String(trimmed[...slash])
        return URL(scheme: self.scheme, host: self.host, port: self.port, path: path, query: nil)
    }
}

extension URL {
    /// Parses an absolute URL; dot segments and a fragment are removed.
    ///
    /// - Returns: `nil` for another scheme, an empty host, user information (an address must not contain a password),
    ///   control characters, or more than 8192 bytes.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }),
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let rest = text[colon...].dropFirst()
        guard rest.hasPrefix("//") else { return nil }
        self.init(scheme: text[..<colon].lowercased(), hierarchy: rest.dropFirst(2))
    }

    // hier-part     = "//" authority path-abempty
    private init?(scheme: String, hierarchy: Substring) {
        guard Self.defaultPorts[scheme] != nil else { return nil }
        let end = hierarchy.utf8.firstIndex { "/?#".utf8.contains($0) } ?? hierarchy.endIndex
        guard let (host, port) = Self.readAuthority(hierarchy[..<end]) else { return nil }
        let (path, query) = Self.readPath(hierarchy[end...])
        self.init(scheme: scheme, host: host, port: port, path: path, query: query)
    }

    /// Resolves a reference in an answer from this URL (RFC 3986 §5.2).
    ///
    /// Only `http:` and `https:` count as a scheme, because Xandikos lists a member with the plain name `a:b.ics`.
    public func resolving(_ reference: String) -> URL? {
        if PercentCoding.isPlain(reference), reference.utf8.count <= Self.maximumBytes, !reference.hasPrefix("//") {
            return URL(scheme: self.scheme, host: self.host, port: self.port, path: reference, query: nil)
        }
        let reference = reference.trimmed
        guard reference.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }), reference.utf8.count <= Self.maximumBytes else {
            return nil
        }
        let lowered = reference.prefix(8).lowercased()
        if lowered.hasPrefix("http://") || lowered.hasPrefix("https://") { return URL(String(reference)) }
        if reference.hasPrefix("//") { return URL("\(self.scheme):\(reference)") }
        if reference.hasPrefix("/") { return self.replacing(path: String(reference)) }
        if reference.isEmpty || reference.hasPrefix("#") { return self }
        if reference.hasPrefix("?") { return self.replacing(path: self.path + reference) }
        let folder = self.path[...(self.path.lastIndex(of: "/") ?? self.path.startIndex)]
        return self.replacing(path: String(folder) + reference)
    }

    // authority     = [ userinfo "@" ] host [ ":" port ]
    private static func readAuthority(_ text: Substring) -> (host: String, port: Int?)? {
        guard !text.utf8.contains(where: { "@ <>\"\\^`{|}%".utf8.contains($0) }) else { return nil }
        var host = text
        var port: Int?
        let afterBracket = text.utf8.lastIndex(of: UInt8(ascii: "]")) ?? text.startIndex
        if let colon = text.utf8[afterBracket...].firstIndex(of: UInt8(ascii: ":")) {
            host = text[..<colon]
            let digits = text[text.utf8.index(after: colon)...]
            if !digits.isEmpty {
                guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits),
                    (1...65535).contains(number)
                else { return nil }
                port = number
            }
        }
        guard !host.isEmpty, self.hasGoodBrackets(host) else { return nil }
        return (host.lowercased(), port)
    }

    // IP-literal    = "[" ( IPv6address / IPvFuture ) "]"
    private static func hasGoodBrackets(_ host: Substring) -> Bool {
        guard host.utf8.first == UInt8(ascii: "[") else { return !host.utf8.contains { "[]:".utf8.contains($0) } }
        return host.hasSuffix("]")
            && host.dropFirst().dropLast().utf8.allSatisfy { "0123456789abcdefABCDEF:.".utf8.contains($0) }
    }

    private static func readPath(_ text: Substring) -> (path: String, query: String?) {
        if PercentCoding.isPlain(text) { return (String(text), nil) }
        let withoutFragment = text[..<(text.firstIndex(of: "#") ?? text.endIndex)]
        let mark = withoutFragment.firstIndex(of: "?") ?? withoutFragment.endIndex
        let path = PercentCoding.legalise(self.removeDotSegments(withoutFragment[..<mark]))
        guard mark < withoutFragment.endIndex else { return (path, nil) }
        return (path, PercentCoding.legalise(withoutFragment[mark...].dropFirst(), allowing: [UInt8(ascii: "?")]))
    }

    /// Removes dot segments (RFC 3986 §5.2.4); an encoded dot counts as a dot, so `%2e%2e/` means `../`.
    private static func removeDotSegments(_ path: Substring) -> String {
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(
            path.hasPrefix("/") ? 1 : 0
        )
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment.count <= 6 ? segment.lowercased().replacingDots : "" {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}

extension String {
    fileprivate var replacingDots: String {
        self == "." || self == "%2e"
            ? "." : ["..", ".%2e", "%2e.", "%2e%2e"].contains(self) ? ".." : self
    }
}
