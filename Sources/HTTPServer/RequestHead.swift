/// Request line and headers as they came from the socket, before validation.
struct RequestHead: Sendable {
    let method: String
    /// The request target, not decoded: path and query as one text.
    let target: String
    /// In the order received; a name may stand there several times.
    let headers: [(name: String, value: [UInt8])]

    /// The values of the headers called `name` (lower case).
    func values(_ name: String) -> [[UInt8]] {
        self.headers.filter { $0.name.lowercased() == name }.map(\.value)
    }
}

/// Why a request is answered without asking the handler.
enum Refusal: Int, Sendable {
    case badRequest = 400
    case contentTooLarge = 413
    case misdirected = 421
    case unavailable = 503

    /// The reason phrase of RFC 9110 §15.
    var phrase: String {
        switch self {
        case .badRequest: "Bad Request"
        case .contentTooLarge: "Content Too Large"
        case .misdirected: "Misdirected Request"
        case .unavailable: "Service Unavailable"
        }
    }
}

/// The checks that libmicrohttpd 0.9.75 leaves to us (RFC 9112 §3, §6).
///
/// A request that two programs could read in two ways is refused, not interpreted.
struct RequestRules: Sendable {
    /// The names under which this server is reached, lower case, without port, besides the loopback names.
    var hosts: Set<String>
    /// The port that the server listens on.
    var port: UInt16
    /// The longest body in bytes.
    var bodyBytes: Int

    private static let loopbackNames: Set = ["localhost", "127.0.0.1", "[::1]"]

    /// Why `head` is refused, or `nil` when it may go on.
    func refusal(of head: RequestHead) -> Refusal? {
        guard head.method.utf8.allSatisfy(\.isTokenCharacter), self.isPlain(target: head.target) else {
            return .badRequest
        }
        for (name, value) in head.headers where !self.isPlain(name: name, value: value) { return .badRequest }
        if let refusal = self.bodyRefusal(of: head) { return refusal }
        return self.hostRefusal(of: head)
    }

    // origin-form    = absolute-path [ "?" query ]
    private func isPlain(target: String) -> Bool {
        let bytes = Array(target.utf8)
        guard bytes.first == UInt8(ascii: "/") else { return false }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else { return false }
        return !self.hasEscapedNUL(bytes)
    }

    /// `%00` ends a path early in every program that hands it to C.
    private func hasEscapedNUL(_ bytes: [UInt8]) -> Bool {
        let escape: [UInt8] = [UInt8(ascii: "%"), UInt8(ascii: "0"), UInt8(ascii: "0")]
        return bytes.indices.dropLast(2).contains { bytes[$0...].starts(with: escape) }
    }

    private func isPlain(name: String, value: [UInt8]) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter)
            && value.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }

    /// One length, told in one way (RFC 9112 §6.3): anything else is how requests are smuggled past a proxy.
    private func bodyRefusal(of head: RequestHead) -> Refusal? {
        let lengths = head.values("content-length")
        let codings = head.values("transfer-encoding")
        if lengths.count > 1 || codings.count > 1 || (!lengths.isEmpty && !codings.isEmpty) { return .badRequest }
        if let coding = codings.first, String(decoding: coding, as: UTF8.self).lowercased() != "chunked" {
            return .badRequest
        }
        guard let length = lengths.first else { return nil }
        // More digits than an Int holds are certainly too many bytes; no digits at all are no length.
        guard !length.isEmpty, length.allSatisfy({ (0x30...0x39).contains($0) }) else { return .badRequest }
        guard let count = Int(String(decoding: length, as: UTF8.self)), count <= self.bodyBytes else {
            return .contentTooLarge
        }
        return nil
    }

    /// A page elsewhere that points its own name at 127.0.0.1 (DNS rebinding) comes with that name in `Host`.
    private func hostRefusal(of head: RequestHead) -> Refusal? {
        let hosts = head.values("host")
        guard hosts.count == 1, let bytes = hosts.first else { return .badRequest }
        let host = String(decoding: bytes, as: UTF8.self).lowercased()
        let (name, port) = self.split(host: host)
        if self.hosts.contains(name) { return nil }
        guard Self.loopbackNames.contains(name) else { return .misdirected }
        return port == nil || port == String(self.port) ? nil : .misdirected
    }

    // Host           = uri-host [ ":" port ]
    private func split(host: String) -> (name: String, port: String?) {
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return (host, nil) }
        return (String(host[..<colon]), String(host[host.index(after: colon)...]))
    }
}

extension UInt8 {
    // tchar          = "!" / "#" / "$" / "%" / "&" / "'" / "*" / "+" / "-" / "." / "^" / "_" / "`" / "|" / "~"
    //                / DIGIT / ALPHA
    fileprivate var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
