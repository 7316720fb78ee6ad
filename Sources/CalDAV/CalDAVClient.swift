public import HTTP
internal import WebDAV

/// The conversation with one account on a CalDAV server (RFC 4791).
///
/// The password goes to the origin of the address that was given and, after a redirect from `http` to `https` on the
/// same host, to that; to no other. No request is repeated by the client itself: what failed is said, and the caller
/// knows whether it can wait.
public actor CalDAVClient {
    /// An answer, and where it came from after all redirects.
    struct Answer {
        let response: Response
        let url: URL
        let method: String
    }

    /// More than any set-up of servers and proxies needs.
    static let maximumRedirects = 5

    /// How many requests have been sent, redirected ones counting each time.
    public private(set) var requestCount = 0

    let given: URL
    private let credentials: Credentials
    private let transport: any Transport
    private let allowsInsecure: Bool
    private var trusted: Set<Origin>
    /// How many items the next multiget asks for; see ``fetch(_:in:)``.
    var batchSize = CalDAVClient.firstBatch
    /// Collections that have refused sync-collection although they announce it.
    var withoutSyncCollection: Set<String> = []

    /// A client for one account.
    ///
    /// - Parameters:
    ///   - address: whatever the user has at hand: a host, an URL of the server, of a list or of a web page, or an
    ///     address like one of e-mail; without a scheme, `https` is meant, and `http` for this machine itself.
    ///   - credentials: who signs in; sent with every request, without waiting to be asked.
    ///   - transport: the network; one per account, since it keeps cookies.
    ///   - allowsInsecure: whether the password may travel over plain `http` to another machine.
    public init(
        address: String,
        credentials: Credentials,
        transport: any Transport,
        allowsInsecure: Bool = false
    ) throws(CalDAVError) {
        let url = try Address.read(address)
        self.given = url
        self.credentials = credentials
        self.transport = transport
        self.allowsInsecure = allowsInsecure
        self.trusted = [url.origin]
        try Self.requireSecure(url, allowsInsecure)
    }

    /// Sends a request, follows redirects with method and body, and returns the answer whatever its status.
    func send(
        _ method: String,
        to url: URL,
        headers: Headers = [:],
        body: [UInt8] = []
    ) async throws(CalDAVError) -> Answer {
        var url = url
        for _ in 0...Self.maximumRedirects {
            guard self.trusted.contains(url.origin) else { throw Self.foreignHost(url) }
            try Self.requireSecure(url, self.allowsInsecure)
            var request = Request(method: method, url: url.text, headers: headers, body: body)
            request.headers[.authorization] = self.credentials.basic
            self.requestCount += 1
            let response = try await self.exchange(request)
            guard let target = try Self.redirect(of: response, from: url) else {
                return Answer(response: response, url: url, method: method)
            }
            if url.scheme == "http", target.scheme == "https", target.host == url.host {
                self.trusted.insert(target.origin)
            }
            url = target
        }
        throw CalDAVError(.tooManyRedirects, url: url.text)
    }

    private func exchange(_ request: Request) async throws(CalDAVError) -> Response {
        do throws(TransportError) {
            return try await self.transport.send(request)
        } catch {
            var failure = CalDAVError(.transport, url: request.url)
            failure.transport = error
            throw failure
        }
    }

    /// Where a reference in an answer leads: always to the origin that answered.
    ///
    /// A server behind a proxy may name itself with another scheme or port; its path is meant.
    func locate(_ reference: String, from url: URL) throws(CalDAVError) -> URL {
        guard let target = url.resolving(reference) else {
            throw CalDAVError(.brokenAnswer, url: url.text, message: "it holds a reference that is no URL")
        }
        guard target.host == url.host else { throw Self.foreignHost(target) }
        return url.replacing(path: target.query.map { "\(target.path)?\($0)" } ?? target.path)
    }

    private static func redirect(of response: Response, from url: URL) throws(CalDAVError) -> URL? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers[.location] else {
            return nil
        }
        guard let target = url.resolving(location) else {
            throw CalDAVError(.brokenAnswer, url: url.text, message: "it redirects to something that is no URL")
        }
        guard target.scheme == "https" || url.scheme == "http" else {
            throw CalDAVError(.insecure, url: target.text, message: "the server redirects to an unencrypted address")
        }
        return target
    }

    private static func foreignHost(_ url: URL) -> CalDAVError {
        var error = CalDAVError(.redirectRefused)
        error.host = url.origin.description
        return error
    }

    private static func requireSecure(_ url: URL, _ allowsInsecure: Bool) throws(CalDAVError) {
        guard url.scheme == "https" || url.isLoopback || allowsInsecure else {
            throw CalDAVError(.insecure, url: url.text)
        }
    }
}
