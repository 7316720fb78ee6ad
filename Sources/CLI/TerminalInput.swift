import Glibc
import RemindavBridge

extension Terminal {
    static let ofTheProcess = Terminal(
        ask: { question in
            guard System.isTerminal(STDIN_FILENO), System.isTerminal(STDERR_FILENO) else { return nil }
            try System.write(Self.wrapped(question, STDERR_FILENO), to: STDERR_FILENO)
            let answer = try Self.line(STDIN_FILENO)
            // After Ctrl-D the cursor is still behind the question, so a line end is printed.
            if answer == Self.endOfInput { try System.write([0x0A], to: STDERR_FILENO) }
            return answer
        },
        askSecretly: { question in
            guard let tty = try? OpenFile("/dev/tty", flags: O_RDWR) else { return nil }
            return try SecretLine(descriptor: tty.descriptor, question: Self.wrapped(question, tty.descriptor)).read()
        }
    )

    private static func wrapped(_ question: String, _ descriptor: Int32) -> [UInt8] {
        let text = StyledText(Sanitizer.line(question))
        return (System.size(descriptor).map { text.wrapped(into: $0.columns) } ?? text).bytes
    }

    /// One line without its line end; ``endOfInput`` at the end of the input.
    private static func line(_ descriptor: Int32) throws(FileError) -> String {
        var bytes: [UInt8] = []
        while bytes.count < 1024 {
            guard let byte = try System.read(1, from: descriptor, path: "the terminal").first else {
                if bytes.isEmpty { return Self.endOfInput }
                break
            }
            if byte == 0x0A { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Reads a hidden line; Ctrl-C arrives as a character, so that the terminal is restored before the program ends.
struct SecretLine {
    let descriptor: Int32
    /// The question; it is printed after the terminal has stopped showing typed letters.
    var question: [UInt8] = []

    func read() throws -> String {
        var before = termios()
        guard unsafe tcgetattr(self.descriptor, &before) == 0 else { throw System.error("/dev/tty") }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        unsafe tcsetattr(self.descriptor, TCSAFLUSH, &silent)
        defer {
            unsafe tcsetattr(self.descriptor, TCSAFLUSH, &before)
            try? System.write([0x0A], to: self.descriptor)
        }
        try System.write(self.question, to: self.descriptor)
        return try self.readLine()
    }

    private func readLine() throws(FileError) -> String {
        var bytes: [UInt8] = []
        // One byte more than the limit is read, which is enough to detect that the password is too long.
        while bytes.count <= Secrets.maximumPasswordBytes {
            guard let byte = try System.read(1, from: self.descriptor, path: "/dev/tty").first else { break }
            switch byte {
            case 0x0A, 0x0D, 0x04: return String(decoding: bytes, as: UTF8.self)
            case 0x03: throw FileError(code: .interrupted, path: "/dev/tty")
            case 0x08, 0x7F:
                // Backspace removes the last letter, which may have several bytes.
                while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
            case 0x15: bytes = []
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
