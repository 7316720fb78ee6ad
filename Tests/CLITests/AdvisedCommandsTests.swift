import Testing

@testable import RemindavCLI

@Suite("Commands in messages")
struct AdvisedCommandsTests {
    static let tables: [(options: GlobalOptions, text: String, complete: String)] = [
        (GlobalOptions(), "'remindav undo' reverts this.", "'remindav undo' reverts this."),
        (
            GlobalOptions(tenant: "ada", config: "/etc/r.conf"), "'remindav undo --run 3' reverts this.",
            "'remindav --config /etc/r.conf --tenant ada undo --run 3' reverts this."
        ),
        // The title of a reminder, and a command that names its tenant.
        (GlobalOptions(tenant: "ada"), "Deleted 3: remindav notes", "Deleted 3: remindav notes"),
        (
            GlobalOptions(config: "c"), "'remindav --tenant ada account password NAME'",
            "'remindav --config c --tenant ada account password NAME'"
        ),
        (GlobalOptions(store: "s"), "'remindav web devices'", "'remindav --store s web devices'"),
        (GlobalOptions(store: "s"), "'remindav config'", "'remindav config'"),
        // A tenant has no such commands, and a help page is the same for each store.
        (GlobalOptions(tenant: "ada"), "'remindav config' shows its line.", "'remindav config' shows its line."),
        (GlobalOptions(tenant: "ada"), "See 'remindav help add'.", "See 'remindav help add'."),
        (
            GlobalOptions(tenant: "ada"), "Run 'remindav sync', then 'remindav lists', with an older remindav or not.",
            "Run 'remindav --tenant ada sync', then 'remindav --tenant ada lists', with an older remindav or not."
        ),
        (GlobalOptions(tenant: "ada"), "remindav: No text.", "remindav: No text."),
    ]

    @Test("an advised command has the global options of the command that prints it", arguments: Self.tables)
    func complete(_ test: (options: GlobalOptions, text: String, complete: String)) {
        #expect(test.options.advisedCommands.complete(test.text) == test.complete)
    }

    @Test("a command without quotation marks is completed in a text without titles")
    func unquoted() {
        let commands = AdvisedCommands(store: "my store")
        #expect(
            commands.complete("Next: remindav sync", mayQuoteTitles: false).rendered(inColor: false)
                == "Next: remindav --store \"my store\" sync"
        )
        #expect(commands.complete("Deleted 3: remindav sync") == "Deleted 3: remindav sync")
    }

    @Test("a confirmation keeps the title of a reminder as it is, and its advice has the options")
    func confirmations() throws {
        let world = TestWorld()
        let output = world.output(GlobalOptions(store: "s"))
        try output.note("Added 3: Read 'remindav sync'")
        try output.note(advice: "'remindav undo' reverts this.")
        #expect(world.answers == "Added 3: Read 'remindav sync'\n'remindav --store s undo' reverts this.\n")
    }

    @Test("the styles of a message are kept")
    func styles() {
        let text = StyledText("Run 'remindav ") + StyledText("sync", .important) + StyledText("' now.")
        let complete = AdvisedCommands(tenant: "ada").complete(text)
        #expect(complete.rendered(inColor: true) == "Run 'remindav --tenant ada \u{1B}[1msync\u{1B}[0m' now.")
    }
}
