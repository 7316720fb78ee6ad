import RemindavHTTP
import Testing

@testable import RemindavHTTPServer

/// Answers with the request itself.
///
/// `/slow` takes 300 ms, `/missing` is 404, `/big` sends 200,000 bytes.
@Sendable private func echo(_ request: Request) async -> Response {
    switch request.url {
    case "/missing":
        return Response(status: 404)
    case "/slow":
        try? await Task.sleep(for: .milliseconds(300))
        return Response(status: 200, body: Array("slow".utf8))
    case "/big":
        return Response(status: 200, body: [UInt8](repeating: 0x61, count: 200_000))
    case "/tag":
        return Response(status: 304, headers: ["ETag": "\"a\""])
    case "/split":
        return Response(status: 200, headers: ["X-Evil": "a\r\nSet-Cookie: b"])
    default:
        let text = "\(request.method) \(request.url) \(request.body.count)"
        let headers: Headers = ["Content-Type": "text/plain", "Content-Length": "999"]
        return Response(status: 200, headers: headers, body: Array(text.utf8))
    }
}

private func ask(_ text: String, at port: UInt16) async -> RawAnswer {
    let client = RawClient(port: port)
    client.send(text)
    return await client.readAll()
}

@Suite("a server on loopback (RFC 9112)")
struct ServerTests {
    @Test("a GET reaches the handler with its target undecoded, and its answer comes back with one length")
    func get() async throws {
        let server = try Server(.port(0), handler: echo)
        let answer = await ask(
            "GET /feed/a%2Fb.ics?style=todo&x=%41 HTTP/1.1\r\nHost: localhost:\(server.port)\r\nConnection: close\r\n\r\n",
            at: server.port
        )
        #expect(answer.status == 200)
        #expect(answer.body == "GET /feed/a%2Fb.ics?style=todo&x=%41 0")
        #expect(answer.header("content-length") == ["\(answer.body.utf8.count)"])
        #expect(answer.header("content-type") == ["text/plain"])
        await server.stop()
    }

    @Test("HEAD has the length of GET and no body")
    func head() async throws {
        let server = try Server(.port(0), handler: echo)
        let answer = await ask("HEAD /big HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", at: server.port)
        #expect(answer.status == 200)
        #expect(answer.header("content-length") == ["200000"])
        #expect(answer.body.isEmpty)
        await server.stop()
    }

    @Test("a handler's 404 and 304 are sent unchanged")
    func statuses() async throws {
        let server = try Server(.port(0), handler: echo)
        let missing = await ask(
            "GET /missing HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
            at: server.port
        )
        #expect(missing.status == 404)
        let unchanged = await ask("GET /tag HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", at: server.port)
        #expect(unchanged.status == 304)
        #expect(unchanged.header("etag") == ["\"a\""])
        #expect(unchanged.body.isEmpty)
        await server.stop()
    }

    @Test("a header with a line end in it never reaches the client")
    func headerSplitting() async throws {
        let server = try Server(.port(0), handler: echo)
        let answer = await ask("GET /split HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", at: server.port)
        #expect(answer.status == 0)
        #expect(answer.header("set-cookie").isEmpty)
        await server.stop()
    }

    @Test("bodies arrive completely, with a length and in chunks")
    func bodies() async throws {
        let server = try Server(.port(0), handler: echo)
        let body = String(repeating: "b", count: 100_000)
        let counted = await ask(
            "PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\nConnection: close\r\n\r\n\(body)",
            at: server.port
        )
        #expect(counted.body == "PUT /x 100000")
        let chunked = await ask(
            "PUT /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "186A0\r\n\(body)\r\n3\r\nend\r\n0\r\n\r\n",
            at: server.port
        )
        #expect(chunked.body == "PUT /x 100003")
        await server.stop()
    }

    @Test("a connection is reused")
    func keepAlive() async throws {
        let server = try Server(.port(0), handler: echo)
        let client = RawClient(port: server.port)
        for number in 1...3 {
            client.send("GET /\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await client.readOne().body == "GET /\(number) 0")
        }
        await server.stop()
    }

    @Test("a port in use has an error of its own")
    func portInUse() async throws {
        let server = try Server(.port(0), handler: echo)
        let error = #expect(throws: ServerError.self) { try Server(.port(server.port), handler: echo) }
        #expect(error?.code == .portInUse)
        #expect(error?.description == "port \(server.port): another program already listens on this port")
        await server.stop()
    }
}

@Suite("stopping a server")
struct ServerStopTests {
    @Test("running requests are answered before the server ends, and new ones are not accepted")
    func stopInMidRequest() async throws {
        let server = try Server(.port(0), handler: echo)
        let clients = (0..<10).map { _ in RawClient(port: server.port) }
        for client in clients { client.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n") }
        try await Task.sleep(for: .milliseconds(100))
        await server.stop()
        for client in clients { #expect(await client.readAll().body == "slow") }
        let late = await ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", at: server.port)
        #expect(late.bytes.isEmpty)
    }

    @Test("a client that disconnects during its answer affects no other client")
    func clientLeaves() async throws {
        let server = try Server(.port(0), handler: echo)
        for _ in 0..<20 {
            let client = RawClient(port: server.port)
            client.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.leave()
        }
        let answer = await ask("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", at: server.port)
        #expect(answer.status == 200)
        await server.stop()
    }

    @Test("stopping twice, or with idle connections, ends at once")
    func stopIdle() async throws {
        let server = try Server(.port(0), handler: echo)
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = await client.readOne()
        let half = RawClient(port: server.port)
        half.send("GET / HTTP/1.1\r\nHost: loc")
        let time = await ContinuousClock().measure {
            await server.stop()
            await server.stop()
        }
        // Clearly below the time limit of a silent connection.
        #expect(time < .seconds(8))
    }
}
