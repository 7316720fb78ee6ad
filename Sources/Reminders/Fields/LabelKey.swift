/// The common key of all spellings of a label: two names with the same key are one label.
///
/// It follows Unicode's full case folding: `STRASSE` and `straße` are the same, and so are the three sigmas, but the
/// dotless ı is not an `i`. White space at the ends and the encoding of an accent do not count.
public struct LabelKey: Hashable, Sendable {
    /// The folded name.
    public let text: String

    /// The key of a name.
    public init(_ name: String) {
        let name = name.trimmingWhiteSpace
        // By letter, since the lower case of a whole word depends on the position of a letter in it.
        self.text = name.utf8.allSatisfy { $0 < 0x80 } ? name.lowercased() : name.unicodeScalars.map(Self.fold).joined()
    }

    /// To lower, upper and lower case again: ß has no lower case, and folds to the lower case of its upper case.
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
