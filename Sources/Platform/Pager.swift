import Glibc

/// A program that shows the text of its standard input on the terminal page by page, for use by one thread.
///
/// Ctrl-C affects only the pager until ``finish()``.
package final class Pager {
    /// How a pager ended.
    package enum End: Hashable, Sendable {
        /// The user may not have seen the text, because the program does not exist or cannot be executed.
        case notStarted
        /// The user left the pager, or the pager failed with its own message.
        case left
    }

    /// The command without a setting and variables; `-FRX` keeps colours, shows a short text at once, and leaves the text
    /// on the screen.
    package static let usualCommand = "command -v less >/dev/null || exit 127; exec less -FRX"
    /// The shell returns 126 for a command that is not executable, and 127 for a missing one.
    private static let unstarted: [Subprocess.End] = [.status(126), .status(127)]

    private let process: Subprocess
    private let keys: IgnoredKeys

    /// - Parameter command: a command that the shell splits into words and expands, as Git does with its pager. Without
    ///   the variables LESS and LV, it gets them with options that keep colours. Without LESSCHARSET, `less` gets UTF-8,
    ///   because all output is UTF-8 in each locale.
    /// - Returns: `nil` if no process can be started.
    package init?(command: String) {
        let variables = "LESS=${LESS-FRX} LESSCHARSET=${LESSCHARSET-utf-8} LV=${LV--c}"
        let line = "\(variables); export LESS LESSCHARSET LV; \(command)"
        let keys = IgnoredKeys()
        guard let process = try? Subprocess(["/bin/sh", "-c", line], .fedAndInteractive) else {
            keys.restore()
            return nil
        }
        self.process = process
        self.keys = keys
    }

    /// Waits until the pager has received the text; returns `false` if it no longer reads.
    package func write(_ bytes: [UInt8]) -> Bool {
        self.process.input.map { writeBytes(bytes, to: $0.number) } ?? false
    }

    /// Ends the text, and waits until the user leaves the pager; to be called once.
    package func finish() -> End {
        self.process.input = nil
        let end = self.process.waitForEnd()
        self.keys.restore()
        return end.map(Self.unstarted.contains) ?? false ? .notStarted : .left
    }
}

/// Ignores the signals of Ctrl-C and Ctrl-\ while a child process uses the terminal.
struct IgnoredKeys {
    private let handlers: [(number: Int32, before: (@convention(c) (Int32) -> Void)?)]

    init() { self.handlers = [SIGINT, SIGQUIT].map { (number: $0, before: signal($0, SIG_IGN)) } }

    func restore() { for (number, before) in self.handlers { _ = signal(number, before) } }
}
