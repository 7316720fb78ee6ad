import RemindavBridge
import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("arguments of account add, set and password")
struct AccountCommandTests {
    private func add(_ words: String...) throws -> AddAccount {
        let invocation = try Invocation.read(["account", "add"] + words)
        guard case .run(let command, _) = invocation, let command = command as? AddAccount else {
            throw UsageError(.unknownCommand, "")
        }
        return command
    }

    @Test("an address in the form of an e-mail address contains the user name, unless another is given")
    func user() throws {
        #expect(try self.add("ada@example.org").user == nil)
        #expect(try self.add("ada@example.org", "--user", "lovelace").user == "lovelace")
        #expect(try self.add("https://example.org/ada@example.org", "-u", "x").user == "x")
        #expect(throws: UsageError(.missingValue, "")) {
            try Invocation.read(["account", "add", "example.org", "--user", ""])
        }
    }

    @Test("without a terminal a missing value is an error, and no store is created")
    func missing() async throws {
        let folder = try TemporaryFolder()
        let rows = [
            (["example.org"], "'--user NAME' is missing"),
            (["https://example.org/ada@example.org"], "'--user NAME' is missing"),
            ([], "URL is missing"),
        ]
        for (words, sentence) in rows {
            let world = TestWorld(store: "\(folder.path)/s")
            #expect(await world.run(["account", "add"] + words) == .usage)
            #expect(world.complaints.contains(sentence), "\(world.complaints)")
        }
        #expect(folder.names.isEmpty)
    }

    @Test("an account that cannot be reached creates no store, and only the error is printed")
    func failedLeavesNothing() async throws {
        let folder = try TemporaryFolder()
        let world = TestWorld(input: "secret\n", store: "\(folder.path)/s")
        let status = await world.run("account", "add", "http://127.0.0.1:1/", "--user", "ada", "--password-stdin")
        #expect(status == .network)
        #expect(folder.names.isEmpty)
        #expect(world.complaints.hasPrefix("remindav: ") && world.complaints.split(separator: "\n").count == 1)
    }

    @Test(
        "lists are chosen by number or by name",
        arguments: [
            ("", [0, 1, 2]), ("all", [0, 1, 2]), ("2", [1]), ("1,3", [0, 2]), ("1 3", [0, 2]), ("home", [0]),
            ("Home, 2027", [0, 2]), ("2027", [2]), ("4", nil), ("1,nowhere", nil), (",", nil), ("0", nil),
        ] as [(String, Set<Int>?)]
    )
    func places(answer: String, places: Set<Int>?) {
        #expect(ListChoice.places(answer, in: ["Home", "To do", "2027"]) == places)
    }

    @Test("the options of the choices are read, and list names may be one argument or several")
    func choices() throws {
        let command = try self.add(
            "a",
            "-u",
            "b",
            "--lists",
            "Home, To do",
            "--lists",
            "Work",
            "--default",
            "Work",
            "--no-sync"
        )
        #expect(command.lists == ["Home", "To do", "Work"] && command.defaultList == "Work" && !command.syncs)
        #expect(throws: UsageError(.missingValue, "")) {
            try Invocation.read(["account", "add", "a", "-u", "b", "--lists", " , "])
        }
    }

    @Test("the browser login supplies name and password, so other options for them are refused")
    func nextcloud() throws {
        #expect(try self.add("--nextcloud", "cloud.example.org").user == nil)
        for words in [["--user", "ada"], ["--password-stdin"], ["--token-command", "x"]] {
            #expect(throws: UsageError(.badValue, "")) {
                try Invocation.read(["account", "add", "--nextcloud", "cloud.example.org"] + words)
            }
        }
    }

    @Test("a password has one source, and the name of a credential is no path")
    func password() throws {
        #expect(try self.add("a", "-u", "b", "--token-command", "t").password == .tokenCommand("t"))
        #expect(try self.add("a", "-u", "b", "--password-credential", "dav").password == .credential("dav"))
        #expect(try self.add("a", "-u", "b").password == .prompt)
        for words in [
            ["--password-stdin", "--token-command", "t"], ["--password-command", "c", "--password-credential", "d"],
            ["--password-credential", "../dav"], ["--password-credential", ".dav"],
        ] {
            #expect(throws: UsageError(.badValue, "")) {
                try Invocation.read(["account", "add", "a", "-u", "b"] + words)
            }
        }
    }

    @Test("each setting is an option; a path is stored as an absolute path, 'none' stays 'none'")
    func settings() throws {
        let command = try self.add(
            "a",
            "-u",
            "b",
            "--ca-file",
            "ca.pem",
            "--client-key",
            "none",
            "--allow-insecure",
            "yes"
        )
        #expect(
            command.settings[.caFile]?.hasPrefix("/") == true && command.settings[.caFile]?.hasSuffix("/ca.pem") == true
        )
        #expect(command.settings[.clientKey] == "none" && command.settings[.allowInsecure] == "yes")
        #expect(Set(SettingOptions.options.map(\.name)).count == AccountSetting.allCases.count)
        #expect(throws: UsageError(.nothingToChange, "")) { try Invocation.read(["account", "set", "nas"]) }
        #expect(throws: UsageError(.badValue, "")) {
            try Invocation.read(["account", "password", "nas", "--client-key", "--token-command", "t"])
        }
    }
}
