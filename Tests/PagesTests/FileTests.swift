import RemindavBridge
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavPages

@Suite("web pages: import and export")
struct FileTests {
    private static let calendar = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//test//EN\r
        BEGIN:VTODO\r
        UID:1\r
        DTSTAMP:20260101T000000Z\r
        SUMMARY:Milk & <b>\r
        CATEGORIES:shop\r
        END:VTODO\r
        BEGIN:VEVENT\r
        UID:2\r
        DTSTAMP:20260101T000000Z\r
        DTSTART:20261224T100000Z\r
        SUMMARY:Party\r
        END:VEVENT\r
        END:VCALENDAR\r

        """

    private static func upload(
        _ browser: TestBrowser,
        _ content: String,
        file: String? = "tasks.ics",
        _ fields: [String: String] = [:],
        token: String? = nil
    ) async -> Response {
        let boundary = "----boundary7"
        var body = ""
        for (name, value) in fields.merging(["token": token ?? browser.token], uniquingKeysWith: { mine, _ in mine }) {
            body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        if let file {
            body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file)\"\r\n"
            body += "Content-Type: application/octet-stream\r\n\r\n\(content)\r\n"
        }
        body += "--\(boundary)--\r\n"
        return await browser.request(
            "POST",
            "/import",
            [
                "Content-Type": "multipart/form-data; boundary=\(boundary)", "Origin": TestBrowser.origin,
                "Sec-Fetch-Site": "same-origin",
            ],
            body: body
        )
    }

    @Test("a file is imported once, after its preview; the import can be undone")
    func importing() async throws {
        let browser = try await TestBrowser()
        let form = await browser.text("/import")
        #expect(form.contains("enctype=\"multipart/form-data\"") && form.contains("type=\"file\""))
        let answer = await Self.upload(browser, Self.calendar, ["new-list": "Shop"])
        let preview = try #require(answer.headers[.location])
        #expect(answer.status == 303 && preview.hasPrefix("/import/"))
        let page = await browser.text(preview)
        #expect(page.contains("1 added, 0 updated, 0 unchanged, 1 left out (list Shop)"))
        #expect(page.contains("It would create the list &#39;Shop&#39;."))
        #expect(page.contains("The choice &#39;Also import events&#39; imports the events that are not over."))
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).isEmpty)
        for _ in 0..<2 { #expect(await browser.post(preview, [:]).headers[.location] == preview) }
        let done = await browser.text(preview)
        #expect(done.contains("<h1>Imported</h1>") && done.contains("Created the list &#39;Shop&#39;."))
        let reminders = try browser.useCases.reminders(matching: ReminderFilter())
        #expect(reminders.map(\.title) == ["Milk & <b>"] && reminders.map(\.list) == ["Shop"])
        let run = try #require(done.firstMatch(of: #/name="run" value="(\d+)"/#)).output.1
        #expect(await browser.post("/undo", ["run": String(run)]).status == 303)
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).isEmpty)
    }

    @Test("a typed text is imported with the chosen options")
    func text() async throws {
        let browser = try await TestBrowser()
        let csv = "title,due,labels\r\nBread,3/4/2027,shop\r\n"
        let fields = ["text": csv, "format": "table", "date-order": "mdy"]
        let answer = await Self.upload(browser, "", file: nil, fields)
        let preview = try #require(answer.headers[.location])
        #expect(await browser.post(preview, [:]).status == 303)
        let reminder = try browser.useCases.reminder(1)
        #expect(reminder.title == "Bread" && reminder.dueDay?.description == "2027-03-04")
        let events = try #require(await Self.upload(browser, Self.calendar, ["events": "1"]).headers[.location])
        #expect(await browser.text(events).contains("2 added"))
    }

    @Test("a file that cannot be imported, and no file, are refused with a sentence, and the text stays")
    func refused() async throws {
        let browser = try await TestBrowser()
        for (content, file, text) in [("", nil, " "), ("", "", ""), ("%PDF-1.7", "a.pdf", "")]
            as [(String, String?, String)]
        {
            let answer = await Self.upload(browser, content, file: file, ["text": text, "new-list": "A <list>"])
            let page = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == 422, "\(file ?? "no file")")
            #expect(page.contains("<title>Error: Import</title>") && page.contains("value=\"A &lt;list&gt;\""))
        }
        let typed = await Self.upload(browser, "", file: nil, ["text": "BEGIN:VCALENDAR\r\n<&", "format": "json"])
        #expect(
            typed.status == 422
                && String(decoding: typed.body, as: UTF8.self).contains("BEGIN:VCALENDAR&#13;\n&lt;&amp;")
        )
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).isEmpty)
    }

    @Test("an upload with a wrong token, a broken form, a long text and an unknown upload change nothing")
    func protection() async throws {
        let browser = try await TestBrowser()
        #expect(await Self.upload(browser, Self.calendar, token: "0").status == 403)
        let long = String(repeating: "a", count: (1 << 20) + 1)
        #expect(await Self.upload(browser, "", file: nil, ["text": long]).status == 413)
        let headers: Headers = [
            "Content-Type": "multipart/form-data; boundary=x", "Origin": TestBrowser.origin,
            "Sec-Fetch-Site": "same-origin",
        ]
        #expect(await browser.request("POST", "/import", headers, body: "--x\r\n").status == 400)
        #expect(await browser.post("/import", ["text": "x"]).status == 400)
        #expect(await browser.get("/import/0").status == 404)
        #expect(await browser.post("/import/0", [:]).status == 404)
        var request = Request(method: "POST", url: "/import", headers: headers)
        #expect(!browser.site.acceptsUpload(request))
        request.headers[.host] = "127.0.0.1:8737"
        request.headers[.cookie] = browser.cookie
        request.peer = Peer(port: 1, serverPort: TestBrowser.port)
        #expect(browser.site.acceptsUpload(request))
        for (name, value) in [("Origin", "http://127.0.0.1:9"), ("Cookie", "remindav-8737=0")] {
            var other = request
            other.headers[HeaderName(name)] = value
            #expect(!browser.site.acceptsUpload(other), "\(name)")
        }
        request.url = "/quick"
        #expect(!browser.site.acceptsUpload(request))
    }

    @Test("the chosen reminders are downloaded in each format", arguments: ExportChoice.all.map(\.name))
    func export(format: String) async throws {
        let browser = try await TestBrowser()
        for line in ["Milk tomorrow #shop", "Rent #home"] { _ = await browser.post("/quick", ["text": line]) }
        let file = await browser.get("/export/file?format=\(format)&labels=shop")
        let text = String(decoding: file.body, as: UTF8.self)
        #expect(file.status == 200 && text.contains("Milk") && !text.contains("Rent"))
        let disposition = try #require(file.headers["Content-Disposition"])
        #expect(disposition.hasPrefix("attachment; filename=\"reminders-2026-11-20."))
        #expect(file.headers["X-Content-Type-Options"] == "nosniff")
    }

    @Test("open and completed reminders can be exported alone, and the losses of a format are shown before")
    func exportChoices() async throws {
        let browser = try await TestBrowser()
        for line in ["Milk", "Rent tomorrow 9am"] { _ = await browser.post("/quick", ["text": line]) }
        _ = await browser.post("/act", ["do": "complete 1"])
        for (state, titles) in [("open", ["Rent"]), ("completed", ["Milk"]), ("all", ["Milk", "Rent"])] {
            let text = await browser.text("/export/file?format=csv&state=\(state)")
            #expect(["Milk", "Rent"].filter { text.contains($0) } == titles, "\(state)")
        }
        let page = await browser.text("/export?format=outlook-csv&check=1")
        #expect(
            page.contains("The file has 2 reminders.")
                && page.contains("Rent&#39;: the time of day is not in the output")
        )
        #expect(page.contains("<option value=\"outlook-csv\" selected=\"\">"))
        #expect(await browser.text("/export?check=1").contains("The format contains all of their data."))
        #expect(await browser.get("/export/file?list=Nowhere").status == 422)
    }

    @Test(
        "the name of a downloaded file cannot add a header or a path",
        arguments: ["a\"b\r\nX: y", "../../etc/passwd", "Einkäufe", "a%41;b"]
    )
    func fileName(name: String) throws {
        let header = try #require(Response.download([], type: "text/plain", name: name).headers["Content-Disposition"])
        #expect(header.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && !header.contains("/"))
        #expect(header.count { $0 == "\"" } == 2)
    }
}
