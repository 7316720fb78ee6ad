import Bridge
import Testing

@testable import CLI

@Suite("the words of account add, set and password")
struct AccountCommandTests {
    private func add(_ words: String...) throws -> AddAccount {
        let invocation = try Invocation.read(["account", "add"] + words)
        guard case .run(let command, _) = invocation, let command = command as? AddAccount else {
            throw UsageError(.unknownCommand, "")
        }
        return command
    }

    @Test("an address like one of e-mail is the user's name as well, unless another is given")
    func user() throws {
        #expect(try self.add("ada@example.org").user == "ada@example.org")
        #expect(try self.add("ada@example.org", "--user", "lovelace").user == "lovelace")
        #expect(try self.add("https://example.org/ada@example.org", "-u", "x").user == "x")
        for words in [["example.org"], ["https://example.org/ada@example.org"], ["example.org", "--user", ""]] {
            #expect(throws: UsageError(.missingValue, "")) { try Invocation.read(["account", "add"] + words) }
        }
    }

    @Test("the browser gives the name and the password, so that nothing else may")
    func nextcloud() throws {
        #expect(try self.add("--nextcloud", "cloud.example.org").user == nil)
        for words in [["--user", "ada"], ["--password-stdin"], ["--token-command", "x"]] {
            #expect(throws: UsageError(.badValue, "")) {
                try Invocation.read(["account", "add", "--nextcloud", "cloud.example.org"] + words)
            }
        }
    }

    @Test("one place for the password, and no path in the place of a credential's name")
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

    @Test("each setting is an option; a path is kept from the root on, 'none' stays 'none'")
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
