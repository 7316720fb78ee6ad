public import RemindavHTTP
internal import RemindavWebDAV

/// A client for one account on a CalDAV server (RFC 4791).
///
/// The client sends the password only to the origin of the given address, to the same host after a redirect from `http`
/// to `https`, and to servers that DNS names, if they are in the user's domain. After a 401, the client repeats a
/// request to sign in. With a ``RequestGate``, it also repeats failed requests that may be repeated without harm. If
/// the server does not support a report, the client sends other requests instead.
public actor CalDAVClient {
    struct Answer {
        let response: Response
        let url: URL
        let method: String
        var signInFailure: SignInFailure?
        /// The time of the answer in seconds since 1970; `nil` when the client has no clock.
        var receivedAt: Int64?
        var isGivenUp = false
    }

    /// The largest number of redirects that one request follows; real servers need fewer.
    static let maximumRedirects = 5
    /// The number of sent requests; a request that was sent again after a redirect counts again.
    public private(set) var requestCount = 0
    let given: URL
    let domain: String?
    let resolver: (any ServiceResolver)?
    var signIn: SignIn
    private let now: @Sendable () -> Int64?
    private let gate: RequestGate?
    let observe: @Sendable (ExchangeNote) -> Void
    private let transport: any Transport
    let allowsInsecure: Bool
    private var trusted: Set<Origin>
    /// The abilities of the server: those given to the initializer and those found since.
    public internal(set) var capabilities: Capabilities
    var batchSize: Int
    /// The path keys (``HTTP/URL/pathKey``) of collections that announce sync-collection but refuse it.
    var withoutSyncCollection: Set<String> = []
    /// The address of the trash bin in each calendar home, by the home's path key; each listing of a home updates it.
    var trashBins: [String: URL] = [:]
    /// The objects in all trash bins; `nil` until they are read, and again after each listing of a home.
    var trashedObjects: [TrashedObject]?
    /// The text of ``LabelsProperty`` at each calendar home, by the home's path key; each listing of a home updates it.
    var homeLabels: [String: String] = [:]

    /// - Parameters:
    ///   - address: a host, a URL of the server, of a list or of a web page, or an e-mail address. Without a scheme,
    ///     the client uses `http` for this machine and `https` for every other machine.
    ///   - credentials: over `https` or to this machine, Basic is sent before the server asks for it.
    ///   - transport: sends the requests. No other account may use it, because it stores cookies.
    ///   - capabilities: the abilities that earlier syncs found.
    ///   - allowsInsecure: whether the password may be sent over unencrypted `http` to another machine.
    ///   - resolver: finds the server of a domain (RFC 6764); `nil` sends no DNS requests.
    ///   - scheme: the scheme of the last successful sign-in; `nil` when it is not known.
    ///   - now: the time in seconds since 1970. A `Retry-After` with a date needs it if the answer has no `Date`.
    ///   - gate: sets the pace of all requests and repeats failed ones; `nil` sends each request once, without delay.
    ///   - observe: called after each exchange of a request and an answer.
    public init(
        address: String,
        credentials: Credentials,
        transport: any Transport,
        capabilities: Capabilities = Capabilities(),
        allowsInsecure: Bool = false,
        resolver: (any ServiceResolver)? = nil,
        scheme: SignInScheme? = nil,
        now: @escaping @Sendable () -> Int64? = { nil },
        gate: RequestGate? = nil,
        observe: @escaping @Sendable (ExchangeNote) -> Void = { _ in }
    ) throws(CalDAVError) {
        let address = try Address(address)
        let url = address.url
        self.given = url
        self.domain = address.domain
        self.resolver = resolver
        self.signIn = SignIn(credentials, scheme: scheme) { Self.randomSegment() }
        self.now = now
        self.gate = gate
        self.observe = observe
        self.transport = transport
        self.capabilities = capabilities
        self.batchSize = min(capabilities.multigetItems ?? Self.firstBatch, Self.largestBatch)
        self.allowsInsecure = allowsInsecure
        self.trusted = [url.origin]
        try Self.requireSecure(url, allowsInsecure)
    }

    func learn(_ ability: Capabilities.Ability, _ isThere: Bool) { self.capabilities.abilities[ability] = isThere }

    /// Remembers names of properties that the server did not store, and returns the names that were unknown before.
    public func learn(notKept names: Set<String>) -> Set<String> {
        let new = names.subtracting(self.capabilities.notKept)
        let room = max(0, Capabilities.maximumNotKept - self.capabilities.notKept.count)
        self.capabilities.notKept.formUnion(new.sorted().prefix(room))
        return new
    }

    /// The URL for an address that a user entered; throws when the text is no address.
    public static func url(of address: String) throws(CalDAVError) -> URL { try Address(address).url }
    /// The authentication scheme that the server accepts; `nil` before it is known.
    public var signInScheme: SignInScheme? { self.signIn.scheme }

    func send(
        _ method: String,
        to url: URL,
        headers: Headers = [:],
        body: [UInt8] = [],
        isSmall: Bool = false,
        isOnce: Bool = false
    ) async throws(CalDAVError) -> Answer {
        var url = url
        for _ in 0...Self.maximumRedirects {
            guard self.trusted.contains(url.origin) else { throw Self.foreignHost(url) }
            try Self.requireSecure(url, self.allowsInsecure)
            var request = Request(method: method, url: url.text, headers: headers, body: body)
            request.isSmall = isSmall
            request.isOnce = isOnce
            let answer = try await self.signed(request, at: url)
            guard let target = try Self.redirect(of: answer.response, from: url) else { return answer }
            if Self.isSameServer(target, as: url) { self.trusted.insert(target.origin) }
            url = target
        }
        throw CalDAVError(.tooManyRedirects, url: url.text)
    }

    func sendXML(
        _ method: String,
        to url: URL,
        depth: String? = nil,
        _ body: [UInt8],
        isSmall: Bool = false
    ) async throws(CalDAVError) -> Answer {
        var headers = Headers()
        headers[.depth] = depth
        headers[.contentType] = "application/xml; charset=utf-8"
        return try await self.send(method, to: url, headers: headers, body: body, isSmall: isSmall)
    }

    private func signed(_ request: Request, at url: URL) async throws(CalDAVError) -> Answer {
        var request = request
        if self.signIn.needsToken { try await self.makeToken(at: url) }
        for isRepeated in [false, true] {
            let sent = self.signIn.authorization(for: request.method, to: url)
            request.headers[.authorization] = sent
            var (response, isGivenUp) = try await self.exchange(request)
            if response.status >= 400, self.signIn.isIn(response.body) { response.body = [] }
            var answer = Answer(response: response, url: url, method: request.method, receivedAt: self.now())
            answer.isGivenUp = isGivenUp
            guard response.status == 401 else {
                self.signIn.accept(response, to: sent)
                return answer
            }
            switch self.signIn.react(to: response, sent: sent, at: url, isRepeated: isRepeated) {
            case .again: break
            case .againWithNewToken: if self.signIn.isCurrent(sent) { try await self.makeToken(at: url) }
            case .giveUp(let failure):
                answer.signInFailure = failure
                return answer
            }
        }
        // Never reached: `react` never asks for a third attempt.
        throw CalDAVError(.unauthorized, url: url.text)
    }

    private func makeToken(at url: URL) async throws(CalDAVError) {
        guard let token = await self.signIn.credentials.makeToken?() else {
            var failure = CalDAVError(.unauthorized, url: url.text, message: SignInFailure.tokenCommandFailed.words)
            failure.signIn = .tokenCommandFailed
            throw failure
        }
        self.signIn.use(token: token)
    }

    private func exchange(_ request: Request) async throws(CalDAVError) -> (Response, isGivenUp: Bool) {
        guard let gate else { return (try await self.exchangeOnce(request), false) }
        var attempt = 1
        while true {
            let start = await gate.enter()
            do throws(CalDAVError) {
                let response = try await self.exchangeOnce(request)
                let failure = RequestPacing.Failure(response, to: request, now: self.now())
                let decision = await gate.leave(failure, attempt: attempt, start: start)
                guard decision == .again, !Task.isCancelled else { return (response, decision == .givenUp) }
            } catch {
                let failure = error.transport.flatMap { RequestPacing.Failure($0, to: request) }
                let decision = await gate.leave(failure, attempt: attempt, start: start)
                guard decision == .again, !Task.isCancelled else { throw error }
            }
            attempt += 1
        }
    }

    private func exchangeOnce(_ request: Request) async throws(CalDAVError) -> Response {
        self.requestCount += 1
        await Traffic.current?.sent(request)
        do throws(TransportError) {
            let response = try await self.transport.send(request)
            await Traffic.current?.received(response)
            self.observe(ExchangeNote(request, response))
            return response
        } catch {
            self.observe(ExchangeNote(request, error))
            throw CalDAVError(error, url: request.url)
        }
    }

    func locate(_ reference: String, from url: URL) throws(CalDAVError) -> URL {
        guard let target = url.resolving(reference) else {
            throw CalDAVError(.brokenAnswer, url: url.text, message: "it contains an invalid URL")
        }
        return try Self.own(target, of: url)
    }

    /// The target with the origin of `url`, because a server behind a proxy may name another scheme or port.
    static func own(_ target: URL, of url: URL) throws(CalDAVError) -> URL {
        guard target.host == url.host else { throw Self.foreignHost(target) }
        if target.origin == url.origin, target.query == nil { return target }
        return url.replacing(path: target.query.map { "\(target.path)?\($0)" } ?? target.path)
    }

    static func isSameServer(_ target: URL, as url: URL) -> Bool {
        target.origin == url.origin || url.scheme == "http" && target.scheme == "https" && target.host == url.host
    }

    static func redirect(of response: Response, from url: URL) throws(CalDAVError) -> URL? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers[.location] else {
            return nil
        }
        guard let target = url.resolving(location) else {
            throw CalDAVError(.brokenAnswer, url: url.text, message: "it redirects to an invalid URL")
        }
        guard target.scheme == "https" || url.scheme == "http" else {
            throw CalDAVError(.insecure, url: target.text, message: "the server redirects to an unencrypted address")
        }
        return target
    }

    /// Permits sending the password to a server that DNS names, and that is in the user's own domain.
    func trust(_ origin: Origin) { self.trusted.insert(origin) }

    static func foreignHost(_ url: URL) -> CalDAVError {
        var error = CalDAVError(.redirectRefused)
        error.host = url.origin.description
        error.redirectTarget = url.text
        return error
    }

    private static func requireSecure(_ url: URL, _ allowsInsecure: Bool) throws(CalDAVError) {
        guard url.scheme == "https" || url.isLoopback || allowsInsecure else {
            throw CalDAVError(.insecure, url: url.text)
        }
    }
}
