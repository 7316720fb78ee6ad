import RemindavBridge
import RemindavHTTP
import RemindavReminders
import RemindavStore
import Testing

@testable import RemindavPages

@Suite("web pages: the lists")
struct ListPageTests {
    @Test("a list is added, renamed, coloured, made the default and deleted; each result is shown and can be undone")
    func story() async throws {
        let browser = try await TestBrowser()
        #expect(await browser.text("/lists").contains("No lists yet"))
        let added = await browser.post("/lists/add", ["list": " Garden ", "color": "#4CAF50"])
        let page = await browser.text(try #require(added.headers[.location]))
        #expect(page.contains("Created the list &quot;Garden&quot;.") && page.contains("name=\"run\""))
        #expect(page.contains("fill=\"#4CAF50\"") && page.contains("on this computer, 0 open, default list"))
        _ = try browser.useCases.add(ReminderDraft(title: "Rake"))
        let edited = await browser.post(
            "/list?name=Garden",
            ["list": "Yard", "color": "#2196F3", "due": "none", "alarms": "15m, due"]
        )
        #expect(
            await browser.text(try #require(edited.headers[.location])).contains(
                "Renamed the list &quot;Garden&quot; to &quot;Yard&quot;."
            )
        )
        #expect(
            await browser.text(try #require(edited.headers[.location])).contains("The log can undo each change."),
            "a button would undo only the last of them"
        )
        let list = try #require(try browser.useCases.lists().first)
        #expect(
            list.name == "Yard" && list.color == "#2196F3" && list.defaults.due == .undated
                && list.defaults.alarms?.count == 2
        )
        let same = await browser.post(
            "/list?name=Yard",
            ["list": "Yard", "color": "#2196F3", "due": "none", "alarms": "15m,due"]
        )
        #expect(same.headers[.location] == "/lists", "nothing was changed, so there is nothing to undo")
        _ = await browser.post("/lists/add", ["list": "Work"])
        #expect(await browser.post("/list/default?name=Work", [:]).status == 303)
        #expect(try browser.useCases.lists().first(where: \.isDefault)?.name == "Work")
        #expect(await browser.text("/list/delete?name=Yard").contains("<bdi>Yard</bdi>&#39; with 1 reminder? "))
        let deleted = await browser.post("/list/delete?name=Yard", [:])
        let after = try #require(deleted.headers[.location])
        #expect(await browser.text(after).contains("Deleted the list &quot;Yard&quot; with 1 reminder."))
        let run = try #require(after.split(separator: "=").last)
        #expect(await browser.post("/undo", ["run": String(run)]).status == 303)
        #expect(try browser.useCases.lists().map(\.name).contains("Yard"))
    }

    @Test("a name such as '..' is a name", arguments: ["..", ".", "a/b", "?x=1&y", "100 %", "<b>", "Ärger"])
    func oddNames(name: String) async throws {
        let browser = try await TestBrowser()
        #expect(await browser.post("/lists/add", ["list": name]).status == 303)
        let page = await browser.text("/lists")
        let address = try #require(page.split(separator: "\"").first { $0.hasPrefix("/list?name=") })
        #expect(await browser.get(String(address)).status == 200)
        #expect(await browser.post(String(address), ["list": "Plain"]).status == 303)
        #expect(try browser.useCases.lists().map(\.name) == ["Plain"])
        #expect(!page.contains("<b>"))
    }

    @Test(
        "a wrong field has one sentence, and everything typed is kept",
        arguments: [
            (["list": "  "], "cannot be empty"),
            (["list": "work"], "There is already a list with this name (&#39;Work&#39;)"),
            (["list": "Home", "alarms": "soon <i>"], "Enter due, times before the due time"),
        ]
    )
    func problems(fields: [String: String], sentence: String) async throws {
        let browser = try await TestBrowser()
        for name in ["Work", "Home"] { _ = await browser.post("/lists/add", ["list": name]) }
        let before = try browser.useCases.lists()
        var typed = fields
        typed["color"] = "#9C27B0"
        for target in fields["alarms"] == nil ? ["/lists/add", "/list?name=Home"] : ["/list?name=Home"] {
            let answer = await browser.post(target, typed)
            let page = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == 422 && page.contains(sentence), "\(target)")
            #expect(page.contains("<title>Error: ") && page.contains("aria-invalid=\"true\""))
            #expect(page.contains("value=\"#9C27B0\" checked"))
            #expect(page.contains("value=\"\((typed["list"] ?? "").trimmingWhiteSpace)\""))
            if typed["alarms"] != nil { #expect(page.contains("value=\"soon &lt;i&gt;\"")) }
        }
        #expect(try browser.useCases.lists() == before)
    }

    @Test(
        "a page of a missing list is the page for what does not exist",
        arguments: ["", "/delete", "/discard", "/keep", "/default", "/upload"]
    )
    func missing(decision: String) async throws {
        let browser = try await TestBrowser()
        if ["", "/delete", "/discard"].contains(decision) {
            #expect(await browser.get("/list\(decision)?name=No").status == 404)
        }
        #expect(await browser.post("/list\(decision)?name=No", ["list": "Yes"]).status == 404)
    }

    @Test("a list that its server has lost offers the decisions, and is kept as a local list")
    func lost() async throws {
        let browser = try await TestBrowser()
        try browser.addAccount(list: "Work") { transaction, list in try transaction.detach(list) }
        #expect(await browser.text("/lists").contains("no longer on the server"))
        let page = await browser.text("/list?name=Work")
        for words in ["Keep as a local list", "Upload again", "Delete List"] { #expect(page.contains(words)) }
        let kept = await browser.post("/list/keep?name=Work", [:])
        #expect(
            await browser.text(try #require(kept.headers[.location])).contains(
                "The list &quot;Work&quot; is a local list."
            )
        )
        #expect(try browser.useCases.lists().first?.state == .local)
    }

    @Test("a read-only list has a lock and the words, and its unsent changes are discarded after a question")
    func readOnly() async throws {
        let browser = try await TestBrowser()
        try browser.addAccount(list: "Work") { _, _ in }
        _ = try browser.useCases.add(ReminderDraft(title: "Call Ada", list: "Work"))
        try browser.addAccount(list: "Work", isReadOnly: true) { _, _ in }
        let page = await browser.text("/lists")
        #expect(page.contains("\u{1F512}</span> read-only") && page.contains("1 change not sent"))
        #expect(await browser.text("/list?name=Work").contains("Discard changes"))
        #expect(await browser.text("/list/discard?name=Work").contains("<bdi>Call Ada</bdi>"))
        let answer = await browser.post("/list/discard?name=Work", [:])
        #expect(
            await browser.text(try #require(answer.headers[.location])).contains(
                "Discarded 1 change in &quot;Work&quot;."
            )
        )
        #expect(try browser.useCases.lists().first?.unsent == 0)
    }
}

