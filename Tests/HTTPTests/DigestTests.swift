import Testing

@testable import RemindavHTTP

@Suite("MD5 (RFC 1321)")
struct MD5Tests {
    /// Appendix A.5, and the lengths around a block's padding.
    static let cases: [(message: String, digest: String)] = [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
        (String(repeating: "a", count: 55), "ef1772b6dff9a122358552954ad0df65"),
        (String(repeating: "a", count: 56), "3b0c8ac703f828b04c6c197006d17218"),
        (String(repeating: "a", count: 63), "b06521f39153d618550606be297466d5"),
        (String(repeating: "a", count: 64), "014842d480b571495a4a0363793f7367"),
        (String(repeating: "a", count: 119), "8a7bd0732ed6a28ce75f6dabc90e1613"),
        (String(repeating: "a", count: 120), "5f61c0ccad4cac44c75ff505e1f1e537"),
    ]

    @Test("each message has the digest of the standard", arguments: Self.cases)
    func digest(_ test: (message: String, digest: String)) {
        #expect(MD5(test.message.utf8).hexadecimal == test.digest)
    }
}

@Suite("Challenges (RFC 9110 §11)")
struct ChallengeTests {
    static let cases: [(fields: [String], expected: [Challenge])] = [
        (
            ["Basic realm=\"Nextcloud\", charset=\"UTF-8\""],
            [.init("basic", ["realm": "Nextcloud", "charset": "UTF-8"])]
        ),
        (["basic"], [.init("basic", [:])]),
        (["BASIC REALM=x"], [.init("basic", ["realm": "x"])]),
        (
            ["Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\""],
            [
                .init("newauth", ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
                .init("basic", ["realm": "simple"]),
            ]
        ),
        (
            ["Negotiate YII+/==, Basic realm=\"x\"", "NTLM"],
            [.init("negotiate", [:]), .init("basic", ["realm": "x"]), .init("ntlm", [:])]
        ),
        ([", , Negotiate , Basic realm = \"a, b\" ,"], [.init("negotiate", [:]), .init("basic", ["realm": "a, b"])]),
        (["Basic realm=\"one\", realm=\"two\""], [.init("basic", ["realm": "one"])]),
        (["Basic realm=\"never closed"], [.init("basic", [:])]),
        (["\u{1}"], []),
        ([""], []),
    ]

    @Test("every form of a challenge is read", arguments: Self.cases)
    func read(_ test: (fields: [String], expected: [Challenge])) {
        let headers = Headers(test.fields.map { HeaderField(name: .wwwAuthenticate, value: $0) })
        #expect(Challenge.read(headers) == test.expected)
    }
}

extension Challenge {
    fileprivate init(_ scheme: String, _ parameters: [String: String]) {
        self.init(scheme: scheme, parameters: parameters)
    }
}

@Suite("Digest (RFC 7616, RFC 2617, RFC 2069)")
struct DigestTests {
    private static func challenges(_ text: String) -> [Challenge] { Challenge.read([.wwwAuthenticate: text]) }

    /// Returns the parameters of the Authorization header, read like those of a challenge.
    private static func answer(
        _ text: String,
        cnonce: String = "c0ffee",
        user: String = "Mufasa",
        password: String = "Circle of Life",
        target: String = "/dir/index.html"
    ) -> [String: String] {
        guard var digest = Digest(Self.challenges(text), clientNonce: cnonce) else { return [:] }
        let value = digest.authorization(user: user, password: Secret(password), method: "GET", target: target)
        return Self.challenges(value).first?.parameters ?? [:]
    }

    static let example = """
        Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=ALGORITHM, \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """

