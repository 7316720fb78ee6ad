import Glibc
import RemindavHTTP
import Synchronization
import Testing

@testable import RemindavCurlTransport

private final class Counter: Sendable {
    let value = Atomic<Int>(0)
}

@Suite("HTTP over libcurl", .timeLimit(.minutes(1)))
struct CurlSessionTests {
    private func with(
        _ handler: @escaping @Sendable (Loopback.Seen) -> Loopback.Reply,
        _ body: (Loopback) async throws -> Void
    ) async throws {
        let server = Loopback(handler)
        defer { server.stop() }
        try await body(server)
    }

    @Test("a connection is kept and reused")
    func keepAlive() async throws {
        try await self.with { _ in
            .ok("x")
        } _: { (server: Loopback) async throws in
            let session = CurlSession()
            for _ in 0..<5 { #expect(try await session.send(Request(url: server.url + "/")).body == Array("x".utf8)) }
            #expect(server.connectionCount == 1)
        }
    }

    @Test("requests run concurrently, also if the server closes each connection after its answer")
    func forEachConcurrently() async throws {
        let arrived = Counter()
        try await self.with { _ in
            // Answers after the arrival of the fourth request, or reports a timeout.
            let count = arrived.value.add(1, ordering: .relaxed).newValue
            for _ in 0..<5000 where arrived.value.load(ordering: .relaxed) < 4 { usleep(1000) }
            let isTogether = count > 4 || arrived.value.load(ordering: .relaxed) >= 4
            let body = isTogether ? "together" : "alone"
            return Loopback.Reply("HTTP/1.0 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", closes: true)
        } _: { (server: Loopback) async throws in
            let session = CurlSession()
            let bodies = await withTaskGroup(of: [UInt8]?.self) { group in
                for _ in 0..<4 { group.addTask { try? await session.send(Request(url: server.url + "/")).body } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(bodies == Array(repeating: Array("together".utf8), count: 4))
            #expect(server.connectionCount == 4)
        }
    }

    @Test("a request is sent unchanged: method, fields, a length and no Expect")
    func request() async throws {
        try await self.with { _ in
            .ok("", headers: "ETag: \"1\"\r\nDAV: 1\r\nDAV: 2\r\n")
        } _: { (server: Loopback) async throws in
            let session = CurlSession(userAgent: "Tester/1")
            let body = [UInt8](repeating: 65, count: 100_000)
            let headers: Headers = [.depth: "1", "X-Empty": ""]
            let answer = try await session.send(
                Request(method: "REPORT", url: server.url + "/a%20b?c", headers: headers, body: body)
            )
            #expect(answer.headers[.etag] == "\"1\"")
            #expect(answer.headers.values(of: "DAV") == ["1", "2"])
            let text = try #require(server.seen.first).text
            #expect(text.hasPrefix("REPORT /a%20b?c HTTP/1.1\r\n"))
            for line in ["Depth: 1", "Content-Length: 100000", "User-Agent: Tester/1", "X-Empty:"] {
                #expect(text.contains("\r\n\(line)\r\n"), "\(line)")
            }
            #expect(!text.contains("Expect") && !text.contains("Transfer-Encoding"))
            #expect(text.lowercased().contains("\r\naccept-encoding: identity\r\n"))
            #expect(text.hasSuffix(String(repeating: "A", count: 1000)))
        }
    }

    @Test("lists are requested compressed, except from this machine; single resources never")
    func compression() {
        for (method, host, expected) in [
            ("REPORT", "https://example.org", ""), ("PROPFIND", "http://192.168.1.2:5232", ""),
            ("REPORT", "http://127.0.0.1:5232", "identity"), ("PROPFIND", "https://localhost", "identity"),
            ("REPORT", "http://127.0.0.1.example.org", ""), ("GET", "https://example.org", nil),
            ("PUT", "http://localhost", nil),
        ] as [(String, String, String?)] {
            let request = Request(method: method, url: host + "/")
            #expect(CurlDriver.acceptedEncodings(request) == expected, "\(method) \(host)")
        }
    }

    @Test("a body without bytes has a length, a GET has no body and asks for no compression")
    func framing() async throws {
        try await self.with { _ in
            .ok("")
        } _: { (server: Loopback) async throws in
            let session = CurlSession()
            for method in ["PUT", "PROPFIND", "GET", "DELETE", "OPTIONS", "HEAD"] {
                _ = try await session.send(Request(method: method, url: server.url + "/"))
            }
            let texts = server.seen.map(\.text)
            #expect(
                texts.map { String($0.prefix { $0 != " " }) } == [
                    "PUT", "PROPFIND", "GET", "DELETE", "OPTIONS", "HEAD",
                ]
            )
            #expect(texts[0].contains("Content-Length: 0") && texts[1].contains("Content-Length: 0"))
            for text in texts[2...] { #expect(!text.contains("Content-Length")) }
            for text in [texts[0]] + texts[2...] { #expect(!text.lowercased().contains("accept-encoding")) }
        }
    }

    @Test(
        "a body that is cut is an error, never a short success",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Le",
        ]
    )
    func cut(answer: String) async throws {
        try await self.with { _ in
            Loopback.Reply(answer, closes: true)
        } _: { (server: Loopback) async throws in
            let error = await #expect(throws: TransportError.self) {
                try await CurlSession().send(Request(url: server.url + "/"))
            }
            #expect(error?.code == .interrupted || error?.code == .protocolViolation)
            #expect(server.seen.count == 1)
        }
    }

    @Test("after a connection that closed without an answer a repeatable request is sent once more on a new one")
    func retry() async throws {
        try await self.with {
            $0.connection == 1 ? Loopback.Reply(pieces: [], closes: true) : .ok("x")
        } _: { (server: Loopback) async throws in
            #expect(try await CurlSession().send(Request(method: "PROPFIND", url: server.url + "/")).status == 200)
            #expect(server.connectionCount == 2)
        }
        try await self.with { _ in
            Loopback.Reply(pieces: [], closes: true)
        } _: { (server: Loopback) async throws in
            for (request, tries) in [
                (Request(method: "PUT", url: server.url + "/", headers: [.ifNoneMatch: "*"], body: [65]), 2),
                (Request(method: "MKCALENDAR", url: server.url + "/"), 1),
                (Request(method: "DELETE", url: server.url + "/"), 1),
            ] {
                let before = server.seen.count
                await #expect(throws: TransportError(.interrupted)) { try await CurlSession().send(request) }
                #expect(server.seen.count - before == tries, "\(request.method)")
            }
        }
    }

    @Test("a redirect is returned like any other answer")
    func redirect() async throws {
        try await self.with { _ in
            Loopback.Reply("HTTP/1.1 301 Moved\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")
        } _: { (server: Loopback) async throws in
            let answer = try await CurlSession().send(Request(method: "PROPFIND", url: server.url + "/", body: [65]))
            #expect(answer.status == 301 && answer.headers[.location] == "/other")
            #expect(server.seen.count == 1)
        }
    }

    @Test("cookies are sent back to the server, and not in another session")
    func cookies() async throws {
        try await self.with { _ in
            .ok("", headers: "Set-Cookie: session=abc; Path=/; HttpOnly\r\n")
        } _: { (server: Loopback) async throws in
            let session = CurlSession()
            for _ in 0..<2 { _ = try await session.send(Request(url: server.url + "/")) }
            _ = try await CurlSession().send(Request(url: server.url + "/"))
            #expect(server.seen.map { $0.text.contains("Cookie: session=abc") } == [false, true, false])
        }
    }

    @Test("a response larger than the limit is refused, with or without Content-Length, compressed or not")
    func tooLarge() async throws {
        var limits = TransportLimits()
        limits.bodyBytes = 100_000
        limits.headerFields = 50
        let session = CurlSession(limits: limits)
        let answers: [[UInt8]] = [
            Array("HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n".utf8) + [UInt8](repeating: 65, count: 100_001),
            Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + [UInt8](repeating: 65, count: 300_000),
            Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.bomb.count)\r\n\r\n".utf8)
                + Self.bomb,
            Array("HTTP/1.1 200 OK\r\n\(String(repeating: "X: y\r\n", count: 60))\r\n".utf8),
        ]
        for answer in answers {
            try await self.with { _ in
                Loopback.Reply(pieces: [answer], closes: true)
            } _: { (server: Loopback) async throws in
                await #expect(throws: TransportError(.tooLarge)) {
                    try await session.send(Request(method: "REPORT", url: server.url + "/"))
                }
            }
        }
    }

