import Testing

@testable import CLI

@Suite("help")
struct HelpTests {
    @Test("the overview equals the fixture")
    func overview() async {
        let world = TestWorld()
        #expect(await world.run("--help") == .success)
        expectSnapshot(world.answers, "help.txt")
        #expect(world.complaints.isEmpty)
    }

    @Test("every command's page equals the fixture", arguments: CommandTable.all.map { $0.page.name })
    func page(name: String) async throws {
        let page = try #require(CommandTable.named(name)?.page)
        let text = HelpPages.page(page)
        expectSnapshot(text, "help-\(name.replacing(" ", with: "-")).txt")
        for line in text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }

    @Test("add and edit have the same options")
    func oneForm() throws {
        func options(_ name: String) throws -> [String: Option] {
            let page = try #require(CommandTable.named(name)?.page)
            return Dictionary(uniqueKeysWithValues: page.options.map { ($0.name, $0) })
        }
        let (add, edit) = (try options("add"), try options("edit"))
        // The options for parsing a title and for the key are no fields.
        let fields = Set(add.keys).subtracting(["--literal", "--id"])
        #expect(fields.isSuperset(of: ["--notes", "--due", "--repeat", "--label", "--priority", "--list"]))
        #expect(Set(edit.keys).subtracting(["--title"]) == fields)
        for name in fields {
            #expect(add[name]?.value == edit[name]?.value, "\(name)")
            #expect(add[name]?.short == edit[name]?.short, "\(name)")
        }
    }

    @Test("a page is the same for every form of the request")
    func sameByAllWays() async {
        let worlds = [TestWorld(), TestWorld(), TestWorld()]
        _ = await worlds[0].run("help", "account", "add")
        _ = await worlds[1].run("account", "add", "--help")
        _ = await worlds[2].run("--help", "account", "add")
        #expect(worlds[0].answers == worlds[1].answers)
        #expect(worlds[0].answers == worlds[2].answers)
        #expect(!worlds[0].answers.isEmpty)
    }

    @Test("the commands of a family are listed")
    func family() async {
        let world = TestWorld()
        #expect(await world.run("help", "feed") == .success)
        expectSnapshot(world.answers, "help-feed.txt")
    }

    @Test("a call without arguments is an error that names the help")
    func noArguments() async {
        let world = TestWorld()
        #expect(await world.run() == .usage)
        #expect(world.complaints == "remindav: There is no command.\nSee 'remindav help'.\n")
        #expect(world.answers.isEmpty)
    }
}
