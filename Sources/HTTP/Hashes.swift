/// SHA-256 (FIPS 180-4; docs/decisions/0014), for entity tags, feed tokens, authentication and certificates.
package struct SHA256: Hashable, Sendable {
    package let bytes: [UInt8]
    package init(_ message: some Sequence<UInt8>) {
        var state = Self.initialState
        var schedule = [UInt32](repeating: 0, count: 64)
        let blocks = padded(message) { 56 - 8 * $0 }
        for start in stride(from: 0, to: blocks.count, by: 64) {
            Self.compress(blocks[start..<start + 64], into: &state, schedule: &schedule)
        }
        self.bytes = state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    package var hexadecimal: String { Hexadecimal.text(self.bytes) }

    // FIPS 180-4 §6.2.2.
    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32], schedule: inout [UInt32]) {
        for index in 0..<16 {
            let start = block.startIndex + 4 * index
            schedule[index] = (0..<4).reduce(0) { ($0 << 8) | UInt32(block[start + $1]) }
        }
        for index in 16..<64 {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            let small0 = early.rotated(7) ^ early.rotated(18) ^ (early >> 3)
            let small1 = late.rotated(17) ^ late.rotated(19) ^ (late >> 10)
            schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let big1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let first = h &+ big1 &+ ((e & f) ^ (~e & g)) &+ Self.constants[index] &+ schedule[index]
            let big0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let second = big0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    // FIPS 180-4 §5.3.3.
    private static let initialState: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    // FIPS 180-4 §4.2.2.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { (self >> count) | (self << (32 - count)) }
}

/// MD5 (RFC 1321), only for Digest authentication with servers that have no better algorithm (RFC 7616).
struct MD5 {
    let bytes: [UInt8]
    var hexadecimal: String { Hexadecimal.text(self.bytes) }

    init(_ message: some Collection<UInt8>) {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        let blocks = padded(message) { 8 * $0 }
        for start in stride(from: 0, to: blocks.count, by: 64) { Self.compress(blocks[start..<start + 64], &state) }
        self.bytes = state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
    }

    // RFC 1321 §3.4.
    private static func compress(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
        let words = (0..<16).map { index in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(block[block.startIndex + 4 * index + $1]) << (8 * UInt32($1)) }
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let round = step / 16
            let (mixed, word): (UInt32, Int) =
                switch round {
                case 0: ((b & c) | (~b & d), step)
                case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), 7 * step % 16)
                }
            let sum = a &+ mixed &+ Self.sines[step] &+ words[word]
            let shift = Self.shifts[round][step % 4]
            (a, d, c, b) = (d, c, b, b &+ ((sum << shift) | (sum >> (32 - shift))))
        }
        for (index, word) in [a, b, c, d].enumerated() { state[index] &+= word }
    }

    private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

    // T[i] of RFC 1321 §3.4: the integer part of 4294967296 times abs(sin(i)), with i from 1, in radians.
    private static let sines: [UInt32] = [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
        0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
        0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
        0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
        0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
        0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
        0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
        0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
    ]
}

enum Hexadecimal {
    /// The bytes as two hexadecimal digits each, in lower case.
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// The message, padded to blocks of 64 bytes with its length in bits (RFC 1321 §3.1, FIPS 180-4 §5.1.1).
private func padded(_ message: some Sequence<UInt8>, shift: (UInt64) -> UInt64) -> [UInt8] {
    var bytes = Array(message)
    let bits = UInt64(bytes.count) &* 8
    bytes.append(0x80)
    bytes.append(contentsOf: repeatElement(0, count: (120 - bytes.count % 64) % 64))
    for place in UInt64(0)..<8 { bytes.append(UInt8(truncatingIfNeeded: bits >> shift(place))) }
    return bytes
}
