import RemindavTestSupport
import Testing

@testable import RemindavCompression

@Suite("ZIP archives")
struct ZipTests {
    private static func files(_ name: String, maximumBytes: Int = 1 << 20) throws -> [ZipArchive.File] {
        try ZipArchive.files(Fixture.bytes("zip/\(name).zip"), maximumBytes: maximumBytes) { $0.hasSuffix(".csv") }
    }

    @Test("the wanted files are read, stored or compressed, with their names")
    func plain() throws {
        let files = try Self.files("plain")
        #expect(files.map(\.name) == ["Work [12].csv", "Übung/Home.csv"])
        #expect(files.map { String(decoding: $0.bytes, as: UTF8.self).prefix(4) } == ["TYPE", "TYPE"])
    }

    @Test(
        "a hostile archive is refused with its reason",
        arguments: [
            ("parent-path", .path), ("absolute-path", .path), ("drive-path", .path), ("link", .link),
            ("encrypted", .encrypted), ("zip64", .zip64), ("bomb", .tooLarge), ("lying-size", .damaged),
            ("wrong-checksum", .damaged), ("other-local-name", .damaged), ("several-parts", .severalParts),
            ("unknown-method", .unknownCompression),
        ] as [(String, ZipError.Code)]
    )
    func hostile(name: String, code: ZipError.Code) throws {
        let error = #expect(throws: ZipError.self) { try Self.files(name) }
        #expect(error?.code == code)
    }

    @Test("every cut of an archive is refused, and a changed byte never crashes")
    func damaged() throws {
        let bytes = try Fixture.bytes("zip/plain.zip")
        for length in 0..<bytes.count {
            #expect(throws: ZipError.self) {
                try ZipArchive.files(Array(bytes.prefix(length)), maximumBytes: 1 << 20) { _ in true }
            }
        }
        for index in bytes.indices {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                _ = try? ZipArchive.files(changed, maximumBytes: 1 << 20) { _ in true }
            }
        }
    }
}
