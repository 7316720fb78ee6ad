package import HTTP
package import Recurrence

/// Answers requests: a function from request to response, without a socket.
///
/// A wrong, revoked or malformed token and any other address get the same answer, so that it does not tell which feeds
/// exist.
package struct Router: Sendable {
    private static let methods: Set = ["GET", "HEAD"]
    /// The delay after which the client should try again if the store cannot be read: usually another program writes.
    private static let retryAfterSeconds = 60

    private let publicPrefix: String
    private let cache: FeedCache

    /// - Parameters:
    ///   - zones: the database of time zones.
    ///   - localZone: the zoneinfo name of the zone of floating times.
    ///   - publicPrefix: the path under which a web server in front publishes the feeds; empty for none.
    ///   - source: the feeds.
    package init(zones: ZoneDatabase, localZone: String, publicPrefix: String = "", source: FeedSource) {
        self.publicPrefix = publicPrefix
        self.cache = FeedCache(source) { content in
            let feed = EventFeed(content, zones: zones, localZone: localZone)
            return FeedBody(feed.bytes, lastModified: feed.lastChange.map(HTTPDate.wire))
        }
    }

    /// The answer to `request`.
    ///
    /// HEAD is answered like GET, body included: the server counts its bytes for Content-Length and does not send them.
    package func respond(to request: Request) async -> Response {
        // Before the address is read, so that this answer tells nothing about it.
        guard Self.methods.contains(request.method) else { return .methodNotAllowed(Self.methods) }
        guard let address = FeedAddress(target: request.url, publicPrefix: self.publicPrefix) else { return .notFound }
        do {
            guard let body = try await self.cache.body(of: address.tokenHash) else { return .notFound }
            return await Self.answer(body, to: request)
        } catch {
            // The error is not sent to the client, which keeps its copy of the feed.
            return .unavailable(retryAfterSeconds: Self.retryAfterSeconds)
        }
    }

    private static func answer(_ body: FeedBody, to request: Request) async -> Response {
        let coding = ContentCoding(request.headers)
        var headers = Headers.common
        headers[.etag] = body.tag(coding)
        headers[.cacheControl] = "private, max-age=300"
        headers["Vary"] = "Accept-Encoding, User-Agent"
        if let lastModified = body.lastModified { headers[.lastModified] = lastModified }
        if EntityTags(request.headers.values(of: .ifNoneMatch)).match(body.tag(coding)) {
            return Response(status: 304, headers: headers)
        }
        headers[.contentType] = "text/calendar; charset=utf-8"
        if coding == .gzip, let bytes = await body.gzip {
            headers["Content-Encoding"] = "gzip"
            return Response(status: 200, headers: headers, body: bytes)
        }
        headers[.etag] = body.tag(.identity)
        return Response(status: 200, headers: headers, body: body.bytes)
    }
}

extension Headers {
    /// On every answer: search engines do not index it, and its address is in no Referer.
    fileprivate static let common: Headers = [
        "X-Robots-Tag": "noindex",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    ]
}

extension Response {
    fileprivate static let notFound = Self.plain(status: 404, "Not found")

    fileprivate static func methodNotAllowed(_ methods: Set<String>) -> Response {
        var response = Self.plain(status: 405, "Method not allowed")
        response.headers["Allow"] = methods.sorted().joined(separator: ", ")
        return response
    }

    fileprivate static func unavailable(retryAfterSeconds: Int) -> Response {
        var response = Self.plain(status: 503, "Try again later")
        response.headers[.retryAfter] = String(retryAfterSeconds)
        return response
    }

    private static func plain(status: Int, _ text: String) -> Response {
        var headers = Headers.common
        headers[.contentType] = "text/plain; charset=utf-8"
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: Array("\(text)\n".utf8))
    }
}
