import CLinuxEvents

/// Protects the memory of this process, which may contain passwords.
package enum MemoryPrivacy {
    /// From this call on, a crash writes no core dump, and other processes of this user cannot read this process's
    /// memory (prctl(2), `PR_SET_DUMPABLE`).
    package static func forbidDumps() { _ = remindav_forbid_dumps() }
}
