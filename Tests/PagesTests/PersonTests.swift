import RemindavBridge
import RemindavHTTP
import Synchronization
import Testing

@testable import RemindavPages

@Suite("web pages: people whom a reverse proxy signs in")
struct PersonTests {
    /// A site for people, and the requests of the proxy.
    private struct Proxy {
        let browser: TestBrowser
        let site: Site
        var person: Person? = Person(issuer: "https://id", subject: "ada@<example>.org")
        var cookie = ""

        init(_ address: String = "https://home.example.org/reminders") async throws {
            self.browser = try await TestBrowser(isSignedIn: false)
            var preferences = self.browser.site.preferences
            preferences.webSite = FeedSite(address)
            self.site = Site(
                self.browser.useCases,
                reading: self.browser.useCases,
                alarms: AlarmTable(self.browser.useCases),
                preferences,
                .people(isAllowed: { $0.subject != "denied" })
            )
        }

        func ask(_ method: String, _ target: String, _ headers: Headers = [:], body: String = "") async -> Response {
            var request = Request(method: method, url: target, headers: headers, body: Array(body.utf8))
            request.headers[.host] = "home.example.org"
            request.isProxied = true
            request.person = self.person
            if !self.cookie.isEmpty { request.headers[.cookie] = self.cookie }
            return await self.site.respond(to: request)
        }

        /// Opens a page, and keeps the cookie of the answer.
        mutating func open(_ target: String = "/") async -> String {
            let answer = await self.ask("GET", target)
            if let cookie = answer.headers[.setCookie] { self.cookie = String(cookie.prefix { $0 != ";" }) }
            return String(decoding: answer.body, as: UTF8.self)
        }

        func post(_ target: String, token: Substring?, _ fields: String) async -> Response {
            let headers: Headers = ["Origin": "https://home.example.org"]
            return await self.ask("POST", target, headers, body: "\(fields)&token=\(token ?? "")")
        }
    }

