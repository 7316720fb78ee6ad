import Testing

@testable import RemindavSealing

@Suite("sealed bytes")
struct SealingKeyTests {
    private let bytes = [UInt8](0..<32)
    private let nonce = [UInt8](100..<124)
    private let about = Array("tenant 42".utf8)
    private let message = Array("canary".utf8)

    @Test("a sealed text opens with the same key, nonce and associated data, and does not contain the text")
    func roundTrip() throws {
        let key = try SealingKey(self.bytes)
        for length in [0, 1, 31, 32, 33, 4096] {
            let message = [UInt8](repeating: 7, count: length)
            let box = try key.seal(message, nonce: self.nonce, about: self.about)
            #expect(box.count == length + 16)
            #expect(try key.open(box, nonce: self.nonce, about: self.about) == message)
        }
        #expect(try !key.seal(self.message, nonce: self.nonce, about: []).contains(self.message))
    }

    // draft-irtf-cfrg-xchacha-03, appendix A.3.1
    @Test("the box is that of the test vector of XChaCha20-Poly1305")
    func vector() throws {
        let message = Array(
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
                .utf8
        )
        let key = try SealingKey([UInt8](0x80...0x9F))
        let about: [UInt8] = [0x50, 0x51, 0x52, 0x53, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7]
        let box = try key.seal(message, nonce: [UInt8](0x40...0x57), about: about)
        #expect(box.prefix(8) == [0xBD, 0x6D, 0x17, 0x9D, 0x3E, 0x83, 0xD4, 0x3B])
        #expect(
            box.suffix(16) == [
                0xC0, 0x87, 0x59, 0x24, 0xC1, 0xC7, 0x98, 0x79, 0x47, 0xDE, 0xAF, 0xD8, 0x78, 0x0A, 0xCF, 0x49,
            ]
        )
    }

    @Test("a change of any bit of the key, the nonce, the associated data or the box is an error")
    func tampering() throws {
        let key = try SealingKey(self.bytes)
        let box = try key.seal(self.message, nonce: self.nonce, about: self.about)
        func changes(_ bytes: [UInt8]) -> [[UInt8]] {
            (0..<bytes.count * 8).map { bit in
                var other = bytes
                other[bit / 8] ^= 1 << UInt8(bit % 8)
                return other
            }
        }
        for other in changes(self.bytes) {
            let other = try SealingKey(other)
            #expect(throws: SealingError(.notAuthentic)) {
                try other.open(box, nonce: self.nonce, about: self.about)
            }
        }
        for other in changes(self.nonce) {
            #expect(throws: SealingError(.notAuthentic)) { try key.open(box, nonce: other, about: self.about) }
        }
        for other in changes(self.about) + [[], self.about + [0], Array(self.about.dropLast())] {
            #expect(throws: SealingError(.notAuthentic)) { try key.open(box, nonce: self.nonce, about: other) }
        }
        for other in changes(box) + [box + [0], Array(box.dropLast()), Array(box.dropFirst())] {
            #expect(throws: SealingError(.notAuthentic)) { try key.open(other, nonce: self.nonce, about: self.about) }
        }
    }

    @Test("keys, nonces and boxes of another length are refused")
    func lengths() throws {
        for count in [0, 31, 33] {
            #expect(throws: SealingError(.length)) { try SealingKey([UInt8](repeating: 1, count: count)) }
        }
        let key = try SealingKey(self.bytes)
        for nonce in [[], Array(self.nonce.dropLast()), self.nonce + [0]] {
            #expect(throws: SealingError(.length)) { try key.seal(self.message, nonce: nonce, about: []) }
            #expect(throws: SealingError(.length)) {
                try key.open([UInt8](repeating: 0, count: 20), nonce: nonce, about: [])
            }
        }
        #expect(throws: SealingError(.length)) {
            try key.open([UInt8](repeating: 0, count: 15), nonce: self.nonce, about: [])
        }
    }

    @Test("the description of a key does not contain its bytes")
    func description() throws {
        var dump = ""
        let key = try SealingKey(self.bytes)
        Swift.dump(key, to: &dump)
        #expect("\(key)\(String(reflecting: key))\(dump)".contains("hidden"))
        #expect(!"\(key)\(String(reflecting: key))\(dump)".contains("31"))
    }

    @Test("the library is found; a missing or a different library is not loaded")
    func loading() {
        #expect(SodiumLibrary.functions != nil)
        #expect(SodiumLibrary.load(named: "libno-such-library.so.23") == nil)
        #expect(SodiumLibrary.load(named: "libc.so.6") == nil)
    }
}
