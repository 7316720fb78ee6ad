import Glibc
import RemindavHTTP
import Synchronization
import Testing

@testable import RemindavHTTPServer

@Suite("answers that are written over time")
struct StreamTests {
    private static let request = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private func server(_ stream: BodyStream) throws -> Server {
        try Server(.port(0)) { _ in
            var response = Response(status: 200, headers: ["Content-Type": "text/event-stream"])
            response.stream = stream
            return response
        }
    }

    @Test("bytes arrive when they are written, and the answer ends with the body")
    func pieces() async throws {
        let stream = BodyStream()
        let server = try self.server(stream)
        let client = RawClient(port: server.port)
        client.send(Self.request)
        stream.write("first\n")
        let answer = await client.readUntil("first")
        #expect(answer.header("content-type") == ["text/event-stream"])
        #expect(answer.header("content-length") == [])
        // The connection waits now, and the next bytes resume it.
        try await Task.sleep(for: .milliseconds(50))
        stream.write("second\n")
        #expect(await client.readUntil("second").bytes == Array("7\r\nsecond\n\r\n".utf8))
        stream.end()
        #expect(await client.readUntil("0\r\n\r\n").bytes.suffix(5) == Array("0\r\n\r\n".utf8))
        await server.stop()
    }

    @Test("a client that has left is noticed at the next bytes")
    func left() async throws {
        let stream = BodyStream()
        let isClosed = Mutex(false)
        let (closings, continuation) = AsyncStream.makeStream(of: Void.self)
        stream.onClose {
            isClosed.withLock { $0 = true }
            continuation.yield()
        }
        let server = try self.server(stream)
        let client = RawClient(port: server.port)
        client.send(Self.request)
        stream.write(": open\n")
        _ = await client.readUntil("open")
        client.leave()
        for _ in 0..<100 where !isClosed.withLock({ $0 }) {
            stream.write(":\n")
            try await Task.sleep(for: .milliseconds(20))
        }
        for await _ in closings.prefix(1) {}
        #expect(isClosed.withLock { $0 })
        await server.stop()
    }

    @Test("a stopping server ends its streams, also those that wait")
    func stop() async throws {
        let stream = BodyStream()
        let server = try self.server(stream)
        let client = RawClient(port: server.port)
        client.send(Self.request)
        stream.write("one\n")
        _ = await client.readUntil("one")
        try await Task.sleep(for: .milliseconds(50))
        await server.stop()
        #expect(await client.readAll().bytes == Array("0\r\n\r\n".utf8))
    }

    @Test("a client that does not read is given up")
    func slow() {
        let stream = BodyStream()
        for _ in 0..<70 { stream.write(String(repeating: "x", count: 1024)) }
        #expect(stream.read(10) { {} } == .end)
    }
}

@Suite("long bodies")
struct UploadTests {
    /// Answers with the length and the first bytes of the file.
    private func server(limit: Int) throws -> Server {
        var limits = ServerLimits()
        limits.uploadBytes = limit
        let uploads = Uploads(folder: "/tmp") { $0.url == "/import" }
        return try Server(.port(0), limits: limits, uploads: uploads) { request in
            guard let file = request.bodyFile else { return Response(status: 200, body: Array("no file".utf8)) }
            let descriptor = open(file.path, O_RDONLY)
            defer { close(descriptor) }
            var status = stat()
            fstat(descriptor, &status)
            var start = [UInt8](repeating: 0, count: 3)
            let count = read(descriptor, &start, start.count)
            let text = String(decoding: start.prefix(count), as: UTF8.self)
            return Response(status: 200, body: Array("\(status.st_size) \(text) \(file.isCut)".utf8))
        }
    }

    private func post(_ body: String, to path: String, at port: UInt16) async -> RawAnswer {
        let client = RawClient(port: port)
        client.send("POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return await client.readOne()
    }

    @Test("a body goes to a file, and the end of a longer one is dropped")
    func file() async throws {
        let server = try self.server(limit: 3_000_000)
        let text = "abc" + String(repeating: "x", count: 2_000_000)
        #expect(await self.post(text, to: "/import", at: server.port).body == "2000003 abc false")
        #expect(await self.post(text + text, to: "/import", at: server.port).body == "3000000 abc true")
        #expect(await self.post("", to: "/import", at: server.port).body == "0  false")
        #expect(await self.post("a", to: "/other", at: server.port).body == "no file")
        #expect(await self.post(text, to: "/other", at: server.port).status == 413)
        await server.stop()
    }
}

@Suite("a socket of another process")
struct GivenSocketTests {
    /// A socket that listens on a port of 127.0.0.1, which the system chooses.
    private func listener() -> (descriptor: Int32, port: UInt16) {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #expect(bind(descriptor, $0, size) == 0)
                #expect(getsockname(descriptor, $0, &size) == 0)
            }
        }
        #expect(listen(descriptor, 5) == 0)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    @Test("a request that waits at the socket before the server starts may name the port")
    func waiting() async throws {
        for _ in 0..<50 {
            let (descriptor, port) = self.listener()
            let client = RawClient(port: port)
            client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
            let server = try Server(.socket(descriptor)) { _ in Response(status: 200, body: Array("here".utf8)) }
            let answer = await client.readOne()
            #expect(server.port == port)
            #expect(answer.status == 200)
            #expect(answer.body == "here")
            await server.stop()
        }
    }
}
