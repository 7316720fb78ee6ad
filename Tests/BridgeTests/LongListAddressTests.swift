import RemindavBridge
import RemindavHTTP
import RemindavStore
import Testing

@Suite("lists with long addresses")
struct LongListAddressTests {
    @Test("a list whose address is too long for the store is reported by each sync, and the others are synced")
    func reported() async throws {
        let useCases = try Workplace.connected(to: EmptyLists())
        for _ in 0..<2 {
            let lists = try await useCases.sync().lists
            #expect(lists.map(\.list) == ["short", "long"])
            #expect(lists[0].error == nil)
            #expect(lists[1].error as? UseCaseError == UseCaseError(.listAddressTooLong))
        }
        #expect(try useCases.store.read { try $0.lists().map(\.name) } == ["short"])
    }
}

/// A server with two empty lists; the address of one has more than 3,000 bytes.
private struct EmptyLists: Transport {
    private static let long = "/u/" + (0..<1000).map { String(($0 &* 7919) % 900 + 100) }.joined() + "/"

    func send(_ request: Request) async throws(TransportError) -> Response {
        guard request.method == "PROPFIND" else { return Response(status: 403) }
        let isHome = request.url.hasSuffix("/u/")
        let lists = isHome ? ["/u/a/", Self.long] : ["/u/a/"]
        let entries = lists.map { path in
            """
            <D:response><D:href>\(path)</D:href><D:propstat><D:prop>
            <D:resourcetype><D:collection/><C:calendar/></D:resourcetype>
            <D:displayname>\(path == Self.long ? "long" : "short")</D:displayname><S:getctag>c</S:getctag>
            <C:supported-calendar-component-set><C:comp name="VTODO"/></C:supported-calendar-component-set>
            </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
            """
        }
        let text = """
            <D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:S="http://calendarserver.org/ns/">
            \(entries.joined())</D:multistatus>
            """
        return Response(status: 207, headers: [.contentType: "application/xml"], body: Array(text.utf8))
    }
}
