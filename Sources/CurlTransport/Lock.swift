internal import Glibc

/// A value that only one thread at a time may access.
///
/// `@unchecked Sendable`: the value is accessed only inside ``withLock(_:)``, which holds the mutex. It is a pthread
/// mutex, since the thread sanitizer does not understand `Synchronization.Mutex`.
final class Lock<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    init(_ value: Value) {
        self.value = value
        self.mutex = .allocate(capacity: 1)
        pthread_mutex_init(self.mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(self.mutex)
        self.mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        return body(&self.value)
    }
}
