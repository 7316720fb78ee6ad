private import Synchronization

/// A cache that all copies of its owner share; when it is full, it is emptied.
final class SharedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value?]>([:])

    init(limit: Int) { self.limit = limit }

    func value(of key: Key, _ search: () -> Value?) -> Value? {
        if let known = self.values.withLock({ $0[key] }) { return known }
        // Two threads may search at the same time and find the same result.
        let found = search()
        self.values.withLock { values in
            if values.count >= self.limit { values.removeAll() }
            values[key] = .some(found)
        }
        return found
    }
}
