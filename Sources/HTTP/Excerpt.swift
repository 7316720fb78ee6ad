/// Limits on server texts in our messages.
enum Excerpt {
    /// Enough for a sentence; excludes a page of HTML or a name of a megabyte.
    static let maximumScalars = 200
    /// The number of listed items; longer lists are not readable.
    static let mostWords = 5

    /// Whether a terminal would interpret the character, or a reader would be misled by it; joiners are allowed because
    /// letters and emoji need them.
    fileprivate static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }
}

extension StringProtocol {
    /// The text in a form that is safe in a message: shortened, on one line, without control characters.
    ///
    /// Every text of a server in a message, a note or a log must use this property.
    package var excerpt: String {
        var scalars = String.UnicodeScalarView()
        var count = 0
        var isGap = false
        for scalar in self.unicodeScalars {
            guard !Excerpt.isBlank(scalar) else {
                isGap = count > 0
                continue
            }
            guard count + (isGap ? 2 : 1) <= Excerpt.maximumScalars else {
                if count == Excerpt.maximumScalars { scalars.removeLast() }
                scalars.append("…")
                break
            }
            if isGap {
                scalars.append(" ")
                count += 1
            }
            scalars.append(scalar)
            count += 1
            isGap = false
        }
        return String(scalars)
    }
}

extension Collection where Element: StringProtocol {
    /// Texts of a server as a list in a sentence: each an ``Swift/StringProtocol/excerpt``, only the first ones named.
    package var enumeration: String {
        let named = self.prefix(Excerpt.mostWords).map(\.excerpt).joined(separator: ", ")
        return self.count > Excerpt.mostWords ? "\(named) and others" : named
    }
}
