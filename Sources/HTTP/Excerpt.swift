/// How much of a server's words stands in a sentence of ours.
enum Excerpt {
    /// Enough for a sentence; a page of HTML, or a name of a megabyte, is not shown.
    static let maximumScalars = 200
    /// Of a thousand words nobody reads more.
    static let mostWords = 5

    /// Whether a terminal would act on it, or a reader be misled by it; joiners hold letters and emoji together.
    fileprivate static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }
}

extension StringProtocol {
    /// The text as it may stand in a message: cut, on one line, without control characters.
    ///
    /// The one door through which a server's words come into a sentence, a note or a log.
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
    /// A server's words as a list in a sentence: each an ``Swift/StringProtocol/excerpt``, the first of them named.
    package var enumeration: String {
        let named = self.prefix(Excerpt.mostWords).map(\.excerpt).joined(separator: ", ")
        return self.count > Excerpt.mostWords ? "\(named) and others" : named
    }
}
