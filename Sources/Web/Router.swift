package import RemindavHTTP
import RemindavICalendar
package import RemindavRecurrence

/// Answers HTTP requests for feeds; the router needs no socket.
///
/// A wrong, revoked or malformed token gets the same answer as an unknown address, so the answer does not reveal which
/// feeds exist.
package struct Router: Sendable {
    /// The delay in Retry-After when the store cannot be read, usually because another program is writing.
    private static let retryAfterSeconds = 60
    /// The seconds for which a subscriber may use an answer without asking again (RFC 9111 §5.2.2.1).
    package static let maximumAge = 300
    private let publicPrefix: String
    private let cache: FeedCache
    private let visits: FeedVisits?

    /// - Parameters:
    ///   - localZone: the zoneinfo name of the time zone for floating times.
    ///   - visits: records the visits; `nil` for no record.
    ///   - answersWithoutStore: whether a feed in memory is served while the store cannot be read, until its
    ///     ``maximumAge`` ends.
    ///   - now: the time by a clock without steps.
    package init(
        zones: ZoneDatabase,
        localZone: String,
        publicPrefix: String = "",
        source: FeedSource,
        visits: FeedVisits? = nil,
        answersWithoutStore: Bool = false,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.publicPrefix = publicPrefix
        self.visits = visits
        self.cache = FeedCache(
            source,
            secondsWithoutStore: answersWithoutStore ? Self.maximumAge : 0,
            now: now
        ) { content in
            let feed = EventFeed(content, zones: zones, localZone: content.zone ?? localZone)
            return FeedBody(feed.bytes, lastModified: feed.lastChange.map(HTTPDate.wire))
        }
    }

    /// Whether the address is that of a feed, valid or not.
    package func isForFeed(_ request: Request) -> Bool {
        [FeedAddress.prefix, self.publicPrefix + FeedAddress.prefix].contains { request.url.hasPrefix($0) }
    }

    /// Answers GET and HEAD; for HEAD, the server sends only the length of the returned body.
    package func respond(to request: Request) async -> Response {
        // The method is checked before the address, so that status 405 reveals nothing about the address.
        guard ["GET", "HEAD"].contains(request.method) else { return .methodNotAllowed }
        guard let address = FeedAddress(target: request.url, publicPrefix: self.publicPrefix) else { return .notFound }
        do {
            guard let found = try await self.cache.body(of: address.tokenHash) else { return .notFound }
            let agent = request.headers[.userAgent] ?? ""
            let program = SubscriberProgram(userAgent: agent)
            var answer = await Self.answer(found.body, to: request, of: program)
            // The subscriber then asks again when the age is the maximum, and not later.
            if let age = found.age { answer.headers["Age"] = String(age) }
            await self.visits?.add(address.tokenHash, by: program, userAgent: agent, status: answer.status)
            return answer
        } catch {
            // The client does not receive the error, and keeps its last copy of the feed.
            return .unavailable(retryAfterSeconds: Self.retryAfterSeconds)
        }
    }

    private static func answer(
        _ body: FeedBody,
        to request: Request,
        of program: SubscriberProgram
    ) async -> Response {
        let coding = ContentCoding(request.headers, for: program)
        var headers = Headers.common
        headers[.etag] = body.tag(coding)
        headers[.cacheControl] = "private, max-age=\(self.maximumAge)"
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
    /// The headers of every answer; search engines must not index feeds, and Referer must not contain their addresses.
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

/// Writes a time in the format of HTTP: `Fri, 20 Nov 2026 21:10:25 GMT` (RFC 9110 §5.6.7, IMF-fixdate).
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
