import RemindavCZLib
import RemindavTestSupport
import Testing

@testable import RemindavCompression

@Suite("gzip (RFC 1952)")
struct GzipTests {
    /// Decompresses a gzip member with libz.
    private static func decompress(_ bytes: [UInt8], count: Int) throws -> [UInt8] {
        var stream = z_stream()
        try #require(inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { inflateEnd(&stream) }
        var result = [UInt8](repeating: 0, count: count + 1)
        let status = bytes.withUnsafeBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        #expect(status == Z_STREAM_END)
        #expect(stream.avail_in == 0)
        return Array(result.prefix(Int(stream.total_out)))
    }

    @Test("decompressed, the bytes are the original ones", arguments: [0, 1, 2, 100, 32_768, 65_536, 1_000_003])
    func roundTrip(count: Int) throws {
        var random = SeededGenerator(UInt64(count))
        let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let text = Array(
            repeatElement(Array("SUMMARY:Call Ben\r\n".utf8), count: count / 18 + 1).joined().prefix(count)
        )
        for bytes in [noise, text] {
            let compressed = try #require(Gzip.compress(bytes))
            #expect(compressed.starts(with: [0x1F, 0x8B, 0x08]))
            #expect(try Self.decompress(compressed, count: count) == bytes)
            #expect(Gzip.compress(bytes) == compressed)
        }
    }

    @Test("the header has no time and no name")
    func header() throws {
        let compressed = try #require(Gzip.compress(Array("a".utf8)))
        #expect(compressed[3] == 0)
        #expect(compressed[4..<8].allSatisfy { $0 == 0 })
    }
}
