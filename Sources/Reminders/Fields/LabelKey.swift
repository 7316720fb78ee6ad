/// Identifies a label in any spelling: two names with the same key mean the same label.
///
/// Case is folded as in Unicode's full case folding: `STRASSE` equals `straße`, and the three forms of sigma are equal,
/// but the dotless ı is not an i. White space at the ends and the encoding of an accent are ignored.
public struct LabelKey: Hashable, Sendable {
    /// The name after case folding.
    public let text: String

    /// Creates the key of a name.
    public init(_ name: String) {
        let name = name.trimmingWhiteSpace
        // Each character is folded alone, because the lower case of sigma depends on its position in the word.
        self.text = name.utf8.allSatisfy { $0 < 0x80 } ? name.lowercased() : name.unicodeScalars.map(Self.fold).joined()
    }

    /// The case folding of a character: its lower case, then upper case, then lower case, so that ß becomes `ss`.
    static func fold(_ scalar: Unicode.Scalar) -> String {
        if scalar == "\u{131}" { return String(scalar) }
        let upper = scalar.properties.lowercaseMapping.unicodeScalars.map(\.properties.uppercaseMapping).joined()
        return upper.unicodeScalars.map(\.properties.lowercaseMapping).joined()
    }
}

extension String {
    package var trimmingWhiteSpace: String {
        let rest = self.drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(rest[...last])
    }
}
