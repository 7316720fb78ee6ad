import RemindavCalDAV
import RemindavHTTP
import Testing

@Suite("Nextcloud's login flow")
struct LoginFlowTests {
    private func begin(_ fixture: String, address: String = "dav.example.org") async throws -> (
        LoginFlow, ReplayTransport
    ) {
        let server = ReplayTransport(try Transcript(fixture: fixture))
        return (try await LoginFlow.begin(at: address, transport: server), server)
    }

    @Test(
        "from any address of the server to a name and a password",
        arguments: ["dav.example.org", "https://dav.example.org/index.php/apps/tasks/"]
    )
    func grant(_ address: String) async throws {
        let (flow, server) = try await self.begin("nextcloud-32-login-flow", address: address)
        // A server behind a proxy may name an address without encryption. Only the path is used.
        #expect(flow.page.text == "https://dav.example.org/login/v2/flow/guest?x=1")
        #expect(try await flow.poll() == nil)
        let grant = try #require(try await flow.poll())
        #expect(grant.user == "anna")
        #expect("\(grant.password)" == "(hidden)" && !"\(flow)".contains("mQUY"))
        #expect(await server.surprises == [])
        #expect(await server.leftOver == [])
        #expect(await server.authorizations.allSatisfy(\.isEmpty))
    }

    @Test("in a folder, the folder is asked first")
    func folder() async throws {
        let (flow, server) = try await self.begin(
            "nextcloud-32-login-flow-in-a-folder",
            address: "https://dav.example.org/cloud/apps/calendar/"
        )
        #expect(flow.page.text == "https://dav.example.org/cloud/login/v2/flow/guest")
        #expect(await server.leftOver == [])
    }

    @Test(
        "a redirect to another host, or another kind of server, ends with its reason",
        arguments: [
            ("made-login-flow-elsewhere", CalDAVError.Code.redirectRefused),
            ("made-login-flow-redirected", .redirectRefused), ("made-login-flow-web-page", .notCalDAV),
            ("made-login-flow-limited", .busy),
        ]
    )
    func refuse(fixture: String, code: CalDAVError.Code) async throws {
        await #expect(throws: CalDAVError(code)) { _ = try await self.begin(fixture) }
    }

    @Test("an answer without a password is refused")
    func broken() async throws {
        let (flow, _) = try await self.begin("made-login-flow-grants-nothing")
        await #expect(throws: CalDAVError(.brokenAnswer)) { _ = try await flow.poll() }
    }

    @Test("over plain http no request is sent")
    func plain() async throws {
        let server = ReplayTransport(Transcript(bytes: []))
        await #expect(throws: CalDAVError(.insecure)) {
            _ = try await LoginFlow.begin(at: "http://cloud.example.org/", transport: server)
        }
        #expect(await server.surprises == [])
    }
}
