extension DocumentChecker {
    mutating func checkText(_ line: CheckedLine) {
        let property = line.property
        let bytes = line.reader.bytes
        if let words = EnumeratedValues.allowed(property.name, line.kind), case .text(let text) = line.values.first {
            self.checkWord(text, words, property)
        }
        if property.name == .color, bytes.first == UInt8(ascii: "#") { self.report(.colorNotName, property) }
        if bytes.first == UInt8(ascii: ":") { self.report(.doubledColon, property) }
        switch line.definition.separator {
        case .single where bytes.hasUnescaped(UInt8(ascii: ","), UInt8(ascii: ";")):
            self.report(.unescapedSeparator, property)
        // vCalendar 1.0 separates the values of a list with semicolons.
        case .comma where !self.isOld && bytes.hasUnescaped(UInt8(ascii: ";"), UInt8(ascii: ";")):
            self.report(.unescapedSeparator, property, "a semicolon")
        default: break
        }
    }

    private mutating func checkWord(_ text: String, _ words: [String], _ property: Property) {
        let word = text.trimmingSpaces
        if property.name == .version, word.hasPrefix("1.") {
            self.report(.oldVersion, property)
        } else if words.contains(word.uppercased()) {
            if word != text { self.report(.oddForm, property, word.uppercased()) }
        } else if !self.isOld {
            // vCalendar 1.0 allows other words, so they are not reported.
            let letter = Array(word.utf8)[...].invisibleLetter
            self.report(.unknownWord, property, letter.map { "the value with \($0)" })
        }
    }

    mutating func checkAddress(_ line: CheckedLine) {
        guard !line.reader.bytes.trimmingBlanks.hasScheme else { return }
        // Apple writes the name of a sound, instead of an address, into ATTACH of an alarm.
        let isSound = line.kind == .alarm && line.property.name == .attach
        self.report(isSound ? .soundName : .badAddress, line.property)
    }
}

extension ArraySlice<UInt8> {
    var invisibleLetter: String? {
        guard self.contains(where: { $0 >= 0x80 }) else { return nil }
        let letter = TextDecoding.string(self).unicodeScalars.first {
            switch $0.value {
            case 0xA0, 0xAD, 0x180E, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x3000, 0xFEFF: true
            default: false
            }
        }
        return letter?.codePoint
    }

    // scheme        = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )      (RFC 3986 §3.1)
    fileprivate var hasScheme: Bool {
        guard let first = self.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first.capital) else {
            return false
        }
        let rest = self.drop {
            $0.isNameCharacter && $0 != UInt8(ascii: "_") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".")
        }
        return rest.first == UInt8(ascii: ":")
    }

    fileprivate func hasUnescaped(_ first: UInt8, _ second: UInt8) -> Bool {
        var isEscaped = false
        for byte in self {
            if !isEscaped, byte == first || byte == second { return true }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return false
    }
}

extension Unicode.Scalar {
    var codePoint: String {
        let digits = String(self.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}
