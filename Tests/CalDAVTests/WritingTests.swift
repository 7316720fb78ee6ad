import RemindavCalDAV
import RemindavHTTP
import RemindavResources
import RemindavWebDAV
import Testing

@Suite("PUT, DELETE and MKCALENDAR (RFC 4791 §5.3)")
struct WritingTests {
    static let data = Array("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:Milk\r\nEND:VTODO\r\nEND:VCALENDAR\r\n".utf8)

    private func create(_ talk: Conversation) async throws -> EntityTag? {
        try await talk.client.put(Self.data, at: talk.href("n.ics"), in: talk.list, condition: .create)
    }

    @Test(
        "a refusal, a conflict and a duplicate UID have different errors",
        arguments: [
            ("radicale-3.9-uid-conflict", CalDAVError.Code.uidConflict),
            ("xandikos-0.4-uid-conflict", .uidConflict),
            ("cyrus-3.6-uid-conflict", .uidConflict),
            ("nextcloud-32-uid-conflict", .uidConflict),
            ("nextcloud-32-put-invalid", .rejected),
            ("xandikos-0.4-put-invalid", .rejected),
            ("nextcloud-32-put-wrong-component", .rejected),
            ("xandikos-0.4-put-multistatus-refused", .preconditionFailed),
            ("made-put-quota", .overQuota),
            ("made-put-no-room", .overQuota),
        ]
    )
    func refused(fixture: String, code: CalDAVError.Code) async throws {
        let talk = try Conversation(fixture)
        let error = await #expect(throws: CalDAVError.of(code)) { try await create(talk) }
        #expect(error?.description.contains("Milk") == false)
        await talk.expectFinished()
    }

    @Test("the server names the href of the other item with this UID")
    func conflictingHref() async throws {
        let talk = try Conversation("cyrus-3.6-uid-conflict")
        let error = await #expect(throws: CalDAVError.self) { try await create(talk) }
        #expect(error?.conflictingHref == "/dav/calendars/user/user/other/x.ics")
    }

    @Test("the server's message is shown")
    func words() async throws {
        let talk = try Conversation("nextcloud-32-put-invalid")
        let error = await #expect(throws: CalDAVError.self) { try await create(talk) }
        #expect(error?.message == "Validation error in iCalendar: DUE must occur after DTSTART")
    }

    @Test("a write returns the new version, or nil if the server does not name it")
    func versions() async throws {
        let radicale = try Conversation("radicale-3.9-put")
        let first = try #require(try await create(radicale))
        let second = try await radicale.client.put(
            Self.data,
            at: radicale.href("n.ics"),
            in: radicale.list,
            condition: .update(first)
        )
        #expect(first.wire == "\"1\"" && second?.wire == "\"2\"")
        await radicale.expectFinished()
        #expect(try await create(Conversation("nextcloud-32-put-without-etag")) == nil)
        #expect(try await create(Conversation("xandikos-0.4-put-multistatus"))?.wire == "\"1\"")
    }

