import Glibc

/// The user's session: its managers, and the files that they read; tests replace its functions.
package struct Session: Sendable {
    /// The first line that a program in PATH prints; `nil` when it is missing, fails or takes too long.
    package var ask: @Sendable (_ words: [String]) -> String?
    /// Starts a program in PATH that opens a window; returns whether it exists and did not fail at once.
    package var start: @Sendable (_ words: [String]) -> Bool
    /// The absolute path of this program; `nil` when its file was removed.
    package var program: @Sendable () -> String?
    package var absolute: @Sendable (_ path: String) -> String
    /// The bytes of a file; `nil` when it cannot be read or has more than ``maximumBytes``.
    package var read: @Sendable (_ path: String) -> [UInt8]?
    /// `nil` when the path is no link.
    package var linkTarget: @Sendable (_ path: String) -> String?
    /// Also true for a link with a missing target.
    package var exists: @Sendable (_ path: String) -> Bool
    /// Writes a file that all users may read, and creates its folders.
    package var write: @Sendable (_ bytes: [UInt8], _ path: String) throws -> Void
    /// Removes a file or a link, if it exists.
    package var remove: @Sendable (_ path: String) throws -> Void
    package var removeFolder: @Sendable (_ path: String) -> Void

    /// A unit or a desktop entry has about 2 KiB.
    package static let maximumBytes = 64 * 1024

    /// `systemctl start` waits for the start of the service.
    private static let timeLimit = Duration.seconds(60)

    package static let ofTheProcess = Session(
        ask: { Subprocess.firstLine(of: $0, within: Self.timeLimit) },
        start: { Subprocess.startOnDesktop($0) },
        program: {
            // The kernel appends " (deleted)" to the path of a file that was replaced while it ran.
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
