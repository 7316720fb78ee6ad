enum Excerpt {
    /// The largest number of scalars in an excerpt: enough for a sentence, but not for a page of HTML.
    static let maximumScalars = 200
    /// The largest number of listed texts; longer lists are not readable.
    static let mostWords = 5

    /// Whether an excerpt has a space in place of the scalar; not for U+200C and U+200D, which letters and emoji need.
    fileprivate static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }
}

extension StringProtocol {
    /// The safe form in which every server text must be shown: shortened, on one line, without control characters.
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
    /// The first texts as a list for a sentence, each as its ``Swift/StringProtocol/excerpt``.
    package var enumeration: String {
        let named = self.prefix(Excerpt.mostWords).map(\.excerpt).joined(separator: ", ")
        return self.count > Excerpt.mostWords ? "\(named) and others" : named
    }
}

extension StringProtocol where SubSequence == Substring {
    package var trimmed: Substring {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}

extension UInt8 {
    package var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
