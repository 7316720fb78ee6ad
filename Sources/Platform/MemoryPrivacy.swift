import RemindavCLinuxEvents

/// Protects the memory of this process, which may contain passwords.
package enum MemoryPrivacy {
    /// Forbids core dumps, and access to the memory by other processes of this user; see prctl(2), `PR_SET_DUMPABLE`.
    package static func forbidDumps() { _ = remindav_forbid_dumps() }
}
