// Uses the thread types of CSystemd, because its header includes the system's.
internal import CSystemd
internal import Glibc

/// Starts a detached thread.
///
/// - Returns: whether it was started.
func detachThread(
    _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
    _ object: UnsafeMutableRawPointer
) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    return pthread_create(&thread, &attributes, body, object) == 0
}

/// Sets the name of the calling thread for lists of threads; at most 15 bytes.
func nameThread(_ name: String) { remindav_name_thread(name) }
