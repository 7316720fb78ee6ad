import RemindavHTML
import RemindavHTTP

extension Headers {
    /// The headers of every answer.
    ///
    /// The policy permits only our own files and forms; it forbids inline scripts, styles and frames.
    fileprivate static let common: Headers = [
        "Content-Security-Policy":
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'",
        "X-Content-Type-Options": "nosniff",
        "X-Robots-Tag": "noindex",
        // With "no-referrer", browsers would send "Origin: null" for our own forms.
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    ]
}

extension Response {
    /// A page; a browser keeps it for Back, so that typed text is not lost, but asks again at each visit.
    static func page(_ page: some HTML, status: Int = 200, isSecret: Bool = false) -> Response {
        var buffer = HTMLBuffer()
        page.write(to: &buffer)
        var headers = Headers.common
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.cacheControl] = isSecret ? "no-store" : "private, no-cache"
        if !isSecret, status == 200 { headers[.etag] = Self.tag(buffer.bytes) }
        return Response(status: status, headers: headers, body: buffer.bytes)
    }

    /// An entity tag, which is valid while this process runs.
    private static func tag(_ bytes: [UInt8]) -> String {
        var hasher = Hasher()
        hasher.combine(bytes)
        return "\"\(String(UInt(bitPattern: hasher.finalize()), radix: 16))\""
    }

    /// The answer with status 304 and without a body if the client already has this page (RFC 9110 §13.1.2).
    func unlessKnown(to request: Request) -> Response {
        guard let tag = self.headers[.etag], request.headers[.ifNoneMatch] == tag else { return self }
        return Response(status: 304, headers: self.headers)
    }

    /// Server-sent events (HTML, Server-sent events).
    static func events(_ stream: BodyStream) -> Response {
        var headers = Headers.common
        headers[.contentType] = "text/event-stream"
        headers[.cacheControl] = "no-store"
        var response = Response(status: 200, headers: headers)
        response.stream = stream
        return response
    }

    /// A file that the browser saves under a name.
    static func download(_ bytes: [UInt8], type: String, name: String) -> Response {
        var headers = Headers.common
        headers[.contentType] = type
        headers[.cacheControl] = "no-store"
        headers["Content-Disposition"] = Self.disposition(name)
        return Response(status: 200, headers: headers, body: bytes)
    }

    /// The name in ASCII for old browsers, and as it is (RFC 6266 §5), without the characters of paths.
    private static func disposition(_ name: String) -> String {
        let name = String(
            name.map { $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } || $0 == "/" ? "_" : $0 }
        )
        let plain = String(name.map { $0.isASCII && !"\"\\%".contains($0) ? $0 : "_" })
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentCoding.encode(name.utf8))"
    }

    /// Sends the browser to another page, which it requests with GET.
    static func see(_ address: Address, cookie: String? = nil) -> Response {
        var headers = Headers.common
        headers[.location] = address.text
        headers[.cacheControl] = "no-store"
        if let cookie { headers[.setCookie] = cookie }
        return Response(status: 303, headers: headers)
    }

    /// A file of the program; its address contains a hash of the content, so a browser never asks again.
    static func file(_ bytes: [UInt8], type: String) -> Response {
        var headers = Headers.common
        headers[.contentType] = type
        headers[.cacheControl] = "public, max-age=31536000, immutable"
        return Response(status: 200, headers: headers, body: bytes)
    }
}
