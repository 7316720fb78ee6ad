import RemindavCZLib

/// The reason why an archive is refused.
package struct ZipError: Error, Hashable, Sendable {
    package enum Code: String, Sendable {
        case damaged = "it is damaged or incomplete"
        case encrypted = "it is encrypted"
        case zip64 = "it is in the format ZIP64"
        case severalParts = "it is a part of a larger archive"
        case unknownCompression = "its compression is unknown"
        case path = "the name of a file leads out of the archive"
        case link = "it contains a symbolic link"
        case tooManyEntries = "it has too many entries"
        case tooLarge = "its contents are too large"
    }

    package let code: Code
    /// The name of the entry with the problem; `nil` when the problem concerns the whole archive.
    package let entry: String?

    init(_ code: Code, _ entry: String? = nil) {
        self.code = code
        self.entry = entry
    }
}

/// Reads ZIP archives in memory (APPNOTE 6.3.3 of PKWARE), by libz.
///
/// The names of the entries are only text: no file is written.
package enum ZipArchive {
    /// A file of an archive; `name` is its whole path in the archive.
    package struct File: Hashable, Sendable {
        package let name: String
        package let bytes: [UInt8]
    }

    /// The maximum number of entries; Todoist allows 300 projects, and an archive of Google has some folders.
    package static let maximumEntries = 10_000

    /// Whether the bytes begin like an archive, which may be empty.
    package static func isArchive(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    /// The files that `isWanted` accepts by their names, in the order of the archive.
    ///
    /// - Parameter maximumBytes: the maximum size of all these files together; it also bounds the memory.
    /// - Throws: if any entry is hostile, or if a wanted file is damaged.
    package static func files(
        _ bytes: [UInt8],
        maximumBytes: Int,
        where isWanted: (_ name: String) -> Bool
    ) throws(ZipError) -> [File] {
        var files: [File] = []
        var total = 0
        for entry in try self.entries(bytes) {
            try entry.check()
            guard !entry.name.hasSuffix("/"), isWanted(entry.name) else { continue }
            total += entry.size
            guard total <= maximumBytes else { throw ZipError(.tooLarge) }
            files.append(File(name: entry.name, bytes: try entry.content(of: bytes)))
        }
        return files
    }

    /// The entries of the central directory at the end of the archive.
    private static func entries(_ bytes: [UInt8]) throws(ZipError) -> [ZipEntry] {
        guard let end = self.directoryEnd(bytes) else { throw ZipError(.damaged) }
        let (disk, count, size, start) = (
            bytes.number16(end + 4), bytes.number16(end + 10), bytes.number32(end + 12), bytes.number32(end + 16)
        )
        if count == 0xFFFF || size == 0xFFFF_FFFF || start == 0xFFFF_FFFF { throw ZipError(.zip64) }
        guard disk == 0, bytes.number16(end + 6) == 0, bytes.number16(end + 8) == count else {
            throw ZipError(.severalParts)
        }
        guard count <= self.maximumEntries else { throw ZipError(.tooManyEntries) }
        guard start + size <= end else { throw ZipError(.damaged) }
        var entries: [ZipEntry] = []
        var position = start
        for _ in 0..<count {
            guard let entry = ZipEntry(bytes, at: position, directory: start, end: end) else {
                throw ZipError(.damaged)
            }
            entries.append(entry)
            position += entry.headerSize
        }
        return entries
    }

    /// The position of the end record, which a comment may follow.
    private static func directoryEnd(_ bytes: [UInt8]) -> Int? {
        let last = bytes.count - self.endRecordSize
        guard last >= 0 else { return nil }
        for position in stride(from: last, through: max(0, last - self.longestComment), by: -1)
        where bytes.number32(position) == 0x0605_4B50 {
            if position + self.endRecordSize + bytes.number16(position + 20) == bytes.count { return position }
        }
        return nil
    }

    private static let endRecordSize = 22
    /// The maximum length of the comment, whose length has 16 bits.
    private static let longestComment = 0xFFFF
}

/// An entry of the central directory.
private struct ZipEntry {
    let name: String
    /// The size of the uncompressed content.
    let size: Int
    let headerSize: Int
    private let flags: Int
    private let method: Int
    private let checksum: Int
    private let compressedSize: Int
    /// The position of the local header.
    private let local: Int
    /// The position of the central directory, before which all contents end.
    private let directory: Int
    private let isLink: Bool
    private let nameBytes: ArraySlice<UInt8>

    private static let centralSize = 46
    private static let localSize = 30

    /// Parses the header at `position`; `nil` if it is damaged.
    init?(_ bytes: [UInt8], at position: Int, directory: Int, end: Int) {
        guard position + Self.centralSize <= end, bytes.number32(position) == 0x0201_4B50 else { return nil }
        let nameLength = bytes.number16(position + 28)
        self.headerSize =
            Self.centralSize + nameLength + bytes.number16(position + 30) + bytes.number16(position + 32)
        guard position + self.headerSize <= end else { return nil }
        self.flags = bytes.number16(position + 8)
        self.method = bytes.number16(position + 10)
        self.checksum = bytes.number32(position + 16)
        self.compressedSize = bytes.number32(position + 20)
        self.size = bytes.number32(position + 24)
        self.local = bytes.number32(position + 42)
        self.directory = directory
        self.nameBytes = bytes[(position + Self.centralSize)..<(position + Self.centralSize + nameLength)]
        self.name = String(decoding: self.nameBytes, as: UTF8.self)
        // The upper half of the attributes is the mode of the file if a Unix system made the entry (3).
        let isUnix = bytes[position + 5] == 3
        self.isLink = isUnix && bytes.number32(position + 38) >> 16 & 0xF000 == 0xA000
    }

    func check() throws(ZipError) {
        let code: ZipError.Code? =
            if self.flags & 1 != 0 { .encrypted } else if self.isLink { .link } else if self.leadsOut {
                .path
            } else if [self.size, self.compressedSize, self.local].contains(0xFFFF_FFFF) {
                .zip64
            } else if self.method != 0 && self.method != 8 { .unknownCompression } else { nil }
        if let code { throw ZipError(code, self.name) }
    }

    private var leadsOut: Bool {
        let parts = self.nameBytes.split(omittingEmptySubsequences: false) { $0 == 0x2F || $0 == 0x5C }
        let isAbsolute = parts.first?.isEmpty ?? true
        let hasDrive = self.nameBytes.dropFirst().first == UInt8(ascii: ":")
        return isAbsolute || hasDrive || parts.contains { $0.elementsEqual([0x2E, 0x2E]) }
            || self.nameBytes.contains { $0 < 0x20 }
    }

    func content(of bytes: [UInt8]) throws(ZipError) -> [UInt8] {
        guard self.local + Self.localSize <= self.directory, bytes.number32(self.local) == 0x0403_4B50 else {
            throw ZipError(.damaged, self.name)
        }
        let nameStart = self.local + Self.localSize
        let nameEnd = nameStart + bytes.number16(self.local + 26)
        let start = nameEnd + bytes.number16(self.local + 28)
        guard start + self.compressedSize <= self.directory, bytes[nameStart..<nameEnd].elementsEqual(self.nameBytes)
        else { throw ZipError(.damaged, self.name) }
        let stored = bytes[start..<(start + self.compressedSize)]
        guard let content = self.method == 0 ? Array(stored) : Inflate.bytes(Array(stored), size: self.size),
            content.count == self.size, Inflate.checksum(content) == self.checksum
        else { throw ZipError(.damaged, self.name) }
        return content
    }
}

/// The compression of ZIP archives (RFC 1951), by libz.
private enum Inflate {
    /// Decompresses bytes that give `size` bytes; `nil` for invalid or incomplete bytes, and for any other size.
    static func bytes(_ compressed: [UInt8], size: Int) -> [UInt8]? {
        var stream = z_stream()
        guard remindav_start_inflate(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        // One more byte shows that the content is longer than the directory says.
        var result = [UInt8](repeating: 0, count: size + 1)
        let status = compressed.withUnsafeBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END, stream.avail_out == 1 else { return nil }
        result.removeLast()
        return result
    }

    /// The CRC-32 of bytes.
    static func checksum(_ bytes: [UInt8]) -> Int {
        Int(bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) })
    }
}

extension [UInt8] {
    /// The number in the two bytes at `position`, the lowest first; 0 beyond the end.
    fileprivate func number16(_ position: Int) -> Int {
        position + 2 <= self.count ? Int(self[position]) | Int(self[position + 1]) << 8 : 0
    }

    /// The number in the four bytes at `position`, the lowest first; 0 beyond the end.
    fileprivate func number32(_ position: Int) -> Int {
        self.number16(position) | self.number16(position + 2) << 16
    }
}
