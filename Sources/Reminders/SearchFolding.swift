import RemindavICalendar

/// A text in the form that a search compares: without case, and without diacritical marks.
///
/// Case is folded as in ``LabelKey``: `STRASSE` equals `straße`. A letter with marks equals its base letter in every
/// encoding: `cafe` finds `Café`, and `lodz` finds `Łódź`. Marks that make a different letter are kept, such as the
/// voiced kana of Japanese. White space of any length becomes one space, and invisible characters are removed.
struct SearchFolding {
    /// The folded text in UTF-8.
    private(set) var bytes: [UInt8] = []
    /// For each byte of ``bytes``, the byte offset of its character in the original UTF-8 text; empty unless requested.
    private(set) var origins: [Int] = []
    private let keepsOrigins: Bool

    init() { self.keepsOrigins = false }

    init(_ text: String, keepsOrigins: Bool = false) {
        self.keepsOrigins = keepsOrigins
        self.bytes.reserveCapacity(text.utf8.count)
        var position = 0
        for scalar in text.unicodeScalars {
            self.append(scalar, at: position)
            position += scalar.utf8.count
        }
    }

    mutating func append(_ scalar: Unicode.Scalar, at position: Int) {
        if scalar.value < 0x80 {
            self.append(ascii: UInt8(truncatingIfNeeded: scalar.value), at: position)
        } else if scalar.properties.isWhitespace {
            self.append(ascii: UInt8(ascii: " "), at: position)
        } else if !Self.isHidden(scalar) {
            for folded in LabelKey.fold(scalar).unicodeScalars where !Self.isMark(folded) {
                self.append(folded: Self.bases[folded] ?? folded, at: position)
            }
        }
    }

    private mutating func append(ascii byte: UInt8, at position: Int) {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): self.append(byte: byte | 0x20, at: position)
        case 0x09...0x0D, UInt8(ascii: " "):
            if self.bytes.last != UInt8(ascii: " ") { self.append(byte: UInt8(ascii: " "), at: position) }
        default: self.append(byte: byte, at: position)
        }
    }

    private mutating func append(folded scalar: Unicode.Scalar, at position: Int) {
        for byte in String(scalar).utf8 { self.append(byte: byte, at: position) }
    }

    /// Appends a byte that is already folded.
    private mutating func append(byte: UInt8, at position: Int) {
        self.bytes.append(byte)
        if self.keepsOrigins { self.origins.append(position) }
    }
}

extension SearchFolding {
    /// The first offset, at or after `start`, where `needle` occurs; `nil` when it does not occur.
    func first(_ needle: [UInt8], from start: Int = 0) -> Int? { Self.first(needle, in: self.bytes.span, from: start) }

    static func first(_ needle: [UInt8], in bytes: Span<UInt8>, from start: Int = 0) -> Int? {
        guard let initial = needle.first, bytes.count >= needle.count else { return nil }
        let letters = needle.span
        let initials = UInt64(repeating: initial)
        let seconds = UInt64(repeating: needle.dropFirst().first ?? 0)
        var position = start
        let last = bytes.count - letters.count
        while position <= last {
            // The first two letters are compared at eight positions at once.
            if position + 9 <= bytes.count {
                let others = letters.count > 1 ? bytes.word(at: position + 1) ^ seconds : 0
                let equal = (bytes.word(at: position) ^ initials | others).zeroBytes
                position += min(equal.trailingZeroBitCount / 8, 8)
                if equal == 0 { continue }
            }
            guard position <= last else { return nil }
            if bytes[position] == initial {
                var length = 1
                while length < letters.count, bytes[position + length] == letters[length] { length += 1 }
                if length == letters.count { return position }
            }
            position += 1
        }
        return nil
    }
}

extension SearchFolding {
    /// Whether the character is a mark above, below or through a letter, or a vowel point of Hebrew or Arabic.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        case 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
        case 0x064B...0x065F, 0x0670: true
        default: false
        }
    }

    /// Whether the character has no width, such as a soft hyphen or a joiner.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isDefaultIgnorableCodePoint }

    /// The base letter for each lower-case letter with marks.
    private static let bases: [Unicode.Scalar: Unicode.Scalar] = {
        var bases: [Unicode.Scalar: Unicode.Scalar] = [:]
        for line in Self.table.unicodeScalars.split(separator: "\n") {
            guard let base = line.first else { continue }
            for letter in line.dropFirst() { bases[letter] = base }
        }
        return bases
    }()

    /// Each line has a base letter, the lower-case letters that Unicode 14 decomposes to it, and letters with a stroke.
    ///
    /// A letter with a stroke (`đ`) has no decomposition, but Unicode's default collation sorts it as the base letter.
    private static let table = """
        aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ
        bḃḅḇƀ
        cçćĉċčḉ
        dďḋḍḏḑḓđ
        eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ
        fḟ
        gĝğġģǧǵḡǥ
        hĥȟḣḥḧḩḫħ
        iìíîïĩīĭįǐȉȋḭḯỉịɨ
        jĵ
        kķǩḱḳḵ
        lĺļľḷḹḻḽł
        mḿṁṃ
        nñńņňǹṅṇṉṋ
        oòóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợǿø
        pṕṗ
        rŕŗřȑȓṙṛṝṟ
        sśŝşšșṡṣṥṧṩ
        tţťțṫṭṯṱŧ
        uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự
        vṽṿ
        wŵẁẃẅẇẉ
        xẋẍ
        yýÿŷȳẏỳỵỷỹ
        zźżžẑẓẕƶ
        æǣǽ
        ʒǯ
        αάἀἁἂἃἄἅἆἇὰάᾰᾱ
        εέἐἑἒἓἔἕὲέ
        ηήἠἡἢἣἤἥἦἧὴή
        ιίϊἰἱἲἳἴἵἶἷὶίῐῑ
        οόὀὁὂὃὄὅὸό
        ρῥ
        υϋύὑὓὕὗὺύῠῡ
        ωώὠὡὢὣὤὥὦὧὼώ
        аӑӓ
        гѓ
        еѐёӗ
        жӂӝ
        зӟ
        ийѝӣӥ
        кќ
        оӧ
        уўӯӱӳ
        чӵ
        ыӹ
        эӭ
        ії
        ѵѷ
        әӛ
        өӫ
        """
}
