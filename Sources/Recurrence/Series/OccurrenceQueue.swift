/// A heap with the next occurrence of each source, earliest first; at one moment, the lowest source number is first.
package struct OccurrenceQueue: Sendable {
    private var heap: [(occurrence: Occurrence, source: Int)] = []

    package init() {}

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (self.heap[left].occurrence.begins, self.heap[left].source)
            < (self.heap[right].occurrence.begins, self.heap[right].source)
    }

    /// Adds an occurrence; the queue must not contain an occurrence of `source`.
    package mutating func push(_ occurrence: Occurrence, _ source: Int) {
        self.heap.append((occurrence, source))
        var place = self.heap.count - 1
        while place > 0, self.precedes(place, (place - 1) / 2) {
            self.heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    package mutating func pop() -> (Occurrence, Int)? {
        guard let first = self.heap.first else { return nil }
        let last = self.heap.removeLast()
        if self.heap.isEmpty {
            // Frees the memory: a file may have a million series, each with its own queue.
            self.heap = []
        } else {
            self.heap[0] = last
            self.sink()
        }
        return (first.occurrence, first.source)
    }

    private mutating func sink() {
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < self.heap.count && self.precedes(child, least) {
                least = child
            }
            guard least != place else { return }
            self.heap.swapAt(place, least)
            place = least
        }
    }
}
