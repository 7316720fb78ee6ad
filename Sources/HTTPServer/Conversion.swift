import HTTP

// The words of the socket ⇄ the words of HTTP: the only file that knows the shape of both.

extension Request {
    /// The request as the handler sees it; bytes of a header that are not UTF-8 become U+FFFD.
    init(head: RequestHead, body: [UInt8]) {
        self.init(
            method: head.method,
            url: head.target,
            headers: Headers(
                head.headers.map {
                    HeaderField(name: HeaderName($0.name), value: String(decoding: $0.value, as: UTF8.self))
                }
            ),
            body: body
        )
    }
}

extension Response {
    /// The headers that go out: those that frame a message belong to libmicrohttpd.
    ///
    /// A refused request ends its connection. libmicrohttpd 0.9 does not detect all request smuggling (RFC 9112 §11.2);
    /// after the end of the connection, a smuggled request is not read.
    var fieldsToSend: [(name: String, value: String)] {
        let fields = self.headers.filter { !Self.framing.contains($0.name) }.map { ($0.name.wire, $0.value) }
        return (400..<500).contains(self.status) ? fields + [("Connection", "close")] : fields
    }

    private static let framing: Set<HeaderName> = [.contentLength, .transferEncoding, "Connection", "Date"]
}
