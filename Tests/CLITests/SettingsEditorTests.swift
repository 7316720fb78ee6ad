import RemindavSQLiteStore
import RemindavStore
import Testing

@testable import RemindavCLI

@Suite("config get, set and unset")
struct SettingsEditorTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let old: String
        let set: String
        let unset: String
        var testDescription: String { self.name }
    }

    static let cases = [
        Case(name: "an empty file", old: "", set: "due = none\n", unset: ""),
        Case(
            name: "a line is added at the end",
            old: "# a\nport = 1\n",
            set: "# a\nport = 1\ndue = none\n",
            unset: "# a\nport = 1\n"
        ),
        Case(name: "a missing last line end", old: "port = 1", set: "port = 1\ndue = none\n", unset: "port = 1"),
        Case(
            name: "line ends of Windows",
            old: "port = 1\r\n",
            set: "port = 1\r\ndue = none\r\n",
            unset: "port = 1\r\n"
        ),
        Case(
            name: "the form of a replaced line stays",
            old: "# due = x\r\n  due=\ttomorrow  \r\n\r\nport = 1",
            set: "# due = x\r\n  due=\tnone\r\n\r\nport = 1",
            unset: "# due = x\r\n\r\nport = 1"
        ),
        Case(
            name: "the last line without a line end",
            old: "port = 1\ndue = tomorrow",
            set: "port = 1\ndue = none",
            unset: "port = 1\n"
        ),
        Case(
            name: "repeated lines become one",
            old: "due = tomorrow\n# a\ndue = none\nport = 1\n",
            set: "due = none\n# a\nport = 1\n",
            unset: "# a\nport = 1\n"
        ),
        Case(
            name: "a byte order mark",
            old: "\u{FEFF}due = tomorrow\n",
            set: "\u{FEFF}due = none\n",
            unset: "\u{FEFF}"
        ),
        Case(
            name: "an invalid line stays",
            old: "duee = x\ndue\n",
            set: "duee = x\ndue\ndue = none\n",
            unset: "duee = x\ndue\n"
        ),
    ]

    @Test("only the lines of the setting change", arguments: cases)
    func lines(_ one: Case) {
        var editor = SettingsEditor(Array(one.old.utf8))
        #expect(editor.bytes == Array(one.old.utf8))
        let line = editor.set("due", to: "none")
        #expect(String(decoding: editor.bytes, as: UTF8.self) == one.set)
        let written = one.set.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)[line - 1]
        #expect(String(decoding: written, as: UTF8.self).contains("none"))
        var other = SettingsEditor(Array(one.old.utf8))
        #expect(other.unset("due") == (one.old != one.unset))
        #expect(String(decoding: other.bytes, as: UTF8.self) == one.unset)
    }

    private func config(_ words: String...) async -> (status: RemindavCLI.ExitStatus, answer: String, remarks: String) {
        await self.config(words)
    }

    private func config(_ words: [String]) async -> (status: RemindavCLI.ExitStatus, answer: String, remarks: String) {
        let status = await RemindavCommand.run(["--config", "/config", "config"] + words) { self.world.context($0) }
        return (status, self.world.takeAnswers(), self.world.takeComplaints())
    }

    private var text: String { String(decoding: self.world.file("/config") ?? [], as: UTF8.self) }

    @Test("set writes a value, get prints it, unset removes it")
    func commands() async {
        self.world.setFile("/config", Array("# mine\n".utf8))
        #expect(await self.config("set", "due-time", "08:30").answer == "Set due-time = 08:30 (/config:2)\n")
        #expect(self.text == "# mine\ndue-time = 08:30\n")
        #expect(await self.config("set", "due-time", "08:30").answer == "Already set: due-time = 08:30 (/config:2)\n")
        #expect(await self.config("get", "due-time").answer == "08:30\n")
        #expect(await self.config("set", "muted-lists", #"["Work", "Old"]"#).status == .success)
        #expect(await self.config("get", "muted-lists").answer == #"["Work", "Old"]"# + "\n")
        #expect(await self.config("unset", "muted-lists").status == .success)
        // A word with a space is no option.
        #expect(await self.config("set", "filter.hot", "--priority high --no-date").status == .success)
        #expect(await self.config("unset", "filter.hot").status == .success)
        #expect(await self.config("unset", "due-time").answer == "Removed due-time; it is now 09:00\n")
        #expect(await self.config("unset", "due-time").answer == "due-time is not in the settings file\n")
        #expect(self.text == "# mine\n")
        #expect(await self.config("get", "snooze").status == .notFound)
    }

    @Test("an invalid value or name changes nothing")
    func invalid() async {
        self.world.setFile("/config", Array("port = 1\n".utf8))
        for words in [["port", "x"], ["prot", "1"], ["list", "a\nport = 2"], ["list", ""], ["color", "blue"]] {
            let result = await self.config(["set"] + words)
            #expect(result.status == .usage)
            #expect(self.text == "port = 1\n")
        }
        #expect(await self.config("set", "port", "x").remarks.contains("'port' must be a number"))
        #expect(await self.config("set", "prot", "1").remarks.contains("Did you mean 'port'?"))
    }

    @Test("another invalid line is reported, and the setting is written")
    func otherLine() async {
        self.world.setFile("/config", Array("prot = 1\n".utf8))
        let result = await self.config("set", "due", "none")
        #expect(result.status == .success && result.remarks.contains("/config:1"))
        #expect(self.text == "prot = 1\ndue = none\n")
    }
}
