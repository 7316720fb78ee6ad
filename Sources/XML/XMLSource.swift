/// Prepares a document for libxml2: converts it to UTF-8 and checks limits that libxml2 lacks.
///
/// libxml2 compares all attributes of a tag with each other, and its table of names does not grow. Both take quadratic
/// time, and a SAX handler cannot stop the parser inside a tag.
enum XMLSource {
    /// Converts a document to UTF-8.
    ///
    /// Spaces overwrite the XML declaration, so that libxml2 and ``check(_:limits:)`` assume the same encoding.
    ///
    /// - Throws: ``XMLError/Code/encoding`` unless it is UTF-8, UTF-16 with a byte order mark, ASCII or Latin-1.
    static func utf8(_ bytes: [UInt8]) throws(XMLError) -> [UInt8] {
        var text = bytes
        let isUTF16 = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        if isUTF16 { text = self.fromUTF16(bytes) }
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        if let declaration = self.declaration(of: text) {
            let name = isUTF16 ? nil : self.encoding(text[declaration])
            for index in declaration where text[index] != 0x0A { text[index] = UInt8(ascii: " ") }
            switch name {
            case nil, "utf-8", "utf8", "us-ascii", "ascii": break
            case "iso-8859-1", "latin1": text = self.fromLatin1(text)
            default: throw XMLError(.encoding)
            }
        }
        // After any other first byte, or with a NUL in the first four bytes, libxml2 would assume another encoding.
        guard let first = text.first, first == UInt8(ascii: "<") || self.isSpace(first), !text.prefix(4).contains(0)
        else { throw XMLError(.notWellFormed) }
        return text
    }

    private static func fromUTF16(_ bytes: [UInt8]) -> [UInt8] {
        let (high, low) = bytes[0] == 0xFE ? (0, 1) : (1, 0)
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: 2, to: bytes.count - 1, by: 2) {
            units.append(UInt16(bytes[index + high]) * 256 + UInt16(bytes[index + low]))
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func fromLatin1(_ bytes: [UInt8]) -> [UInt8] {
        // The first 256 characters of Unicode are those of Latin-1.
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8.map { $0 }
    }

    /// The number of bytes within which an XML declaration must end; real declarations are several times shorter.
    private static let longestDeclaration = 256

    // XMLDecl       ::= '<?xml' VersionInfo EncodingDecl? SDDecl? S? '?>'
    private static func declaration(of text: [UInt8]) -> Range<Int>? {
        guard text.starts(with: Array("<?xml".utf8)), text.count > 5, self.isSpace(text[5]) else { return nil }
        let limit = min(text.count, self.longestDeclaration)
        for index in 5..<limit - 1 where text[index] == UInt8(ascii: "?") && text[index + 1] == UInt8(ascii: ">") {
            return 0..<index + 2
        }
        return nil
    }

    // EncodingDecl  ::= S 'encoding' Eq ('"' EncName '"' | "'" EncName "'" )
    private static func encoding(_ declaration: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: declaration, as: UTF8.self).lowercased()
        let parts = text.split(whereSeparator: { $0 == "=" || $0 == "\"" || $0 == "'" || $0.isWhitespace })
        guard let place = parts.firstIndex(of: "encoding"), place + 1 < parts.endIndex else { return nil }
        return String(parts[place + 1])
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }

    /// Checks the limits on attributes and names, in time that is linear in the bytes.
    ///
    /// Every `<` counts as the start of a tag, even in comments and CDATA sections, because after an error libxml2 may
    /// continue in the middle of a comment or a CDATA section.
    static func check(_ bytes: [UInt8], limits: XMLLimits) throws(XMLError) {
        var scan = TagScan(limits: limits)
        let failure = bytes.withUnsafeBufferPointer { scan.run($0) }
        if let failure { throw XMLError(failure) }
    }
}

private struct TagScan {
    private let limits: XMLLimits
    private var names: Set<UInt64> = []
    /// The last noted hash at each index, which is its ten low bits; most repeated names then need no set lookup.
    private var recent = [UInt64](repeating: 0, count: 1024)
    init(limits: XMLLimits) { self.limits = limits }

    /// Returns the limit that the document exceeds, or `nil`.
    mutating func run(_ bytes: UnsafeBufferPointer<UInt8>) -> XMLError.Code? {
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                index += 1
                continue
            }
            index += 1
            if let failure = self.readTag(bytes, &index) { return failure }
        }
        return nil
    }

    // STag          ::= '<' Name (S Attribute)* S? '>'
    private mutating func readTag(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> XMLError.Code? {
        // libxml2 also stores the name of an end tag and the target of a processing instruction.
        if index < bytes.count, bytes[index] == UInt8(ascii: "/") || bytes[index] == UInt8(ascii: "?") { index += 1 }
        guard self.readName(bytes, &index) != nil else { return self.failure }
        var attributes = 0
        while index < bytes.count {
            let byte = bytes[index]
            if XMLSource.isSpace(byte) || byte == UInt8(ascii: "/") {
                index += 1
                continue
            }
            guard let name = self.readName(bytes, &index) else { break }
            attributes += 1
            if attributes > self.limits.attributes { return .tooManyAttributes }
            guard self.readValue(bytes, &index, isNamespace: name) else { break }
        }
        return self.failure
    }

    private var failure: XMLError.Code? { self.names.count > self.limits.names ? .tooManyNames : nil }

    // Eq AttValue; returns whether there is a value between two quotation marks.
    private mutating func readValue(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ index: inout Int,
        isNamespace: Bool
    ) -> Bool {
        while index < bytes.count, XMLSource.isSpace(bytes[index]) || bytes[index] == UInt8(ascii: "=") { index += 1 }
        guard index < bytes.count else { return false }
        let quote = bytes[index]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return false }
        index += 1
        var hash = Self.seed
        while index < bytes.count, bytes[index] != quote {
            // An attribute value cannot contain `<`, so libxml2 stops reading the tag here.
            if bytes[index] == UInt8(ascii: "<") { return false }
            hash = Self.mix(hash, bytes[index])
            index += 1
        }
        guard index < bytes.count else { return false }
        index += 1
        if isNamespace { self.note(hash) }
        return true
    }

    /// Reads a name; returns whether it declares a namespace, whose value libxml2 also stores; `nil` without a name.
    private mutating func readName(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool? {
        let start = index
        var hash = Self.seed
        while index < bytes.count, Self.isNameByte(bytes[index]) {
            hash = Self.mix(hash, bytes[index])
            index += 1
        }
        guard index > start else { return nil }
        self.note(hash)
        return index - start >= Self.namespaceMark.count && zip(bytes[start...], Self.namespaceMark).allSatisfy(==)
    }

    private mutating func note(_ hash: UInt64) {
        let place = Int(hash & 1023)
        guard self.recent[place] != hash else { return }
        self.recent[place] = hash
        self.names.insert(hash)
    }

    private static let namespaceMark = Array("xmlns".utf8)
    /// The start value of FNV-1a differs in each process, so a server cannot choose different names with the same hash.
    private static let seed = UInt64(bitPattern: Int64("FNV-1a".hashValue))
    private static func mix(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }
}
