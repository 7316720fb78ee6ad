import Reminders

/// The appearance of a label: a dot of its colour before its name.
enum Swatch {
    private static let dot = "\u{25CF}"

    static func dot(_ color: LabelColor, _ depth: ColorDepth) -> StyledText {
        StyledText(Self.dot, .foreground(color, depth))
    }
}

/// How many colours a terminal has.
enum ColorDepth: Sendable {
    /// The 256 colours of xterm, of which 16 depend on the user's theme.
    case palette
    /// All.
    case full

    /// From the environment: `COLORTERM` is `truecolor` or `24bit` on a terminal with all colours.
    init(environment: [String: String]) {
        self = ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased() ?? "") ? .full : .palette
    }
}

extension TextStyle {
    /// Text in a colour of the data's own.
    static func foreground(_ color: LabelColor, _ depth: ColorDepth) -> Self {
        switch depth {
        case .full: Self(code: "38;2;\(color.red);\(color.green);\(color.blue)")
        case .palette: Self(code: "38;5;\(TerminalPalette.cell(nearest: color))")
        }
    }
}

/// The fixed colours of xterm: a cube of 216 and 24 greys.
enum TerminalPalette {
    private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]

    private static let cells: [(number: Int, look: LabelColor.Lab)] = {
        let cube = (0..<216).map { index in
            let color = LabelColor(
                red: levels[index / 36],
                green: levels[index / 6 % 6],
                blue: levels[index % 6]
            )
            return (16 + index, color)
        }
        let greys = (0..<24).map { index in
            let level = UInt8(8 + 10 * index)
            return (232 + index, LabelColor(red: level, green: level, blue: level))
        }
        return (cube + greys).map { ($0.0, LabelColor.Lab($0.1)) }
    }()

    /// The cell most similar to the colour; the first of equal ones.
    static func cell(nearest color: LabelColor) -> Int {
        let look = LabelColor.Lab(color)
        let distances = self.cells.map { ($0.number, $0.look.difference(from: look)) }
        return distances.min { $0.1 < $1.1 }?.0 ?? 15
    }
}
