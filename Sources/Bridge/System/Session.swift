import Glibc

/// What a person's session has beside the terminal: programs that manage it, and the files that they read.
///
/// A door, since what lies beyond cannot be had in a test.
package struct Session: Sendable {
    /// The first line that a program prints, which is found in PATH; `nil` when it is not there, fails or takes too long.
    package let ask: @Sendable (_ words: [String]) -> String?
    /// Starts a program, which is found in PATH, for a person to see; whether it is there and did not fail at once.
    package let start: @Sendable (_ words: [String]) -> Bool
    /// The file of this program, from the root on; `nil` when it cannot be found any more.
    package let program: @Sendable () -> String?
    /// A path from the root on.
    package let absolute: @Sendable (_ path: String) -> String
    /// The bytes of a file; `nil` when there is none that can be read, or it has more than ``maximumBytes``.
    package let read: @Sendable (_ path: String) -> [UInt8]?
    /// Where a symbolic link leads; `nil` when it is none.
    package let linkTarget: @Sendable (_ path: String) -> String?
    /// Whether there is something at a path; a link counts though it leads nowhere.
    package let exists: @Sendable (_ path: String) -> Bool
    /// Writes a file that everybody may read and only its owner write, and makes the folders that it is in.
    package let write: @Sendable (_ bytes: [UInt8], _ path: String) throws -> Void
    /// Removes a file or a link; one that is not there is no error.
    package let remove: @Sendable (_ path: String) throws -> Void
    /// Removes a folder if nothing is in it.
    package let removeFolder: @Sendable (_ path: String) -> Void

    /// A session of which each part is given, as by a test.
    package init(
        ask: @escaping @Sendable (_ words: [String]) -> String?,
        start: @escaping @Sendable (_ words: [String]) -> Bool,
        program: @escaping @Sendable () -> String?,
        absolute: @escaping @Sendable (_ path: String) -> String,
        read: @escaping @Sendable (_ path: String) -> [UInt8]?,
        linkTarget: @escaping @Sendable (_ path: String) -> String?,
        exists: @escaping @Sendable (_ path: String) -> Bool,
        write: @escaping @Sendable (_ bytes: [UInt8], _ path: String) throws -> Void,
        remove: @escaping @Sendable (_ path: String) throws -> Void,
        removeFolder: @escaping @Sendable (_ path: String) -> Void
    ) {
        self.ask = ask
        self.start = start
        self.program = program
        self.absolute = absolute
        self.read = read
        self.linkTarget = linkTarget
        self.exists = exists
        self.write = write
        self.remove = remove
        self.removeFolder = removeFolder
    }

    /// A unit, or a desktop entry, has some 2 KiB.
    package static let maximumBytes = 64 * 1024

    /// Starting a service waits for what it waits for.
    private static let timeLimit = Duration.seconds(60)

    /// That of this process.
    package static let ofTheProcess = Session(
        ask: { ShellCommand.run($0, within: Self.timeLimit) },
        start: { ShellCommand.launch($0) },
        program: {
            // What was replaced while it ran is called so by the kernel, and is not there.
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
            try SystemFiles.put(bytes, at: path, mode: 0o644)
        },
        remove: { path in
            guard unsafe unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw SystemError.last(path) }
        },
        removeFolder: { path in _ = unsafe rmdir(path) }
    )
}
