import Glibc
import RemindavHTTP
import RemindavResources
import RemindavXML
import Testing

@testable import RemindavWebDAV

@Suite("multistatus and properties (RFC 4918 §13, §15)")
struct MultistatusTests {
    static func read(_ inner: String) throws -> Multistatus {
        let namespaces = #"xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="http://apple.com/ns/ical/""#
        return try Multistatus(Array("<D:multistatus \(namespaces)>\(inner)</D:multistatus>".utf8))
    }

    static func properties(_ inner: String) throws -> PropertySet {
        let status = "<D:status>HTTP/1.1 200 OK</D:status>"
        let text =
            "<D:response><D:href>/a</D:href><D:propstat><D:prop>\(inner)</D:prop>\(status)</D:propstat></D:response>"
        return try #require(try self.read(text).members.first).properties
    }

    @Test("only properties with a status of success are read")
    func propstats() throws {
        let member = try Self.read(
            """
            <D:response><D:href>/a</D:href>
            <D:propstat><D:prop><D:getetag>"1"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
            <D:propstat><D:prop><D:displayname>x</D:displayname></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
            <D:propstat><D:prop><D:owner/></D:prop><D:status>HTTP/1.1 403 Forbidden</D:status></D:propstat>
            </D:response>
            """
        ).members[0]
        #expect(member.properties[EntityTag.self]?.wire == "\"1\"")
        #expect(member.properties[DisplayName.self] == nil)
        #expect(member.status == nil && member.hasProperties && member.propertyFailure == 403)
    }

    @Test("the status of a response with many addresses is looked up once")
    func manyHrefs() throws {
        func seconds(_ count: Int) throws -> Double {
            let hrefs = String(repeating: "<D:href>/a</D:href>", count: count)
            var before = timespec()
            var after = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
            let read = try Self.read("<D:response>\(hrefs)<D:status>HTTP/1.1 404 Not Found</D:status></D:response>")
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
            #expect(read.members.count == count && read.members.last?.status == 404)
            return Double(after.tv_sec - before.tv_sec) + Double(after.tv_nsec - before.tv_nsec) / 1e9
        }
        let small = try (0..<3).map { _ in try seconds(5_000) }.min() ?? 0
        let large = try (0..<3).map { _ in try seconds(40_000) }.min() ?? 0
        // Eight times the addresses; quadratic growth would be 64 times the time.
        #expect(large < max(24 * small, 0.1), "\(small) s, then \(large) s")
    }

    @Test("the properties are those of one resource, the first one")
    func oneHrefOfProperties() throws {
        let prop = "<D:propstat><D:prop><D:owner/></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>"
        let read = try Self.read("<D:response><D:href>/a</D:href><D:href>/b</D:href>\(prop)</D:response>")
        #expect(read.members.map(\.href) == ["/a"])
    }

    @Test("one response may describe several resources")
    func severalHrefs() throws {
        let status = "<D:status>HTTP/1.1 404 Not Found</D:status>"
        let members = try Self.read("<D:response><D:href>/a</D:href><D:href>/b</D:href>\(status)</D:response>").members
        #expect(members.map(\.href) == ["/a", "/b"] && members.allSatisfy { $0.status == 404 })
    }

    @Test("a document that is no multistatus and a text that is no XML have different errors")
    func notMultistatus() {
        #expect(throws: WebDAVError.notMultistatus) { try Multistatus(Array("<html/>".utf8)) }
        #expect(throws: WebDAVError.unreadable(XMLError(.notWellFormed))) { try Multistatus(Array("<html>".utf8)) }
    }

    @Test("an entity tag is kept unchanged", arguments: ["\"a\"", "bare", "W/\"weak\"", "\"a-gzip\"", "&quot;x&quot;"])
    func entityTags(_ text: String) throws {
        let tag = try Self.properties("<D:getetag> \(text) </D:getetag>")[EntityTag.self]
        #expect(tag?.wire == text.replacing("&quot;", with: "\""))
        #expect(tag?.isWeak == text.hasPrefix("W/"))
    }

