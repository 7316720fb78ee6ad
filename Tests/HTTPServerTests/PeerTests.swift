import Glibc
import RemindavHTTP
import Testing

@testable import RemindavHTTPServer

@Suite("the process at the other end of a connection")
struct PeerTests {
    @Test("the kernel reports the user of the client and of the listening process")
    func user() async throws {
        let server = try Server(.port(0)) { request in
            Response(status: 200, body: Array("\(request.peer?.userID.map(String.init) ?? "unknown")".utf8))
        }
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let answer = await client.readAll()
        #expect(answer.body == "\(getuid())")
        #expect(Peer.userID(listeningOn: server.port) == getuid())
        await server.stop()
        #expect(Peer.userID(listeningOn: server.port) == nil)
    }

    @Test("a connection that does not exist has no user")
    func missing() {
        #expect(Peer(port: 1, serverPort: 2).userID == nil)
    }
}
