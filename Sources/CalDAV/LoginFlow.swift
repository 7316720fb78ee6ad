public import RemindavHTTP
import RemindavJSON

/// Nextcloud's Login Flow v2: the user signs in with a browser, and the program gets its own password.
///
/// The flow sends only the token that the server has just created, and only to that server's origin.
public struct LoginFlow: Sendable {
    /// The result of the login.
    public struct Grant: Sendable {
        /// The user's name on the server.
        public let user: String
        /// A password for this program alone; the user can revoke it in the server's settings.
        public let password: Secret
    }

    /// The web page on which the user grants the access.
    public let page: URL
    private let endpoint: URL
    private let token: Secret
    private let transport: any Transport
    /// The time in seconds that the server waits for the user.
    public static let waitingLimit = 1200

    /// Starts the flow.
    ///
    /// - Parameters:
    ///   - address: the address of the server in any usual form.
    ///   - transport: the server shows the transport's user agent as the name of the new password.
    ///   - allowsInsecure: whether the flow may run over unencrypted `http`.
    /// - Throws: ``CalDAVError/Code/notCalDAV`` if the server does not offer the flow;
    ///   ``CalDAVError/Code/redirectRefused`` if the server leads to another host.
    public static func begin(
        at address: String,
        transport: any Transport,
        allowsInsecure: Bool = false
    ) async throws(CalDAVError) -> LoginFlow {
        let given = try Address(address).url
        var failure = CalDAVError(.notCalDAV, url: given.text, message: "it has no browser sign-in of Nextcloud")
        for folder in Address.folders(of: given) {
            var url = given.replacing(path: folder + "index.php/login/v2")
            for _ in 0...CalDAVClient.maximumRedirects {
                guard url.scheme == "https" || url.isLoopback || allowsInsecure else {
                    throw CalDAVError(.insecure, url: url.text)
                }
                let answer = try await Self.post(url, body: "", by: transport)
                guard let target = try CalDAVClient.redirect(of: answer, from: url) else {
                    if answer.status == 200, let flow = try Self(answer, from: url, transport) { return flow }
                    if answer.status == 429 || answer.status == 503 { failure = Self.failure(answer, url) }
                    break
                }
                guard CalDAVClient.isSameServer(target, as: url) else { throw CalDAVClient.foreignHost(target) }
                url = target
            }
        }
        throw failure
    }

    // The answer: {"poll":{"token":"…","endpoint":"https://…/poll"},"login":"https://…/flow/…"}
    private init?(_ answer: Response, from url: URL, _ transport: any Transport) throws(CalDAVError) {
        guard let body = try? JSONValue(parsing: answer.body), let token = body["poll"]?["token"]?.string,
            let endpoint = body["poll"]?["endpoint"]?.string.flatMap({ url.resolving($0) }),
            let page = body["login"]?.string.flatMap({ url.resolving($0) })
        else { return nil }
        self.token = Secret(token)
        self.endpoint = try CalDAVClient.own(endpoint, of: url)
        self.page = try CalDAVClient.own(page, of: url)
        self.transport = transport
    }

    /// Asks the server once whether the user has granted the access; `nil` means not yet.
    public func poll() async throws(CalDAVError) -> Grant? {
        let body = "token=\(PercentCoding.encode(self.token.reveal().utf8))"
        let answer = try await Self.post(self.endpoint, body: body, by: self.transport)
        switch answer.status {
        case 404: return nil
        case 200:
            guard let body = try? JSONValue(parsing: answer.body), let user = body["loginName"]?.string,
                let password = body["appPassword"]?.string, !user.isEmpty, !password.isEmpty
            else { throw CalDAVError(.brokenAnswer, url: self.endpoint.text, message: "it contains no password") }
            return Grant(user: user, password: Secret(password))
        default: throw Self.failure(answer, self.endpoint)
        }
    }

    private static func post(
        _ url: URL,
        body: String,
        by transport: any Transport
    ) async throws(CalDAVError) -> Response {
        let headers: Headers = [.contentType: "application/x-www-form-urlencoded", "Accept": "application/json"]
        do throws(TransportError) {
            return try await transport.send(
                Request(method: "POST", url: url.text, headers: headers, body: Array(body.utf8))
            )
        } catch {
            throw CalDAVError(error, url: url.text)
        }
    }

    private static func failure(_ answer: Response, _ url: URL) -> CalDAVError {
        CalDAVClient.Answer(response: answer, url: url, method: "POST").failure()
    }
}