    private func token(_ page: String) -> Substring? {
        page.firstMatch(of: #/name="token" value="(\w+)"/#)?.output.1
    }

    @Test(
        "the first answer sets a random cookie for TLS, and its form works",
        arguments: ["https://home.example.org/reminders", "https://home.example.org"]
    )
    func firstAnswer(address: String) async throws {
        var proxy = try await Proxy(address)
        let cookie = try #require(await proxy.ask("GET", "/").headers[.setCookie])
        let isWhole = !address.hasSuffix("reminders")
        #expect(cookie.hasPrefix(isWhole ? "__Host-remindav=" : "__Secure-remindav="))
        #expect(cookie.contains("; HttpOnly; SameSite=Strict; ") && cookie.hasSuffix("; Secure"))
        #expect(await proxy.ask("GET", "/").headers[.setCookie] != cookie)
        let page = await proxy.open()
        #expect(await proxy.ask("GET", "/").headers[.setCookie] == nil)
        #expect(await proxy.post("/quick", token: self.token(page), "text=Milk").status == 303)
        #expect(try proxy.browser.useCases.reminders(matching: ReminderFilter()).count == 1)
    }

    @Test("a form without the cookie of its page, or of another person, changes nothing and can be sent again")
    func tokens() async throws {
        var proxy = try await Proxy()
        let page = await proxy.open()
        let (cookie, ada) = (proxy.cookie, proxy.person)
        let own = self.token(page)
        // An attacker can only set a cookie of another form.
        for forged in ["", "__Secure-remindav=x", "__Secure-remindav=\(String(repeating: "0", count: 64))"] {
            proxy.cookie = forged
            #expect(await proxy.post("/quick", token: own, "text=Milk").status == 403)
        }
        proxy.cookie = cookie
        for other in [
            Person(issuer: "https://id", subject: "ben"), Person(issuer: "", subject: "https://id ada@<example>.org"),
            Person(issuer: "https://other", subject: "ada@<example>.org"),
        ] {
            proxy.person = other
            #expect(await proxy.post("/quick", token: own, "text=Milk").status == 403)
        }
        #expect(await proxy.post("/quick", token: "", "text=Milk").status == 403)
        #expect(try proxy.browser.useCases.reminders(matching: ReminderFilter()).isEmpty)
        proxy.person = ada
        proxy.cookie = ""
        let refused = await proxy.post("/quick", token: own, "text=Milk")
        proxy.cookie = String(try #require(refused.headers[.setCookie]).prefix { $0 != ";" })
        let again = self.token(String(decoding: refused.body, as: UTF8.self))
        #expect(await proxy.post("/quick", token: again, "text=Milk").status == 303)
    }

    @Test("a request without a person gets nothing, also with a valid cookie")
    func withoutPerson() async throws {
        var proxy = try await Proxy()
        _ = await proxy.open()
        proxy.person = nil
        for target in ["/", "/events", "/a/x/page.css"] { #expect(await proxy.ask("GET", target).status == 403) }
    }

    @Test("a page of another site opens no frame, and its form changes nothing")
    func otherSites() async throws {
        var proxy = try await Proxy()
        let token = self.token(await proxy.open())
        let frame: Headers = [
            "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site",
        ]
        #expect(await proxy.ask("GET", "/", frame).status == 403)
        let forged = await proxy.ask(
            "POST",
            "/quick",
            ["Origin": "https://evil.org"],
            body: "text=x&token=\(token ?? "")"
        )
        #expect(forged.status == 403)
        #expect(try proxy.browser.useCases.reminders(matching: ReminderFilter()).isEmpty)
    }

    @Test("nothing of the machine is shown or changed")
    func machine() async throws {
        var proxy = try await Proxy()
        let page = await proxy.open("/settings")
        let token = self.token(await proxy.open("/"))
        #expect(page.contains("You are signed in as <bdi>ada@&lt;example&gt;.org</bdi>."))
        for text in ["due-time", "/home/ada", "Diagnostics", "Signed-in browsers", "Sign out"] {
            #expect(!page.contains(text), "\(text)")
        }
        #expect(await !proxy.open("/alarms").contains("Alarms are on."))
        #expect(await !proxy.open("/help").contains("man remindav"))
        proxy.browser.computer.state.withLock { $0.alarms = Computer.AlarmState(isOn: false, sentence: "") }
        for target in ["/", "/alarms"] { #expect(await !proxy.open(target).contains("Enable Notifications")) }
        let ticket = try proxy.browser.signIns.ticket(validSeconds: 60)
        for target in ["/doctor", "/in/\(ticket)"] { #expect(await proxy.ask("GET", target).status == 404) }
        let changes = [
            ("/settings", "sign-out=all"), ("/settings", "add-browser=1"), ("/doctor", ""), ("/alarms/enable", "x="),
            ("/out", ""),
        ]
        for (target, fields) in changes {
            #expect(await proxy.post(target, token: token, fields).status == 404, "\(target)")
        }
        #expect(proxy.browser.computer.state.withLock { $0.attempts == 0 && $0.asked.isEmpty })
    }

    @Test("only a form with the cookie and the origin of the pages may have a long body")
    func uploads() throws {
        let site = try #require(FeedSite("https://home.example.org/reminders"))
        let cookie = "__Secure-remindav=\(String(repeating: "a", count: 64))"
        let origin = "https://home.example.org"
        func accepts(_ method: String, _ url: String, _ cookie: String, _ origin: String) -> Bool {
            let headers: Headers = [.host: "home.example.org", .cookie: cookie, "Origin": origin]
            return Site.isUpload(Request(method: method, url: url, headers: headers), of: site)
        }
        #expect(accepts("POST", "/reminders/import", cookie, origin) && accepts("POST", "/import", cookie, origin))
        #expect(!accepts("GET", "/import", cookie, origin) && !accepts("POST", "/quick", cookie, origin))
        #expect(!accepts("POST", "/import", "", origin) && !accepts("POST", "/import", cookie, "https://evil.org"))
        #expect(!accepts("POST", "/import", "__Secure-remindav=x", origin))
    }
}
