import Glibc
import RemindavCAttributes

/// The attributes of a file: owner, group, mode, access control list and user attributes.
struct FileTraits {
    private let status: stat
    private let attributes: [(name: String, value: [UInt8])]

    /// - Parameter status: the result of `stat` for the path.
    init(of path: String, _ status: stat) {
        self.status = status
        self.attributes = Self.attributes(of: path)
    }

    /// Gives these attributes to an open file, as far as this user may set them; no user gets more rights than before.
    ///
    /// - Throws: if the disk is full, or if the status of the file cannot be read or its mode cannot be set.
    func give(to descriptor: Int32, path: String) throws(FileError) {
        var new = stat()
        guard unsafe fstat(descriptor, &new) == 0 else { throw System.error(path) }
        // A user without the right to change the owner may still set a group to which the user belongs.
        if new.st_uid != self.status.st_uid || new.st_gid != self.status.st_gid,
            fchown(descriptor, self.status.st_uid, self.status.st_gid) != 0
        {
            _ = fchown(descriptor, uid_t.max, self.status.st_gid)
        }
        let hasAttributes = try self.giveAttributes(to: descriptor, path: path)
        guard unsafe fstat(descriptor, &new) == 0 else { throw System.error(path) }
        var mode = self.status.st_mode & 0o7777
        if new.st_uid != self.status.st_uid || new.st_gid != self.status.st_gid { mode &= 0o777 }
        if new.st_gid != self.status.st_gid || !hasAttributes {
            // If the new file has another group, this group gets only the rights that all users have.
            mode = mode & ~0o070 | mode & (mode & 0o007) << 3
        }
        guard fchmod(descriptor, mode) == 0 else { throw System.error(path) }
    }
}

extension FileTraits {
    /// The name of the attribute with the access control list (POSIX 1003.1e).
    private static let accessList = "system.posix_acl_access"

    /// Whether an attribute is copied; the system itself sets all other attributes of a new file.
    private static func isKept(_ name: String) -> Bool { name.hasPrefix("user.") || name.hasPrefix("system.") }

    private static func attributes(of path: String) -> [(name: String, value: [UInt8])] {
        let names = unsafe Self.bytes { start, count in unsafe listxattr(path, start, count) } ?? []
        return names.split(separator: 0).compactMap { bytes in
            let name = String(decoding: bytes, as: UTF8.self)
            guard Self.isKept(name) else { return nil }
            return unsafe Self.bytes { start, count in unsafe getxattr(path, name, start, count) }.map { (name, $0) }
        }
    }

    /// The bytes from a C call that returns their number if it gets no buffer; `nil` if the call fails.
    private static func bytes(_ call: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [UInt8]? {
        let size = call(nil, 0)
        guard size > 0 else { return size == 0 ? [] : nil }
        var count = 0
        let buffer = unsafe [CChar](unsafeUninitializedCapacity: size) { buffer, initialized in
            count = unsafe call(buffer.baseAddress, size)
            initialized = max(count, 0)
        }
        return count < 0 ? nil : buffer.map { UInt8(bitPattern: $0) }
    }

    private func giveAttributes(to descriptor: Int32, path: String) throws(FileError) -> Bool {
        // The new file may have got an access control list from its folder.
        _ = unsafe fremovexattr(descriptor, Self.accessList)
        var isSame = true
        for attribute in self.attributes {
            let result = unsafe attribute.value.withUnsafeBytes { value in
                unsafe fsetxattr(descriptor, attribute.name, value.baseAddress, value.count, 0)
            }
            if result == 0 { continue }
            if errno == ENOSPC || errno == EDQUOT { throw FileError(code: .diskFull, path: path) }
            if attribute.name == Self.accessList { isSame = false }
        }
        return isSame
    }
}
