import Synchronization

/// One line on the terminal that says how far long work is.
///
/// Written to standard error only, only on a terminal, only when the work takes longer than 300 ms, at most ten times
/// a second, and wiped at the end.
final class Progress: Sendable {
    private struct State {
        var isShown = false
        var lastMilliseconds: Int64 = 0
    }

    private let stream: TextStream
    private let isEnabled: Bool
    private let elapsedMilliseconds: @Sendable () -> Int64
    private let state = Mutex(State())

    /// - Parameter elapsedMilliseconds: since the work began.
    init(output: Output, elapsedMilliseconds: @escaping @Sendable () -> Int64) {
        self.stream = output.complaints
        self.isEnabled = output.complaints.isTerminal && !output.isQuiet
        self.elapsedMilliseconds = elapsedMilliseconds
    }

    /// A progress line whose time begins now.
    convenience init(output: Output) {
        let start = ContinuousClock.now
        self.init(output: output) { Int64((ContinuousClock.now - start) / .milliseconds(1)) }
    }

    /// Says where the work stands.
    func show(_ text: @autoclosure () -> String) {
        guard self.isEnabled else { return }
        let now = self.elapsedMilliseconds()
        let isDue = self.state.withLock { state in
            guard now >= 300, !state.isShown || now - state.lastMilliseconds >= 100 else { return false }
            state.isShown = true
            state.lastMilliseconds = now
            return true
        }
        guard isDue else { return }
        let line = DisplayWidth.fit(Sanitizer.line(text()), into: (self.stream.columns ?? 80) - 1)
        try? self.stream.write(Array("\r\(line)\u{1B}[K".utf8))
    }

    /// Wipes the line.
    func finish() {
        let wasShown = self.state.withLock { state in
            defer { state.isShown = false }
            return state.isShown
        }
        if wasShown { try? self.stream.write(Array("\r\u{1B}[K".utf8)) }
    }
}
