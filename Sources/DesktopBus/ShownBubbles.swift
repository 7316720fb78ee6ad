/// The notifications with tracked clicks, and the valid actions of each.
struct ShownBubbles: Sendable {
    private struct Bubble: Sendable {
        let keys: Set<String>
        var invocations = 0
        let turn: Int
    }

    private let limits: BusLimits
    private var bubbles: [ShownNotification: Bubble] = [:]
    /// In the order of arrival, with gaps.
    private var order: [(bubble: ShownNotification, turn: Int)] = []
    /// The number of leading entries that are no longer valid.
    private var passed = 0
    private var lastTurn = 0

    init(limits: BusLimits) { self.limits = limits }

    var count: Int { self.bubbles.count }

    func contains(_ bubble: ShownNotification) -> Bool { self.bubbles[bubble] != nil }

    mutating func insert(_ bubble: ShownNotification, keys: Set<String>) {
        self.lastTurn += 1
        self.bubbles[bubble] = Bubble(keys: keys, turn: self.lastTurn)
        self.order.append((bubble, self.lastTurn))
        while self.bubbles.count > self.limits.shownBubbles, self.passed < self.order.count {
            let (oldest, turn) = self.order[self.passed]
            if self.bubbles[oldest]?.turn == turn { self.bubbles[oldest] = nil }
            self.passed += 1
        }
        guard self.order.count > 2 * self.limits.shownBubbles else { return }
        // Rarely done, so that the average cost is very small.
        self.order.removeAll { self.bubbles[$0.bubble]?.turn != $0.turn }
        self.passed = 0
    }

    mutating func remove(_ bubble: ShownNotification) { self.bubbles[bubble] = nil }

    /// Removes the notifications of all other service instances.
    mutating func removeAll(but run: String) {
        self.bubbles = self.bubbles.filter { $0.key.run == run }
        self.order.removeAll { self.bubbles[$0.bubble]?.turn != $0.turn }
        self.passed = 0
    }

    /// Whether a click counts: its button was offered, and the limit of clicks is not reached.
    mutating func accepts(_ bubble: ShownNotification, key: String) -> Bool {
        guard var known = self.bubbles[bubble], known.keys.contains(key), known.invocations < self.limits.invocations
        else { return false }
        known.invocations += 1
        self.bubbles[bubble] = known
        return true
    }
}
