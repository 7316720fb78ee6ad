import RemindavReminders
import Testing

@testable import RemindavCLI

/// The default colours of terminals: 0 to 7, then the bright colours 8 to 15.
struct TerminalTheme: Sendable, CustomTestStringConvertible {
    let name: String
    let colors: [UInt32]
    let backgrounds: [UInt32]
    /// Whether bold text has the bright variant of its colour: always, never, or by a setting of the user.
    let boldIsBright: Bool?

    var testDescription: String { self.name }

    // swift-format-ignore
    static let all = [
        Self(
            name: "xterm",
            colors: [
                0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
                0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
            ],
            backgrounds: [0x000000, 0xFFFFFF], boldIsBright: nil
        ),
        Self(
            name: "GNOME Terminal",
            colors: [
                0x171421, 0xC01C28, 0x26A269, 0xA2734C, 0x12488B, 0xA347BA, 0x2AA1B3, 0xD0CFCC,
                0x5E5C64, 0xF66151, 0x33D17A, 0xE9AD0C, 0x2A7BDE, 0xC061CB, 0x33C7DE, 0xFFFFFF,
            ],
            backgrounds: [0x000000, 0xFFFFFF], boldIsBright: nil
        ),
        Self(
            name: "Linux console",
            colors: [
                0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA,
                0x555555, 0xFF5555, 0x55FF55, 0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF,
            ],
            backgrounds: [0x000000, 0xFFFFFF], boldIsBright: true
        ),
        Self(
            name: "Solarized",
            colors: [
                0x073642, 0xDC322F, 0x859900, 0xB58900, 0x268BD2, 0xD33682, 0x2AA198, 0xEEE8D5,
                0x002B36, 0xCB4B16, 0x586E75, 0x657B83, 0x839496, 0x6C71C4, 0x93A1A1, 0xFDF6E3,
            ],
            backgrounds: [0x002B36, 0xFDF6E3], boldIsBright: nil
        ),
    ]

    /// The lowest contrast of a style with a background of the theme; `nil` for a style without a colour.
    func lowestContrast(_ style: TextStyle) -> Double? {
        let codes = style.code.split(separator: ";").compactMap { Int($0) }
        guard let color = codes.first(where: { (30...37).contains($0) }) else { return nil }
        let isBold = codes.contains(1)
        var shown: [UInt32] = []
        if !isBold || self.boldIsBright != true { shown.append(self.colors[color - 30]) }
        if isBold, self.boldIsBright != false { shown.append(self.colors[color - 30 + 8]) }
        return shown.flatMap { color in
            self.backgrounds.map { LabelColor(rgb: color).contrast(with: LabelColor(rgb: $0)) }
        }.min()
    }
}

@Suite("contrast")
struct ContrastTests {
    private static let styles: [TextStyle] = [.heading, .warning, .important, .match]

    @Test("each style is readable on light and dark backgrounds", arguments: TerminalTheme.all)
    func styles(theme: TerminalTheme) {
        for style in Self.styles {
            guard let contrast = theme.lowestContrast(style) else { continue }
            #expect(contrast >= LabelColor.minimumContrast, "\(style.code)")
        }
    }

    @Test("the measure finds the former style of a high priority unreadable: bold yellow on white")
    func former() {
        let contrasts = TerminalTheme.all.compactMap { $0.lowestContrast(TextStyle(code: "1;33")) }
        #expect(contrasts.count == TerminalTheme.all.count)
        #expect((contrasts.min() ?? 0) < 1.1)
    }

    @Test("no style is faint, because its colour depends on the terminal, and the Linux console shows it in #555555")
    func faint() {
        #expect(Self.styles.allSatisfy { !$0.code.split(separator: ";").contains("2") })
    }

    @Test(
        "the symbol of each label is readable, whatever its colour",
        arguments: [0x000000, 0xFFFFFF, 0xFFFF00, 0x00FF00, 0x0000FF, 0x000080, 0x808080, 0xFFEB3B, 0x010203]
            + LabelColor.palette.map { color in
                UInt32(color.color.red) << 16 | UInt32(color.color.green) << 8 | UInt32(color.color.blue)
            }
    )
    func labels(rgb: UInt32) {
        let color = LabelColor(rgb: rgb)
        #expect(color.readable.isReadable)
        #expect(!color.isReadable || color.readable == color)
        let cell = TerminalPalette.cell(nearest: color)
        #expect(TerminalPalette.color(of: cell)?.isReadable == true)
    }
}
