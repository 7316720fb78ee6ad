import RemindavBridge
import RemindavHTTP
import Synchronization
import Testing

@testable import RemindavPages
@testable import RemindavSQLiteStore

@Suite("web pages: settings, diagnostics and help")
struct SettingsTests {
    @Test("each setting has its value, its origin and its meaning")
    func settings() async throws {
        let page = await (try TestBrowser()).text("/settings")
        #expect(page.contains("due-time = <bdi>08:30</bdi>"))
        #expect(page.contains("The time of day of the default date. From: <bdi>/home/ada/&lt;config&gt;:3</bdi>"))
        #expect(page.contains("snooze = <bdi>not set</bdi>"))
        for target in ["/import", "/export", "/doctor"] { #expect(page.contains("href=\"\(target)\""), "\(target)") }
    }

    @Test("a browser can be signed out by another one, and all can be signed out")
    func browsers() async throws {
        let browser = try await TestBrowser()
        var other = browser
        let ticket = try browser.signIns.ticket(validSeconds: 60)
        other.cookie = ""
        let answer = await other.request(
            "GET",
            "/in/\(ticket)",
            ["User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"]
        )
        other.cookie = String(try #require(answer.headers[.setCookie]).prefix { $0 != ";" })
        let page = await browser.text("/settings")
        #expect(page.contains("Signed-in browsers (2)") && page.contains("<bdi>Firefox on Linux</bdi>"))
        #expect(page.components(of: ", this browser") == 1)
        #expect(await browser.post("/settings", ["sign-out": "x"]).status == 404)
        #expect(try browser.signIns.browsers().count == 2)
        #expect(await browser.post("/settings", ["sign-out": "2"]).headers[.location] == "/settings")
        #expect(await other.get("/").status == 403)
        let all = await browser.post("/settings", ["sign-out": "all"])
        #expect(all.status == 303 && all.headers[.setCookie]?.contains("Max-Age=0") == true)
        #expect(await browser.get("/").status == 403)
        #expect(try browser.signIns.browsers().isEmpty)
    }

    @Test(
        "a browser is named by the text that it sends",
        arguments: [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36",
                "Chrome on Linux"
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0",
                "Edge on Windows"
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1",
                "Safari on iPhone"
            ),
            ("Mozilla/5.0 (Android 16; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0", "Firefox on Android"),
            ("w3m/0.5.3", "w3m"), ("", "Another browser"),
        ]
    )
    func browserName(agent: String, name: String) {
        #expect(SignInFile.Browser(id: 1, agent: agent, created: 0, lastUsed: 0).name == name)
    }

    @Test("the diagnostics show each finding, and ask the servers only after the button")
    func doctor() async throws {
        let browser = try await TestBrowser()
        let page = await browser.text("/doctor")
        #expect(page.contains("1 problem and 1 warning were found."))
        #expect(page.contains("problem: disk") && page.contains("<bdi>Free &lt;space&gt;.</bdi>"))
        #expect(page.contains("The servers were not asked."))
        #expect(browser.computer.state.withLock(\.asked) == [false])
        let asked = await browser.post("/doctor", [:])
        #expect(String(decoding: asked.body, as: UTF8.self).contains("the servers were asked."))
        #expect(browser.computer.state.withLock(\.asked) == [false, true])
    }

    @Test("each page has the same links, with the link to the help at the end")
    func help() async throws {
        let browser = try await TestBrowser()
        let names = ["Reminders", "Labels", "Lists", "Sync", "Alarms", "Feeds", "Log", "Trash", "Settings", "Help"]
        for target in ["/", "/settings", "/help", "/feeds", "/export", "/import"] {
            let page = await browser.text(target)
            let bar = try #require(page.firstMatch(of: #/<nav.*?<\/nav>/#)).output
            let places = try names.map { try #require(bar.ranges(of: ">\($0)<").first, "\($0)").lowerBound }
            #expect(places == places.sorted(), "\(target)")
            #expect(page.components(of: "<h1>") == 1)
        }
        let page = await browser.text("/help")
        for (term, meaning) in HelpScreen.keys + HelpScreen.dates + HelpScreen.repeats + HelpScreen.symbols {
            #expect(page.contains("<dt>\(term)</dt><dd>\(meaning)</dd>"), "\(term)")
        }
    }
}
