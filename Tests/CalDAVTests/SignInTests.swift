import RemindavHTTP
import Testing

@testable import RemindavCalDAV

/// A transport that computes each answer with a function, and records the requests.
actor ScriptedServer: Transport {
    private let answer: @Sendable (Request, Int) -> Response
    private(set) var requests: [Request] = []

    init(_ answer: @escaping @Sendable (Request, Int) -> Response) { self.answer = answer }

    var authorizations: [String?] { self.requests.map { $0.headers[.authorization] } }

    func send(_ request: Request) async throws(TransportError) -> Response {
        self.requests.append(request)
        return self.answer(request, self.requests.count)
    }
}

extension Response {
    fileprivate static func refusal(_ challenges: String..., body: String = "") -> Response {
        Response(
            status: 401,
            headers: Headers(challenges.map { HeaderField(name: .wwwAuthenticate, value: $0) }),
            body: Array(body.utf8)
        )
    }
}

@Suite("signing in (RFC 7617, RFC 7616, RFC 6750)")
struct SignInTests {
    private static let password = "correct-horse-7Q"
    private static let basic = "Basic dXNlcjpjb3JyZWN0LWhvcnNlLTdR"

    private func client(
        _ server: ScriptedServer,
        address: String = "https://dav.example.org/",
        scheme: SignInScheme? = nil
    ) throws -> CalDAVClient {
        try CalDAVClient(
            address: address,
            credentials: Credentials(user: "user", password: Secret(Self.password)),
            transport: server,
            allowsInsecure: true,
            scheme: scheme
        )
    }

    private static func digest(_ nonce: String, stale: Bool = false) -> String {
        "Digest realm=\"r\", nonce=\"\(nonce)\", qop=\"auth\", algorithm=SHA-256\(stale ? ", stale=true" : "")"
    }

    private static func nonce(_ request: Request) -> String? {
        let value = request.headers[.authorization] ?? ""
        return Challenge.read([.wwwAuthenticate: value]).first { $0.scheme == "digest" }?.parameters["nonce"]
    }

    @Test("on a protected connection, Basic is sent without a challenge")
    func preemptive() async throws {
        let server = ScriptedServer { _, _ in Response(status: 207) }
        let client = try self.client(server)
        _ = try await client.send("PROPFIND", to: ReplayTransport.url("/"))
        #expect(await server.authorizations == [Self.basic])
        #expect(await client.signInScheme == .basic)
    }

