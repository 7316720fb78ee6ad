/// The common key of all spellings of a label: two names with the same key are one label.
///
/// Case does not count, as Unicode's full case folding has it: `STRASSE` and `straße` are the same, and so are the three
/// sigmas. Nor do white space at the ends and the way in which an accent is encoded. The one difference to Unicode's
/// table that there could be, the dotless ı, is told apart from `i` as the table does.
public struct LabelKey: Hashable, Sendable {
    /// The folded name.
    public let text: String

    /// The key of a name.
    public init(_ name: String) {
        let name = name.trimmingWhiteSpace
        self.text = name.utf8.allSatisfy { $0 < 0x80 } ? name.lowercased() : Self.fold(name)
    }

    /// By letter, since the lower case of a whole word depends on where a letter stands in it.
    ///
    /// Down, up and down again: a letter without a lower case, such as ß, folds to the lower case of its upper case.
    private static func fold(_ name: String) -> String {
        var folded = ""
        for scalar in name.unicodeScalars { folded += self.fold(scalar) }
        return folded
    }

    /// One letter without case.
    static func fold(_ scalar: Unicode.Scalar) -> String {
        if scalar == "\u{131}" { return String(scalar) }
        let upper = scalar.properties.lowercaseMapping.unicodeScalars.map(\.properties.uppercaseMapping).joined()
        return upper.unicodeScalars.map(\.properties.lowercaseMapping).joined()
    }
}

extension String {
    /// Without the white space and line ends at both ends.
    package var trimmingWhiteSpace: String {
        let rest = self.drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(rest[...last])
    }
}
