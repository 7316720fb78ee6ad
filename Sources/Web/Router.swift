package import HTTP
import ICalendar
package import Recurrence
import Reminders

/// Answers requests: a function from request to response, without a socket.
///
/// A token that is wrong, revoked or malformed, and any other address, have one and the same answer, so that nobody
/// learns what exists.
package struct Router: Sendable {
    private static let methods: Set = ["GET", "HEAD"]
    /// When to come back if the store cannot be read: it is mostly another program's write that is in the way.
    private static let retryAfterSeconds = 60

    private let zones: ZoneDatabase
    private let localZone: String
    private let publicPrefix: String
    private let source: FeedSource
    private let cache = FeedCache()

    /// - Parameters:
    ///   - zones: where zones are looked up.
    ///   - localZone: the zoneinfo name of the zone in which floating times are meant.
    ///   - publicPrefix: the path under which a web server in front publishes the feeds; empty for none.
    ///   - source: finds the feed for a token.
    package init(zones: ZoneDatabase, localZone: String, publicPrefix: String = "", source: FeedSource) {
        self.zones = zones
        self.localZone = localZone
        self.publicPrefix = publicPrefix
        self.source = source
    }

    /// The answer to `request`.
    ///
    /// HEAD is answered like GET, body included: the server counts its bytes for Content-Length and does not send them.
    package func respond(to request: Request) async -> Response {
        // Before the address is looked at, so that this answer tells nothing about it.
        guard Self.methods.contains(request.method) else { return .methodNotAllowed(Self.methods) }
        guard let address = FeedAddress(target: request.url, publicPrefix: self.publicPrefix) else { return .notFound }
        do {
            guard let body = try await self.body(of: address.tokenHash) else { return .notFound }
            return Self.answer(body, to: request)
        } catch {
            // What went wrong is told where the store is, not to a stranger. The subscriber keeps what it has.
            return .unavailable(retryAfterSeconds: Self.retryAfterSeconds)
        }
    }

    private func body(of tokenHash: [UInt8]) async throws -> FeedBody? {
        guard let version = try await self.source.version(tokenHash) else {
            await self.cache.forget(tokenHash)
            return nil
        }
        return try await self.cache.body(of: tokenHash, at: version) {
            try await self.source.content(tokenHash).map { self.body(of: $0) }
        }
    }

    private func body(of content: FeedContent) -> FeedBody {
        var bytes: [UInt8] = []
        EventFeed.write(
            objects: content.objects,
            name: content.name,
            style: content.style,
            showsPrivate: content.showsPrivate,
            zones: self.zones,
            localZone: self.localZone,
            write: { bytes += $0 }
        )
        // Done ones count as well: that something was done is a change of the feed.
        let newest = content.objects.compactMap { Reminder($0)?.lastChange }.max()
        return FeedBody(
            bytes: bytes,
            tag: "\"\(SHA256(bytes).hexadecimal)\"",
            lastModified: newest.map(HTTPDate.wire)
        )
    }

    private static func answer(_ body: FeedBody, to request: Request) -> Response {
        var headers = Headers.common
        headers[.etag] = body.tag
        headers[.cacheControl] = "private, max-age=300"
        if let lastModified = body.lastModified { headers[.lastModified] = lastModified }
        if EntityTags(request.headers.values(of: .ifNoneMatch)).match(body.tag) {
            return Response(status: 304, headers: headers)
        }
        headers[.contentType] = "text/calendar; charset=utf-8"
        return Response(status: 200, headers: headers, body: body.bytes)
    }
}

extension Headers {
    /// On every answer: not for search engines, and no address in a Referer.
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
