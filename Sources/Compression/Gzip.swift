import CZLib

/// The gzip format (RFC 1952), by libz.
package enum Gzip {
    /// From 1 (fast) to 9 (small): a feed of 10,000 reminders has 3.5 MB, 0.91 MB after 34 ms with level 1, and 0.80 MB
    /// after 100 ms with level 6.
    private static let level: Int32 = 1

    /// `nil` if libz has no memory for it; equal bytes give equal results: no time and no file name is written.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard remindav_start_gzip(&stream, Self.level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // With this size, one call is enough.
        var result = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let status = bytes.withUnsafeBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        result.removeLast(Int(stream.avail_out))
        return result
    }
}
