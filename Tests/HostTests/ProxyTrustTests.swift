import RemindavBridge
import RemindavHTTP
import RemindavPlatform
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavHost
@testable import RemindavPostgresStore

@Suite("people whom a reverse proxy has signed in")
struct ProxyTrustTests {
    private static let word = String(repeating: "s", count: ProxyTrust.minimumSecretBytes)

    private func request(_ headers: Headers, user: UInt32? = nil) -> Request {
        var request = Request(url: "/", headers: headers)
        request.socketUser = user
        return request
    }

    private func result(
        _ trust: ProxyTrust,
        _ request: Request,
        by door: ProxyTrust.Door
    ) -> Result<Person, ProxyTrust.Refusal> {
        Result { () throws(ProxyTrust.Refusal) in try trust.person(of: request, by: door) }
    }

    @Test(
        "a header is read only from the socket, or with the whole secret",
        arguments: [
            (ProxyTrust.Door.socket, nil, true), (.socket, "wrong", true), (.port, nil, false), (.port, "", false),
            (.port, Self.word, true), (.port, Self.word + "s", false), (.port, String(Self.word.dropLast()), false),
            (.port, Self.word.uppercased(), false),
        ] as [(ProxyTrust.Door, String?, Bool)]
    )
    func doors(door: ProxyTrust.Door, sent: String?, isTrusted: Bool) {
        let trust = ProxyTrust(subjectHeader: "Remote-User", secret: Self.word)
        var headers: Headers = ["remote-user": "ada"]
        if let sent { headers.append(ProxyTrust.secretHeader, sent) }
        let expected: Result<Person, ProxyTrust.Refusal> =
            isTrusted ? .success(Person(issuer: "", subject: "ada")) : .failure(.notTheProxy)
        #expect(self.result(trust, self.request(headers), by: door) == expected)
    }

    @Test("without a secret, no request of the port is trusted; two secrets are none")
    func withoutSecret() {
        let trust = ProxyTrust(subjectHeader: "Remote-User")
        let forged = self.request(["Remote-User": "ada", ProxyTrust.secretHeader: ""])
        #expect(self.result(trust, forged, by: .port) == .failure(.notTheProxy))
        let two = self.request([
            "Remote-User": "ada", ProxyTrust.secretHeader: Self.word, ProxyTrust.secretHeader: Self.word,
        ])
        let strict = ProxyTrust(subjectHeader: "Remote-User", secret: Self.word)
        #expect(self.result(strict, two, by: .port) == .failure(.notTheProxy))
    }

    @Test("a socket for one user refuses other users and connections of an unknown user")
    func user() {
        let trust = ProxyTrust(subjectHeader: "Remote-User", user: 33)
        for (user, isTrusted) in [(33, true), (0, false), (34, false), (nil, false)] as [(UInt32?, Bool)] {
            let result = self.result(trust, self.request(["Remote-User": "ada"], user: user), by: .socket)
            #expect(((try? result.get()) != nil) == isTrusted)
        }
    }

