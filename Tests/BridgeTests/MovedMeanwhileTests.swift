import RemindavBridge
import RemindavHTTP
import RemindavRecurrence
import RemindavReminders
import RemindavResources
import RemindavStore
import Synchronization
import Testing

/// Cases that random histories have found (docs/sync-model.md).
@Suite("sync of two lists: found by the model")
struct MovedMeanwhileTests {
    @Test("an item that was changed here, and moved there during a sync, is in one list afterwards")
    func movedDuringSync() async throws {
        let server = TwoLists()
        let useCases = try Workplace.connected(to: server)
        _ = try await useCases.sync()
        let reminder = try #require(try useCases.store.read { try $0.objects() }.first)
        _ = try useCases.edit(reminder.id.rawValue, ReminderChange(title: "edited"))
        server.movesBeforeListing()
        for _ in 0..<2 {
            let summary = try await useCases.sync()
            #expect(summary.lists.allSatisfy { $0.error == nil })
        }
        #expect(server.paths == ["/u/1/a.ics"])
        #expect(server.text("/u/1/a.ics")?.contains("SUMMARY:edited\r\n") == true)
        #expect(try useCases.store.read { try $0.objects() }.count == 1)
    }
}

/// A server with two lists; the first one has one item.
private final class TwoLists: Transport {
    private struct State {
        var members = ["/u/0/a.ics": "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"]
        /// The number of changes of each list.
        var changes = [1, 1]
        var isAboutToMove = false

        mutating func put(_ text: String?, at path: String) {
            self.members[path] = text
            self.changes[path.hasPrefix("/u/0/") ? 0 : 1] += 1
        }
    }

    private let state = Mutex(State())

    var paths: [String] { self.state.withLock { $0.members.keys.sorted() } }
    func text(_ path: String) -> String? { self.state.withLock { $0.members[path] } }

    /// Another client moves the item to the second list during the listing of the first one.
    ///
    /// The states of both lists were read before.
    func movesBeforeListing() { self.state.withLock { $0.isAboutToMove = true } }

    func send(_ request: Request) async throws(TransportError) -> Response {
        let path = "/" + request.url.split(separator: "/", maxSplits: 2).dropFirst(2).joined(separator: "/")
        return self.state.withLock { state in
            switch (request.method, path) {
            case ("PROPFIND", "/u/"):
                return Self.multistatus(state.changes.indices.map { Self.list("/u/\($0)/", state) })
            case ("PROPFIND", "/u/0/"), ("PROPFIND", "/u/1/"):
                if state.isAboutToMove {
                    state.isAboutToMove = false
                    let text = state.members["/u/0/a.ics"]
                    state.put(nil, at: "/u/0/a.ics")
                    state.put(text, at: "/u/1/a.ics")
                }
                let members = state.members.keys.filter { $0.hasPrefix(path) }.map { member in
                    Self.entry(member, "<D:resourcetype/><D:getetag>\(Self.tag(member, state))</D:getetag>")
                }
                return Self.multistatus([Self.list(path, state)] + members)
            case ("GET", _):
                guard let text = state.members[path] else { return Response(status: 404) }
                let headers: Headers = [.etag: Self.tag(path, state), .contentType: "text/calendar"]
                return Response(status: 200, headers: headers, body: Array(text.utf8))
            case ("PUT", _):
                if let tag = request.headers[.ifMatch], tag != Self.tag(path, state) { return Response(status: 412) }
                if request.headers[.ifNoneMatch] != nil, state.members[path] != nil { return Response(status: 412) }
                state.put(String(decoding: request.body, as: UTF8.self), at: path)
                return Response(status: 201, headers: [.etag: Self.tag(path, state)])
            default: return Response(status: 403)
            }
        }
    }

    private static func tag(_ path: String, _ state: State) -> String { "\"\(state.members[path]?.utf8.count ?? 0)\"" }

    private static func list(_ path: String, _ state: State) -> String {
        let number = path == "/u/0/" ? 0 : 1
        return self.entry(
            path,
            "<D:resourcetype><D:collection/><C:calendar/></D:resourcetype><D:displayname>l\(number)</D:displayname>"
                + "<S:getctag>c\(state.changes[number])</S:getctag>"
                + "<C:supported-calendar-component-set><C:comp name=\"VTODO\"/></C:supported-calendar-component-set>"
        )
    }

    private static func entry(_ path: String, _ properties: String) -> String {
        "<D:response><D:href>\(path)</D:href><D:propstat><D:prop>\(properties)</D:prop>"
            + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    }

    private static func multistatus(_ entries: [String]) -> Response {
        let text =
            "<D:multistatus xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\" "
            + "xmlns:S=\"http://calendarserver.org/ns/\">\(entries.joined())</D:multistatus>"
        return Response(status: 207, headers: [.contentType: "application/xml"], body: Array(text.utf8))
    }
}
