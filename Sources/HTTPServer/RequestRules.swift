import RemindavHTTP

enum Refusal: Int, Sendable {
    case badRequest = 400
    case contentTooLarge = 413
    case misdirected = 421
    case unavailable = 503
    case insufficientStorage = 507

    /// The reason phrase of RFC 9110 §15.
    var phrase: String {
        switch self {
        case .badRequest: "Bad Request"
        case .contentTooLarge: "Content Too Large"
        case .misdirected: "Misdirected Request"
        case .unavailable: "Service Unavailable"
        case .insufficientStorage: "Insufficient Storage"
        }
    }
}

/// The checks of a request that libmicrohttpd 0.9.75 does not make (RFC 9112 §3, §6).
///
/// A request that a proxy and this server could interpret differently is refused.
struct RequestRules: Sendable {
    /// The host names that are allowed in addition to ``loopbackNames``, in lower case, without port.
    var hosts: Set<String>
    var port: UInt16
    /// The maximum length of a body, in bytes.
    var bodyBytes: Int
    /// The maximum length of a body that goes to a file, in bytes.
    var uploadBytes = 0
    private static let loopbackNames: Set = ["localhost", "127.0.0.1", "[::1]"]

    /// Returns the reason to refuse a request, from its request line and headers; `nil` when the request is allowed.
    ///
    /// It does not check the length of the body.
    func refusal(of request: Request) -> Refusal? {
        guard request.method.utf8.allSatisfy(\.isTokenCharacter), Self.isPlain(target: request.url),
            request.headers.allSatisfy(Self.isPlain)
        else { return .badRequest }
        return self.hostRefusal(of: request.headers)
    }

    // origin-form    = absolute-path [ "?" query ]
    private static func isPlain(target: String) -> Bool {
        // Programs that pass a path to C functions would cut the path at `%00`.
        target.hasPrefix("/") && !target.contains("%00")
            && target.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }

    private static func isPlain(_ field: HeaderField) -> Bool {
        let name = field.name.wire.utf8
        return !name.isEmpty && name.allSatisfy(\.isTokenCharacter)
            && field.value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }

    /// Allows only one Content-Length or Transfer-Encoding (RFC 9112 §6.3), to prevent request smuggling past a proxy.
    ///
    /// - Parameter bytes: the maximum length.
    func bodyRefusal(of headers: Headers, bytes: Int) -> Refusal? {
        let lengths = headers.values(of: .contentLength)
        let codings = headers.values(of: .transferEncoding)
        if lengths.count + codings.count > 1 { return .badRequest }
        if let coding = codings.first, coding.lowercased() != "chunked" { return .badRequest }
        guard let length = lengths.first else { return nil }
        // A number that does not fit into an Int is too long. A value without digits is malformed.
        guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .badRequest }
        guard let count = Int(length), count <= bytes else { return .contentTooLarge }
        return nil
    }

    /// Accepts only known names in `Host`: with DNS rebinding, a web page makes its own name resolve to 127.0.0.1.
    private func hostRefusal(of headers: Headers) -> Refusal? {
        let hosts = headers.values(of: .host)
        guard hosts.count == 1, let host = hosts.first?.lowercased() else { return .badRequest }
        let (name, port) = Self.split(host: host)
        if self.hosts.contains(name) { return nil }
        guard Self.loopbackNames.contains(name) else { return .misdirected }
        return port == nil || port == String(self.port) ? nil : .misdirected
    }

    /// Whether the header Host names this computer, not the host of a reverse proxy.
    static func isLoopback(_ headers: Headers) -> Bool {
        headers[.host].map { self.loopbackNames.contains(self.split(host: $0.lowercased()).name) } ?? false
    }

    // Host           = uri-host [ ":" port ]
    private static func split(host: String) -> (name: String, port: String?) {
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return (host, nil) }
        return (String(host[..<colon]), String(host[host.index(after: colon)...]))
    }
}

extension UInt8 {
    // tchar          = "!" / "#" / "$" / "%" / "&" / "'" / "*" / "+" / "-" / "." / "^" / "_" / "`" / "|" / "~"
    //                / DIGIT / ALPHA
    fileprivate var isTokenCharacter: Bool { self.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
