extension DocumentChecker {
    /// Checks whether a text is one of the allowed values of the property, and whether its separators are escaped.
    mutating func checkText(
        _ property: Property,
        _ definition: PropertyDefinition,
        _ reader: ValueReader,
        _ values: [PropertyValue],
        _ kind: ComponentKind?
    ) {
        let subject = definition.name.wire
        if let words = EnumeratedValues.allowed(definition.name, kind), case .text(let text) = values.first {
            self.checkWord(text, words, property)
        }
        if definition.name == .color, reader.bytes.first == UInt8(ascii: "#") {
            self.report(.colorNotName, property.line, subject)
        }
        if reader.bytes.first == UInt8(ascii: ":") { self.report(.doubledColon, property.line, subject) }
        switch definition.separator {
        case .single where reader.bytes.hasUnescaped(UInt8(ascii: ","), UInt8(ascii: ";")):
            self.report(.unescapedSeparator, property.line, subject)
        // vCalendar 1.0 separates lists with semicolons.
        case .comma where !self.isOld && reader.bytes.hasUnescaped(UInt8(ascii: ";"), UInt8(ascii: ";")):
            self.report(.unescapedSeparator, property.line, subject, "a semicolon")
        default: break
        }
    }

    private mutating func checkWord(_ text: String, _ words: [String], _ property: Property) {
        let subject = property.name.canonical
        let word = text.trimmingSpaces
        if property.name == .version, word.hasPrefix("1.") {
            self.report(.oldVersion, property.line, subject)
        } else if words.contains(word.uppercased()) {
            if word != text { self.report(.oddForm, property.line, subject, word.uppercased()) }
        } else if !self.isOld {
            // vCalendar 1.0 has different values.
            let letter = Array(word.utf8)[...].invisibleLetter
            self.report(.unknownWord, property.line, subject, letter.map { "the value, in which \($0) stands," })
        }
    }

    mutating func checkAddress(_ reader: ValueReader, _ property: Property, _ kind: ComponentKind?) {
        guard !reader.bytes.trimmingBlanks.hasScheme else { return }
        // Apple's alarms contain the name of a sound.
        let isSound = kind == .alarm && property.name == .attach
        self.report(isSound ? .soundName : .badAddress, property.line, property.name.canonical)
    }
}

extension ArraySlice<UInt8> {
    /// The first invisible character in it, in Unicode notation.
    var invisibleLetter: String? {
        guard self.contains(where: { $0 >= 0x80 }) else { return nil }
        let letter = TextDecoding.string(self).unicodeScalars.first {
            switch $0.value {
            case 0xA0, 0xAD, 0x180E, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x3000, 0xFEFF: true
            default: false
            }
        }
        guard let letter else { return nil }
        let digits = String(letter.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: 4 - digits.count) + digits
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

    /// Whether it contains one of two separators without a backslash.
    fileprivate func hasUnescaped(_ first: UInt8, _ second: UInt8) -> Bool {
        var isEscaped = false
        for byte in self {
            if !isEscaped, byte == first || byte == second { return true }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return false
    }
}
