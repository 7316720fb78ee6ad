import CLinuxEvents

/// Keeps the contents of this process's memory, such as passwords, private.
package enum MemoryPrivacy {
    /// From now on a crash leaves no core dump, and no other process of this user can read this one's memory
    /// (prctl(2), `PR_SET_DUMPABLE`).
    package static func forbidDumps() { _ = remindav_forbid_dumps() }
}
