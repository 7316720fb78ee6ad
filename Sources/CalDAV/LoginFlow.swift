public import HTTP
import JSON

/// Nextcloud's Login Flow v2: a browser signs the person in, and the program gets a password of its own.
///
/// Nothing is sent that is secret but the token that the server has just made, and that goes to its own origin only.
public struct LoginFlow: Sendable {
    /// The result of the login.
    public struct Grant: Sendable {
        /// The user's name as the server knows it.
        public let user: String
        /// A password for this program alone, which the person can take back in the server's settings.
        public let password: Secret
    }

    /// Where the person grants the access, in a browser.
    public let page: URL
    private let endpoint: URL
    private let token: Secret
    private let transport: any Transport

    /// How long the server waits for the person, in seconds.
    public static let waitingLimit = 1200

    /// Asks a server to begin.
    ///
    /// - Parameters:
    ///   - address: an address in any usual form; see ``CalDAVClient/init(address:credentials:transport:capabilities:allowsInsecure:resolver:scheme:now:observe:)``.
    ///   - transport: the network; its name for itself becomes the name of the password.
    /// - Throws: ``CalDAVError/Code/notCalDAV`` when the server does not know the flow,
    ///   ``CalDAVError/Code/redirectRefused`` when it sends the person or the program to another host.
    public static func begin(
        at address: String,
        transport: any Transport,
        allowsInsecure: Bool = false
    ) async throws(CalDAVError) -> LoginFlow {
        let given = try Address(address).url
        var failure = CalDAVError(.notCalDAV, url: given.text, message: "it knows no login flow of Nextcloud")
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

    // {"poll":{"token":"…","endpoint":"https://…/login/v2/poll"},"login":"https://…/login/v2/flow/…"}
    private init?(_ answer: Response, from url: URL, _ transport: any Transport) throws(CalDAVError) {
        guard let body = try? JSONValue(parsing: answer.body), let token = body["poll"]?["token"]?.string,
            let endpoint = body["poll"]?["endpoint"]?.string.flatMap({ url.resolving($0) }),
            let page = body["login"]?.string.flatMap({ url.resolving($0) })
        else { return nil }
        self.token = Secret(token)
        self.endpoint = try Self.own(endpoint, of: url)
        self.page = try Self.own(page, of: url)
        self.transport = transport
    }

    /// Asks once whether the person has granted the access.
    ///
    /// - Returns: `nil` when not yet.
    public func poll() async throws(CalDAVError) -> Grant? {
        let body = "token=\(PercentCoding.encode(self.token.reveal().utf8))"
        let answer = try await Self.post(self.endpoint, body: body, by: self.transport)
        switch answer.status {
        case 404: return nil
        case 200:
            guard let body = try? JSONValue(parsing: answer.body), let user = body["loginName"]?.string,
                let password = body["appPassword"]?.string, !user.isEmpty, !password.isEmpty
            else { throw CalDAVError(.brokenAnswer, url: self.endpoint.text, message: "it grants no password") }
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
            var failure = CalDAVError(.transport, url: url.text)
            failure.transport = error
            throw failure
        }
    }

    private static func failure(_ answer: Response, _ url: URL) -> CalDAVError {
        CalDAVClient.Answer(response: answer, url: url, method: "POST").failure()
    }

    /// A server behind a proxy may name itself with another scheme or port; its path is meant.
    private static func own(_ target: URL, of url: URL) throws(CalDAVError) -> URL {
        guard target.host == url.host else { throw CalDAVClient.foreignHost(target) }
        return url.replacing(path: target.query.map { "\(target.path)?\($0)" } ?? target.path)
    }
}