    @Test("weak comparison compares the opaque part only")
    func weakComparison() {
        #expect(
            EntityTag("W/\"1\"").weaklyEquals(EntityTag("\"1\""))
                && !EntityTag("\"1\"").weaklyEquals(EntityTag("\"2\""))
        )
        #expect(EntityTag("W/\"1\"") != EntityTag("\"1\""))
    }

    @Test(
        "colours become #RRGGBB, or nothing",
        arguments: [
            ("#ff8800", "#FF8800"), ("#FF8800FF", "#FF8800"), ("#f80", "#FF8800"), ("red", nil), ("#red", nil),
            ("#12345", nil), ("", nil),
        ] as [(String, String?)]
    )
    func colors(text: String, hex: String?) throws {
        #expect(try Self.properties("<A:calendar-color>\(text)</A:calendar-color>")[CalendarColor.self]?.hex == hex)
    }

    @Test(
        "a calendar is recognised by its resource type",
        arguments: [
            ("<D:collection/><C:calendar/>", true), ("<D:collection/>", false), ("", false),
            ("<D:collection/><C:calendar/><C:schedule-outbox/>", true), ("<D:collection/><C:schedule-inbox/>", false),
            ("<D:collection/><C:calendar/><x:subscribed xmlns:x='http://calendarserver.org/ns/'/>", false),
            ("<D:collection/><C:calendar/><x:trash-bin xmlns:x='http://nextcloud.com/ns'/>", false),
        ]
    )
    func resourceTypes(inner: String, isCalendar: Bool) throws {
        let type = try Self.properties("<D:resourcetype>\(inner)</D:resourcetype>")[ResourceType.self]
        #expect(type?.isCalendar == isCalendar)
    }

    @Test(
        "writing needs a privilege that allows it",
        arguments: [
            ("all", true), ("write", true), ("write-content", true), ("read", false), ("write-properties", false),
        ]
    )
    func privileges(name: String, mayWrite: Bool) throws {
        let set = "<D:current-user-privilege-set><D:privilege><D:\(name)/></D:privilege></D:current-user-privilege-set>"
        #expect(try Self.properties(set)[Privileges.self]?.allowWriting == mayWrite)
    }

    @Test("calendar data keeps its white space")
    func calendarData() throws {
        let data = try Self.properties("<C:calendar-data>BEGIN:VCALENDAR\r\n X\r\n</C:calendar-data>")[
            CalendarData.self
        ]
        #expect(data?.text == "BEGIN:VCALENDAR\n X\n")
        #expect(try Self.properties("<C:calendar-data/>")[CalendarData.self] == nil)
    }
}

@Suite("errors in bodies (RFC 4918 §16)")
struct ErrorBodyTests {
    private func read(_ body: String, type: String = "application/xml") -> ErrorBody {
        ErrorBody(Response(status: 403, headers: [.contentType: type], body: Array(body.utf8)))
    }

    @Test("conditions are read in any namespace, sabre's additions are messages")
    func conditions() {
        let sabre = self.read(
            #"<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:exception>E</s:exception><s:message>No.</s:message></d:error>"#
        )
        #expect(sabre.preconditions.isEmpty && sabre.message == "No.")
        let sogo = self.read(#"<D:error xmlns:D="DAV"><D:valid-sync-token/></D:error>"#)
        #expect(sogo.preconditions == [.validSyncToken])
    }

    @Test("messages are cleaned and cut")
    func messages() {
        let message = self.read("a\u{1B}[31m\n\tb " + String(repeating: "x", count: 500), type: "text/plain").message
        #expect(message?.count == 200)
        #expect(message?.hasPrefix("a [31m b xxx") == true)
        #expect(self.read("<html><body>Secret</body></html>", type: "text/html").message == nil)
        #expect(self.read("", type: "text/plain").message == nil)
    }
}

@Suite("references (RFC 4918 §8.3)")
struct HrefTests {
    @Test("an href is sent as received and compared decoded")
    func equality() {
        #expect(Href("/l/a%40b.ics").key == Href("/l/a@b.ics").key)
        #expect(Href("https://h/l/a.ics").key == Href("/l/a.ics").key)
        #expect(Href("/l/%C3%BC.ics").key == Href("/l/%c3%bc.ics").key)
        #expect(Href("/l/a%40b.ics").wire == "/l/a%40b.ics")
        #expect(Href("/l/a.ics").key != Href("/l/A.ics").key)
        #expect(Href("/l/caf\u{E9}.ics").key != Href("/l/cafe\u{301}.ics").key)
        #expect(EntityTag("caf\u{E9}") != EntityTag("cafe\u{301}"))
        #expect(Href("/l/a%40b.ics") != Href("/l/a@b.ics"))
    }
}

@Suite("request bodies (RFC 4918, 4791, 6578)")
struct BodyTests {
    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
    }

    @Test("each body follows the RFC's element declaration")
    func bodies() {
        #expect(
            self.text(RequestBody.propfind([EntityTag.self]))
                == #"<D:propfind xmlns:D="DAV:"><D:prop><D:getetag/></D:prop></D:propfind>"#
        )
        #expect(
            self.text(RequestBody.syncCollection(since: "t&1", properties: [EntityTag.self]))
                == #"<D:sync-collection xmlns:D="DAV:"><D:sync-token>t&amp;1</D:sync-token><D:sync-level>1</D:sync-level>"#
                + "<D:prop><D:getetag/></D:prop></D:sync-collection>"
        )
        #expect(
            self.text(RequestBody.calendarMultiget(["/a&b"], properties: [EntityTag.self]))
                == #"<C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/></D:prop>"#
                + "<D:href>/a&amp;b</D:href></C:calendar-multiget>"
        )
    }

    @Test("MKCALENDAR sets the name, the components and an opaque colour")
    func mkcalendar() {
        let body = self.text(
            RequestBody.mkcalendar(displayName: "<A>", color: CalendarColor(text: "#f80"), components: ["VTODO"])
        )
        #expect(body.contains("<D:displayname>&lt;A&gt;</D:displayname>"))
        #expect(body.contains(#"<C:comp name="VTODO"/>"#))
        #expect(body.contains("<A:calendar-color>#FF8800FF</A:calendar-color>"))
    }
}
