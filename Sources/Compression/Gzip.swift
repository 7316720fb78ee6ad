import RemindavCZLib

/// The gzip format (RFC 1952), by libz.
package enum Gzip {
    /// The level of compression, 1 (fast) to 9 (small): for 3.5 MB of 10,000 reminders, level 1 gives 0.91 MB in 34 ms,
    /// and level 6 gives 0.80 MB in 100 ms.
    private static let level: Int32 = 1

    /// Compresses bytes to a result without time and file name; `nil` if libz has no memory.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard remindav_start_gzip(&stream, Self.level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // The buffer has the largest size that libz needs, so one call is enough.
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
