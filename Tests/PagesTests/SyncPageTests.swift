import RemindavBridge
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import RemindavStore
import Testing

@testable import RemindavPages

@Suite("web pages: accounts and syncs")
struct SyncPageTests {
    @Test("without an account, the page offers to connect a server, and there is nothing to sync")
    func noAccount() async throws {
        let browser = try await TestBrowser()
        #expect(await browser.text("/sync").contains("href=\"/accounts/add\">Connect a server</a>"))
        #expect(await browser.text("/").contains("href=\"/accounts/add\">Connect a server</a>"))
        #expect(await browser.post("/sync", ["do": "sync"]).status == 422)
        #expect(await browser.post("/sync", ["do": "sync", "account": "Home"]).status == 404)
    }

    @Test("the line of an account has its last sync and its unsent changes; a failed sync is named on each page")
    func states() async throws {
        let browser = try await TestBrowser()
        try browser.addAccount(list: "Work")
        #expect(await browser.text("/").contains("<bdi>Home</bdi>: not synced yet</p>"))
        try browser.endSync(minutesAgo: 90)
        #expect(await browser.text("/").contains("<bdi>Home</bdi>: synced 1 h ago</p>"))
        _ = try browser.useCases.add(ReminderDraft(title: "Milk", list: "Work"))
        try browser.endSync(minutesAgo: 2)
        #expect(await browser.text("/").contains("<bdi>Home</bdi>: synced 2 min ago · 1 change not sent</p>"))
        #expect(!(await browser.text("/labels").contains("class=\"notice\"")))
        try browser.endSync(minutesAgo: 1, error: "authRejected")
        for target in ["/", "/labels", "/add", "/lists", "/sync"] {
            let page = await browser.text(target)
            #expect(page.contains("<bdi>Home</bdi>: not synced since today 17:03. "), "\(target)")
            #expect(page.contains("Check both, and enter the password again."))
            #expect(page.contains("href=\"/account?name=Home\""))
        }
        try browser.endSync(minutesAgo: 0)
        #expect(await browser.text("/").contains("synced just now"))
        #expect(!(await browser.text("/labels").contains("class=\"notice\"")))
    }

    @Test("a page without a sign-in does not name an account")
    func signedOut() async throws {
        var browser = try await TestBrowser()
        try browser.addAccount(list: "Work")
        try browser.endSync(minutesAgo: 1, error: "authRejected")
        browser.cookie = ""
        #expect(!(await browser.text("/").contains("Home")))
    }

