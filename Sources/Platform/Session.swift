import Glibc

/// Access to the user's session: programs and their configuration files; tests replace the functions.
package struct Session: Sendable {
    /// Runs a program in PATH and returns its first line of output; `nil` when it is missing, fails or takes too long.
    package var ask: @Sendable (_ words: [String]) -> String?
    /// Starts a program in PATH that opens a window; returns whether the program exists and did not fail in a second.
    package var start: @Sendable (_ words: [String]) -> Bool
    /// Returns the absolute path of this program; `nil` when the file at that path was removed or replaced.
    package var program: @Sendable () -> String?
    package var absolute: @Sendable (_ path: String) -> String
    /// Returns the bytes of a file; `nil` when it is not readable or has more than ``maximumBytes``.
    package var read: @Sendable (_ path: String) -> [UInt8]?
    /// Returns the target of a symbolic link; `nil` when the path is not a symbolic link.
    package var linkTarget: @Sendable (_ path: String) -> String?
    /// Whether the path exists, also as a symbolic link whose target is missing.
    package var exists: @Sendable (_ path: String) -> Bool
    /// Writes a file that all users may read, and creates missing folders.
    package var write: @Sendable (_ bytes: [UInt8], _ path: String) throws -> Void
    /// Removes a file or a symbolic link; a missing file is not an error.
    package var remove: @Sendable (_ path: String) throws -> Void
    package var removeFolder: @Sendable (_ path: String) -> Void

    /// The maximum size of a file to read; a systemd unit or a desktop entry has about 2 KiB.
    package static let maximumBytes = 64 * 1024

    /// The time limit is long, because `systemctl start` returns only after the service has started.
    private static let timeLimit = Duration.seconds(60)

    package static let ofTheProcess = Session(
        ask: { Subprocess.firstLine(of: $0, within: Self.timeLimit) },
        start: { Subprocess.startOnDesktop($0) },
        program: {
            // If the file was replaced while the program runs, the kernel appends " (deleted)" to the path.
            let path = SystemFiles.linkTarget("/proc/self/exe")
            return path.flatMap { SystemFiles.exists($0) ? $0 : nil }
        },
        absolute: { path in
            guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
            defer { unsafe free(folder) }
            return unsafe String(cString: folder) + "/" + path
        },
        read: { SystemFiles.read($0, limit: Self.maximumBytes) },
        linkTarget: { SystemFiles.linkTarget($0) },
        exists: { SystemFiles.exists($0) || SystemFiles.linkTarget($0) != nil },
        write: { bytes, path in
            if let slash = path.lastIndex(of: "/") { try SystemFiles.makePrivateFolders(String(path[..<slash])) }
            try SystemFiles.replace(bytes, at: path, mode: 0o644)
        },
        remove: { path in
            guard unsafe unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw SystemError.last(path) }
        },
        removeFolder: { path in _ = unsafe rmdir(path) }
    )
}
