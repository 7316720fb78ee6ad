import RemindavPlatform
import RemindavReminders
import Synchronization

extension Pager {
    /// The command of the pager; `nil` for no pager.
    ///
    /// The first that is set decides: REMINDAV_PAGER, the setting, PAGER, the usual pager. An empty variable, `cat` and,
    /// as a setting, `none` mean no pager. A terminal that cannot move the cursor has none.
    static func command(_ environment: [String: String], setting: String?) -> String? {
        if environment["TERM"] == "dumb" { return nil }
        let command = (environment["REMINDAV_PAGER"] ?? setting ?? environment["PAGER"])?.trimmingWhiteSpace
        return command.map { ["", "cat", "none"].contains($0) ? nil : $0 } ?? Self.usualCommand
    }
}

/// The output of a command, which a pager shows if it is longer than the screen.
///
/// The first rows are held back until it is known whether they fit on the screen. Messages follow the rows.
final class PagedOutput: Sendable {
    private struct State {
        /// The text that was not written to the terminal: all of it, for the case that the pager cannot be started.
        var text: [UInt8] = []
        var complaints: [UInt8] = []
        var height: TextHeight
        var pager: Pager?
        /// Whether the pager reads, or no pager is running.
        var isRead = true
        /// Whether the text goes to the terminal.
        var isDirect = false
    }

    private let state: Mutex<State>
    private let command: String
    private let screen: (answers: TextStream, complaints: TextStream)

    /// - Parameter command: the command of the pager.
    /// - Returns: `nil` if the output is not shown in a pager.
    init?(_ answers: TextStream, _ complaints: TextStream, command: String?) {
        guard let command, answers.isTerminal, let columns = answers.columns, let rows = answers.rows, rows > 1 else {
            return nil
        }
        self.command = command
        self.screen = (answers, complaints)
        // One row is for the prompt of the shell.
        self.state = Mutex(State(height: TextHeight(columns: columns, limit: rows - 1)))
    }

    var answers: TextStream {
        let original = self.screen.answers
        return TextStream(isTerminal: true, columns: original.columns, rows: original.rows) {
            bytes throws(OutputError) in
            try self.write(bytes)
        }
    }

    var complaints: TextStream {
        let original = self.screen.complaints
        return TextStream(isTerminal: original.isTerminal, columns: original.columns) { bytes throws(OutputError) in
            let isHeld = self.state.withLock { state -> Bool in
                let isHeld = !state.isDirect && !state.text.isEmpty
                if isHeld { state.complaints += bytes }
                return isHeld
            }
            if !isHeld { try original.write(bytes) }
        }
    }

    private func write(_ bytes: [UInt8]) throws(OutputError) {
        let isDirect = self.state.withLock { state -> Bool in
            guard !state.isDirect else { return true }
            state.text += bytes
            if state.pager != nil {
                if state.isRead { state.isRead = state.pager?.write(bytes) ?? false }
                return false
            }
            state.height.add(bytes)
            guard state.height.isExceeded else { return false }
            guard let pager = Pager(command: self.command) else {
                state.isDirect = true
                return false
            }
            state.isRead = pager.write(state.text)
            state.pager = pager
            return false
        }
        if isDirect { try self.screen.answers.write(bytes) } else { try self.writeIfDirect() }
    }

    /// Writes the text that was held back before the terminal became the destination.
    private func writeIfDirect() throws(OutputError) {
        let text = self.state.withLock { state -> [UInt8] in
            guard state.isDirect else { return [] }
            defer { state.text = [] }
            return state.text
        }
        if !text.isEmpty { try self.screen.answers.write(text) }
    }

    /// Waits until the user leaves the pager; a text without a pager is written to the terminal, and then the messages.
    func finish() throws(OutputError) {
        let complaints = self.state.withLock { state -> [UInt8] in
            let end = state.pager?.finish() ?? .notStarted
            state.pager = nil
            state.isDirect = true
            if end == .left { state.text = [] }
            defer { state.complaints = [] }
            return state.complaints
        }
        try self.writeIfDirect()
        if !complaints.isEmpty { try self.screen.complaints.write(complaints) }
    }
}

/// Counts the rows of a text on a screen, without the escape sequences of styles; counting ends after `limit` rows.
struct TextHeight: Sendable {
    private let columns: Int
    private let limit: Int
    private var rows = 0
    private var column = 0
    private var isEscape = false

    init(columns: Int, limit: Int) {
        self.columns = columns
        self.limit = limit
    }

    /// Whether the text has more than `limit` rows.
    var isExceeded: Bool { self.rows > self.limit || self.rows == self.limit && self.column > 0 }

    /// A character counts as one column.
    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes {
            if self.isExceeded { return }
            switch byte {
            case _ where self.isEscape: self.isEscape = byte != UInt8(ascii: "m")
            case 0x1B: self.isEscape = true
            case 0x0A: (self.rows, self.column) = (self.rows + 1, 0)
            case 0x80...0xBF: break
            default:
                if self.column == self.columns { (self.rows, self.column) = (self.rows + 1, 0) }
                self.column += 1
            }
        }
    }
}