    @Test("over plain http the first request has no password, and a digest is sent if the server supports it")
    func plainDigest() async throws {
        let server = ScriptedServer { request, _ in
            Self.nonce(request) == "n1" ? Response(status: 207) : .refusal(Self.digest("n1"), "Basic realm=\"r\"")
        }
        let client = try self.client(server, address: "http://nas.local/")
        let url = try #require(URL("http://nas.local/a?b=c"))
        for _ in 0..<3 { #expect(try await client.send("REPORT", to: url).response.status == 207) }
        let sent = await server.authorizations
        #expect(sent.count == 4, "the challenge is met once, not for each request")
        #expect(sent[0] == nil)
        for (value, count) in zip(sent[1...], ["00000001", "00000002", "00000003"]) {
            let fields = Challenge.read([.wwwAuthenticate: value ?? ""]).first?.parameters
            #expect(fields?["nc"] == count && fields?["uri"] == "/a?b=c" && fields?["username"] == "user")
        }
        #expect(await client.signInScheme == .digest)
    }

    @Test("a server with only Basic over plain http gets it after a challenge")
    func plainBasic() async throws {
        let server = ScriptedServer { request, _ in
            request.headers[.authorization] == Self.basic ? Response(status: 207) : .refusal("Basic realm=x")
        }
        let client = try self.client(server, address: "http://nas.local/")
        let url = try #require(URL("http://nas.local/"))
        for _ in 0..<2 { #expect(try await client.send("PROPFIND", to: url).response.status == 207) }
        #expect(await server.authorizations == [nil, Self.basic, Self.basic])
    }

    @Test("a server that accepted a digest does not get the password over plain http")
    func downgrade() async throws {
        let server = ScriptedServer { _, _ in .refusal("Basic realm=x") }
        let client = try self.client(server, address: "http://nas.local/", scheme: .digest)
        let url = try #require(URL("http://nas.local/"))
        let answer = try await client.send("PROPFIND", to: url)
        #expect(answer.failure().signIn == .passwordInClear)
        #expect(await server.authorizations == [nil])
    }

    @Test("a server that requires Digest gets it after the first refusal, with method and body")
    func digestOverTLS() async throws {
        let server = ScriptedServer { request, _ in
            Self.nonce(request) == nil ? .refusal(Self.digest("n")) : Response(status: 207)
        }
        let client = try self.client(server)
        let answer = try await client.send("PUT", to: ReplayTransport.url("/x"), body: [1, 2, 3])
        #expect(answer.response.status == 207)
        #expect(await server.requests.map(\.body) == [[1, 2, 3], [1, 2, 3]])
        #expect(await server.requests.map(\.method) == ["PUT", "PUT"])
    }

    @Test("a stale nonce costs one more request, with or without the stale flag", arguments: [true, false])
    func stale(isSaid: Bool) async throws {
        let server = ScriptedServer { request, number in
            let wanted = number <= 2 ? "n1" : "n2"
            guard Self.nonce(request) == wanted else { return .refusal(Self.digest(wanted, stale: isSaid)) }
            return Response(status: 207)
        }
        let client = try self.client(server, scheme: .digest)
        for _ in 0..<3 {
            #expect(try await client.send("PROPFIND", to: ReplayTransport.url("/")).response.status == 207)
        }
        #expect(await server.requests.map { Self.nonce($0) ?? "" } == ["", "n1", "n1", "n2", "n2"])
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: Response
        let reason: SignInFailure
        let requests: Int
        var testDescription: String { self.name }
    }

    static let refusals = [
        Refusal(name: "wrong", answer: .refusal("Basic realm=\"x\""), reason: .rejected, requests: 1),
        // A second address is requested, which may send a challenge.
        Refusal(name: "no challenge", answer: .refusal(), reason: .rejectedUnasked, requests: 2),
        Refusal(
            name: "Nextcloud with two factors",
            answer: .refusal("Basic realm=\"Nextcloud\"", body: "<o:hint>password login forbidden</o:hint>"),
            reason: .appPasswordNeeded,
            requests: 1
        ),
        Refusal(
            name: "a realm that says so",
            answer: .refusal("Basic realm=\"Use an App Password\""),
            reason: .appPasswordNeeded,
            requests: 1
        ),
        Refusal(
            name: "other schemes",
            answer: .refusal("Negotiate", "Bearer realm=\"x\", Digest realm=a, nonce=b, algorithm=SHA-512-256"),
            reason: .unsupported(["negotiate", "bearer", "digest (SHA-512-256)"]),
            requests: 1
        ),
        Refusal(name: "digest, wrong", answer: .refusal(digest("n")), reason: .rejected, requests: 2),
        Refusal(
            name: "digest, for ever stale",
            answer: .refusal(digest("n", stale: true)),
            reason: .rejected,
            requests: 2
        ),
    ]

    @Test("a 401 without a challenge is a wrong password, and an address with a challenge is preferred")
    func bareRefusal() async throws {
        // Nextcloud without a redirect at .well-known (a wrong password was once reported as a wrong address).
        let server = ScriptedServer { request, _ in
            if request.url.hasSuffix("/remote.php/dav/") { return .refusal("Basic realm=\"Nextcloud\"") }
            return request.url.hasSuffix("/.well-known/caldav") ? Response(status: 404) : .refusal()
        }
        let client = try self.client(server, address: "https://dav.example.org/")
        let error = await #expect(throws: CalDAVError.of(.unauthorized)) { try await client.discover() }
        #expect(error?.signIn == .rejected)
        #expect(
            await server.requests.map { $0.url.split(separator: "/").last } == ["caldav", "dav.example.org", "dav"]
        )
    }

    @Test("a refusal has its reason, and no request is sent more than twice", arguments: Self.refusals)
    func refuse(_ test: Refusal) async throws {
        let server = ScriptedServer { _, _ in test.answer }
        let client = try self.client(server)
        let error = await #expect(throws: CalDAVError.of(.unauthorized)) { try await client.discover() }
        #expect(error?.signIn == test.reason)
        #expect(error?.message == test.reason.words)
        #expect(error?.description.contains(Self.password) == false)
        #expect(await server.requests.count == test.requests)
    }

    /// Issues a new token for each call.
    private actor Mint {
        private var tokens: [String]
        private(set) var count = 0

        init(_ tokens: [String]) { self.tokens = tokens }

        func make() -> Secret? {
            self.count += 1
            return self.tokens.isEmpty ? nil : Secret(self.tokens.removeFirst())
        }
    }

    private func client(_ server: ScriptedServer, _ mint: Mint) throws -> CalDAVClient {
        try CalDAVClient(
            address: "https://dav.example.org/",
            credentials: Credentials(user: "user") { await mint.make() },
            transport: server
        )
    }

    @Test("of a server with a thousand authentication schemes a few are named")
    func manySchemes() async throws {
        let ways = (0..<1000).map { "Way\($0)" }.joined(separator: ", ")
        let server = ScriptedServer { _, _ in .refusal(ways) }
        let notes = Notes()
        let client = try CalDAVClient(
            address: "dav.example.org",
            credentials: Credentials(user: "user", password: Secret(Self.password)),
            transport: server,
            observe: { notes.add($0.description) }
        )
        let error = await #expect(throws: CalDAVError.of(.unauthorized)) { try await client.discover() }
        let words =
            "it requires the sign-in method way0, way1, way2, way3, way4 and others, which remindav does not support"
        #expect(error?.message == words)
        #expect(notes.lines.allSatisfy { $0.count < 200 })
    }

    @Test("a token is obtained once, and again when it is refused")
    func token() async throws {
        let server = ScriptedServer { request, number in
            request.headers[.authorization] == (number < 3 ? "Bearer one" : "Bearer two")
                ? Response(status: 207) : .refusal("Bearer error=\"invalid_token\"")
        }
        let mint = Mint(["one", "two"])
        let client = try self.client(server, mint)
        for _ in 0..<3 {
            #expect(try await client.send("PROPFIND", to: ReplayTransport.url("/")).response.status == 207)
        }
        #expect(await server.authorizations == ["Bearer one", "Bearer one", "Bearer one", "Bearer two"])
        #expect(await mint.count == 2)
        #expect(await client.signInScheme == .bearer)
    }

    @Test("a token that is refused twice and a command that fails have different errors")
    func tokenRefused() async throws {
        let server = ScriptedServer { _, _ in .refusal("Bearer") }
        let client = try self.client(server, Mint(["one", "two", "three"]))
        let answer = try await client.send("PROPFIND", to: ReplayTransport.url("/"))
        #expect(answer.failure().signIn == .tokenRefused)
        #expect(await server.requests.count == 2)
        let poor = try self.client(server, Mint([]))
        let error = await #expect(throws: CalDAVError.of(.unauthorized)) { try await poor.discover() }
        #expect(error?.signIn == .tokenCommandFailed)
        #expect(await server.requests.count == 2)
    }

    @Test("each exchange can be logged, without its secrets")
    func notes() async throws {
        let server = ScriptedServer { _, number in
            number == 1
                ? Response(status: 301, headers: [.location: "/dav/"]) : .refusal("Basic realm=x", "Negotiate")
        }
        let notes = Notes()
        let client = try CalDAVClient(
            address: "dav.example.org",
            credentials: Credentials(user: "user", password: Secret(Self.password)),
            transport: server,
            observe: { notes.add($0.description) }
        )
        _ = try? await client.discover()
        #expect(
            notes.lines == [
                "PROPFIND https://dav.example.org/.well-known/caldav 301, redirects to /dav/",
                "PROPFIND https://dav.example.org/dav/ 401, requests basic, negotiate",
            ]
        )
    }

    @Test("Retry-After with a date is measured by the answer's own clock, else by ours")
    func retryAfter() async throws {
        let dates: [Headers] = [
            [.retryAfter: "Sun, 06 Nov 1994 08:51:37 GMT", .date: "Sun, 06 Nov 1994 08:50:37 GMT"],
            [.retryAfter: "Sun, 06 Nov 1994 08:51:37 GMT"],
        ]
        let server = ScriptedServer { _, number in Response(status: 503, headers: dates[number - 1]) }
        let client = try CalDAVClient(
            address: "dav.example.org",
            credentials: Credentials(user: "user", password: Secret(Self.password)),
            transport: server,
            now: { 784_111_777 }
        )
        for seconds in [60, 120] {
            let answer = try await client.send("PROPFIND", to: ReplayTransport.url("/"))
            #expect(answer.failure().retryAfterSeconds == seconds)
        }
    }
}

/// Log lines from any thread.
private final class Notes: @unchecked Sendable {
    // The client logs one exchange after the other, and the test reads the log at the end.
    private(set) var lines: [String] = []
    func add(_ line: String) { self.lines.append(line) }
}
