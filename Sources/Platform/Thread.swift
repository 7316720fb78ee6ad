import Glibc
import RemindavCLinuxEvents

/// Starts a detached thread with a name of at most 15 bytes; returns whether the thread was started.
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let start = unsafe Unmanaged.passRetained(
        ThreadStart {
            unsafe remindav_name_thread(name)
            body()
        }
    )
    if unsafe pthread_create(&thread, &attributes, runThread, start.toOpaque()) == 0 { return true }
    unsafe start.release()
    return false
}

private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThread(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let start = unsafe start { unsafe Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().body() }
    return nil
}
