internal import RemindavHTTP

/// Reads a DNS message (RFC 1035 §4.1); if a record is incomplete, only the records before it are returned.
enum DNSMessage {
    static let txt: UInt16 = 16
    static let srv: UInt16 = 33
    /// The most labels that a name of 255 bytes has; the limit also ends a loop of compression pointers.
    private static let maximumLabels = 128
    /// The most records that are read from each section; a domain needs fewer.
    private static let maximumRecords = 64

    /// The SRV records, except those with the root as the target: they say that there is no such service (RFC 2782).
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

    private static func records(_ message: [UInt8], of type: UInt16) -> [ArraySlice<UInt8>] {
        func number(_ index: Int) -> Int? {
            index + 1 < message.count ? Int(message[index]) << 8 | Int(message[index + 1]) : nil
        }
        // RCODE 0 means no error. The number of questions begins at byte 4, and the number of answers at byte 6.
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

    /// The domain name at an index, without the final dot, and the index after the name in this record.
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
            // A pointer to the rest of the name elsewhere in the message (RFC 1035 §4.1.4).
            case 0xC0...:
                guard index + 1 < message.count else { return nil }
                end = end ?? index + 2
                index = (length & 0x3F) << 8 | Int(message[index + 1])
            default: return nil
            }
        }
        return nil
    }

    private static func isHostByte(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "-._".utf8.contains(byte) }
}
