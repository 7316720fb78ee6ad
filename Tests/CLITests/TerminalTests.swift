import Dispatch
import Glibc
import Testing

@testable import RemindavCLI

@Suite("passwords on a terminal", .serialized, .timeLimit(.minutes(1)))
struct TerminalTests {
    private let controller: Int32
    private let terminal: Int32

    /// Opens a pseudo-terminal.
    ///
    /// The functions of glibc for this are not imported.
    init() throws {
        self.controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var unlocked: Int32 = 0
        try #require(ioctl(self.controller, 0x4004_5431, &unlocked) == 0, "TIOCSPTLCK")
        var number: Int32 = -1
        try #require(ioctl(self.controller, 0x8004_5430, &number) == 0, "TIOCGPTN")
        self.terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(self.terminal >= 0)
    }

    private func flags() -> tcflag_t {
        var settings = termios()
        tcgetattr(self.terminal, &settings)
        return settings.c_lflag
    }

    /// Types text as soon as the terminal has stopped echoing.
    ///
    /// The program discards earlier input, like every program that asks for a password.
    private func typing(_ text: String) -> Task<Void, Never> {
        let controller = self.controller
        let terminal = self.terminal
        return Task.detached {
            var settings = termios()
            repeat {
                try? await Task.sleep(for: .milliseconds(1))
                tcgetattr(terminal, &settings)
            } while settings.c_lflag & tcflag_t(ECHO) != 0
            try? await Task.sleep(for: .milliseconds(5))
            try? System.write(Array(text.utf8), to: controller)
        }
    }

    private func ask(typing text: String) async throws -> String {
        let typing = self.typing(text)
        let terminal = self.terminal
        // Reading blocks, so it has its own thread: the threads of the tests must not block.
        let line = await withCheckedContinuation { continuation in
            DispatchQueue(label: "terminal").async {
                continuation.resume(returning: Result { try SecretLine(descriptor: terminal).read() })
            }
        }
        await typing.value
        return try line.get()
    }

    @Test(
        "typed text is read, with corrections",
        arguments: [
            ("secret\n", "secret"), ("secret\r", "secret"), ("\n", ""), ("a b\tc\n", "a b\tc"),
            ("secrex\u{7F}t\n", "secret"), ("x\u{8}\u{8}y\n", "y"), ("wrong\u{15}right\n", "right"),
            ("grün€\u{7F}\n", "grün"), ("half\u{4}", "half"),
        ]
    )
    func read(typed: String, expected: String) async throws {
        defer { self.close() }
        let before = self.flags()
        #expect(try await self.ask(typing: typed) == expected)
        #expect(self.flags() == before, "the terminal shows again what is typed")
        let shown = try System.read(1024, from: self.controller, path: "")
        #expect(String(decoding: shown, as: UTF8.self) == "\r\n", "nothing of it was shown")
    }

    @Test("Ctrl-C ends the question, and the terminal is as it was")
    func interrupted() async throws {
        defer { self.close() }
        let before = self.flags()
        await #expect(throws: FileError(code: .interrupted, path: "")) { try await self.ask(typing: "sec\u{3}") }
        #expect(self.flags() == before)
        #expect(ErrorMessages.explain(FileError(code: .interrupted, path: "")).status == .interrupted)
    }

    private func close() {
        Self.closeDescriptor(self.terminal)
        Self.closeDescriptor(self.controller)
    }

    private static func closeDescriptor(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }
}
