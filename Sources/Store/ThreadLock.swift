import Glibc

/// Lets one thread at a time through.
///
/// Over `pthread_mutex_t`, because the thread sanitizer does not understand `Synchronization.Mutex` on Linux.
final class ThreadLock: @unchecked Sendable {
    // The pointer is set once; what it points to is made for use by several threads. That makes the class Sendable.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        self.mutex = .allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(self.mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(self.mutex)
        self.mutex.deallocate()
    }

    /// Runs `body` while no other thread runs one.
    func hold<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        // The only way to fail is to lock twice on one thread, which would otherwise wait for ever.
        precondition(pthread_mutex_lock(self.mutex) == 0, "read or write was called inside a read or write")
        defer { pthread_mutex_unlock(self.mutex) }
        return try body()
    }
}
