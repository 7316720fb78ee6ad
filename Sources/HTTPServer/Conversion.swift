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
    /// The headers that go out as they are: those that frame a message belong to libmicrohttpd.
    var fieldsToSend: [(name: String, value: String)] {
        self.headers.filter { !Self.framing.contains($0.name) }.map { ($0.name.wire, $0.value) }
    }

    private static let framing: Set<HeaderName> = [.contentLength, .transferEncoding, "Connection", "Date"]
}
