public import HTTP
internal import WebDAV

/// The conversation with one account on a CalDAV server (RFC 4791).
///
/// The password goes to the origin of the address that was given and, after a redirect from `http` to `https` on the
/// same host, to that; to no other. A request that writes is repeated only to sign in: errors are thrown, and the caller
/// decides about a retry. A report without a useful answer is replaced by other requests.
public actor CalDAVClient {
    /// An answer, and where it came from after all redirects.
    struct Answer {
        let response: Response
        let url: URL
        let method: String
        /// Why it is a 401, when it is one.
        var signInFailure: SignInFailure?
        /// Seconds since 1970, `nil` when there is no clock.
        var receivedAt: Int64?
        /// Whether all attempts that were possible had failed like this one.
        var isGivenUp = false
    }

    /// More than any set-up of servers and proxies needs.
    static let maximumRedirects = 5

    /// How many requests have been sent, redirected ones counting each time.
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
    /// The known abilities of the server: those from the initializer, and those found since.
    public internal(set) var capabilities: Capabilities
    /// How many items the next multiget asks for; see ``fetch(_:in:)``.
    var batchSize: Int
    /// Collections that have refused sync-collection although they announce it.
    var withoutSyncCollection: Set<String> = []
    /// The trash bins that the homes were last listed with, by the homes' keys; see ``restore(_:to:)``.
    var trashBins: [String: URL] = [:]
    /// The objects in the trash bins, read once per listing of a home; `nil` before the first look.
    var trashedObjects: [TrashedObject]?
    /// The labels property of each home as it was last listed, by the key of the home.
    var homeLabels: [String: String] = [:]

    /// A client for one account.
    ///
    /// - Parameters:
    ///   - address: an address in any usual form: a host, a URL of the server, of a list or of a web page, or an
    ///     address like one of e-mail; without a scheme, `https` is meant, and `http` for this machine itself.
    ///   - credentials: the user and the secret. Basic is sent with every request, without a challenge, where no one can
    ///     listen; Digest when the server asks for it.
    ///   - transport: the network; one per account, since it keeps cookies.
    ///   - capabilities: the abilities of the server that are known from before.
    ///   - allowsInsecure: whether the password may travel over plain `http` to another machine.
    ///   - resolver: asks DNS for the server of a domain; `nil` to do without.
    ///   - scheme: the scheme of the last sign-in; `nil` when it is not known.
    ///   - now: the clock, in seconds since 1970, for a `Retry-After` with a date in an answer without one.
    ///   - gate: sets the pace of all requests, and has failed ones sent again; `nil` to send each once and at once.
    ///   - observe: is told of each exchange, as it ends.
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

    func learn(_ ability: Capabilities.Ability, _ isThere: Bool) {
        self.capabilities.abilities[ability] = isThere
    }

    /// Remembers properties that the server did not keep.
    ///
    /// - Returns: those that were not known before.
    public func learn(notKept names: Set<String>) -> Set<String> {
        let new = names.subtracting(self.capabilities.notKept)
        let room = max(0, Capabilities.maximumNotKept - self.capabilities.notKept.count)
        self.capabilities.notKept.formUnion(new.sorted().prefix(room))
        return new
    }

    /// The URL for an address that a person entered, before any request.
    public static func url(of address: String) throws(CalDAVError) -> URL { try Address(address).url }

    /// How the server is signed in to, `nil` before it has said so.
    public var signInScheme: SignInScheme? { self.signIn.scheme }

    /// Sends a request, follows redirects with method and body, and returns the answer with any status.
    ///
    /// At each address the request is repeated once at most when the server asks how it is signed in to.
    ///
    /// - Parameters:
    ///   - isSmall: whether the server can answer without long work.
    ///   - isOnce: whether it must not be repeated after a failure; see ``Request/isOnce``.
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
            let (response, failure, isGivenUp) = try await self.signed(request, at: url)
            guard let target = try Self.redirect(of: response, from: url) else {
                return Answer(
                    response: response,
                    url: url,
                    method: method,
                    signInFailure: failure,
                    receivedAt: self.now(),
                    isGivenUp: isGivenUp
                )
            }
            if Self.isSameServer(target, as: url) { self.trusted.insert(target.origin) }
            url = target
        }
        throw CalDAVError(.tooManyRedirects, url: url.text)
    }

    /// Sends a request with the known authorization, and once more if the server requests another one.
    private func signed(
        _ request: Request,
        at url: URL
    ) async throws(CalDAVError) -> (Response, SignInFailure?, isGivenUp: Bool) {
        var request = request
        if self.signIn.needsToken { try await self.makeToken(at: url) }
        for isRepeated in [false, true] {
            let sent = self.signIn.authorization(for: request.method, to: url)
            request.headers[.authorization] = sent
            var (response, isGivenUp) = try await self.exchange(request)
            if response.status >= 400, self.signIn.isIn(response.body) { response.body = [] }
            guard response.status == 401 else {
                self.signIn.accept(response, to: sent)
                return (response, nil, isGivenUp)
            }
            switch self.signIn.react(to: response, sent: sent, at: url, isRepeated: isRepeated) {
            case .again: break
            case .againWithNewToken: if self.signIn.isCurrent(sent) { try await self.makeToken(at: url) }
            case .giveUp(let failure): return (response, failure, isGivenUp)
            }
        }
        // The second reaction is never to try again.
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

    /// Sends a request, and repeats it while the gate permits it.
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
        if target.origin == url.origin, target.query == nil { return target }
        return url.replacing(path: target.query.map { "\(target.path)?\($0)" } ?? target.path)
    }

    /// Whether a redirect stays at the same origin, or leads from `http` to `https` at the same host.
    static func isSameServer(_ target: URL, as url: URL) -> Bool {
        target.origin == url.origin || url.scheme == "http" && target.scheme == "https" && target.host == url.host
    }

    static func redirect(of response: Response, from url: URL) throws(CalDAVError) -> URL? {
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

    /// Lets the password go to an origin that DNS names for the person's own domain.
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
