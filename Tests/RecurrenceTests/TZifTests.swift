import RemindavTestSupport
import Testing

@testable import RemindavRecurrence

@Suite("RFC 9636: TZif files, valid and hostile")
struct TZifTests {
    /// A file with two blocks, in which each part can be invalid.
    struct File {
        var version: UInt8 = 0x32
        /// utcIndicators, standardIndicators, leapSeconds, transitions, types, characters.
        var counts: [Int] = [0, 0, 0, 2, 2, 8]
        var times: [Int64] = [0, 1_000_000_000]
        var indices: [UInt8] = [1, 0]
        var types: [(offset: Int32, isDaylight: UInt8, name: UInt8)] = [(3600, 0, 0), (7200, 1, 4)]
        var names = "CET\u{0}EST\u{0}"
        var footer = "\nCET-1\n"

        var bytes: [UInt8] {
            var bytes = Self.header(self.version, [0, 0, 0, 0, 1, 1]) + [0, 0, 0, 0, 0, 0, 0]
            bytes += Self.header(self.version, self.counts)
            for time in self.times { bytes += Self.bigEndian(UInt64(bitPattern: time), 8) }
            bytes += self.indices
            for type in self.types {
                bytes += Self.bigEndian(UInt64(UInt32(bitPattern: type.offset)), 4) + [type.isDaylight, type.name]
            }
            return bytes + Array(self.names.utf8) + Array(self.footer.utf8)
        }

        static func header(_ version: UInt8, _ counts: [Int]) -> [UInt8] {
            Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
                + counts.flatMap { self.bigEndian(UInt64($0), 4) }
        }

        static func bigEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64((count - 1 - $0) * 8)) }
        }
    }

    static func file(_ change: (inout File) -> Void) -> [UInt8] {
        var file = File()
        change(&file)
        return file.bytes
    }

    @Test("versions 2, 3 and 4 are read, and later versions are refused")
    func versions() {
        for version: UInt8 in [0x32, 0x33, 0x34] {
            let rules = TZifReader.rules(Self.file { $0.version = version })
            #expect(rules?.type(at: -1).offset == 3600)
            #expect(rules?.type(at: 0).offset == 7200)
            #expect(rules?.type(at: 1_000_000_000).offset == 3600)
        }
        #expect(TZifReader.rules(Self.file { $0.version = 0x35 }) == nil)
        #expect(TZifReader.rules(Self.file { $0.version = 0xFF }) == nil)
    }

    @Test("version 1 has one block with times of four bytes")
    func versionOne() {
        var bytes = File.header(0, [0, 0, 0, 1, 2, 4])
        bytes +=
            File.bigEndian(1000, 4) + [1] + [0, 0, 0x0E, 0x10, 0, 0] + [0, 0, 0x1C, 0x20, 1, 0] + Array("CET\u{0}".utf8)
        #expect(TZifReader.rules(bytes)?.type(at: 999).offset == 3600)
        #expect(TZifReader.rules(bytes)?.type(at: 1000).offset == 7200)
    }

    @Test("without changes the footer applies to all time")
    func onlyFooter() {
        let bytes = Self.file { file in
            file.counts = [0, 0, 0, 0, 1, 4]
            (file.times, file.indices) = ([], [])
            file.types = [(3600, 0, 0)]
            file.names = "CET\u{0}"
            file.footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n"
        }
        let rules = TZifReader.rules(bytes)
        #expect(rules?.type(at: 1_784_116_800).offset == 7200)
        #expect(rules?.type(at: -2_490_000_000).offset == 3600)
        #expect(rules?.type(at: 1_768_478_400).offset == 3600)
        #expect(rules?.utc(local: 1_784_124_000) == 1_784_116_800)
        #expect(rules?.utc(local: 4_939_797_600) == 4_939_790_400)
    }

    @Test("summer time for the whole year is no change (RFC 9636 3.3.1)")
    func wholeYear() throws {
        let rule = try #require(PosixZoneRule(Array("XXX3EDT4,0/0,J365/23".utf8)))
        #expect(rule.transitions(from: 0, to: 2_000_000_000).count <= 1)
        for second in stride(from: 1_000_000_000, to: 1_100_000_000, by: 123_457) {
            #expect(rule.type(at: second).offset == -14400)
        }
    }

    @Test("impossible values are refused for all numbers")
    func refused() {
        let huge = 0xFFFF_FFFF
        let cases: [(String, (inout File) -> Void)] = [
            ("more transitions than bytes", { $0.counts[3] = 10_000 }),
            ("four thousand million transitions", { $0.counts[3] = huge }),
            ("four thousand million types", { $0.counts[4] = huge }),
            ("four thousand million letters", { $0.counts[5] = huge }),
            ("four thousand million leap seconds", { $0.counts[2] = huge }),
            ("four thousand million indicators", { $0.counts[0] = huge }),
            ("257 types", { $0.counts[4] = 257 }),
            ("no type", { $0.counts[4] = 0 }),
            ("no letters", { $0.counts[5] = 0 }),
            ("another number of indicators than of types", { $0.counts[1] = 1 }),
            ("leap seconds", { $0.counts[2] = 1 }),
            ("times that do not rise", { $0.times = [5, 5] }),
            ("a type that is not there", { $0.indices = [1, 2] }),
            ("a name that is not there", { $0.types[0].name = 8 }),
            ("an offset of 26 hours", { $0.types[0].offset = 26 * 3600 }),
            ("the lowest of all offsets", { $0.types[0].offset = .min }),
            ("neither summer nor winter", { $0.types[0].isDaylight = 2 }),
            ("a footer that is none", { $0.footer = "\nhello world\n" }),
            ("a footer without end", { $0.footer = "\nCET-1" }),
            ("no footer", { $0.footer = "" }),
            ("a footer of a megabyte", { $0.footer = "\n" + String(repeating: "A", count: 900_000) + "\n" }),
        ]
        for (what, change) in cases { #expect(TZifReader.rules(Self.file(change)) == nil, "\(what)") }
        #expect(TZifReader.rules([UInt8](repeating: 0x54, count: TZifReader.maximumBytes + 1)) == nil)
        #expect(TZifReader.rules([]) == nil)
    }

    @Test("times beyond the years of a calendar are ignored")
    func farTimes() {
        let rules = TZifReader.rules(Self.file { $0.times = [.min, .max] })
        #expect(rules?.type(at: 0).offset == 3600)
        #expect(rules?.utc(local: 3600) == 0)
        #expect(rules?.times.isEmpty == true)
    }

    @Test("with changes a minute apart, a local time is the first possible moment")
    func closeChanges() {
        // At 0 the offset changes from +1 to +2 h, and 60 s later back to +1 h.
        let rules = TZifReader.rules(Self.file { $0.times = [0, 60] })
        #expect(rules?.utc(local: 3599) == -1)
        #expect(rules?.utc(local: 7200) == 0)
        #expect(rules?.utc(local: 7259) == 59)
        #expect(rules?.utc(local: 3661 + 7200) == 7261)
    }
}
