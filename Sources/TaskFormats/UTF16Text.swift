/// Text in UTF-16 with a byte order mark, as Excel writes it.
package enum UTF16Text {
    package static func hasMark(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    }

    /// The text in UTF-8, without the mark; `nil` for bytes without a mark, and for invalid UTF-16.
    package static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
        guard self.hasMark(bytes), bytes.count.isMultiple(of: 2) else { return nil }
        let isBigEndian = bytes[0] == 0xFE
        let units = stride(from: 2, to: bytes.count, by: 2).map { index in
            let (high, low) = isBigEndian ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }
}
