// Types of threads are CSystemd's here, whose header takes in the system's.
internal import CSystemd

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Starts a thread that nobody waits for.
///
/// - Returns: whether it runs.
func detachThread(
    _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
    _ object: UnsafeMutableRawPointer
) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t?
    #endif
    return pthread_create(&thread, &attributes, body, object) == 0
}

/// What the thread that calls it is called where threads are listed; 15 bytes at the most.
func nameThread(_ name: String) { remindav_name_thread(name) }
