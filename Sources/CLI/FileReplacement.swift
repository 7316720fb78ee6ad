import Glibc
import RemindavPlatform

/// Replaces a file atomically: writes a new file with the attributes of the old one, and renames it to the old name.
enum FileReplacement {
    /// Replaces a file unless it has this content, and returns whether it was replaced; a new file has the mode 0644.
    static func publish(_ path: String, _ content: [UInt8]) throws -> Bool {
        if self.isRegular(path), let old = SystemFiles.read(path, limit: content.count + 1), old == content {
            return false
        }
        try self.replace(path, mode: Self.publishedMode) { write in try write(content) }
        return true
    }

    /// All users may read the file, such as a web server; `umask` does not change this.
    private static let publishedMode: mode_t = 0o644

    private static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// - Parameter mode: the mode of a new file; `nil` for the mode that `umask` leaves of 0666.
    static func replace(
        _ path: String,
        mode: mode_t? = nil,
        _ content: (_ write: Files.Write) throws -> Void
    ) throws {
        // /dev/stdout and similar names mean an open file; the content is appended to it. /dev/shm is a normal folder.
        if path.hasPrefix("/dev/") && !path.hasPrefix("/dev/shm/") || path.hasPrefix("/proc/") {
            let file = try OpenFile(path, flags: O_WRONLY | O_APPEND)
            return try content { bytes in try file.write(bytes) }
        }
        var link = stat()
        var status = stat()
        let isLink = unsafe lstat(path, &link) == 0 && link.st_mode & S_IFMT == S_IFLNK
        guard unsafe stat(path, &status) == 0 else {
            if isLink {
                throw errno == ENOENT ? FileError(code: .leadsNowhere, path: path) : System.error(path)
            }
            return try self.replacePlain(path, nil, mode, content)
        }
        // For a link, the file that it leads to is replaced, and the link is unchanged.
        if isLink, let target = unsafe realpath(path, nil) {
            defer { unsafe free(target) }
            return try self.replace(unsafe String(cString: target), mode: mode, content)
        }
        // Only a regular file can be replaced; the content is written directly to a device or a pipe.
        if isLink || status.st_mode & S_IFMT != S_IFREG {
            let file = try OpenFile(path, flags: O_WRONLY | O_TRUNC)
            return try content { bytes in try file.write(bytes) }
        }
        try self.replacePlain(path, FileTraits(of: path, status), nil, content)
    }

    private static func replacePlain(
        _ path: String,
        _ traits: FileTraits?,
        _ mode: mode_t?,
        _ content: (_ write: Files.Write) throws -> Void
    ) throws {
        let folder = self.folder(of: path)
        let file: OpenFile
        do {
            // If the old file is private, the new one is private too while it is written.
            file = try self.temporary(in: folder, mode: traits == nil ? 0o666 : 0o600)
        } catch {
            throw FileError(code: self.codeOfFolder(error.code), path: path)
        }
        do {
            try content { bytes in try file.write(bytes) }
            try traits?.give(to: file.descriptor, path: path)
            if let mode, fchmod(file.descriptor, mode) != 0 { throw System.error(path) }
            guard fsync(file.descriptor) == 0 else { throw System.error(path) }
            guard unsafe rename(file.path, path) == 0 else {
                throw FileError(code: self.codeOfFolder(System.error(path).code), path: path)
            }
        } catch {
            _ = unsafe unlink(file.path)
            if let error = error as? FileError { throw FileError(code: error.code, path: path) }
            throw error
        }
        self.settle(folder)
    }

    private static func temporary(in folder: String, mode: mode_t) throws(FileError) -> OpenFile {
        var number = 0
        while true {
            let path = "\(folder)/.remindav-\(getpid())-\(number).part"
            do {
                return try OpenFile(path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
            } catch {
                // If the file exists, a killed process with the same process ID has left it. The next name is tried.
                guard error.code == .exists, number < self.attempts else { throw error }
                number += 1
            }
        }
    }

    /// The number of names that are tried; killed processes leave fewer files.
    private static let attempts = 100

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The error about the folder that explains why a file could not be created in it.
    private static func codeOfFolder(_ code: FileError.Code) -> FileError.Code {
        switch code {
        case .notFound: .folderNotFound
        case .notPermitted: .folderNotPermitted
        default: code
        }
    }

    /// Flushes a folder to the disk after the renaming; a failure is ignored, because the file already has its name.
    private static func settle(_ folder: String) {
        guard let folder = try? OpenFile(folder, flags: O_RDONLY | O_DIRECTORY) else { return }
        _ = fsync(folder.descriptor)
    }
}