    @Test("a person needs exactly one valid header of each kind")
    func headers() {
        let trust = ProxyTrust(subjectHeader: "Remote-User", issuerHeader: "Remote-Issuer")
        func result(_ headers: Headers) -> Result<Person, ProxyTrust.Refusal> {
            self.result(trust, self.request(headers), by: .socket)
        }
        #expect(
            result(["Remote-User": "ada", "Remote-Issuer": "https://id"])
                == .success(Person(issuer: "https://id", subject: "ada"))
        )
        #expect(result([:]) == .failure(.noPerson))
        #expect(result(["Remote-User": "ada"]) == .failure(.noPerson))
        #expect(result(["Remote-User": "", "Remote-Issuer": "i"]) == .failure(.noPerson))
        #expect(
            result(["Remote-User": "ada", "remote-USER": "ben", "Remote-Issuer": "i"]) == .failure(.severalPersons)
        )
        for subject in ["a\u{7}", "a\u{FFFD}", String(repeating: "a", count: ProxyTrust.maximumNameBytes + 1)] {
            #expect(result(["Remote-User": subject, "Remote-Issuer": "i"]) == .failure(.notValid))
        }
    }

    @Test("the secret has 32 printable characters in a file that only this user can read")
    func secretFile() throws {
        let folder = try TemporaryFolder()
        let cases: [(String, ProxyTrust.SecretFile)] = [
            (Self.word, .secret(Self.word)), ("\(Self.word)\nmore", .secret(Self.word)),
            (String(Self.word.dropLast()), .notValid), ("\n\(Self.word)", .notValid),
            ("\(Self.word) x", .notValid),
            ("", .notValid),
        ]
        for (number, (text, expected)) in cases.enumerated() {
            let path = "\(folder.path)/\(number)"
            try PrivateFile.create(path, Array(text.utf8))
            #expect(ProxyTrust.secret(inFile: path) == expected, "\(number)")
        }
        #expect(ProxyTrust.secret(inFile: "\(folder.path)/missing") == .notReadable("No such file or directory"))
    }

    private func gate(_ made: CountedNames, _ tenants: [String: Int64]) throws -> PageGate {
        let pages = HostPages(
            site: try #require(FeedSite("https://todo.example.org")),
            socket: nil,
            trust: ProxyTrust(subjectHeader: "Remote-User"),
            uploadFolder: "/nowhere",
            makePages: { _, _ in { _ in Response(status: 500) } },
            acceptsUpload: { $0.url == "/import" }
        )
        let sites = PageSites { tenant in
            made.add("\(tenant.tenant.rawValue) \(tenant.zone)")
            return { request in
                let body = "\(tenant.tenant.rawValue) \(request.person?.subject ?? "") \(request.isProxied)"
                return Response(status: 200, body: Array(body.utf8))
            }
        }
        return PageGate(
            pages: pages,
            tenant: { person in
                if person.subject == "broken" { throw UseCaseError(.vaultUnavailable) }
                return tenants[person.subject].map { IdentifiedTenant(tenant: TenantID(rawValue: $0), zone: "UTC") }
            },
            sites: sites
        )
    }

    @Test("each person gets the site of their tenant, which is made once, and an unknown person gets none")
    func gate() async throws {
        let made = CountedNames()
        let gate = try self.gate(made, ["ada": 1, "ben": 2, "eve's sister": 2])
        func answer(_ subject: String) async -> (Int, String) {
            let request = self.request(["Remote-User": subject, "Host": "todo.example.org"])
            let answer = await gate.respond(to: request, by: .socket)
            return (answer.status, String(decoding: answer.body, as: UTF8.self))
        }
        for _ in 1...2 {
            #expect(await answer("ada") == (200, "1 ada true"))
            #expect(await answer("ben") == (200, "2 ben true"))
        }
        #expect(await answer("eve's sister") == (200, "2 eve's sister true"))
        #expect(made.names == ["1 UTC", "2 UTC"])
        #expect(await answer("eve") == (403, "\(ProxyTrust.Refusal.unknownPerson.rawValue)\n"))
        #expect(await answer("broken").0 == 503)
        let local = self.request(["Remote-User": "ada", "Host": "localhost"])
        #expect(await gate.respond(to: local, by: .socket).status == 421)
        let forged = self.request(["Remote-User": "ada", "Host": "todo.example.org"])
        #expect(await gate.respond(to: forged, by: .port).status == 403)
        var upload = forged
        upload.url = "/import"
        #expect(gate.acceptsUpload(upload, by: .socket) && !gate.acceptsUpload(forged, by: .socket))
        #expect(!gate.acceptsUpload(upload, by: .port))
    }

    @Test("the site that was unused for the longest time is removed")
    func cache() throws {
        let made = CountedNames()
        let sites = PageSites { tenant in
            made.add("\(tenant.tenant.rawValue)")
            return { _ in Response(status: 200) }
        }
        func use(_ number: Int) throws {
            _ = try sites.site(of: IdentifiedTenant(tenant: TenantID(rawValue: Int64(number)), zone: "UTC"))
        }
        for number in 1...PageSites.maximumCount { try use(number) }
        try use(1)
        try use(PageSites.maximumCount + 1)
        try use(1)
        #expect(made.names.count == PageSites.maximumCount + 1)
        try use(2)
        #expect(made.names.count == PageSites.maximumCount + 2)
    }
}

/// The names that a closure was called with, in order.
private final class CountedNames: Sendable {
    private let all = Mutex<[String]>([])
    var names: [String] { self.all.withLock { $0 } }
    func add(_ name: String) { self.all.withLock { $0.append(name) } }
}
