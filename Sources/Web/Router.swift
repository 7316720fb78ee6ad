package import HTTP
import ICalendar
package import Recurrence

/// Answers requests, without a socket.
///
/// A wrong, revoked or malformed token and any other address get the same answer, so that it does not tell which feeds
/// exist.
package struct Router: Sendable {
    /// The delay after which the client should try again if the store cannot be read: usually another program writes.
    private static let retryAfterSeconds = 60
    private let publicPrefix: String
    private let cache: FeedCache

    /// - Parameter localZone: the zoneinfo name of the zone of floating times.
    package init(zones: ZoneDatabase, localZone: String, publicPrefix: String = "", source: FeedSource) {
        self.publicPrefix = publicPrefix
        self.cache = FeedCache(source) { content in
            let feed = EventFeed(content, zones: zones, localZone: localZone)
            return FeedBody(feed.bytes, lastModified: feed.lastChange.map(HTTPDate.wire))
        }
    }

    /// HEAD is answered like GET, body included: the server counts its bytes for Content-Length and does not send them.
    package func respond(to request: Request) async -> Response {
        // Before the address is read, so that this answer tells nothing about it.
        guard ["GET", "HEAD"].contains(request.method) else { return .methodNotAllowed }
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
    fileprivate static let methodNotAllowed = Self.plain(status: 405, "Method not allowed", ["Allow": "GET, HEAD"])

    fileprivate static func unavailable(retryAfterSeconds: Int) -> Response {
        Self.plain(status: 503, "Try again later", [.retryAfter: String(retryAfterSeconds)])
    }

    private static func plain(status: Int, _ text: String, _ more: Headers = [:]) -> Response {
        var headers = Headers(Headers.common.fields + more.fields)
        headers[.contentType] = "text/plain; charset=utf-8"
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: Array("\(text)\n".utf8))
    }
}

/// The format of a time in HTTP: `Fri, 20 Nov 2026 21:10:25 GMT` (RFC 9110 §5.6.7, IMF-fixdate).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    static func wire(_ instant: Instant) -> String {
        let utc = CalendarDateTime(utc: instant)
        let day = utc.date.day < 10 ? "0\(utc.date.day)" : "\(utc.date.day)"
        let year = String(repeating: "0", count: max(0, 4 - String(utc.date.year).count)) + String(utc.date.year)
        return "\(self.days[utc.date.weekday.rawValue]), \(day) \(self.months[utc.date.month - 1]) \(year) "
            + "\(utc.time.description) GMT"
    }
}
