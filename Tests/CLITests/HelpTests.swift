import Testing

@testable import RemindavCLI

@Suite("help")
struct HelpTests {
    @Test("the overview equals the fixture")
    func overview() async {
        let world = TestWorld()
        #expect(await world.run("--help") == .success)
        expectSnapshot(world.answers, "help.txt")
        #expect(world.complaints.isEmpty)
        // The prompt of the shell needs the last of the 24 lines of a usual terminal.
        #expect(world.answers.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
        #expect(world.answers.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("the list of all commands equals the fixture")
    func commands() async {
        let (world, other) = (TestWorld(), TestWorld())
        #expect(await world.run("help", "--all") == .success)
        expectSnapshot(world.answers, "help-all.txt")
        #expect(world.answers.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(await other.run("help", "commands") == .success)
        #expect(other.answers == world.answers)
    }

    @Test("every command's page equals the fixture", arguments: CommandTable.all.map { $0.page.name })
    func page(name: String) async throws {
        let page = try #require(CommandTable.named(name)?.page)
        let text = HelpPages.page(page)
        expectSnapshot(text, "help-\(name.replacing(" ", with: "-")).txt")
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
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
        // The filters and the options for the question, a part of the notes and one date are no fields either.
        let others = FilterOptions.optionsOfEdit.map(\.name) + ["--title", "--yes", "--add-notes", "--this-date-only"]
        #expect(Set(edit.keys).subtracting(others) == fields)
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
}
