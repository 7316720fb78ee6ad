import RemindavICalendar

/// The colour of a label, in sRGB.
public struct LabelColor: Hashable, Sendable, CustomStringConvertible {
    /// The red component, from 0 to 255.
    public let red: UInt8
    /// The green component, from 0 to 255.
    public let green: UInt8
    /// The blue component, from 0 to 255.
    public let blue: UInt8

    /// Creates a colour from its components.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Creates a colour from a number such as `0xFF5722`; the highest eight bits are ignored.
    public init(rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16),
            green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb)
        )
    }

    /// Reads six hexadecimal digits (RGB), eight (RGBA; the opacity is ignored), or a CSS name (COLOR, RFC 7986 §5.9).
    ///
    /// White space at the ends, a `#` before the digits, and differences of case are ignored. Returns `nil` for any
    /// other text.
    public init?(_ text: String) {
        let text = text.trimmingWhiteSpace
        let hasMark = text.hasPrefix("#")
        let digits = hasMark ? text.dropFirst() : text[...]
        if digits.utf8.count == 6 || digits.utf8.count == 8, digits.utf8.allSatisfy(\.isHexadecimalDigit),
            let number = UInt32(digits.prefix(6), radix: 16)
        {
            self.init(rgb: number)
        } else if !hasMark, let number = Self.cssNames[text.lowercased()] {
            self.init(rgb: number)
        } else {
            return nil
        }
    }

    /// The colour as `#RRGGBB` in upper case.
    public var hex: String { "#" + [self.red, self.green, self.blue].hexadecimal.uppercased() }

    /// The same text as ``hex``.
    public var description: String { self.hex }

    /// Grey, which is shown for a colour that cannot be read.
    public static let unreadable = Self(rgb: 0x808080)
}

extension LabelColor {
    /// A colour that the program offers for a label.
    public struct Swatch: Hashable, Sendable {
        /// The colour.
        public let color: LabelColor
        /// The name of the colour.
        public let name: String
    }

    /// The default colour of a new label.
    public static let standard = Self(rgb: 0xFF5722)

    /// The colours that the program offers, in the order in which it shows them.
    public static let palette = Self.colors.map { Swatch(color: Self(rgb: $0.rgb), name: $0.name) }

    // swift-format-ignore
    private static let colors: [(rgb: UInt32, name: String)] = [
        (0xF44336, "red"), (0xE91E63, "pink"), (0x9C27B0, "purple"), (0x673AB7, "deep purple"),
        (0x3F51B5, "indigo"), (0x2196F3, "blue"), (0x03A9F4, "light blue"), (0x00BCD4, "cyan"),
        (0x009688, "teal"), (0x4CAF50, "green"), (0x8BC34A, "light green"), (0xCDDC39, "lime"),
        (0xFFEB3B, "yellow"), (0xFFC107, "amber"), (0xFF9800, "orange"), (0xFF5722, "deep orange"),
    ]

    /// Reads a colour that a user entered: a name in ``palette``, or a text for ``init(_:)``.
    ///
    /// Palette names take precedence, because CSS uses some of these names for other colours. Case, blanks and hyphens
    /// are ignored.
    public init?(argument text: String) {
        let name = text.lowercased().filter { !$0.isWhitespace && $0 != "-" }
        if let swatch = Self.palette.first(where: { $0.name.filter { $0 != " " } == name }) {
            self = swatch.color
        } else if let color = Self(text) ?? Self.cssNames[name].map({ Self(rgb: $0) }) {
            self = color
        } else {
            return nil
        }
    }

    /// The name of the colour in ``palette``; `nil` when the palette does not contain it.
    public var paletteName: String? { Self.palette.first { $0.color == self }?.name }

    /// The colour of a check mark on a coloured background.
    public enum CheckMark: Sendable {
        /// The colour with the larger contrast.
        case black, white
    }

    /// The colour of a check mark on this colour: black or white, whichever has the higher contrast.
    public var checkMark: CheckMark {
        self.contrast(with: Self(rgb: 0xFFFFFF)) > self.contrast(with: Self(rgb: 0x000000)) ? .white : .black
    }

    /// The contrast ratio of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio").
    public func contrast(with other: Self) -> Double {
        let (mine, theirs) = (self.luminance + 0.05, other.luminance + 0.05)
        return max(mine, theirs) / min(mine, theirs)
    }

    /// A colour in CIE L*a*b* (1976); a value is computed once, because it is compared with many others.
    package struct Lab: Sendable {
        fileprivate let parts: [Double]

        package init(_ color: LabelColor) { self.parts = color.lab }

        package func difference(from other: Self) -> Double {
            zip(self.parts, other.parts).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }
    }

    // The weights of the components are those of sRGB with the white point D65 (IEC 61966-2-1).
    private var luminance: Double {
        let linear = self.linear
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    private var linear: [Double] {
        [self.red, self.green, self.blue].map { part in
            let value = Double(part) / 255
            guard value > 0.04045 else { return value / 12.92 }
            // The power of 2.4 is computed as the fifth root of the twelfth power.
            let base = (value + 0.055) / 1.055
            let square = base * base
            let fourth = square * square
            return (fourth * fourth * fourth).root(5)
        }
    }

    private var lab: [Double] {
        let light = self.linear
        let x = (0.4124 * light[0] + 0.3576 * light[1] + 0.1805 * light[2]) / 0.95047
        let z = (0.0193 * light[0] + 0.1192 * light[1] + 0.9505 * light[2]) / 1.08883
        let seen = [x, self.luminance, z].map { $0 > 0.008856 ? $0.root(3) : 7.787 * $0 + 16.0 / 116 }
        return [116 * seen[1] - 16, 500 * (seen[0] - seen[1]), 200 * (seen[1] - seen[2])]
    }
}

extension Double {
    /// The n-th root of a number from 0 to about 1 by Newton's method; this target imports no mathematics library.
    fileprivate func root(_ degree: Int) -> Double {
        guard self > 0 else { return 0 }
        // Each guess is smaller than the one before, until the guess is the root.
        var guess = Swift.max(self, 1)
        while true {
            let power = (1..<degree).reduce(1.0) { product, _ in product * guess }
            let next = guess - (guess * power - self) / (Double(degree) * power)
            guard next < guess else { return guess }
            guess = next
        }
    }
}
