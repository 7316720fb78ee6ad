import RemindavHTTP
import Testing

@testable import RemindavCalDAV

/// A resolver with fixed answers that records its queries.
private actor KnownNames: ServiceResolver {
    private let messages: [String: [UInt8]]
    private(set) var questions: [String] = []

    init(_ messages: [String: [UInt8]]) { self.messages = messages }

    func answer(name: String, type: UInt16) async -> [UInt8]? {
        let question = "\(type == 33 ? "SRV" : "TXT") \(name)"
        self.questions.append(question)
        return self.messages[question]
    }
}

/// Builds DNS messages byte by byte.
private enum Message {
    static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    static func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

    /// Returns a message with a question for `a.b` and these answers, each with a pointer to the name of the question.
    static func answering(_ answers: [(type: Int, data: [UInt8])], code: UInt8 = 0) -> [UInt8] {
        var message: [UInt8] = [0, 1, 0x81, 0x80 | code, 0, 1]
        message += self.number(answers.count)
        message += [0, 0, 0, 0]
        message += self.name("a.b")
        message += [0, 33, 0, 1]
        for answer in answers {
            message += [0xC0, 12]
            message += self.number(answer.type)
            message += [0, 1, 0, 0, 0, 60]
            message += self.number(answer.data.count)
            message += answer.data
        }
        return message
    }

    static func service(_ priority: Int, _ weight: Int, _ port: Int, _ target: String) -> (type: Int, data: [UInt8]) {
        (33, [priority, weight, port].flatMap { self.number($0) } + self.name(target))
    }

    static func texts(_ texts: String...) -> (type: Int, data: [UInt8]) {
        (16, texts.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) })
    }
}

@Suite("services in DNS (RFC 6764, RFC 2782, RFC 1035)")
struct ServiceTests {
    private static let secure = "SRV _caldavs._tcp.example.org"
    private static let plain = "SRV _caldav._tcp.example.org"

    @Test("a plain domain or an e-mail address may have a service, an address of a server does not")
    func hasService() async {
        let names = KnownNames([Self.secure: Message.answering([Message.service(0, 0, 443, "dav.example.org")])])
        for address in ["example.org", "anna@example.org"] {
            #expect(await names.hasCalDAVService(of: address))
        }
        for address in ["other.example.org", "https://example.org/", "example.org:8443", "ftp://example.org", ""] {
            #expect(await !names.hasCalDAVService(of: address))
        }
    }

    @Test("an address in the form of an e-mail address leads to the host, the port and the path of DNS")
    func path() async throws {
        let names = KnownNames([
            Self.secure: Message.answering([Message.service(0, 0, 8443, "CalDAV.example.org")]),
            "TXT _caldavs._tcp.example.org": Message.answering([Message.texts("other", "path=/dav")]),
        ])
        let talk = try Conversation("made-service-with-a-path", address: "anna@example.org", resolver: names)
        let found = try await talk.client.discover()
        #expect(found.lists.map(\.url.text) == ["https://caldav.example.org:8443/c/user/tasks/"])
        #expect(await names.questions == [Self.secure, "TXT _caldavs._tcp.example.org"])
        await talk.expectFinished()
    }

    @Test("a host that does not answer is skipped")
    func secondHost() async throws {
        let names = KnownNames([
            Self.secure: Message.answering([
                Message.service(20, 0, 443, "two.example.org"), Message.service(10, 0, 443, "one.example.org"),
            ])
        ])
        let talk = try Conversation("made-service-of-two-hosts", address: "example.org", resolver: names)
        #expect(try await talk.client.discover().homes.map(\.text) == ["https://two.example.org/c/user/"])
        await talk.expectFinished()
    }

    @Test("a host outside the domain is named, and gets no request and no password")
    func elsewhere() async throws {
        for target in ["dav.provider.net", "evilexample.org"] {
            let names = KnownNames([Self.secure: Message.answering([Message.service(0, 0, 443, target)])])
            let talk = try Conversation("made-service-elsewhere", address: "example.org", resolver: names)
            let error = await #expect(throws: CalDAVError.of(.redirectRefused)) { try await talk.client.discover() }
            #expect(error?.host == "https://\(target)")
            #expect(error?.redirectTarget == "https://\(target)/")
            await talk.expectFinished()
        }
    }

    @Test("plain http is used only where it is allowed")
    func plainOnlyWhenAllowed() async throws {
        for isAllowed in [false, true] {
            let names = KnownNames([:])
            let talk = try Conversation(
                "made-service-elsewhere",
                address: "example.org",
                allowsInsecure: isAllowed,
                resolver: names
            )
            _ = try? await talk.client.discover()
            #expect(await names.questions == (isAllowed ? [Self.secure, Self.plain] : [Self.secure]))
        }
    }

