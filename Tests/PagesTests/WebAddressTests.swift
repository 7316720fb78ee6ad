import RemindavBridge
import RemindavHTTP
import RemindavReminders
import Testing

@testable import RemindavPages

@Suite("web pages: other devices")
struct WebAddressTests {
    /// A site that a reverse proxy publishes, and the requests of the proxy.
    private struct Proxy {
        let browser: TestBrowser
        let site: Site
        var cookie = ""

        init(_ address: String) async throws {
            self.browser = try await TestBrowser()
            var preferences = self.browser.site.preferences
            preferences.webSite = FeedSite(address)
            self.site = Site(
                self.browser.useCases,
                reading: self.browser.useCases,
                alarms: AlarmTable(self.browser.useCases),
                self.browser.signIns,
                preferences,
                self.browser.computer.computer,
                isOwnProcess: { _ in false }
            )
        }

        func ask(_ method: String, _ target: String, _ headers: Headers = [:], body: String = "") async -> Response {
            var request = Request(method: method, url: target, headers: headers, body: Array(body.utf8))
            request.headers[.host] = "home.example.org"
            request.isProxied = true
            if !self.cookie.isEmpty { request.headers[.cookie] = self.cookie }
            return await self.site.respond(to: request)
        }
    }

    @Test(
        "all addresses have the public path, and the cookie is for TLS only",
        arguments: ["https://home.example.org/reminders", "https://home.example.org"]
    )
    func publicAddress(address: String) async throws {
        var proxy = try await Proxy(address)
        let prefix = address.hasSuffix("reminders") ? "/reminders" : ""
        #expect(await proxy.ask("GET", "\(prefix)/").status == 403)
        let ticket = try proxy.browser.signIns.ticket(validSeconds: 60)
        let answer = await proxy.ask("GET", "\(prefix)/in/\(ticket)")
        let cookie = try #require(answer.headers[.setCookie])
        #expect(answer.status == 303 && answer.headers[.location] == "\(prefix)/")
        #expect(cookie.hasPrefix(prefix.isEmpty ? "__Host-remindav=" : "__Secure-remindav="))
        #expect(cookie.contains("; Path=\(prefix)/; HttpOnly; SameSite=Strict; ") && cookie.hasSuffix("; Secure"))
        proxy.cookie = String(cookie.prefix { $0 != ";" })
        // The proxy may remove the path.
        for target in ["\(prefix)/labels", "/labels", "/add", "/labels/add", "/lists/add"] {
            let page = String(decoding: await proxy.ask("GET", target).body, as: UTF8.self)
            let links = page.matches(of: #/(?:href|action)="(\/[^"]*)"/#).map(\.output.1)
            #expect(links.count > 5 && links.allSatisfy { $0.hasPrefix("\(prefix)/") }, "\(target)")
            if !prefix.isEmpty { #expect(!page.contains(prefix + prefix), "\(target)") }
            #expect(page.contains("href=\"#main\""))
        }
        let style = try #require(
            String(decoding: await proxy.ask("GET", "/").body, as: UTF8.self).firstMatch(
                of: #/href="(\/[^"]*page\.css)"/#
            )
        ).output.1
        #expect(await proxy.ask("GET", String(style)).status == 200)
        #expect(await proxy.browser.text("/labels").contains("href=\"/labels\""))
    }

    @Test(
        "only a form of the public address changes something",
        arguments: ["https://home.example.org", "http://home.example.org", "https://home.example.org:8443", "null"]
    )
    func origin(origin: String) async throws {
        var proxy = try await Proxy("https://home.example.org/reminders")
        let ticket = try proxy.browser.signIns.ticket(validSeconds: 60)
        let cookie = try #require(await proxy.ask("GET", "/in/\(ticket)").headers[.setCookie])
        proxy.cookie = String(cookie.prefix { $0 != ";" })
        let token = SignIns.token(of: String(proxy.cookie.drop { $0 != "=" }.dropFirst()))
        let answer = await proxy.ask("POST", "/quick", ["Origin": origin], body: "text=Milk&token=\(token)")
        let isOwn = origin == "https://home.example.org"
        #expect(answer.status == (isOwn ? 303 : 403))
        #expect(try proxy.browser.useCases.reminders(matching: ReminderFilter()).count == (isOwn ? 1 : 0))
    }

    @Test("a request of this computer cannot use the cookie of the public address, and the reverse")
    func cookies() async throws {
        let proxy = try await Proxy("https://home.example.org/reminders")
        var local = proxy.browser
        let value = local.cookie.drop { $0 != "=" }
        #expect(await proxy.ask("GET", "/", [.cookie: local.cookie]).status == 403)
        local.cookie = "__Secure-remindav\(value)"
        #expect(await local.get("/").status == 403)
    }

    @Test("without a public address, requests of a proxy get no page, and no other browser can be signed in")
    func withoutAddress() async throws {
        let browser = try await TestBrowser()
        var request = Request(url: "/", headers: [.host: "home.example.org"])
        request.isProxied = true
        #expect(await browser.site.respond(to: request).status == 404)
        #expect(await browser.post("/settings", ["add-browser": "1"]).status == 404)
        #expect(await !browser.text("/settings").contains("Sign in another browser"))
    }

    @Test("a signed-in browser gets an address for another browser, which is shown once")
    func addDevice() async throws {
        var proxy = try await Proxy("https://home.example.org/reminders")
        let ticket = try proxy.browser.signIns.ticket(validSeconds: 60)
        let cookie = try #require(await proxy.ask("GET", "/in/\(ticket)").headers[.setCookie])
        proxy.cookie = String(cookie.prefix { $0 != ";" })
        let token = SignIns.token(of: String(proxy.cookie.drop { $0 != "=" }.dropFirst()))
        let headers: Headers = ["Origin": "https://home.example.org"]
        let answer = await proxy.ask("POST", "/settings", headers, body: "add-browser=1&token=\(token)")
        let page = String(decoding: answer.body, as: UTF8.self)
        let link = try #require(page.firstMatch(of: #/value="https:\/\/home\.example\.org\/reminders(\/in\/\w{32})"/#))
            .output.1
        #expect(answer.status == 200 && answer.headers[.cacheControl] == "no-store")
        proxy.cookie = ""
        #expect(await proxy.ask("GET", String(link)).status == 303)
        #expect(await proxy.ask("GET", String(link)).status == 403)
    }
}
