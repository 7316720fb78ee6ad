import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavCLI
@testable import RemindavPlatform

@Suite("output in a pager")
struct PagedOutputTests {
    /// A terminal of five rows and ten columns; a pager of a test writes to a file.
    private final class Screen: Sendable {
        private let shown = Mutex<[UInt8]>([])
        var text: String { self.shown.withLock { String(decoding: $0, as: UTF8.self) } }

        func stream() -> TextStream {
            TextStream(isTerminal: true, columns: 10, rows: 5) { bytes throws(OutputError) in
                self.shown.withLock { $0 += bytes }
            }
        }

        func paged(_ command: String?) throws -> PagedOutput {
            try #require(PagedOutput(self.stream(), self.stream(), command: command))
        }
    }

    private let folder: TemporaryFolder
    private let screen = Screen()

    init() throws {
        System.ignoreBrokenPipes()
        self.folder = try TemporaryFolder()
    }

    private func read(_ name: String) -> String? {
        SystemFiles.read("\(self.folder.path)/\(name)", limit: 1000).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a text that fits on the screen starts no pager, and messages follow the text")
    func short() throws {
        let paged = try self.screen.paged("touch \(self.folder.path)/started")
        try paged.complaints.write(Array("before\n".utf8))
        try paged.answers.write(Array("1\n2\n3\n4\n".utf8))
        try paged.complaints.write(Array("after\n".utf8))
        #expect(self.screen.text == "before\n")
        try paged.finish()
        #expect(self.screen.text == "before\n1\n2\n3\n4\nafter\n")
        #expect(self.read("started") == nil)
    }

    @Test("the pager receives the whole text, also rows that are written later")
    func long() throws {
        let paged = try self.screen.paged("cat >\(self.folder.path)/text")
        for number in 1...6 { try paged.answers.write(Array("\(number)\n".utf8)) }
        try paged.complaints.write(Array("after\n".utf8))
        try paged.finish()
        #expect(self.read("text") == "1\n2\n3\n4\n5\n6\n")
        #expect(self.screen.text == "after\n")
    }

    @Test("leaving the pager early is no error", arguments: ["head -c 1 >/dev/null", "exit 3", "kill -9 $$"])
    func left(command: String) throws {
        let paged = try self.screen.paged(command)
        let row = Array(repeating: UInt8(ascii: "x"), count: 999) + [0x0A]
        for _ in 0..<1000 { try paged.answers.write(row) }
        try paged.finish()
        #expect(self.screen.text == "")
    }

    @Test("without a usable pager the whole text is printed", arguments: ["no-such-pager 2>/dev/null", "exit 126"])
    func missing(command: String) throws {
        let paged = try self.screen.paged(command)
        for number in 1...6 { try paged.answers.write(Array("\(number)\n".utf8)) }
        try paged.complaints.write(Array("after\n".utf8))
        try paged.finish()
        #expect(self.screen.text == "1\n2\n3\n4\n5\n6\nafter\n")
    }

    @Test("rows are counted as the terminal shows them")
    func height() {
        let rows: [(text: String, isExceeded: Bool)] = [
            ("", false), ("a\nb\n", false), ("a\nb", false), ("a\nb\nc", true), ("0123456789\n0123456789\n", false),
            ("01234567890\nb\n", true), ("\u{1B}[38;5;100mabcdefghij\u{1B}[0m\nb\n", false), ("éééééééééé\nb\n", false),
            ("a\nb\n\n", true),
        ]
        for (text, isExceeded) in rows {
            var height = TextHeight(columns: 10, limit: 2)
            height.add(Array(text.utf8))
            #expect(height.isExceeded == isExceeded, "\(text.debugDescription)")
        }
    }

    @Test("the command of the pager is that of the program's variable, the setting, the general variable, or less")
    func command() {
        let rows: [(environment: [String: String], setting: String?, command: String?)] = [
            ([:], nil, Pager.usualCommand), (["PAGER": "more"], nil, "more"), (["PAGER": "more"], "most", "most"),
            (["REMINDAV_PAGER": "less", "PAGER": "more"], "most", "less"), (["REMINDAV_PAGER": ""], "most", nil),
            (["PAGER": " cat "], nil, nil), ([:], "none", nil), (["TERM": "dumb", "PAGER": "more"], "most", nil),
        ]
        for (environment, setting, command) in rows {
            #expect(Pager.command(environment, setting: setting) == command)
        }
    }

    @Test("a stream without a terminal or without a known height has no pager")
    func noTerminal() {
        let terminal = self.screen.stream()
        var other = terminal
        other.rows = nil
        #expect(PagedOutput(other, terminal, command: "cat") == nil)
        #expect(PagedOutput(terminal, terminal, command: nil) == nil)
        let file = TextStream(isTerminal: false, columns: nil) { _ throws(OutputError) in }
        #expect(PagedOutput(file, terminal, command: "cat") == nil)
    }
}