    @Test(
        "a wrong setting has its sentence at its field, and all fields are kept",
        arguments: [
            ("setting-sync-interval", "soon", "1m to 24h, or never"), ("setting-trust-key", "abc", "sha256//…"),
            ("setting-ca-file", "ca.pem", "Enter the whole path"),
            ("setting-ca-file", "/nonexistent.pem", "cannot be read"),
            ("setting-conflicts", "me", "The page Conflicts"),
        ]
    )
    func settings(field: String, value: String, sentence: String) async throws {
        let browser = try await TestBrowser()
        try browser.addAccount(list: "Work")
        let answer = await browser.post("/account?name=Home", [field: value, "setting-client-key": ""])
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 422 && page.contains("id=\"\(field)-note\">") && page.contains(sentence))
        if field != "setting-conflicts" {
            #expect(page.contains("value=\"\(value)\"") && page.contains("aria-invalid"))
        }
        #expect(try browser.useCases.accounts().first?.settings == [:])
    }

    @Test("settings are saved and cleared, and an unchanged form changes nothing")
    func changedSettings() async throws {
        let browser = try await TestBrowser()
        try browser.addAccount(list: "Work")
        let form = ["setting-sync-interval": "2h", "setting-completes": "override", "setting-allow-insecure": "yes"]
        let saved = await browser.post("/account?name=Home", form)
        #expect(
            await browser.text(try #require(saved.headers[.location])).contains(
                "The settings of &quot;Home&quot; are saved."
            )
        )
        #expect(
            try browser.useCases.accounts().first?.settings == [
                .syncInterval: "2h", .completes: "override", .allowInsecure: "yes",
            ]
        )
        #expect(await browser.post("/account?name=Home", form).headers[.location] == "/account?name=Home")
        _ = await browser.post(
            "/account?name=Home",
            ["setting-sync-interval": "", "setting-completes": "none", "setting-allow-insecure": "no"]
        )
        #expect(try browser.useCases.accounts().first?.settings == [:])
    }

    @Test("an empty password is refused without a request, and no password is ever in a page")
    func password() async throws {
        let browser = try await TestBrowser()
        try browser.addAccount(list: "Work")
        for (password, sentence) in [("", "Enter the password."), (String(repeating: "x", count: 5000), "longer than")]
        {
            let answer = await browser.post("/account/password?name=Home", ["of": "account", "password": password])
            let page = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == 422 && page.contains(sentence) && !page.contains("xxxx"))
        }
    }

    @Test("an account with unsent changes is removed only with the confirmation")
    func removal() async throws {
        let browser = try await TestBrowser()
        try browser.addAccount(list: "Work")
        _ = try browser.useCases.add(ReminderDraft(title: "Milk", list: "Work"))
        #expect(await browser.text("/account/remove?name=Home").contains("1 unsent change"))
        #expect(await browser.post("/account/remove?name=Home", [:]).status == 422)
        #expect(try browser.useCases.accounts().count == 1)
        #expect(await browser.post("/account/remove?name=Home", ["discard": "1"]).status == 303)
        #expect(try browser.useCases.accounts().isEmpty)
        #expect(try browser.useCases.trash().map(\.title) == ["Milk"])
    }

    @Test("pages of a missing account do not exist", arguments: ["", "/certificate", "/remove", "/password"])
    func missing(part: String) async throws {
        let browser = try await TestBrowser()
        if part != "/password" { #expect(await browser.get("/account\(part)?name=No").status == 404) }
        #expect(await browser.post("/account\(part)?name=No", [:]).status == 404)
    }

    @Test("an empty address, a taken name and an attempt of another time are explained, and the text is kept")
    func connect() async throws {
        let browser = try await TestBrowser()
        try browser.addAccount(list: "Work")
        for (fields, sentence) in [
            (["address": " "], "Enter the address of the server"),
            (["address": "<dav>", "account": "Home"], "There is already an account with the name &#39;Home&#39;."),
            (["address": "<dav>", "setting-ca-file": "x"], "Enter the whole path"),
        ] {
            let answer = await browser.post("/accounts/add", fields)
            let page = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == 422 && page.contains(sentence))
            if fields["address"] == "<dav>" { #expect(page.contains("value=\"&lt;dav&gt;\"")) }
        }
        let late = await browser.post("/accounts/add?id=0", ["do": "connect"])
        #expect(late.status == 422 && String(decoding: late.body, as: UTF8.self).contains("This attempt is over."))
    }

    @Test("an email address leads to the sign-in with this user")
    func mail() async throws {
        let browser = try await TestBrowser()
        let begun = await browser.post("/accounts/add", ["address": "ada@example.org"])
        let address = try #require(begun.headers[.location])
        #expect(await browser.text(address).contains("name=\"user\" value=\"ada@example.org\""))
        let answer = await browser.post(address, ["do": "password", "user": "ada", "password": ""])
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 422 && page.contains("Enter the password.") && page.contains("value=\"ada\""))
        #expect(await browser.post(address, ["do": "cancel"]).headers[.location] == "/sync")
        #expect(await browser.get(address).status == 422)
    }

    @Test("a decision about a missing conflict is explained", arguments: ["restore 7", "dismiss 7"])
    func missingConflict(words: String) async throws {
        let browser = try await TestBrowser()
        #expect(await browser.text("/conflicts").contains("No conflicts"))
        #expect(await browser.post("/conflicts", ["do": words]).status == 422)
        #expect(await browser.post("/conflicts", ["do": "dismiss all"]).status == 303)
        for wrong in ["", "restore", "keep 7", "restore x"] {
            #expect(await browser.post("/conflicts", ["do": wrong]).status == 404)
        }
    }
}

extension TestBrowser {
    /// Records a sync of the account Home that has ended.
    func endSync(minutesAgo: Int, error: String? = nil) throws {
        let now = self.useCases.now.secondsSince1970 - Int64(minutesAgo * 60)
        try self.useCases.store.write { transaction in
            let run = try transaction.beginRun(of: "Home", at: now)
            try transaction.endRun(run, requests: 1, error: error, at: now)
        }
    }
}
