import RemindavCLinuxEvents

/// The memory that a process has released.
package enum FreeMemory {
    /// The bytes of a large block; a listing of ten thousand reminders uses several of a few megabytes each.
    private static let largeBytes: Int32 = 1 << 20

    /// Makes the C library return each large block to the system at once, for a process that runs for a long time.
    ///
    /// Without this call, the library keeps up to 32 MB for later use; see mallopt(3), `M_MMAP_THRESHOLD`.
    package static func returnLargeBlocks() { _ = remindav_return_blocks(self.largeBytes) }
}