    @Test("a compressed answer is decompressed")
    func gzip() async throws {
        let reply =
            Array("HTTP/1.1 207 X\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.bomb.count)\r\n\r\n".utf8)
            + Self.bomb
        try await self.with { _ in
            Loopback.Reply(pieces: [reply])
        } _: { (server: Loopback) async throws in
            let answer = try await CurlSession().send(Request(method: "PROPFIND", url: server.url + "/"))
            #expect(answer.body == [UInt8](repeating: 65, count: 1_048_576))
        }
    }

    @Test("the wait for a busy server is long, for a trickling one limited, and for a silent one limited")
    func slow() async throws {
        var limits = TransportLimits()
        limits.slowSeconds = 1
        limits.firstByteSeconds = 4
        let session = CurlSession(limits: limits)
        let thinks = Loopback.Reply(
            pieces: [Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".utf8)],
            pauseMilliseconds: 2500
        )
        try await self.with { _ in
            thinks
        } _: { (server: Loopback) async throws in
            #expect(try await session.send(Request(url: server.url + "/")).status == 200)
        }
        let head = [Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8)]
        let drips = Loopback.Reply(pieces: head + [[UInt8]](repeating: [65], count: 100), pauseMilliseconds: 200)
        try await self.with { _ in
            drips
        } _: { (server: Loopback) async throws in
            await #expect(throws: TransportError(.timeout)) { try await session.send(Request(url: server.url + "/")) }
        }
        limits.firstByteSeconds = 1
        let silent = Loopback.Reply(pieces: [[65]], pauseMilliseconds: 8000)
        try await self.with { _ in
            silent
        } _: { (server: Loopback) async throws in
            let session = CurlSession(limits: limits)
            let error = await #expect(throws: TransportError.self) {
                try await session.send(Request(url: server.url + "/"))
            }
            #expect(error == TransportError(.timeout))
            #expect(error?.detail == "no data for 1 seconds")
        }
    }

    @Test("the time limit of a small request is shorter than that of an expensive one")
    func small() async throws {
        var limits = TransportLimits()
        limits.smallFirstByteSeconds = 1
        let session = CurlSession(limits: limits)
        let thinks = Loopback.Reply(
            pieces: [Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".utf8)],
            pauseMilliseconds: 3000
        )
        try await self.with { _ in
            thinks
        } _: { (server: Loopback) async throws in
            var request = Request(method: "PROPFIND", url: server.url + "/")
            request.isSmall = true
            let error = await #expect(throws: TransportError(.timeout)) { try await session.send(request) }
            #expect(error?.detail == "no data for 1 seconds")
            request.isSmall = false
            #expect(try await session.send(request).status == 200)
        }
    }

    @Test("the framing of a body has the same limit as the body", arguments: ["5;x=", "5", "0\r\nX: "])
    func endlessFraming(beginning: String) async throws {
        var limits = TransportLimits()
        limits.wireBytes = 1_000_000
        let session = CurlSession(limits: limits)
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
        // An endless chunk length, slow chunks of one byte, or an endless trailer.
        let filling = String(repeating: "x", count: 10_000)
        let piece = beginning == "5" ? "1;\(filling)\r\nx\r\n" : filling
        let start = beginning == "5" ? head : head + beginning
        let answer = Loopback.Reply(
            pieces: [Array(start.utf8)] + Array(repeating: Array(piece.utf8), count: 1000),
            pauseMilliseconds: 2
        )
        try await self.with { _ in
            answer
        } _: { (server: Loopback) async throws in
            let error = await #expect(throws: TransportError.self) {
                try await session.send(Request(method: "REPORT", url: server.url + "/"))
            }
            #expect(error?.code == .tooLarge || beginning == "0\r\nX: " && error?.code != .timeout)
        }
    }

    @Test("a cancelled request ends at once, before and after it was sent")
    func cancellation() async throws {
        let slow = Loopback.Reply(
            pieces: [Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)],
            pauseMilliseconds: 5000
        )
        try await self.with { _ in
            slow
        } _: { (server: Loopback) async throws in
            let session = CurlSession()
            let url = server.url + "/"
            let clock = ContinuousClock()
            let start = clock.now
            for delay in [0, 1, 200] {
                let task = Task { try await session.send(Request(url: url)) }
                try? await Task.sleep(for: .milliseconds(delay))
                task.cancel()
                await #expect(throws: TransportError(.cancelled)) { try await task.value }
            }
            #expect(clock.now - start < .seconds(3))
        }
    }

    @Test("many concurrent requests are answered, over at most four connections")
    func parallel() async throws {
        try await self.with {
            .ok(String($0.text.split(separator: " ")[1]))
        } _: { (server: Loopback) async throws in
            let session = CurlSession()
            let url = server.url
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        try await session.send(Request(url: "\(url)/\(index)")).body == Array("/\(index)".utf8)
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
            #expect(server.connectionCount <= 4)
        }
    }

    @Test("a released session completes the waiting requests")
    func release() async throws {
        let slow = Loopback.Reply(
            pieces: [Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".utf8)],
            pauseMilliseconds: 300
        )
        try await self.with { _ in
            slow
        } _: { (server: Loopback) async throws in
            #expect(try await CurlSession().send(Request(url: server.url + "/")).status == 200)
        }
    }

    @Test("without a listener, the error states this and names the host")
    func refused() async {
        let server = Loopback { _ in .ok("") }
        let url = server.url
        server.stop()
        let error = await #expect(throws: TransportError(.cannotConnect)) {
            try await CurlSession().send(Request(url: url + "/"))
        }
        #expect(error?.host == "127.0.0.1:\(server.port)")
    }

    @Test("an unknown host name has another error than a server that is down")
    func unknownName() async {
        await #expect(throws: TransportError(.cannotResolve)) {
            try await CurlSession().send(Request(url: "http://no-such-host.invalid/"))
        }
    }

    @Test("a connection to a server without TLS ends after the connection timeout")
    func notTLS() async throws {
        try await self.with { _ in
            Loopback.Reply("HTTP/1.1 400 Bad\r\n\r\n", closes: true)
        } _: { (server: Loopback) async throws in
            // The server waits for the end of a request that never comes.
            var limits = TransportLimits()
            limits.connectSeconds = 1
            let session = CurlSession(limits: limits)
            await #expect(throws: TransportError(.timeout)) {
                try await session.send(Request(url: "https://127.0.0.1:\(server.port)/"))
            }
        }
    }

    @Test(
        "a request that would inject a line, or is not HTTP, is not sent",
        arguments: [
            Request(url: "file:///etc/passwd"), Request(url: "http://user:pw@127.0.0.1/"),
            Request(method: "GE T", url: "http://h/"),
            Request(url: "http://127.0.0.1/", headers: ["X": "a\r\nY: b"]),
            Request(url: "http://127.0.0.1/", headers: ["X\r\nY": "b"]),
            Request(url: "http://127.0.0.1/", headers: ["X": "a\0"]),
        ]
    )
    func badRequest(_ request: Request) async {
        await #expect(throws: TransportError(.badRequest)) { try await CurlSession().send(request) }
    }

    /// A mebibyte of the letter A, compressed by gzip to a thousandth.
    private static let bomb: [UInt8] = [
        [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0xED, 0xC1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xC2,
            0xA0, 0x6C, 0xEB, 0x5F, 0xCA, 0x10, 0xBE, 0x40, 0x01,
        ],
        [UInt8](repeating: 0x00, count: 1015),
        [0x7C, 0x06, 0xC9, 0xBE, 0xF6, 0x81, 0x00, 0x00, 0x10, 0x00],
    ].flatMap { $0 }
}
