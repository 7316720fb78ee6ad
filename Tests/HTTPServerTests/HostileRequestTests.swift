import Glibc
import RemindavHTTP
import Testing

@testable import RemindavHTTPServer

@Suite("hostile requests (RFC 9112 §11)")
struct HostileRequestTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let what: String
        let request: String
        /// The permitted statuses; 0 is a closed connection without an answer.
        let statuses: Set<Int>
        var testDescription: String { self.what }

        init(_ what: String, _ request: String, _ statuses: Int...) {
            self.what = what
            self.request = request
            self.statuses = Set(statuses)
        }
    }

    // swift-format-ignore
    static let cases: [Case] = [
        Case("two lengths that agree", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na", 400),
        Case("two lengths that differ", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\ncontent-length: 5\r\n\r\na", 400),
        Case("length and chunks", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        Case("chunks and length", "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", 400),
        Case("an unknown coding", "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
        Case("identity coding", "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity\r\n\r\n", 400),
        Case("two codings", "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        Case("two hosts", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
        Case("no host", "GET / HTTP/1.1\r\n\r\n", 400),
        Case("no host in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", 400),
        Case("an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 400, 421),
        Case("a rebound name", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        Case("a name that begins well", "GET / HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", 421),
        Case("a name that ends well", "GET / HTTP/1.1\r\nHost: evil.localhost\r\n\r\n", 421),
        Case("another port", "GET / HTTP/1.1\r\nHost: localhost:1\r\n\r\n", 421),
        Case("user information in the host", "GET / HTTP/1.1\r\nHost: evil@localhost\r\n\r\n", 421),
        Case("an escaped NUL", "GET /feed/a%00.ics HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        Case("an absolute target", "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        Case("a target without a slash", "GET feed HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        Case("an asterisk", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        Case("an authority", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        Case("a fragment", "GET /#a HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        Case("letters beyond ASCII in the target", "GET /é HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        Case("a signed length", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: +1\r\n\r\na", 400),
        Case("a negative length", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\na", 400),
        Case("a length list", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1, 1\r\n\r\na", 400),
        Case("a length beyond 64 bits", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n", 400, 413),
        Case("a length far over the limit", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n", 413),
        Case("a negative chunk", "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\na\r\n0\r\n\r\n", 0, 400),
        Case("a version that does not exist", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", 0, 400, 505),
        Case("HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 0, 400, 505),
        Case("TLS on a plain port", "\u{16}\u{03}\u{01}\u{02}\0\u{01}\0\r\n\r\n", 0, 400),
        Case("a header name with a space in it", "GET / HTTP/1.1\r\nHost: localhost\r\nX A: b\r\n\r\n", 400),
        Case("a line without a colon", "GET / HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n", 0, 400),
        Case("64 KB of header", "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: \(String(repeating: "a", count: 65536))\r\n\r\n", 431),
        Case("64 KB of target", "GET /\(String(repeating: "a", count: 65536)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 414, 431),
        Case("a thousand headers", "GET / HTTP/1.1\r\nHost: localhost\r\n\(String(repeating: "X-Header-Of-Some-Length: abcdefgh\r\n", count: 1000))\r\n", 431),
    ]

    @Test("is refused before the handler is called", arguments: Self.cases)
    func refused(_ test: Case) async throws {
        let server = try Server(.port(0)) { _ in Response(status: 200) }
        let client = RawClient(port: server.port)
        client.send(test.request)
        let answer = await client.readAll()
        #expect(test.statuses.contains(answer.status), "\(answer.status)")
        await server.stop()
    }

    /// libmicrohttpd passes texts as C strings, so the part after a NUL is invisible and unused.
    @Test("a NUL ends its text")
    func nul() async throws {
        let server = try Server(.port(0)) { request in
            Response(status: 200, body: Array("\(request.url) \(request.headers.fields.map(\.value))".utf8))
        }
        let client = RawClient(port: server.port)
        client.send("GET /a\0b HTTP/1.1\r\nHost: localhost\r\nX-A: c\0d\r\n\r\n")
        let answer = await client.readOne()
        #expect(answer.status == 400 || answer.body == #"/a ["localhost", "c"]"#)
        await server.stop()
    }

    @Test("a chunked body over the limit gets 413 at its end")
    func longChunkedBody() async throws {
        var limits = ServerLimits()
        limits.bodyBytes = 1000
        let server = try Server(.port(0), limits: limits) { _ in Response(status: 200) }
        let client = RawClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        client.send("7D0\r\n\(String(repeating: "a", count: 2000))\r\n0\r\n\r\n")
        #expect(await client.readAll().status == 413)
        await server.stop()
    }

    @Test("a body over the limit is read before the answer, so that a browser shows it")
    func longBody() async throws {
        var limits = ServerLimits()
        limits.bodyBytes = 1000
        let server = try Server(.port(0), limits: limits) { _ in Response(status: 200) }
        let client = RawClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n")
        for _ in 0..<2 { client.send(String(repeating: "a", count: 1000)) }
        let answer = await client.readAll()
        #expect(answer.status == 413 && answer.body.contains("too long: at most 1000 bytes"))
        await server.stop()
    }

    @Test("a chunked body without an end ends the connection")
    func endlessChunkedBody() async throws {
        var limits = ServerLimits()
        limits.bodyBytes = 1000
        let server = try Server(.port(0), limits: limits) { _ in Response(status: 200) }
        let client = RawClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<20 { client.send("3E8\r\n\(String(repeating: "a", count: 1000))\r\n") }
        #expect(await client.readAll().bytes.isEmpty)
        await server.stop()
    }

    /// A time limit above the tested limits, also on a busy machine, and below the other limits.
    private static let patience = Duration.seconds(25)

    @Test("a connection without a request is closed after the timeout")
    func silence() async throws {
        var limits = ServerLimits()
        limits.timeoutSeconds = 1
        limits.requestSeconds = 60
        let server = try Server(.port(0), limits: limits) { _ in Response(status: 200) }
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost:")
        let time = await ContinuousClock().measure { _ = await client.readAll() }
        #expect(time < Self.patience)
        await server.stop()
    }

    @Test("a connection that sends single bytes is closed after its time limit")
    func trickle() async throws {
        var limits = ServerLimits()
        limits.requestSeconds = 1
        limits.timeoutSeconds = 60
        let server = try Server(.port(0), limits: limits) { _ in Response(status: 200) }
        let client = RawClient(port: server.port)
        let trickle = Task {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ")
            while !Task.isCancelled {
                client.send("a")
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        let time = await ContinuousClock().measure { _ = await client.readAll() }
        trickle.cancel()
        #expect(time < Self.patience)
        await server.stop()
    }

    @Test("the time limit of a handler is longer than that of a request")
    func slowHandler() async throws {
        var limits = ServerLimits()
        limits.requestSeconds = 1
        limits.timeoutSeconds = 1
        let server = try Server(.port(0), limits: limits) { _ in
            try? await Task.sleep(for: .milliseconds(2300))
            return Response(status: 204)
        }
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(await client.readAll().status == 204)
        await server.stop()
    }

    @Test("the configured names of a reverse proxy are accepted, with any port")
    func proxyNames() async throws {
        let server = try Server(.port(0), hosts: ["Tasks.example"]) { _ in Response(status: 200) }
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: tasks.example:8443\r\nConnection: close\r\n\r\n")
        #expect(await client.readAll().status == 200)
        await server.stop()
    }

    @Test(
        "a refused request ends its connection, and the bytes after it are not read",
        arguments: [400, 404, 405, 410]
    )
    func refusalCloses(status: Int) async throws {
        let server = try Server(.port(0)) { _ in Response(status: status, body: [0x61]) }
        let client = RawClient(port: server.port)
        client.send("GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let answer = await client.readAll()
        #expect(answer.status == status)
        #expect(String(decoding: answer.bytes, as: UTF8.self).ranges(of: "HTTP/1.1 ").count == 1)
        #expect(answer.header("connection") == ["close"])
        await server.stop()
    }

    @Test("421 contains advice, and repeats nothing of the request")
    func hostAdvice() async throws {
        let server = try Server(.port(0), hostAdvice: "Set the address.") { _ in Response(status: 200) }
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: canary.example\r\n\r\n")
        let answer = await client.readAll()
        #expect(answer.status == 421)
        #expect(answer.body == "421 Misdirected Request\nSet the address.\n")
        #expect(!(answer.head + answer.body).contains("canary"))
        await server.stop()
    }

    @Test("if silent clients hold all connections, another client is answered at once")
    func silentClients() async throws {
        let server = try Server(.port(0)) { _ in Response(status: 200) }
        let silent = (0..<200).map { _ in RawClient(port: server.port) }
        for client in silent { client.send("GET / HTTP/1.1\r\nHost:") }
        let time = await ContinuousClock().measure {
            for _ in 0..<20 {
                let client = RawClient(port: server.port)
                client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                #expect(await client.readAll().status == 200)
            }
        }
        // The answer comes before the time limit of the silent clients, which would free connections too.
        #expect(time < .seconds(ServerLimits().requestSeconds))
        for client in silent { client.leave() }
        await server.stop()
    }

    @Test("an answer that is not read ends after its time limit")
    func slowReader() async throws {
        var limits = ServerLimits()
        limits.answerSeconds = 1
        limits.timeoutSeconds = 60
        let server = try Server(.port(0), limits: limits) { _ in
            Response(status: 200, body: [UInt8](repeating: 0x61, count: 16 << 20))
        }
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try await Task.sleep(for: .seconds(4))
        // The bytes in the socket's buffers still arrive, and then the end, long before the whole body.
        let answer = await client.readAll()
        #expect(answer.bytes.count < 12 << 20)
        await server.stop()
    }
}

@Suite("the choice of the connection that is closed")
struct WaitingConnectionTests {
    private static let start = ContinuousClock.now
    private static func second(_ number: Int) -> ContinuousClock.Instant { Self.start.advanced(by: .seconds(number)) }

    /// A pair of sockets.
    ///
    /// The second one shows whether the first one was shut down.
    private final class Pair {
        let sockets: [Int32]
        init() {
            var sockets: [Int32] = [-1, -1]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets)
            self.sockets = sockets
        }
        deinit { for socket in self.sockets { close(socket) } }
        var isEnded: Bool {
            var byte: UInt8 = 0
            return recv(self.sockets[1], &byte, 1, Int32(MSG_DONTWAIT)) == 0
        }
    }

    @Test("over the limit, the connection that has waited longest is closed, and never one with a running answer")
    func longest() {
        var connections = WaitingConnections()
        let pairs = (0..<5).map { _ in Pair() }
        for id in 0..<3 {
            let now = Self.second(id)
            connections.opened(UInt(id), socket: pairs[id].sockets[0], within: .seconds(99), limit: 3, at: now)
        }
        connections.arrived(0, answerWithin: .seconds(99), at: Self.second(3))
        #expect(!pairs.contains { $0.isEnded })
        connections.opened(3, socket: pairs[3].sockets[0], within: .seconds(99), limit: 3, at: Self.second(4))
        #expect(pairs.map(\.isEnded) == [false, true, false, false, false])
        // The ended connection does not count any more, although it is not closed yet.
        connections.waits(0, within: .seconds(99), at: Self.second(5))
        connections.opened(4, socket: pairs[4].sockets[0], within: .seconds(99), limit: 3, at: Self.second(6))
        #expect(pairs.map(\.isEnded) == [false, true, true, false, false])
    }

    @Test("a request and an answer have separate time limits")
    func times() {
        var connections = WaitingConnections()
        let pairs = (0..<2).map { _ in Pair() }
        for id in 0..<2 {
            connections.opened(UInt(id), socket: pairs[id].sockets[0], within: .seconds(10), at: Self.second(0))
        }
        connections.arrived(1, answerWithin: .seconds(120), at: Self.second(1))
        connections.end(at: Self.second(10))
        #expect(pairs.map(\.isEnded) == [true, false])
        connections.end(at: Self.second(121))
        #expect(pairs.map(\.isEnded) == [true, true])
    }
}
