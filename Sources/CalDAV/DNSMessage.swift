/// The answers in a message of DNS (RFC 1035 §4.1).
///
/// An incomplete record ends the parsing; earlier records count.
enum DNSMessage {
    static let txt: UInt16 = 16
    static let srv: UInt16 = 33
    /// A name has 255 bytes, so that no more labels than this fit; also the limit for circular pointers.
    private static let maximumLabels = 128
    /// More than a domain has of one kind.
    private static let maximumRecords = 64

    /// The services; one with the root as its target means no service (RFC 2782).
    static func services(_ message: [UInt8]) -> [ServiceRecord] {
        self.records(message, of: self.srv).compactMap { data in
            guard data.count >= 7, let (target, _) = self.name(message, at: data.startIndex + 6),
                !target.isEmpty, target.utf8.allSatisfy(self.isHostByte)
            else { return nil }
            func number(_ offset: Int) -> UInt16 {
                UInt16(message[data.startIndex + offset]) << 8 | UInt16(message[data.startIndex + offset + 1])
            }
            return ServiceRecord(priority: number(0), weight: number(2), port: number(4), target: target.lowercased())
        }
    }

    /// The texts of all TXT records, each by itself.
    static func texts(_ message: [UInt8]) -> [String] {
        self.records(message, of: self.txt).flatMap { data in
            var texts: [String] = []
            var rest = data
            while let length = rest.popFirst(), rest.count >= Int(length) {
                texts.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
                rest = rest.dropFirst(Int(length))
            }
            return texts
        }
    }

    /// The data of the answers of a type, as ranges of the message.
    private static func records(_ message: [UInt8], of type: UInt16) -> [ArraySlice<UInt8>] {
        func number(_ index: Int) -> Int? {
            index + 1 < message.count ? Int(message[index]) << 8 | Int(message[index + 1]) : nil
        }
        // RCODE 0: no error. The counts are those of questions and of answers.
        guard message.count >= 12, message[3] & 0x0F == 0, let questions = number(4), let answers = number(6) else {
            return []
        }
        var index = 12
        for _ in 0..<min(questions, self.maximumRecords) {
            guard let (_, end) = self.name(message, at: index) else { return [] }
            index = end + 4
        }
        var records: [ArraySlice<UInt8>] = []
        for _ in 0..<min(answers, self.maximumRecords) {
            guard let (_, end) = self.name(message, at: index), let found = number(end), let length = number(end + 8),
                end + 10 + length <= message.count
            else { break }
            index = end + 10 + length
            if found == Int(type) { records.append(message[end + 10..<index]) }
        }
        return records
    }

    /// The name that begins at an index, with dots and without one at the end, and where the record goes on behind it.
    private static func name(_ message: [UInt8], at start: Int) -> (name: String, end: Int)? {
        var labels: [String] = []
        var index = start
        var end: Int?
        for _ in 0..<self.maximumLabels {
            guard index < message.count else { return nil }
            let length = Int(message[index])
            switch length {
            case 0: return (labels.joined(separator: "."), end ?? index + 1)
            case 1..<0x40:
                guard index + length < message.count else { return nil }
                labels.append(String(decoding: message[index + 1...index + length], as: UTF8.self))
                index += length + 1
            // A pointer to where the rest of the name stands (RFC 1035 §4.1.4).
            case 0xC0...:
                guard index + 1 < message.count else { return nil }
                end = end ?? index + 2
                index = (length & 0x3F) << 8 | Int(message[index + 1])
            default: return nil
            }
        }
        return nil
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
