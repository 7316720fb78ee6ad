import Dispatch
import Glibc
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavPlatform

@Suite("the user's editor", .serialized, .timeLimit(.minutes(1)))
struct TextEditorTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private func editor(_ command: String) throws -> TextEditor {
        try #require(TextEditor(environment: ["EDITOR": command, "TMPDIR": self.folder.path, "TERM": "dumb"]))
    }

    private func edit(_ command: String, _ text: String = "one\n") throws -> String {
        String(decoding: try self.editor(command).edit(Array(text.utf8), named: "reminder-1.txt"), as: UTF8.self)
    }

    @Test(
        "VISUAL takes precedence if the terminal supports it, then EDITOR, then vi; a dumb terminal has no vi",
        arguments: [
            (["VISUAL": "v", "EDITOR": "e", "TERM": "xterm"], "v"),
            (["VISUAL": "v", "EDITOR": "e", "TERM": "dumb"], "e"),
            (["EDITOR": "e", "TERM": "xterm"], "e"), (["VISUAL": " ", "EDITOR": "", "TERM": "xterm"], "vi"),
            (["EDITOR": "e"], "e"), (["VISUAL": "v"], nil), ([:], nil), (["TERM": "dumb"], nil),
        ] as [([String: String], String?)]
    )
    func command(environment: [String: String], expected: String?) {
        #expect(TextEditor(environment: environment)?.command == expected)
    }

    @Test("the file lies in the folder of the session, else in the temporary one; a relative path is ignored")
    func places() throws {
        func folders(_ environment: [String: String]) throws -> [String] {
            try #require(TextEditor(environment: environment.merging(["EDITOR": "e"]) { $1 })).folders
        }
        #expect(try folders(["XDG_RUNTIME_DIR": "/run/a", "TMPDIR": "/b"]) == ["/run/a", "/b", "/tmp"])
        #expect(try folders(["XDG_RUNTIME_DIR": "a", "TMPDIR": ""]) == ["/tmp"])
    }

    @Test("the command is split by the shell, and the path is one argument")
    func arguments() throws {
        #expect(try self.edit("sed -i -e 's/one/two words/'") == "two words\n")
        #expect(try self.edit("printf '%s\\n' \"a b\" $# >") == "a b\n1\n")
        #expect(try self.edit("true") == "one\n")
    }

    @Test("only this user can read the file, and it is removed with the files that the editor created beside it")
    func secrecy() throws {
        let seen = "\(self.folder.path)/seen"
        let look =
            "sh -c 'stat -c %a \"$1\" \"$(dirname \"$1\")\" > \(seen); touch \"$1~\" \"$(dirname \"$1\")/.x.swp\"' sh"
        #expect(try self.edit(look) == "one\n")
        #expect(String(decoding: try #require(SystemFiles.read(seen, limit: 100)), as: UTF8.self) == "600\n700\n")
        #expect(self.folder.names == ["seen"])
    }

    @Test(
        "an editor that fails changes nothing, and its file is removed",
        arguments: [
            ("false", EditorError.Code.failed), ("exit 130;", .interrupted), ("no-such-editor", .notStarted),
            ("kill -INT $$;", .interrupted), ("kill -TERM $$;", .failed), ("rm", .noFile),
            ("head -c 1048581 /dev/zero >", .tooLarge),
        ]
    )
    func failures(command: String, code: EditorError.Code) throws {
        #expect(throws: EditorError(code)) { try self.edit(command) }
        #expect(self.folder.names == [])
    }

    @Test(
        "the saved text is returned with the failure, and no message contains it",
        arguments: [
            ("sed -i -e s/one/two/ \"$1\"; exit 1;", EditorError.Code.failed, "two\n"),
            ("sed -i -e s/one/two/ \"$1\"; kill -KILL $$;", .failed, "two\n"),
            ("sed -i -e s/one/two/ \"$1\"; exit 130;", .interrupted, "two\n"),
            ("yes | head -c 1048578 >>", .tooLarge, "one\n" + String(repeating: "y\n", count: 524_289)),
            ("rm", .noFile, nil), ("head -c 67108865 /dev/zero >", .tooLarge, nil),
        ] as [(String, EditorError.Code, String?)]
    )
    func saved(command: String, code: EditorError.Code, expected: String?) throws {
        let error = try #require(throws: EditorError.self) { try self.edit(command) }
        #expect(error.code == code)
        #expect(error.text == expected.map { Array($0.utf8) })
        #expect("\(error)" == code.rawValue)
        #expect(self.folder.names == [])
    }

    @Test("a large text can be edited, and grow by 1 MiB")
    func large() throws {
        let text = String(repeating: "x", count: 1 << 20) + "\n"
        #expect(try self.edit("sed -i -e s/x/y/", text) == "y\(text.dropFirst())")
        #expect(try self.edit("head -c 1048576 /dev/zero >>", text).utf8.count == text.utf8.count + 1_048_576)
    }

    @Test("signals that this program ignores are not ignored in the editor")
    func signals() throws {
        // The bits of SIGINT and SIGPIPE in the mask of ignored signals, and the mask of blocked signals.
        let text = try self.edit("grep -E 'SigIgn|SigBlk' /proc/self/status >")
        for line in text.split(separator: "\n") {
            let mask = try #require(UInt64(line.split(separator: "\t").last ?? "", radix: 16))
            #expect(mask & (1 << 1 | 1 << 2 | 1 << 12 | 1 << 14 | 1) == 0, "\(line)")
        }
    }

    @Test("signals that were ignored at the start are ignored afterwards, as nohup requires")
    func nohup() throws {
        let before = signal(SIGHUP, SIG_IGN)
        defer { _ = signal(SIGHUP, before) }
        #expect(try self.edit("true") == "one\n")
        let after = signal(SIGHUP, SIG_IGN)
        #expect(unsafeBitCast(after, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self))
    }

    @Test("no editor starts after the end has begun, and a running one gets the signal, in either order")
    func ending() {
        let late = RunningEditor()
        late.end { _ in Issue.record("none runs") }
        #expect(late.isEnding)
        #expect(late.start { 7 } == nil)
        let gone = RunningEditor()
        #expect(gone.start { 7 } == 7)
        gone.leave()
        gone.end { _ in Issue.record("it has ended") }
        for _ in 0..<500 {
            let editor = RunningEditor()
            let started = Atomic<pid_t>(0)
            let told = Atomic<pid_t>(0)
            DispatchQueue.concurrentPerform(iterations: 2) { side in
                if side == 0 {
                    started.store(editor.start { 7 } ?? 0, ordering: .sequentiallyConsistent)
                } else {
                    editor.end { told.store($0, ordering: .sequentiallyConsistent) }
                }
            }
            #expect(started.load(ordering: .sequentiallyConsistent) == told.load(ordering: .sequentiallyConsistent))
        }
    }
}