    @Test("a stale version is a failed condition")
    func stale() async throws {
        let talk = try Conversation("nextcloud-32-put-stale")
        await #expect(throws: CalDAVError.of(.preconditionFailed)) {
            try await talk.client.put(
                Self.data,
                at: talk.href("n.ics"),
                in: talk.list,
                condition: .update(EntityTag("\"old\""))
            )
        }
        await talk.expectFinished()
    }

    @Test("a weak tag is never a condition: the item is read first")
    func weak() async throws {
        let talk = try Conversation("gmx-weak-etag")
        #expect(try await create(talk) == nil)
        let new = try await talk.client.put(
            Self.data,
            at: talk.href("n.ics"),
            in: talk.list,
            condition: .update(EntityTag("W/\"1\""))
        )
        #expect(new?.wire == "\"2\"")
        await talk.expectFinished()
    }

    @Test("on a server that ignores conditions, a changed item is not deleted")
    func ignoredConditions() async throws {
        let talk = try Conversation("sogo-5.8-delete-changed")
        await #expect(throws: CalDAVError.of(.preconditionFailed)) {
            try await talk.client.delete(talk.href("n.ics"), in: talk.list, etag: EntityTag("\"gcs00000001\""))
        }
        await talk.expectFinished()
    }

    @Test("deleting a missing item is no failure")
    func deletions() async throws {
        let radicale = try Conversation("radicale-3.9-delete")
        let tag = EntityTag("\"1\"")
        #expect(try await radicale.client.delete(radicale.href("n.ics"), in: radicale.list, etag: tag) == .deleted)
        #expect(try await radicale.client.delete(radicale.href("n.ics"), in: radicale.list, etag: tag) == .alreadyGone)
        let gone = try Conversation("davical-1.1-delete-gone")
        #expect(try await gone.client.delete(gone.href("n.ics"), in: gone.list, etag: tag) == .alreadyGone)
        let changed = try Conversation("davical-1.1-delete-changed")
        await #expect(throws: CalDAVError.of(.preconditionFailed)) {
            try await changed.client.delete(changed.href("n.ics"), in: changed.list, etag: tag)
        }
    }

    @Test("one 404 before a deletion does not mean that the item is gone, two do")
    func falseAbsence() async throws {
        let talk = try Conversation("made-delete-false-404")
        let weak = EntityTag("W/\"1\"")
        await #expect(throws: CalDAVError.of(.notFound)) {
            try await talk.client.delete(talk.href("n.ics"), in: talk.list, etag: weak)
        }
        #expect(try await talk.client.delete(talk.href("n.ics"), in: talk.list, etag: weak) == .alreadyGone)
        await talk.expectFinished()
    }

    @Test("a web page is no valid answer to a write")
    func webPage() async throws {
        let talk = try Conversation("made-web-page-for-a-write")
        await #expect(throws: CalDAVError.of(.notCalDAV)) { try await create(talk) }
        await #expect(throws: CalDAVError.of(.notCalDAV)) {
            try await talk.client.delete(talk.href("n.ics"), in: talk.list, etag: EntityTag("\"1\""))
        }
        await #expect(throws: CalDAVError.of(.notCalDAV)) {
            try await talk.client.move(
                talk.href("n.ics"),
                from: talk.list,
                etag: EntityTag("\"1\""),
                to: talk.href("m.ics")
            )
        }
        await talk.expectFinished()
    }

    @Test("a failure inside a successful answer is a failure")
    func movedInPart() async throws {
        let talk = try Conversation("made-move-partly")
        let destination = Href("/other/a.ics")
        await #expect(throws: CalDAVError.of(.busy)) {
            try await talk.client.move(talk.href("a.ics"), from: talk.list, etag: EntityTag("\"a\""), to: destination)
        }
        await talk.expectFinished()
    }

    @Test("an item that is denied once and exists is neither missing nor deleted")
    func deniedOnce() async throws {
        let talk = try Conversation("made-not-found-once")
        let href = talk.href("a.ics")
        let result = try await talk.client.fetch([href], in: talk.list)
        #expect(result.texts.map(\.href) == [href] && result.missing.isEmpty)
        await #expect(throws: CalDAVError.of(.notFound)) {
            try await talk.client.delete(href, in: talk.list, etag: EntityTag("\"a\""))
        }
        await talk.expectFinished()
    }

    @Test(
        "a new calendar is found at the address where the server created it",
        arguments: [
            ("nextcloud-32-mkcalendar", "/home/s1/"),
            ("made-mkcalendar-lost-answer", "/home/s1/"),
            ("zimbra-mkcalendar-moved", "/home/Shopping%20%26%20more/"),
        ]
    )
    func makeCalendar(fixture: String, path: String) async throws {
        let talk = try Conversation(fixture)
        let list = try await talk.client.makeCalendar(
            named: "Shopping & more",
            color: "#ff8800",
            in: talk.home,
            segment: "s1"
        )
        #expect(list.url.path == path)
        #expect(list.supports("VTODO"))
        await talk.expectFinished()
    }

    @Test(
        "a calendar that was not created is an error",
        arguments: [
            ("nextcloud-32-mkcalendar-in-trash", CalDAVError.Code.serverError),
            ("made-mkcalendar-forbidden", .forbidden),
        ]
    )
    func makeCalendarFails(fixture: String, code: CalDAVError.Code) async throws {
        let talk = try Conversation(fixture)
        await #expect(throws: CalDAVError.of(code)) {
            try await talk.client.makeCalendar(named: "x", color: nil, in: talk.home, segment: "s1")
        }
        await talk.expectFinished()
    }

    @Test("a random name consists of letters and digits, and differs each time")
    func randomNames() {
        let names = (0..<100).map { _ in CalDAVClient.randomSegment() }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { $0.count == 26 && $0.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) } })
    }
}

@Suite("passwords stay hidden")
struct SecretTests {
    @Test("neither printing nor dumping shows a password")
    func hidden() {
        let credentials = Credentials(user: "u", password: Secret("canary-9"))
        var dumped = ""
        dump(credentials, to: &dumped)
        let request = Request(url: "https://h/", headers: [.authorization: "Basic canary-9"])
        dump(request, to: &dumped)
        let texts = [
            dumped, "\(credentials)", String(reflecting: credentials), "\(request)", String(reflecting: request),
            "\(request.headers)",
        ]
        for text in texts { #expect(!text.contains("canary")) }
    }

    @Test("every error has a sentence, and no two are equal")
    func words() {
        let words = CalDAVError.Code.allCases.map { CalDAVError($0).description }
        #expect(Set(words).count == words.count && words.allSatisfy { $0.count > 8 })
    }
}