extension TestBrowser {
    /// Adds the account Home with a list, or changes a list of it, without a server.
    func addAccount(
        list name: String,
        isReadOnly: Bool = false,
        _ change: (StoreTransaction, ListID) throws -> Void = { _, _ in }
    ) throws {
        try self.useCases.store.write { transaction in
            let account =
                try transaction.accounts().first?.id
                ?? transaction.insertAccount(
                    named: "Home",
                    url: "http://127.0.0.1:9/ada/",
                    user: "ada",
                    homeSets: ["http://127.0.0.1:9/ada/"],
                    secret: SecretReference(kind: "command", reference: "echo secret"),
                    at: 0
                )
            let list =
                try transaction.lists().first { $0.name == name }?.id ?? transaction.insertList(named: name, at: 0)
            let url = "http://127.0.0.1:9/ada/\(name)/"
            try transaction.adoptRemote(list, RemoteList(account: account, url: url, isReadOnly: isReadOnly))
            try change(transaction, list)
        }
    }

    @Test("a form of a list keeps what was changed elsewhere while it was open")
    func untouched() async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/lists/add", ["list": "Garden", "color": "#4CAF50"])
        let page = await browser.text("/list?name=Garden")
        let was = String(try #require(page.split(separator: "name=\"was\" value=\"").last).prefix { $0 != "\"" })
        _ = try await browser.useCases.recolorList("Garden", to: "#2196F3")
        let shown = ["list": "Garden", "color": "#4CAF50", "due": "", "alarms": "", "was": was]
        _ = await browser.post("/list?name=Garden", shown.merging(["alarms": "15m"]) { $1 })
        let list = try #require(try browser.useCases.lists().first)
        #expect(list.color == "#2196F3" && list.defaults.alarms?.count == 1)
        _ = await browser.post("/list?name=Garden", shown.merging(["color": "#FF5722"]) { $1 })
        let changed = try #require(try browser.useCases.lists().first)
        #expect(changed.color == "#FF5722" && changed.defaults.alarms?.count == 1)
    }
}
