import RemindavBridge
import RemindavHTTP
import RemindavReminders
import Testing

@testable import RemindavPages

@Suite("web pages: labels")
struct LabelTests {
    @Test("a label is added, renamed, recoloured and deleted")
    func story() async throws {
        let browser = try await TestBrowser()
        #expect(await browser.text("/labels").contains("No labels yet"))
        #expect(await browser.text("/labels/add").contains(##"value="#FF5722" aria-label="deep orange" checked="">"##))
        #expect(await browser.post("/labels/add", ["label": "home & garden", "color": "#4CAF50"]).status == 303)
        #expect(await browser.text("/labels").contains("<bdi>home &amp; garden</bdi>"))
        _ = try browser.useCases.add(ReminderDraft(title: "Milk", labels: ["home & garden"]))
        let edit = "/label?name=home%20%26%20garden"
        #expect(await browser.text(edit).contains("<h1>Edit Label</h1>"))
        let renamed = await browser.post(edit, ["label": "house", "color": "#2196F3"])
        #expect(renamed.status == 303)
        #expect(try browser.useCases.reminder(1).labels == ["house"])
        #expect(try browser.useCases.labels().map(\.color.hex) == ["#2196F3"])
        #expect(await browser.text("/label/delete?name=house").contains("lose the label association."))
        let deleted = await browser.post("/label/delete?name=house", [:])
        let address = try #require(deleted.headers[.location])
        #expect(try browser.useCases.labels().isEmpty && browser.useCases.reminder(1).labels.isEmpty)
        #expect(await browser.text(address).contains(">Undo</button>"))
    }

    @Test("a colour that was changed elsewhere stays if the form only renames; a new name and colour are one operation")
    func untouchedColor() async throws {
        let browser = try await TestBrowser()
        _ = try browser.useCases.addLabel(named: "home", color: LabelColor("#4CAF50"))
        let page = await browser.text("/label?name=home")
        #expect(page.contains("name=\"was\" value=\"#4CAF50\""))
        _ = try browser.useCases.recolorLabel("home", to: try #require(LabelColor("#2196F3")))
        _ = await browser.post("/label?name=home", ["label": "house", "color": "#4CAF50", "was": "#4CAF50"])
        #expect(try browser.useCases.labels().map { "\($0.name) \($0.color.hex)" } == ["house #2196F3"])
        let edited = await browser.post("/label?name=house", ["label": "flat", "color": "#FF5722", "was": "#2196F3"])
        #expect(try browser.useCases.labels().map { "\($0.name) \($0.color.hex)" } == ["flat #FF5722"])
        let run = try #require(edited.headers[.location]?.split(separator: "=").last)
        _ = await browser.post("/undo", ["run": String(run)])
        #expect(try browser.useCases.labels().map { "\($0.name) \($0.color.hex)" } == ["house #2196F3"])
    }

    @Test("a name that is empty or taken is refused with its reason, and the typed name stays")
    func problems() async throws {
        let browser = try await TestBrowser()
        for name in ["home", "work"] { _ = await browser.post("/labels/add", ["label": name, "color": "#4CAF50"]) }
        for (target, name) in [
            ("/labels/add", " "), ("/labels/add", "HOME"), ("/label?name=work", ""), ("/label?name=work", "Home"),
        ] {
            let answer = await browser.post(target, ["label": name, "color": "#4CAF50"])
            #expect(answer.status == 422, "\(target) \(name)")
            let page = String(decoding: answer.body, as: UTF8.self)
            #expect(page.contains("aria-invalid") && page.contains("value=\"\(name == " " ? "" : name)\""))
            #expect(page.contains("Merge into") == (name == "Home"))
        }
        #expect(try browser.useCases.labels().map(\.name) == ["home", "work"])
        let merged = await browser.post("/label?name=work", ["label": "home", "color": "#4CAF50", "merge": "1"])
        #expect(merged.status == 303)
        #expect(try browser.useCases.labels().map(\.name) == ["home"])
    }

    @Test("an unknown label has no page", arguments: ["/label", "/label?name=x", "/label/delete?name=x"])
    func unknown(target: String) async throws {
        let browser = try await TestBrowser()
        #expect(await browser.get(target).status == 404)
        #expect(await browser.post(target, ["label": "y"]).status == 404)
    }

    @Test("a colour outside of the palette stays")
    func otherColor() async throws {
        let browser = try await TestBrowser()
        _ = try browser.useCases.addLabel(named: "a", color: LabelColor(rgb: 0x123456))
        #expect(await browser.text("/label?name=a").contains(##"value="#123456" aria-label="as it is" checked="">"##))
    }

    @Test("the palette has 16 named colours in the order of the documents, each with a check mark of enough contrast")
    func swatches() async throws {
        let browser = try await TestBrowser()
        let page = await browser.text("/labels/add")
        let names = page.split(separator: "name=\"color\" value=\"").dropFirst().map { part in
            String(part.split(separator: "aria-label=\"")[1].prefix { $0 != "\"" })
        }
        #expect(names == LabelColor.palette.map(\.name) && names.count == 16)
        #expect(page.components(of: "<legend>Color</legend>") == 1 && page.components(of: "checked=\"\"") == 1)
        #expect(page.contains("stroke=\"#000000\"") && page.contains("stroke=\"#FFFFFF\""))
        _ = try browser.useCases.addLabel(named: "a", color: LabelColor(rgb: 0x123456))
        let own = await browser.text("/label?name=a")
        #expect(own.components(of: "type=\"radio\"") == 17 && own.contains("aria-label=\"as it is\" checked=\"\""))
        #expect(own.contains("<output id=\"preview\" for=\"label\"><svg class=\"dot\"><circle fill=\"#123456\">"))
    }

    @Test("the list of labels has the number of open reminders and links to them; a change can be undone there")
    func rows() async throws {
        let browser = try await TestBrowser()
        for line in ["Milk #home", "Bread #home"] { _ = await browser.post("/quick", ["text": line]) }
        let page = await browser.text("/labels")
        #expect(page.contains("2 open reminders") && page.contains("href=\"/?label=home\""))
        #expect(await browser.text("/label/delete?name=home").contains("2 reminders have this label."))
        let added = await browser.post("/labels/add", ["label": "work", "color": "#4CAF50"])
        let labels = await browser.text(try #require(added.headers[.location]))
        #expect(labels.contains("1 label changed.") && labels.contains(">Undo</button>"))
        #expect(labels.contains("href=\"/labels\">Dismiss</a>"))
    }
}
