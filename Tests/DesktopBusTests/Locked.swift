import Synchronization

/// A value behind a lock.
///
/// It is a class, so that closures can share it.
final class Locked<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        self.value.withLock { value in body(&value) }
    }
}