    @Test(
        "the example of RFC 7616 section 3.9.1, both algorithms",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ]
    )
    func example(algorithm: String, response: String) {
        let text =
            String(Self.example.split(separator: "ALGORITHM")[0]) + algorithm
            + String(Self.example.split(separator: "ALGORITHM")[1])
        let sent = Self.answer(text, cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(sent["response"] == response)
        #expect(sent["username"] == "Mufasa" && sent["qop"] == "auth" && sent["nc"] == "00000001")
        #expect(sent["opaque"] == "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS" && sent["algorithm"] == algorithm)
    }

    @Test("the example of RFC 2617 section 3.5, which names no algorithm")
    func older() {
        let text = """
            Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
            opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """
        let sent = Self.answer(text, cnonce: "0a4f113b", password: "Circle Of Life")
        #expect(sent["response"] == "6629fae49393a05397450978507c4ef1")
        #expect(sent["algorithm"] == nil)
    }

    @Test("without qop there is no count, as in RFC 2069")
    func oldest() {
        let sent = Self.answer("Digest realm=\"r\", nonce=\"n\"", user: "u", password: "p", target: "/")
        // MD5(MD5(u:r:p):n:MD5(GET:/))
        #expect(sent["response"] == "f23121ca97143c6b358da620220c83b4")
        #expect(sent["nc"] == nil && sent["cnonce"] == nil && sent["qop"] == nil)
    }

    @Test("a session's key contains both nonces")
    func session() {
        let text = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=MD5-sess"
        let sent = Self.answer(text, cnonce: "c", user: "u", password: "p", target: "/")
        #expect(sent["response"] == "6e4aac8b22e97762f88ccd0d5ccf5b1d")
        let stronger = Self.answer("Digest realm=r, nonce=n, qop=auth, algorithm=sha-256-SESS", cnonce: "c", user: "u")
        #expect(stronger["response"]?.count == 64 && stronger["algorithm"] == "sha-256-SESS")
    }

    @Test("the stronger of two algorithms is used; unsupported challenges are skipped")
    func choice() {
        let both = "Digest realm=r, nonce=a, algorithm=MD5, Digest realm=r, nonce=b, algorithm=SHA-256"
        #expect(Self.answer(both)["nonce"] == "b")
        #expect(Self.answer("Digest realm=r, nonce=a, algorithm=SHA-512-256, Digest realm=r, nonce=b")["nonce"] == "b")
        for text in [
            "Digest realm=r, nonce=n, algorithm=SHA-512-256", "Digest realm=r, nonce=n, qop=\"auth-int\"",
            "Digest nonce=n", "Digest realm=r", "Basic realm=r, nonce=n",
        ] {
            #expect(Digest(Self.challenges(text), clientNonce: "c") == nil, "\(text)")
        }
    }

    @Test("a nonce is counted, and a new one starts from the beginning")
    func counting() throws {
        var digest = try #require(Digest(Self.challenges("Digest realm=r, nonce=n, qop=auth"), clientNonce: "c"))
        func count() -> String? {
            let value = digest.authorization(user: "u", password: Secret("p"), method: "GET", target: "/")
            return Self.challenges(value).first?.parameters["nc"]
        }
        #expect((0..<17).map { _ in count() }.last == "00000011")
        digest.follow(["Authentication-Info": "rspauth=\"x\", nextnonce=\"m\""])
        #expect(digest.nonce == "m")
        #expect(count() == "00000001")
        digest.follow(["Authentication-Info": "nextnonce=\"m\""])
        #expect(count() == "00000002")
    }

    @Test("names with non-ASCII characters and quotes arrive completely")
    func names() {
        let utf8 = Self.answer("Digest realm=r, nonce=n, charset=UTF-8", user: "Jäsøn Doe")
        #expect(utf8["username*"] == "UTF-8''J%C3%A4s%C3%B8n%20Doe" && utf8["username"] == nil)
        #expect(Self.answer("Digest realm=r, nonce=n", user: "Jäsøn")["username"] == "Jäsøn")
        #expect(Self.answer("Digest realm=\"a\\\"b\\\\\", nonce=n", user: "x\"y")["username"] == "x\"y")
        #expect(Self.answer("Digest realm=\"a\\\"b\\\\\", nonce=n")["realm"] == "a\"b\\")
    }
}

@Suite("Moments in header fields (RFC 9110 §5.6.7, §10.2.3)")
struct HTTPDateTests {
    @Test(
        "all three forms name one moment",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ]
    )
    func forms(_ text: String) { #expect(HTTPDate.read(text) == 784_111_777) }

    @Test(
        "leap days, leap seconds and the ends of centuries",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Sunday, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
        ]
    )
    func moments(text: String, seconds: Int64) { #expect(HTTPDate.read(text) == seconds) }

    @Test(
        "a text that is no time is rejected",
        arguments: [
            "", "tomorrow", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 25:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov -1 08:49:37 GMT",
        ]
    )
    func none(_ text: String) { #expect(HTTPDate.read(text) == nil) }

    struct Retry: Sendable {
        let fields: Headers
        var now: Int64? = 784_111_777
        let expected: Int?
    }

    static let retries = [
        Retry(fields: [.retryAfter: "120"], expected: 120),
        Retry(fields: [.retryAfter: " 0 "], expected: 0),
        Retry(fields: [.retryAfter: "99999999999999999999"], expected: 86_400),
        Retry(fields: [.retryAfter: "Sun, 06 Nov 1994 08:51:37 GMT"], expected: 120),
        // The clock of the server takes precedence over ours.
        Retry(
            fields: [.retryAfter: "Sun, 06 Nov 1994 08:51:37 GMT", .date: "Sun, 06 Nov 1994 08:50:37 GMT"],
            expected: 60
        ),
        Retry(fields: [.retryAfter: "Sun, 06 Nov 1994 08:51:37 GMT"], now: nil, expected: nil),
        Retry(fields: [.retryAfter: "Sun, 06 Nov 1990 08:51:37 GMT"], expected: 0),
        Retry(fields: [.retryAfter: "Sun, 06 Nov 2094 08:51:37 GMT"], expected: 86_400),
        Retry(fields: [.retryAfter: "-5"], expected: nil),
        Retry(fields: [.retryAfter: "soon"], expected: nil),
        Retry(fields: [:], expected: nil),
    ]

    @Test("Retry-After in both forms, never longer than a day", arguments: Self.retries)
    func retryAfter(_ test: Retry) { #expect(test.fields.retryAfterSeconds(now: test.now) == test.expected) }
}
