import Glibc
import RemindavBridge
import RemindavPlatform

/// The calls of the operating system that this target makes, each with the check of its result.
enum System {
    /// The variables that this program reads.
    static func environment() -> [String: String] {
        var values: [String: String] = [:]
        values.reserveCapacity(Self.variables.count)
        for name in Self.variables {
            guard let value = unsafe getenv(name) else { continue }
            values[name] = unsafe String(cString: value)
        }
        return values
    }

    private static let variables = [
        "CLICOLOR", "CLICOLOR_FORCE", "CREDENTIALS_DIRECTORY", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "EDITOR", "HOME",
        "INVOCATION_ID", "LANG", "LC_ALL", "LC_CTYPE", "LISTEN_FDS", "LISTEN_PID", "NO_COLOR", "PAGER",
        "REMINDAV_CONFIG",
        "REMINDAV_PAGER", TenantRun.variable, "REMINDAV_STORE", "TERM", "TERMINAL", "TMPDIR", "TZ", "TZDIR", "VISUAL",
        "WAYLAND_DISPLAY",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
    ]

    /// The words of the command line; the first one is the name of the program.
    static func arguments() -> [[UInt8]] {
        var arguments: [[UInt8]] = []
        for index in 0..<Int(CommandLine.argc) {
            guard let start = unsafe CommandLine.unsafeArgv[index] else { break }
            let letters = unsafe UnsafeBufferPointer(start: start, count: strlen(start))
            arguments.append(unsafe letters.map { UInt8(bitPattern: $0) })
        }
        return arguments
    }

    /// Seconds since 1970, rounded down; the C function `time` is some milliseconds behind the clock of timers.
    static func secondsSince1970() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }

    /// Makes a broken pipe an error of `write` instead of a signal, also in libraries that write to sockets.
    static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The size of a terminal in columns and rows; `nil` if it is no terminal or does not report its size.
    static func size(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        guard self.isTerminal(descriptor) else { return nil }
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(OutputError) {
        guard writeBytes(bytes, to: descriptor) else {
            throw OutputError(code: errno == EPIPE ? .brokenPipe : errno == ENOSPC ? .diskFull : .failed)
        }
    }

    /// Reads at most `limit` bytes; returns no bytes at the end of the file.
    static func read(_ limit: Int, from descriptor: Int32, path: String) throws(FileError) -> [UInt8] {
        guard let bytes = readBytes(limit, from: descriptor) else { throw self.error(path) }
        return bytes
    }

    /// The absolute path for a path that may be relative to the current folder.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }

    static func error(_ path: String, number: Int32 = errno) -> FileError {
        let code: FileError.Code =
            switch number {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM, EROFS: .notPermitted
            case EEXIST: .exists
            case EISDIR: .isFolder
            case EFBIG: .tooLarge
            case ENOSPC, EDQUOT: .diskFull
            default: .failed
            }
        return FileError(code: code, path: path)
    }
}

/// An open file, which is closed when the last reference to it ends.
final class OpenFile: Sendable {
    let descriptor: Int32
    let path: String

    init(_ path: String, flags: Int32, mode: mode_t = 0) throws(FileError) {
        self.path = path
        self.descriptor = unsafe open(path, flags | O_CLOEXEC, mode)
        if self.descriptor < 0 { throw System.error(path) }
    }

    deinit { close(self.descriptor) }

    func write(_ bytes: [UInt8]) throws(FileError) {
        do {
            try System.write(bytes, to: self.descriptor)
        } catch {
            throw FileError(code: error.code == .diskFull ? .diskFull : .failed, path: self.path)
        }
    }
}

extension Files {
    /// The files of this computer.
    static let ofTheMachine = Files(
        source: { path in try Self.open(path, onlyPlain: false) },
        plainSource: { path in try Self.open(path, onlyPlain: true) },
        holdsSomething: { path in
            var status = stat()
            return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
        },
        preparePrivate: { path in try Self.preparePrivate(path) },
        replace: { path, content in try FileReplacement.replace(path, content) },
        publish: { path, content in try FileReplacement.publish(path, content) }
    )

    private static func preparePrivate(_ path: String) throws {
        if unsafe access(path, F_OK) == 0 {
            guard unsafe access(path, W_OK) == 0 else { throw FileError(code: .readOnly, path: path) }
            return
        }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            let folder = String(path[..<slash])
            do throws(SystemError) { try SystemFiles.makePrivateFolders(folder) } catch {
                throw FileError(code: .folderNotPermitted, path: path)
            }
        }
        do {
            _ = try OpenFile(path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        } catch  where error.code == .exists {
            // The path is a link to a file that does not exist.
            throw FileError(code: .leadsNowhere, path: path)
        }
    }

    private static func open(_ path: String, onlyPlain: Bool) throws(FileError) -> ByteSource {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let file = try OpenFile(path, flags: onlyPlain ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_RDONLY)
        var status = stat()
        let isKnown = unsafe fstat(file.descriptor, &status) == 0
        if isKnown, status.st_mode & S_IFMT == S_IFDIR { throw FileError(code: .isFolder, path: path) }
        let isPlain = isKnown && status.st_mode & S_IFMT == S_IFREG
        guard isPlain || !onlyPlain else { throw FileError(code: .notPlain, path: path) }
        return ByteSource(name: path, fileName: path.lastPathPart, size: isPlain ? Int(status.st_size) : 0) { limit in
            try System.read(limit, from: file.descriptor, path: path)
        }
    }
}
