import Synchronization

/// A line on standard error if it is a terminal: shown after 300 ms, changed at most every 100 ms, erased at the end.
final class Progress: Sendable {
    private struct State {
        var isShown = false
        var isOver = false
        var lastMilliseconds: Int64 = 0
        var words = ""
        var wordMilliseconds: Int64 = 0
    }

    private let stream: TextStream
    private let isEnabled: Bool
    private let elapsedMilliseconds: @Sendable () -> Int64
    private let state = Mutex(State())

    init(output: Output, elapsedMilliseconds: @escaping @Sendable () -> Int64) {
        self.stream = output.complaints
        self.isEnabled = output.complaints.isTerminal && !output.isQuiet
        self.elapsedMilliseconds = elapsedMilliseconds
    }

    convenience init(output: Output) {
        let start = ContinuousClock.now
        self.init(output: output) { Int64((ContinuousClock.now - start) / .milliseconds(1)) }
    }

    func show(_ text: @autoclosure () -> String) {
        guard self.isEnabled else { return }
        let now = self.elapsedMilliseconds()
        let words = text()
        let isDue = self.state.withLock { state in
            state.words = words
            state.wordMilliseconds = now
            guard now >= 300, !state.isShown || now - state.lastMilliseconds >= 100 else { return false }
            state.isShown = true
            state.lastMilliseconds = now
            return true
        }
        if isDue { self.write(words) }
    }

    private func write(_ words: String) {
        let line = DisplayWidth.fit(Sanitizer.line(words), into: (self.stream.columns ?? 80) - 1)
        try? self.stream.write(Array("\r\(line)\u{1B}[K".utf8))
    }

    /// Runs the work and shows its elapsed seconds; nothing is shown before the first call of ``show(_:)``.
    func accompany<Outcome>(_ work: () async throws -> Outcome) async rethrows -> Outcome {
        guard self.isEnabled else { return try await work() }
        let ticker = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                self.tick()
            }
        }
        defer {
            ticker.cancel()
            self.finish()
        }
        return try await work()
    }

    /// Shows the seconds since the last ``show(_:)``, if they are at least two.
    func tick() {
        let now = self.elapsedMilliseconds()
        self.state.withLock { state in
            let seconds = (now - state.wordMilliseconds) / 1000
            guard !state.isOver, !state.words.isEmpty, seconds >= 2 else { return }
            state.isShown = true
            state.lastMilliseconds = now
            self.write("\(state.words), \(seconds) s")
        }
    }

    func finish() {
        let wasShown = self.state.withLock { state in
            defer { state.isShown = false }
            state.isOver = true
            return state.isShown
        }
        if wasShown { try? self.stream.write(Array("\r\u{1B}[K".utf8)) }
    }
}
