import RemindavICalendar

/// Reads a compiled time zone (TZif, RFC 9636); each count is checked against the available bytes before its use.
struct TZifReader {
    /// The largest file size in bytes; the files of tzdata have less than 4 KB.
    static let maximumBytes = 1 << 20
    /// The largest number of clock changes; the longest list of tzdata has fewer than 300.
    static let maximumTransitions = 10_000
    private let bytes: [UInt8]

    /// The rules in `bytes`; `nil` if they are not a valid TZif file.
    static func rules(_ bytes: [UInt8]) -> ZoneRules? {
        guard bytes.count <= self.maximumBytes else { return nil }
        let reader = TZifReader(bytes: bytes)
        guard let first = reader.header(at: 0) else { return nil }
        guard first.version >= 2 else { return reader.block(first, timeBytes: 4, footer: nil) }
        guard let second = reader.header(at: first.end(timeBytes: 4)) else { return nil }
        let end = second.end(timeBytes: 8)
        guard let text = reader.footer(at: end) else { return nil }
        // If the footer is empty, the changes after the last listed one are unknown.
        guard !text.isEmpty else { return reader.block(second, timeBytes: 8, footer: nil) }
        guard let rule = PosixZoneRule(text) else { return nil }
        return reader.block(second, timeBytes: 8, footer: rule)
    }

    /// The counts in the header of a data block (RFC 9636 §3.1).
    private struct Header {
        static let length = 44
        var start: Int
        var version: Int
        var indicators: Int
        var transitions: Int
        var types: Int
        var characters: Int

        func end(timeBytes: Int) -> Int {
            self.start + Self.length + self.transitions * (timeBytes + 1) + self.types * 6 + self.characters
                + self.indicators
        }
    }

    private func header(at start: Int) -> Header? {
        guard start + Header.length <= self.bytes.count, self.bytes[start...].starts(with: "TZif".utf8) else {
            return nil
        }
        let counts = (0..<6).map { self.integer(at: start + 20 + $0 * 4, bytes: 4) }
        guard counts.allSatisfy({ (0...Self.maximumBytes).contains($0) }), counts[3] <= Self.maximumTransitions,
            (1...256).contains(counts[4])
        else { return nil }
        // A block has one indicator of each kind (standard/wall, UT/local) for each local time type, or no indicator of
        // this kind. It has at least one byte of names.
        // Versions 2, 3 and 4 differ only in the allowed footers. Files below `right/` are refused: they count leap
        // seconds.
        guard [0, counts[4]].contains(counts[0]), [0, counts[4]].contains(counts[1]), counts[5] > 0,
            counts[2] == 0, [0, 0x32, 0x33, 0x34].contains(self.bytes[start + 4])
        else { return nil }
        let versionByte = self.bytes[start + 4]
        let header = Header(
            start: start,
            version: versionByte == 0 ? 1 : Int(versionByte) - 0x30,
            indicators: counts[0] + counts[1],
            transitions: counts[3],
            types: counts[4],
            characters: counts[5]
        )
        // This checks a block with 4-byte times. A block with 8-byte times is checked when it is read.
        return header.end(timeBytes: 4) <= self.bytes.count ? header : nil
    }

    private func block(_ header: Header, timeBytes: Int, footer: PosixZoneRule?) -> ZoneRules? {
        guard header.end(timeBytes: timeBytes) <= self.bytes.count else { return nil }
        let timesStart = header.start + Header.length
        let indicesStart = timesStart + header.transitions * timeBytes
        let typesStart = indicesStart + header.transitions
        let namesStart = typesStart + header.types * 6
        let names = self.bytes[namesStart..<(namesStart + header.characters)]
        guard let kinds = self.kinds(header.types, at: typesStart, names: names) else { return nil }
        let times = (0..<header.transitions).map { self.integer(at: timesStart + $0 * timeBytes, bytes: timeBytes) }
        let indices = self.bytes[indicesStart..<typesStart].map(Int.init)
        guard indices.allSatisfy(kinds.indices.contains), zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return nil
        }
        var first = kinds[0]
        var list: [(at: Int, type: LocalTimeType)] = []
        for (time, index) in zip(times, indices) where time <= ZoneClock.lastSecond {
            // The first change of some files is at the Big Bang, long before the year 1.
            if time < ZoneClock.firstSecond { first = kinds[index] } else { list.append((time, kinds[index])) }
        }
        return Self.rules(list, first: first, footer: footer)
    }

    // ttinfo: int32 utoff, uint8 isdst, uint8 desigidx
    private func kinds(_ count: Int, at start: Int, names: ArraySlice<UInt8>) -> [LocalTimeType]? {
        var kinds: [LocalTimeType] = []
        for index in 0..<count {
            let start = start + index * 6
            let nameIndex = Int(self.bytes[start + 5])
            let offset = self.integer(at: start, bytes: 4)
            guard abs(offset) < 26 * 3600, self.bytes[start + 4] <= 1, nameIndex < names.count else { return nil }
            let name = String(decoding: names.dropFirst(nameIndex).prefix { $0 != 0 }, as: UTF8.self)
            kinds.append(LocalTimeType(offset: offset, isDaylight: self.bytes[start + 4] != 0, abbreviation: name))
        }
        return kinds
    }

    /// The listed changes, and after the last of them the changes of the footer up to ``ZoneClock/horizon``.
    private static func rules(
        _ list: [(at: Int, type: LocalTimeType)],
        first: LocalTimeType,
        footer: PosixZoneRule?
    ) -> ZoneRules {
        var times = list.map(\.at)
        var types = list.map(\.type)
        guard let footer, footer.saving != nil else {
            let first = list.isEmpty ? footer?.standard ?? first : first
            return ZoneRules(times: times, types: types, first: first, tail: .constant)
        }
        // Without a listed change, the footer applies to all time.
        let from = times.last.map { $0 + 1 } ?? ZoneClock.start(of: 1900)
        let to = max(from, ZoneClock.horizon)
        var before = types.last
        for change in footer.transitions(from: from, to: to) where change.after != before {
            times.append(change.at)
            types.append(change.after)
            before = change.after
        }
        return ZoneRules(
            times: times,
            types: types,
            first: list.isEmpty ? footer.type(at: from - 1) : first,
            tail: .footer(footer),
            listed: (list.isEmpty ? from : .min)..<to
        )
    }

    // footer = "\n" TZ-string "\n"
    private func footer(at start: Int) -> [UInt8]? {
        guard start < self.bytes.count, self.bytes[start] == 0x0A else { return nil }
        let text = self.bytes[(start + 1)...].prefix { $0 != 0x0A }
        guard start + 1 + text.count < self.bytes.count, text.count <= 256 else { return nil }
        return Array(text)
    }

    private func integer(at start: Int, bytes count: Int) -> Int {
        var number: UInt64 = 0
        for byte in self.bytes[start..<(start + count)] { number = number << 8 | UInt64(byte) }
        return count == 4 ? Int(Int32(truncatingIfNeeded: number)) : Int(Int64(bitPattern: number))
    }
}