    @Test(
        "an address with more than a domain causes no DNS query",
        arguments: [
            "https://example.org", "example.org/dav", "example.org:8443", "localhost", "nas", "127.0.0.1", "10.0.0.7",
            "[2001:db8::1]",
        ]
    )
    func notAsked(_ address: String) throws { #expect(try Address(address).domain == nil) }

    @Test("a domain is the part after the @")
    func domains() throws {
        #expect(try Address("anna@Example.org").domain == "example.org")
        #expect(try Address(" example.org ").domain == "example.org")
        #expect(try Address("anna@example.org").url.text == "https://example.org/")
    }

    @Test("services and texts are read; the root, other types, odd names and errors are ignored")
    func reading() {
        let message = Message.answering([
            (5, Message.name("x.y")), Message.service(1, 2, 443, "h.example"), Message.service(0, 0, 0, ""),
            Message.service(0, 0, 443, "a/b.example"), (33, [0, 1]),
        ])
        let expected = ServiceRecord(priority: 1, weight: 2, port: 443, target: "h.example")
        #expect(DNSMessage.services(message) == [expected])
        #expect(DNSMessage.services(Message.answering([Message.service(1, 2, 3, "h")], code: 3)) == [])
        #expect(
            DNSMessage.texts(Message.answering([Message.texts("a", "", "b=c"), (16, [9, 1])])) == ["a", "", "b=c"]
        )
        // A target that ends in a pointer to the question's name: h.a.b
        let pointing = Message.answering([(33, [0, 0, 0, 0, 0, 80, 1, 0x68, 0xC0, 12])])
        #expect(DNSMessage.services(pointing).map(\.target) == ["h.a.b"])
    }

    @Test("a message that is truncated, or has circular pointers, is read up to the error")
    func hostile() {
        let message = Message.answering([Message.service(1, 2, 443, "h.example"), Message.texts("path=/")])
        for length in 0..<message.count {
            #expect(DNSMessage.services(Array(message[..<length])).count <= 1)
            #expect(DNSMessage.texts(Array(message[..<length])).isEmpty)
        }
        let circle = Message.answering([(33, [0, 0, 0, 0, 0, 80, 0xC0, 41])])
        #expect(DNSMessage.services(circle) == [])
        for seed in 0..<2000 {
            var generator = Dice(seed: UInt64(seed))
            var broken = message
            for _ in 0..<3 {
                broken[Int.random(in: 0..<broken.count, using: &generator)] = UInt8.random(
                    in: 0...255,
                    using: &generator
                )
            }
            #expect(DNSMessage.services(broken).count <= 64)
        }
    }

    @Test("a lower priority comes first; within one, the heavier comes first more often")
    func order() {
        let records = [(1, 0, "light"), (1, 30, "heavy"), (0, 0, "first"), (2, 9, "last"), (1, 10, "middle")].map {
            ServiceRecord(priority: $0.0, weight: $0.1, port: 443, target: $0.2)
        }
        var wins: [String: Int] = [:]
        var generator = Dice(seed: 7)
        for _ in 0..<4000 {
            let order = ServiceRecord.inOrder(records, using: &generator).map(\.target)
            #expect(order.first == "first" && order.last == "last" && order.count == 5)
            wins[order[1], default: 0] += 1
        }
        #expect((2700...3200).contains(wins["heavy"] ?? 0), "\(wins)")
        #expect((800...1200).contains(wins["middle"] ?? 0), "\(wins)")
        #expect((20...250).contains(wins["light"] ?? 0), "\(wins)")
    }
}

/// A random generator with a seed (SplitMix64).
private struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { self.state = seed }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("forms of addresses")
struct AddressTests {
    static let root = "https://cloud.example.org"
    static let dav = "/remote.php/dav/"

    @Test(
        "the installation folder is found from each address that Nextcloud shows",
        arguments: [
            "", "/", "/index.php/apps/tasks/", "/index.php/apps/calendar/dayGridMonth/now",
            "/apps/tasks/#/collections/x",
            "/remote.php/dav", "/remote.php/dav/", "/remote.php/dav/principals/users/user/", "/remote.php/caldav/",
            "/remote.php/dav/calendars/user/", "/remote.php/dav/calendars/user/tasks/",
            "/index.php/settings/user/security",
            "/settings/user/security", "/index.php/login?redirect_url=x", "/login",
        ]
    )
    func nextcloud(_ path: String) throws {
        for folder in ["", "/cloud"] {
            let candidates = Address.candidates(for: try Address(Self.root + folder + path).url).map(\.path)
            #expect(candidates.contains(folder + Self.dav), "\(folder)\(path): \(candidates)")
            #expect(Set(candidates).count == candidates.count)
        }
    }

    @Test(
        "schemes of other programs, and no scheme",
        arguments: [
            ("caldavs://a.example/x", "https://a.example/x"), ("davs://a.example", "https://a.example/"),
            ("CalDAV://a.example", "http://a.example/"), ("a.example/x", "https://a.example/x"),
            ("localhost:5232", "http://localhost:5232/"), ("127.0.0.1:80/x", "http://127.0.0.1:80/x"),
            ("http://a.example", "http://a.example/"),
        ]
    )
    func schemes(text: String, url: String) throws { #expect(try Address(text).url.text == url) }
}
